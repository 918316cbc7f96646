/** What a deployment would do to something. */
export type Change = "added" | "adopted" | "changed" | "replaced" | "removed";

/** Something with a name. */
export interface Named {
  readonly name: string;
  readonly change?: Change;
}

export interface TopologyQueue extends Named {
  readonly isDefault: boolean;
  readonly paused: boolean;
  /** What it does now, where that was asked for. */
  readonly load?: {
    readonly running: number;
    readonly waiting: number;
    /** Undefined where agents could not be read. */
    readonly agents: number | undefined;
  };
}

export interface TopologyCluster extends Named {
  /** As the service has it: `#A9CCE3`. */
  readonly color?: string;
  readonly queues: readonly TopologyQueue[];
  readonly agentTokens: readonly Named[];
}

/** What an organization is made of, as people draw it. */
export interface Topology {
  readonly organization?: string;
  readonly clusters: readonly TopologyCluster[];
  readonly pipelineTemplates: readonly Named[];
  readonly teams: readonly Named[];
  readonly suites: readonly Named[];
}
