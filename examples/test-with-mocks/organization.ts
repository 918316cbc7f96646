import { Cluster, getClusterOutput, getTeam, Queue, Suite } from "pulumi-buildpipeline";

const sizes = ["small", "large"];

/** A cluster with a queue of each size. In production every queue starts paused. */
export function organization(environment: "staging" | "production") {
  const cluster = new Cluster(environment, { name: `Linux (${environment})`, emoji: ":penguin:" });
  const queues = sizes.map(
    (size) =>
      new Queue(`${environment}-${size}`, {
        clusterId: cluster,
        key: `${environment}-${size}`,
        ...(environment === "production" && { dispatchPaused: true }),
      }),
  );
  return { cluster, queues };
}

/** A queue in a cluster that another program declares, found by its name. */
export function sharedQueue(key: string) {
  return new Queue(`shared-${key}`, { clusterId: getClusterOutput({ name: "Shared" }).id, key });
}

/** A test suite for a team that another program declares. */
export async function suite(name: string, teamSlug: string) {
  const team = await getTeam({ slug: teamSlug });
  return new Suite(name, { name: `${name} (${team.name})`, defaultBranch: "main", teamIds: [team.id] });
}
