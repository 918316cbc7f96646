/** What a deployment would do to something. */
export type Change = "added" | "adopted" | "changed" | "replaced" | "removed";

/** Jobs and agents of a queue. */
export interface Load {
  readonly running: number;
  readonly waiting: number;
  /** Undefined where agents could not be read. */
  readonly agents: number | undefined;
}

/** An object of an organization, as people draw it. */
export interface TopologyNode {
  /** Name of its resource type. */
  readonly kind: string;
  readonly name: string;
  /** Undefined for an object that is yet to be created. */
  readonly id?: string;
  readonly change?: Change;
  /** As the service has it: `#A9CCE3`. */
  readonly color?: string;
  /** Whether it is the default of what it is in; undefined for types that have no default. */
  readonly isDefault?: boolean;
  /** Undefined for types that cannot be paused. */
  readonly paused?: boolean;
  /** What it does now, where that was asked for. */
  readonly load?: Load;
  /** What is in it. */
  readonly contents: readonly TopologyNode[];
}

/** What an organization is made of, as people draw it. */
export interface Topology {
  readonly organization?: string;
  /** What is in the organization itself. */
  readonly nodes: readonly TopologyNode[];
}
