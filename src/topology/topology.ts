import type { Action } from "../messages/actions.js";

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
  readonly change?: Action;
  /** As the service has it: `#A9CCE3`. */
  readonly color?: string;
  /** True if it is the default of its parent. Undefined for types without a default. */
  readonly isDefault?: boolean;
  /** Undefined for types that cannot be paused. */
  readonly paused?: boolean;
  /** Its load now, if requested. */
  readonly load?: Load;
  /** Objects in it. */
  readonly contents: readonly TopologyNode[];
}

/** Objects of an organization, for a drawing. */
export interface Topology {
  readonly organization?: string;
  /** When jobs and agents were read (ISO 8601), and whether all of them could be. */
  readonly loadRead?: { readonly at: string; readonly isComplete: boolean };
  /** Objects in the organization itself. */
  readonly nodes: readonly TopologyNode[];
}
