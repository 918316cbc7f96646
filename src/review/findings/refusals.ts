import { disappears } from "../../cli/drawing/actions.js";
import { forceArgument, kinds, nounOf, placeOfKind } from "../../provider/for-commands/kinds.js";
import { changes, type PlannedChange } from "../plan/change.js";
import { liveObjectOf, objectsOf, type PlanObject } from "../plan/objects.js";
import type { Plan } from "../plan/plan.js";
import { listed, type Text, text } from "../plan/text.js";
import type { Remark } from "./consequences.js";
import type { Live } from "./live.js";
import { caseOf } from "./remarks.js";
import { type Hit, labelOrId } from "./use.js";

/** A refusal of the service or the provider that can be foreseen, because of which a deployment stops halfway. */
export interface Refusal {
  readonly change: PlannedChange;
  /** False where it depends on something that the API doesn't show. */
  readonly certain: boolean;
  readonly remark: Remark;
}

function refusal(change: PlannedChange, certain: boolean, why: Text, todo: string, rest = ""): Refusal {
  return {
    change,
    certain,
    remark: {
      effect: "stops",
      level: "danger",
      subject: ["The deployment"],
      words: `${certain ? "will" : "may"} stop halfway{why}`,
      values: { why },
      ...(rest !== "" && { rest }),
      todo,
      of: [change],
      isFirst: certain,
    },
  };
}

/** Returns the refusals that a plan shows and, if it was read, the organization. */
export function refusalsOf(plan: Plan, hits: readonly Hit[], live: Live | undefined): Refusal[] {
  const containers = plan.deployed.filter((change) => disappears(change) && force(change) !== undefined);
  return [
    ...containers.flatMap((change) => [
      ...(live === undefined ? [] : leftInside(change, plan, live)),
      ...leftBeside(change, plan, live),
    ]),
    ...hits.flatMap(({ change, keysInUse = [] }) =>
      keysInUse.length > 0 ? [underAgents(change, keysInUse)] : [],
    ),
  ];
}

function force({ kind }: PlannedChange): string | undefined {
  const described = kinds.get(kind);
  return described && forceArgument(described);
}

/** The provider refuses to delete a cluster with objects that the deployment doesn't delete first. */
function leftInside(change: PlannedChange, { deployed }: Plan, { objects }: Live): Refusal[] {
  const argument = force(change) ?? "";
  if (change.before[argument] === true) return [];
  const deleted = new Set(deployed.filter(disappears).map(({ id }) => id));
  const left = objects.filter(({ id, parent }) => parent?.id === change.id && !deleted.has(id));
  if (left.length === 0) return [];
  const names = left.map((one) => text`${[one.kind.words.noun]} ${labelOrId(one)}`);
  const why = text`: ${[nounOf(change.kind)]} ${change.title} contains ${listed(names)}, which this deployment doesn't delete`;
  return [
    refusal(
      change,
      true,
      why,
      `Delete ${left.length === 1 ? "it" : "them"}, or set ${argument} and deploy that first.`,
      "Everything else is deleted first, and then the deletion is refused.",
    ),
  ];
}

/** The service may refuse to delete what others are still in: pipelines stay in their cluster when they are archived. */
function leftBeside(change: PlannedChange, plan: Plan, live: Live | undefined): Refusal[] {
  const stays = ({ kind, id, refersTo, change: own }: PlanObject) => {
    const { kind: of, argument = "" } = placeOfKind(kind);
    if (id === undefined || kinds.get(kind)?.parent !== undefined || of !== change.kind) return false;
    if (refersTo(argument, "before") !== change.urn) return false;
    // The new one is there before the old one goes, unless that goes first.
    const isReplaced = change.action === "replace" && !change.isDeletedFirst;
    if (own !== undefined && isReplaced && !disappears(own) && changes(own, argument)) return false;
    if (own === undefined || !disappears(own))
      return (own?.refersTo ?? refersTo)(argument, "after") === change.urn;
    return caseOf(kinds.get(kind)?.review?.deleted, own)?.remains === true;
  };
  const all = [
    ...objectsOf(plan).map((one) => ({ ...one, label: one.change?.label ?? one.label })),
    ...(live?.objects ?? []).map((one) => liveObjectOf(one, plan)),
  ];
  const left = [...new Map(all.filter(stays).map((one) => [one.id, one])).values()];
  const [first] = left;
  if (first === undefined) return [];
  const one = left.length === 1 ? "it" : "them";
  const names = left.map(({ kind, label }) => text`${[nounOf(kind)]} ${label}`);
  const why = text`: ${listed(names)} ${[left.length === 1 ? "stays" : "stay"]} in ${[nounOf(change.kind)]} ${change.title}, archived or not, and the service may refuse to delete it then`;
  return [
    refusal(change, false, why, `Move ${one} to another ${nounOf(change.kind)} first, or delete ${one}.`),
  ];
}

function underAgents(change: PlannedChange, keys: readonly string[]): Refusal {
  const tags = [`tag${keys.length === 1 ? "" : "s"} `, ...listed(keys.map((key) => `queue=${key}`))];
  const why = text` at ${[nounOf(change.kind)]} ${change.title}: agents with the ${tags} are connected (the API doesn't show in which cluster), and a queue with connected agents isn't deleted`;
  return refusal(change, false, why, "Stop these agents first.");
}
