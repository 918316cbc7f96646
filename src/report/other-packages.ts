import { nameOfUrn, typeOfUrn } from "../protocol/urn.js";
import { listed, type Text } from "../review/text.js";
import { kindOfUrn, type Step } from "./preview.js";

const QUIET_STEPS = new Set(["same", "read", "refresh"]);

function isOther({ op, urn, oldState, newState }: Step): boolean {
  const isOwn = kindOfUrn(urn) !== undefined || typeOfUrn(urn).startsWith("pulumi:");
  // A component exists in the program only.
  return !isOwn && (newState ?? oldState)?.custom !== false && !QUIET_STEPS.has(op);
}

/** Returns how many steps there are for resources of other packages, by operation: `create` 3. */
export function otherSteps(steps: readonly Step[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { op } of steps.filter(isOther)) counts[op] = (counts[op] ?? 0) + 1;
  return counts;
}

/** Returns counts, and the names of what is deleted. */
export function othersInWords(counts: Readonly<Record<string, number>>, steps: readonly Step[]): Text[] {
  return Object.entries(counts).map(([op, count]) => {
    const own = steps.filter((step) => isOther(step) && step.op === op && /delete|replace/.test(op));
    const names = own.map(({ urn }) => `${typeOfUrn(urn)} ${nameOfUrn(urn)}`);
    return [{ code: `${count} ${op}` }, ...(names.length > 0 ? [": ", ...listed(names, 100)] : [])];
  });
}
