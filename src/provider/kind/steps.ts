/** What a place in steps names: an object of a kind, by one of its outputs. */
export interface Named {
  readonly kind: string;
  readonly output: string;
}

/** The places of a step, or of a pipeline as a whole, that name objects of the organization. */
const PLACES: readonly (readonly [place: RegExp, kind: string, output: string])[] = [
  [/^(?:agents|agent_query_rules)\/queue$/, "Queue", "key"],
  [/^secrets\/[^/]+$/, "ClusterSecret", "key"],
  [/^checkout\/ssh_secret$/, "ClusterSecret", "key"],
  [/^trigger$/, "Pipeline", "slug"],
  [/^allowed_teams(?:\/\d+)?$/, "Team", "id"],
];

/** Returns what a place names by the grammar of steps. Keys of plugins and variables never name anything. */
export function namedAt(path: readonly string[]): Named | undefined {
  const below = path.join("/").replace(/^(?:steps\/\d+\/)+/, "");
  const [, kind, output] = PLACES.find(([place]) => place.test(below)) ?? [];
  return kind === undefined || output === undefined ? undefined : { kind, output };
}
