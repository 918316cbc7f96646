import { createRequire } from "node:module";
import { DynamicBackend, type HostedProvider } from "../engine/dynamic-backend.js";

export type Call = readonly unknown[];

const { scripted }: { scripted(report: (...call: Call) => void): HostedProvider } =
  createRequire(__filename)("./scripted-provider.cjs");

export function scriptedBackend(calls: Call[]): DynamicBackend {
  const provider = scripted((...call) => calls.push(JSON.parse(JSON.stringify(call))));
  return new DynamicBackend({ kind: async () => provider, warnings: [], observed: [] });
}

/**
 * Calls in an order that is the same in every run. What does not depend on each other is worked on at the same time, and
 * so is everything that a refresh reads: then the calls of each resource count, and the order of deletions.
 */
export function normalized(isParallel: boolean, command: string, calls: readonly Call[]): Call[] {
  if (!isParallel && command !== "refresh") return [...calls];
  const deletions = calls.filter(([name]) => name === "delete");
  const others = calls.filter(([name]) => name !== "delete");
  const byResource = (one: Call, other: Call) => resourceOf(one).localeCompare(resourceOf(other));
  // Things that refer to the same one are deleted in one layer.
  const layers = deletions.sort((one, other) =>
    referenceIn(one) === referenceIn(other) ? byResource(one, other) : 0,
  );
  return [...others.sort(byResource), ...layers];
}

/** The key of the resource that a call is about, as far as it shows. */
function resourceOf(call: Call): string {
  const keys = call.flatMap((value) =>
    typeof value === "object" && value !== null && "key" in value ? [String(value.key)] : [],
  );
  return keys.at(-1) ?? "";
}

function referenceIn([, , outs]: Call): unknown {
  return typeof outs === "object" && outs !== null && "of" in outs ? outs.of : undefined;
}
