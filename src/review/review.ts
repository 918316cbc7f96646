import type { Properties } from "../protocol/encoded-values.js";
import type { Action, PlannedChange } from "./change.js";
import type { Finding } from "./finding.js";
import type { Live } from "./live.js";
import type { Sentence } from "./sentence.js";
import type { Text } from "./text.js";

/**
 * Remarks of a report on changes to resources of one type, in addition to its description. Everything has a default, so
 * most types need a few lines, and a new one needs none.
 */
export interface Review {
  /**
   * Says what a deletion or a replacement destroys; undefined if nothing is lost.
   * Default: `` Queue `small` of `Linux` is deleted. ``
   */
  lost?(change: SeenChange): Sentence | undefined;
  /** Updates that people notice, by argument. `"values"` shows the values before and after. */
  readonly cautions?: Readonly<Record<string, Caution | "values">>;
  /** Says what a change hits now. Default: nothing. */
  readonly impact?: KindImpact;
}

/** Says what people notice when an argument changes; undefined for a harmless value. */
type Caution = (change: SeenChange, argument: ChangedArgument) => Sentence | undefined;

/** A change as a reviewer sees it. */
export interface SeenChange {
  readonly action: Action;
  /** Key, description or name. */
  readonly label: string;
  /** Label of the object that it is in; empty outside of clusters. */
  readonly where: string;
  /** The arguments that change. */
  readonly changed: readonly ChangedArgument[];
  /** Contents that are deleted with the object, by type. Every type that can be in it has an entry. */
  readonly contents: readonly { readonly noun: string; readonly labels: readonly string[] }[];
}

/** An argument that changes. Its values have code marks where they are known. */
interface ChangedArgument {
  readonly name: string;
  readonly before: Text[number];
  readonly after: Text[number];
}

/** Checks whether an argument gets this value. */
export function becomes({ after }: ChangedArgument, value: string): boolean {
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

/** How changes of a resource type hit what runs. */
export interface KindImpact {
  /** Undefined for a change that hits nothing. */
  needs(change: PlannedChange, plan: readonly PlannedChange[]): Needs | undefined;
  finding(
    change: PlannedChange,
    live: Live,
    plan: readonly PlannedChange[],
    managed: readonly Managed[],
  ): Finding;
}
