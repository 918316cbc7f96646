import type { PlannedChange } from "./change.js";
import type { Finding } from "./finding.js";
import type { Live } from "./live.js";

/** What has to be read before anything can be said of a change. */
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
  readonly properties: Readonly<Record<string, unknown>>;
}

/** How changes of a kind hit what runs. */
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
