import type { Properties } from "../protocol/encoded-values.js";
import type { ArgumentChange, Change } from "./change.js";
import type { Finding } from "./finding.js";
import type { Live } from "./live.js";
import type { Sentence } from "./sentence.js";

/**
 * Remarks of a report on changes to resources of one type, in addition to its description. Because all remarks
 * have defaults, most types need a few lines, and a new type needs none.
 */
export interface Review {
  /**
   * Says what a deletion or a replacement destroys; undefined if nothing is lost.
   * Default: `` Queue `small` of `Linux` is deleted. ``
   *
   * @param contents what is deleted with the object, by type. Every type that can be in it has an entry.
   * @param plan all changes of the deployment
   */
  lost?(change: Change, contents: readonly Contents[], plan: readonly Change[]): Sentence | undefined;
  /** Says what a replacement revokes, if another object takes over from it: people notice it. Default: it is lost. */
  rotated?(change: Change, plan: readonly Change[]): Sentence | undefined;
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

/** Data that the impact of a change needs. */
export interface Needs {
  readonly jobs?: boolean;
  readonly agents?: boolean;
  /** A cluster's queues, or its agent tokens. */
  readonly queuesOf?: string | undefined;
  readonly agentTokensOf?: string | undefined;
  /** A suite's latest runs. */
  readonly runsOf?: { readonly id: string; readonly slug: string };
}

/** An object that the stack manages today. */
export interface Managed {
  readonly kind: string;
  readonly id: string;
  readonly label: string;
  readonly properties: Readonly<Properties>;
}

/** A finding without what holds for most: an idle object of the change's label that is deleted or replaced. */
export type OwnFinding = Partial<Finding> & Pick<Finding, "now">;

/** How changes of a resource type hit what runs. */
export interface KindImpact {
  /** Undefined for a change that affects no jobs or agents. */
  needs(change: Change): Needs | undefined;
  finding(change: Change, live: Live, plan: readonly Change[], managed: readonly Managed[]): OwnFinding;
}
