import type { KindName } from "../inventory/kind-names.js";
import { type LiveObject, labelOf } from "../inventory/listing.js";
import { identifier, type Names, slug } from "./names.js";

/** The noun of each kind as it stands in names; short, because it comes after others. */
const NOUNS: Readonly<Record<KindName, string>> = {
  Cluster: "Cluster",
  Queue: "Queue",
  ClusterDefaultQueue: "DefaultQueue",
  AgentToken: "Token",
  PipelineTemplate: "Template",
  Team: "Team",
  Suite: "Suite",
};

/**
 * The name of a resource: what people call the object, after its cluster where it lives in one.
 *
 * @param cluster the name of the cluster's resource, or a stem like it
 */
export function logicalName(object: LiveObject, cluster: string, taken: Names): string {
  const noun = hyphenated(NOUNS[object.kind]);
  if (object.kind === "ClusterDefaultQueue") return taken.take(`${cluster}-${noun}`);
  const stem = stemOf(object);
  if (!("cluster" in object)) return taken.take(stem, `${stem}-${noun}`);
  const inside = stem === cluster || stem.startsWith(`${cluster}-`) ? stem : `${cluster}-${stem}`;
  return taken.take(inside, `${inside}-${noun}`);
}

/** The constant of a resource in its module. */
export function constantName(object: LiveObject, taken: Names): string {
  const noun = NOUNS[object.kind];
  const name = identifier(stemOf(object), noun);
  return taken.take(name, name.endsWith(noun) ? name : name + noun);
}

/** What an object is called where people's name for it has no letters. */
export function stemOf(object: LiveObject): string {
  return slug(labelOf(object)) || hyphenated(NOUNS[object.kind]);
}

/** A resource type in the plural, as a folder is named: `agent-tokens`. */
export function pluralName(kind: KindName): string {
  return `${hyphenated(kind)}s`;
}

function hyphenated(noun: string): string {
  return noun.replace(/(?<=.)\p{Lu}/gu, "-$&").toLowerCase();
}
