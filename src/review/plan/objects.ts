import type { LiveObject } from "../../cli/inventory/live-object.js";
import { kinds } from "../../provider/for-commands/kinds.js";
import type { Properties } from "../../shared/protocol/encoded-values.js";
import type { PlannedChange } from "./change.js";
import type { Plan } from "./plan.js";

/** An object as it is, and as it will be: the stack's, or one that a reading of the organization found. */
export interface PlanObject extends Pick<PlannedChange, "kind" | "refersTo"> {
  readonly id: string | undefined;
  /** What identifies it: its URN if it is in the stack, or else its id. */
  readonly key: string;
  /** What a person calls it afterwards. */
  readonly label: string;
  readonly before: Readonly<Properties>;
  readonly after: Readonly<Properties>;
  readonly change: PlannedChange | undefined;
}

/** Returns all objects of the stack, those that are yet to be made included. */
export function objectsOf(plan: Plan): PlanObject[] {
  // What only leaves the state stays as it is.
  const deployed = plan.deployed.filter(({ action }) => action !== "release");
  const changed = new Set(deployed.map(({ kind, id }) => `${kind} ${id}`));
  return [
    ...plan.managed
      .filter(({ kind, id }) => !changed.has(`${kind} ${id}`))
      .map(({ kind, id, label, properties }) => unchanged(kind, id, label, properties, plan)),
    ...deployed.map((change) => ({ ...change, key: change.urn, label: change.nextLabel, change })),
  ];
}

/** Returns an object of the organization. */
export function liveObjectOf({ kind, id, label, observed, parent }: LiveObject, plan: Plan): PlanObject {
  const place = kind.parent && { [kind.parent.argument]: parent?.id };
  const change = plan.deployed.find((one) => one.id === id);
  return { ...unchanged(kind.name, id, label, { ...observed, ...place }, plan), change };
}

function unchanged(
  kind: string,
  id: string,
  label: string,
  properties: Readonly<Properties>,
  { keyOf }: Plan,
): PlanObject {
  const { parent, arguments: fields } = kinds.get(kind) ?? {};
  return {
    ...{ kind, id, label, key: keyOf(kind, id), before: properties, after: properties, change: undefined },
    refersTo: (argument) => {
      const to = argument === parent?.argument ? parent.kind : fields?.[argument]?.refersTo;
      const value = properties[argument];
      return typeof value === "string" && value !== "" ? keyOf(to ?? "", value) : undefined;
    },
  };
}
