import type { Collection, CollectionSettings } from "./collection.js";

/**
 * All data of the service, as collections of records. A change here is like a colleague's change in the web interface:
 * without the API's checks, and visible at once. Each section's file adds its collections to this interface.
 *
 * @example emulator.organizationData.clusters.update(id, { description: "changed by hand" });
 *   emulator.organizationData.queues.delete(queueId);
 */
// biome-ignore lint/suspicious/noEmptyInterface: the sections add their collections to it.
export interface OrganizationData {}

/** The records of a collection. */
export type RecordIn<Name extends keyof OrganizationData> =
  OrganizationData[Name] extends Collection<infer Kept> ? Kept : never;

/** The collections of a section, with the behavior of each. */
export type Collections = {
  readonly [Name in keyof OrganizationData]?: CollectionSettings<RecordIn<Name>, OrganizationData>;
};
