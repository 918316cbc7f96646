import { type ArgumentChange, type Change, type Managed, ofPlace } from "../../shared/plan/change.js";
import { listed, type Text, text } from "../../shared/plan/text.js";
import type { Figures } from "../../shared/workload/figures.js";
import type { Live, Needs } from "./live.js";

/**
 * Remarks of a report on changes to resources of one type, in addition to its description. Because all remarks
 * have defaults, most types need a few lines, and a new type needs none.
 */
export interface Review {
  /**
   * Says what a deletion or a replacement destroys; undefined if nothing is lost. It is a danger, unless the sentence says
   * that people only notice it, because another object takes over.
   * Default: `` Queue `small` of `Linux` is deleted. ``
   *
   * @param contents what is deleted with the object, by type. Every type that can be in it has an entry.
   * @param plan all changes of the deployment
   * @param managed what the stack has today
   */
  lost?(
    change: Change,
    contents: readonly Contents[],
    plan: readonly Change[],
    managed: readonly Managed[],
  ): Sentence | undefined;
  /** Updates that people notice, by argument. `"values"` shows the values before and after. */
  readonly cautions?: Readonly<Record<string, Caution | "values">>;
  /** Describes which jobs and agents a change affects now. Default: none. */
  readonly impact?: KindImpact;
}

/** Says what people notice when an argument changes; undefined for a harmless value. */
type Caution = (change: Change, argument: ArgumentChange) => Sentence | undefined;

/** Objects of one type that are in another object. */
export interface Contents {
  readonly noun: string;
  readonly labels: readonly string[];
}

/** Checks whether an argument gets this value. */
export function becomes({ after }: ArgumentChange, value: string): boolean {
  return typeof after === "object" && after.code === value;
}

/** A sentence about one object, and how it reads where objects of several clusters share it. */
export interface Sentence {
  readonly message: Text;
  /** `lead`: `` Queue `small` is deleted``, without the cluster. `rest`: the sentences that follow. */
  readonly inMany?: { readonly lead: Text; readonly rest: Text };
  /** Sentences that follow the present load, where it is known. Default: the load doesn't take part in the sentence. */
  readonly known?: Text;
  /** Default: what the sentence is about is a danger if it is lost, and people notice it otherwise. */
  readonly level?: "caution";
}

/** Says `` Queue `small` of `Linux` is deleted. `` and what follows. @param many the predicate where several clusters share it */
export function placed(
  subject: Text,
  { place }: Pick<Change, "place">,
  predicate: Text,
  rest: Text,
  { many = predicate, known }: { readonly many?: Text; readonly known?: Text } = {},
): Sentence {
  return {
    message: [...subject, ...ofPlace(place), " ", ...predicate, rest.length > 0 ? ". " : ".", ...rest],
    inMany: { lead: [...subject, " ", ...many], rest },
    ...(known && { known }),
  };
}

/** Effect on an object, for programs. */
export type Effect = "delete" | "replace" | "pause" | "resume" | "switch" | "restrict" | "revoke" | "hide";

/** Impact of a change. */
export interface Finding {
  readonly change: Change;
  /** The object's label, or that of what it is a part of. */
  readonly label: string;
  readonly effect: Effect;
  /** `` Queue `small` `` and `` is replaced by `tiny` ``: the cluster's name, or several, come between or after them. */
  readonly subject: Text;
  readonly predicate: Text;
  /** Jobs run in what disappears, or may start there at any moment. */
  readonly busy: boolean;
  /** Undefined where jobs do not matter, or could not be read. */
  readonly figures: Figures | undefined;
  /** Connected agents; undefined where they do not matter, or could not be read. */
  readonly agents: number | undefined;
  /** The present load, in words. */
  readonly now: string;
  /** Consequences, a line each. */
  readonly lines: readonly Text[];
  /** Why the service or the provider refuses it, so that the deployment stops halfway. */
  readonly refusal?: Refusal | undefined;
}

/** A refusal that can be foreseen. */
export interface Refusal {
  /** False where it depends on something that the API doesn't show. */
  readonly certain: boolean;
  readonly message: Text;
}

/** Returns the refusal of a deletion because of connected agents; undefined without any. */
export function refusedForAgents(subject: Text, keys: readonly string[]): Refusal | undefined {
  if (keys.length === 0) return undefined;
  const tags = [`tag${keys.length === 1 ? "" : "s"} `, ...listed(keys.map((key) => `queue=${key}`))];
  return {
    certain: false,
    message: text`The deployment may stop halfway at ${subject}: agents with the ${tags} are connected (the API doesn't show in which cluster), and a queue with connected agents isn't deleted. Stop them first.`,
  };
}

/** A finding without what holds for most: an idle object of the change's label that is deleted or replaced. */
export type OwnFinding = Partial<Finding> & Pick<Finding, "now">;

/** How changes of a resource type hit what runs. */
export interface KindImpact {
  /** Undefined for a change that affects no jobs or agents. */
  needs(change: Change): Needs | undefined;
  finding(change: Change, live: Live, plan: readonly Change[], managed: readonly Managed[]): OwnFinding;
}
