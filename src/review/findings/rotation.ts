import { disappears } from "../../cli/drawing/actions.js";
import type { Meaning } from "../../provider/for-commands/kinds.js";
import type { Properties } from "../../shared/protocol/encoded-values.js";
import { ROTATION } from "../../shared/protocol/properties.js";
import { changes, type PlannedChange } from "../plan/change.js";
import type { Managed, Plan } from "../plan/plan.js";

export function leavesOutGeneration(plan: Plan): boolean {
  return plan.deployed.some((change) => revokesSecretInUse(change, plan) !== "no");
}

/** Returns what the replacement of an object by its rotation means; undefined for any other one. */
export function rotationRemark(change: PlannedChange, plan: Plan): Meaning | undefined {
  if (!takesPartInRotation(change)) return undefined;
  const stops = (words: string, rest: string): Meaning => ({ effect: "stops", level: "danger", words, rest });
  switch (revokesSecretInUse(change, plan)) {
    case "unknown":
      return stops(
        "{is|are} replaced, and this may revoke the secret in use: no input shows which one that is",
        "Give --stack-export the output of `pulumi stack export` to know.",
      );
    case "yes": {
      const how = otherTokenChanges(change, plan)
        ? "together with the other token of {its|their} rotation"
        : "although no later one was given out";
      return stops(
        `{is|are} replaced ${how}: this revokes the secret in use`,
        "Connected agents stay connected; agents that start or reconnect need the new {one|ones}.",
      );
    }
    case "no": {
      if (change.movesTo !== undefined) return undefined;
      const kept = newestGivenOut(change, plan);
      const stays = kept ? `; the one of generation ${generationIn(kept.properties)} stays valid` : "";
      const words = `{is|are} rotated: this revokes the secret of generation ${generationIn(change.before)}${stays}`;
      return { effect: "noticed", level: "caution", words };
    }
  }
}

/**
 * Returns whether a rotation revokes the secret in use, and not only the previous secret. The secret in use is the newest
 * that the component gave out: a deployment that failed halfway has made a newer token, which nobody has.
 */
function revokesSecretInUse(change: PlannedChange, plan: Plan): "yes" | "no" | "unknown" {
  // What an earlier deployment replaced and couldn't delete may be it as well.
  const isLeft = change.pending && change.component !== undefined;
  if (!takesPartInRotation(change) && !isLeft) return "no";
  if (change.component !== undefined) {
    const inUse = newestGivenOut(change, plan)?.id;
    return plan.deployed.some((one) => one.id === inUse && disappears(one)) ? "yes" : "no";
  }
  // At its last deployment, a token in state was the newest, or it wasn't. A refresh of the dynamic provider forgets that.
  const then = change.before[ROTATION];
  if (otherTokenChanges(change, plan) || then === generationIn(change.before)) return "yes";
  return then === undefined ? "unknown" : "no";
}

/**
 * Returns the newest token that the component gave out, of those that exist. After a deployment with `--target`, the
 * outputs may call a token the newest that wasn't: its inputs then have a later generation of the component.
 */
function newestGivenOut({ component }: PlannedChange, { managed }: Plan): Managed | undefined {
  const [newest, ...others] = [component?.tokenId, component?.previousTokenId].map((id) =>
    managed.find((one) => one.id === id),
  );
  if (newest && Number(newest.properties[ROTATION] ?? 0) <= generationIn(newest.properties)) return newest;
  return [newest, ...others]
    .filter((one) => one !== undefined)
    .sort((one, other) => generationIn(other.properties) - generationIn(one.properties))[0];
}

/** Returns the generation of a token, which is a trigger from the second one on. */
function generationIn({ triggers }: Readonly<Properties>): number {
  const own =
    typeof triggers === "object" && triggers !== null ? Reflect.get(triggers, "generation") : undefined;
  return typeof own === "number" ? own : 1;
}

/** Returns whether a component that rotates replaces an object because it reached another generation. */
function takesPartInRotation(change: PlannedChange): boolean {
  const isOfComponent = typeof change.after[ROTATION] === "number";
  return change.action === "replace" && isOfComponent && changes(change, "triggers");
}

function otherTokenChanges({ urn, kind }: PlannedChange, { deployed }: Plan): boolean {
  const both = urn.replace(/-(?:odd|even)$/, "");
  return deployed.some(
    (other) =>
      other.kind === kind &&
      other.urn !== urn &&
      other.urn.replace(/-(?:odd|even)$/, "") === both &&
      (other.action === "create" || other.action === "replace"),
  );
}
