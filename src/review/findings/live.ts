import type { Listing } from "../../cli/inventory/listing.js";
import type { LiveObject } from "../../cli/inventory/live-object.js";
import type { Unread } from "../../cli/inventory/reading.js";
import type { LiveAgent, LiveJob } from "../../cli/workload/job.js";
import type { TimedReading } from "../../cli/workload/read.js";
import type { Build, Run } from "../../client/index.js";
import type { LiveName } from "../plan/names.js";
import type { LiveReferences } from "./steps.js";

export interface Gap extends Unread {
  /** `jobs`, `agents`, `clusters`, `queues`, `agent tokens`, `runs`. */
  readonly what: string;
}

/** What the organization has now, as far as changes may affect it. */
export interface Live {
  /** The service's time when reading ended. */
  readonly now: Date;
  readonly jobs: TimedReading<LiveJob>;
  readonly agents: TimedReading<LiveAgent>;
  readonly objects: readonly LiveObject[];
  /** Names of these objects, and of people. */
  readonly names: readonly LiveName[];
  readonly hasClusters: boolean;
  readonly unread: Listing["unread"];
  readonly references: LiveReferences;
  /** The latest runs of suites and builds of pipelines, by their ids. Another pipeline may have taken the slug. */
  readonly runs: ReadonlyMap<string, readonly Run[]>;
  readonly builds: ReadonlyMap<string, readonly Build[]>;
  readonly areRunsMissing: boolean;
  readonly gaps: readonly Gap[];
  /** How many requests it took. */
  readonly requests: number;
  /** Returns the objects of a kind in another object; undefined if they could not be read. */
  inside(kind: string, id: string | undefined): LiveObject[] | undefined;
  defaultQueue(cluster: string | undefined): unknown;
}
