import type { BuildPipelineClient } from "../../src/client/index.js";
import type { OperationId } from "./operations.js";
import type { Places } from "./world.js";

/** One operation, called through the client in a world, and what must come of it. */
export interface Case {
  /** Calls the operation. A list is read to its end. */
  readonly call: (client: BuildPipelineClient) => Promise<unknown>;
  /** What stands in the path for each placeholder but the organization's slug, which is known. */
  readonly ids?: Readonly<Record<string, string | number>>;
  /** The query the request must have, decoded; `per_page` of lists is known. */
  readonly query?: Readonly<Record<string, string>>;
  /** The body the request must have; without it, it must have none. */
  readonly body?: unknown;
  /** What the answer must have, at least; without it, there must be none. */
  readonly answer?: unknown;
  /** What neither the answer nor an entry of it may have: secrets, and what the document leaves out. */
  readonly lacks?: readonly string[];
}

/** A case for each operation of a group or more. */
export type Cases<Id extends OperationId> = { readonly [Each in Id]: (places: Places) => Case };

/** The operations of some groups: `"clusters"` has `clusters.list` and the others. */
export type OfGroup<Group extends string> = Extract<OperationId, `${Group}.${string}`>;
