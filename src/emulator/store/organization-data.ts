import { type ChangeLog, Collection, type CollectionSettings, type StoredRecord } from "./collection.js";

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

/** Makes empty collections that make their changes in a log. */
export function emptyOrganizationData(sections: readonly Collections[], log: ChangeLog): OrganizationData {
  const collections: Record<string, Collection<StoredRecord>> = {};
  // The sections are typed one by one; together they have each collection of the interface.
  const data = collections as unknown as OrganizationData;
  for (const section of sections) {
    // A collection's settings only get records of that collection.
    for (const [name, settings] of Object.entries(section as Record<string, AnySettings>)) {
      collections[name] = new Collection(name, log, (record) => settings.beforeDelete?.(record, data));
    }
  }
  return data;
}

/** Returns the collections by name, for code that treats all alike: data file, snapshots. */
export function collectionsOf(data: OrganizationData): Collection<StoredRecord>[] {
  // Each collection only ever gets back records it announced itself, so the record's kind cannot be mixed up.
  return Object.values(data) as unknown as Collection<StoredRecord>[];
}

interface AnySettings {
  readonly beforeDelete?: (record: StoredRecord, data: OrganizationData) => void;
}
