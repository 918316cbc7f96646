import { disappears } from "../../cli/drawing/actions.js";
import { lostWith, nounOf } from "../../provider/lifecycle/values/kinds.js";
import { capitalized } from "../../shared/messages/nouns.js";
import type { Change } from "../plan/change.js";
import { organizationOf, type Plan } from "../plan/plan.js";
import type { Text } from "../plan/text.js";
import { reviews } from "./remarks/index.js";
import type { Live, Readable } from "./remarks/read.js";
import type { Load, Remark } from "./remarks/review.js";

/** What a reviewer should know of one change. The verdict, the dangers and the impact are made of it. */
export interface Finding {
  readonly change: Change;
  /** What is lost with it. */
  readonly inside: readonly Change[];
  readonly remarks: readonly Required<Remark>[];
  /** What the load is made of. */
  readonly reads: readonly Readable[];
  /** Undefined if the change hits nothing, or if nothing was read. */
  readonly load: Load | undefined;
}

/** Judges each change of a deployment. @param now what the organization of the settings has */
export function assess(plan: Plan, now?: { readonly live: Live; readonly organization: string }): Finding[] {
  return concerned(plan, now?.organization).map(({ change, reads, loadNow }) => {
    const inside = insideOf(change, plan);
    const load = now && loadNow && loadOf(change, loadNow(change, now.live, plan));
    const level = disappears(change) ? "danger" : "caution";
    const remarks = remarksOf(change, inside, plan, load?.now === undefined ? undefined : load);
    const defaults: Required<Omit<Remark, "predicate">> = { subject: subjectOf(change), level, rest: [] };
    return { change, inside, remarks: remarks.map((one) => ({ ...defaults, ...one })), reads, load };
  });
}

/**
 * Returns each change, with what shows what it hits, if it may hit anything. A deleted cluster speaks for all that is in it.
 *
 * @param organization changes that are known to be in another one hit nothing. Default: all may
 */
export function concerned({ deployed }: Plan, organization?: string) {
  const gone = new Set(deployed.filter(disappears).map(({ kind, id }) => `${kind} ${id}`));
  return deployed.map((change) => {
    const { kind, place, action } = change;
    const impact = reviews[kind]?.impact;
    const isElsewhere =
      organization !== undefined && (organizationOf(change) ?? organization) !== organization;
    const isHit = disappears(change) || (action === "update" && impact?.isHit?.(change) === true);
    const isContained = gone.has(`${place?.kind} ${place?.id}`);
    const hit = isElsewhere || isContained || !isHit ? undefined : impact;
    return { change, reads: hit?.reads ?? [], loadNow: hit?.load };
  });
}

function loadOf({ label, action }: Change, own: Partial<Load>): Load {
  const effect = action === "replace" ? "replace" : "delete";
  return { label, effect, busy: false, figures: undefined, agents: undefined, lines: [], ...own };
}

function remarksOf(
  change: Change,
  inside: readonly Change[],
  plan: Plan,
  load: Load | undefined,
): readonly Remark[] {
  const { kind, action, changed } = change;
  const { lost, cautions = {} } = reviews[kind] ?? {};
  if (disappears(change)) {
    if (lost === undefined) return [{ predicate: [`is ${action}d`] }];
    const contents = lostWith(kind).map(({ name }) => ({
      noun: nounOf(name),
      labels: inside.filter((one) => one.kind === name).map(({ label }) => label),
    }));
    return [lost(change, { plan, contents, load }) ?? []].flat();
  }
  if (action !== "update") return [];
  return changed.flatMap((argument): Remark | readonly Remark[] => {
    const { name, before, after } = argument;
    const caution = Object.hasOwn(cautions, name) ? cautions[name] : undefined;
    if (caution === "values") return { predicate: [`changes ${name} from `, before, " to ", after] };
    return caution?.(change, argument, load) ?? [];
  });
}

function insideOf(change: Change, { deployed }: Plan): Change[] {
  if (!disappears(change)) return [];
  return deployed.filter(
    ({ place, action, movesTo }) =>
      place?.key === change.urn && (action === "update" || disappears({ action })) && movesTo === undefined,
  );
}

/** `` Agent token `build` `` */
export function subjectOf({ kind, title }: Pick<Change, "kind" | "title">): Text {
  return [`${capitalized(nounOf(kind))} `, ...title];
}
