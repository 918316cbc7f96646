import type { Collection } from "./collection.js";

/**
 * All data of the service, as collections of records. A change here is like a colleague's change in the web interface:
 * without the API's checks, and visible at once. `collections.ts` adds the collections to this interface.
 *
 * @example emulator.organizationData.clusters.update(id, { description: "changed by hand" });
 *   emulator.organizationData.queues.delete(queueId);
 */
// biome-ignore lint/suspicious/noEmptyInterface: collections.ts adds the collections, whose records need this interface.
export interface OrganizationData {}

export type RecordIn<Name extends keyof OrganizationData> =
  OrganizationData[Name] extends Collection<infer Kept> ? Kept : never;

/** The collections, each with what it does before one of its records is removed: what belongs to it goes first. */
export type Collections = {
  readonly [Name in keyof OrganizationData]: (record: RecordIn<Name>, data: OrganizationData) => void;
};
