import { Cluster, Queue } from "pulumi-buildpipeline";

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
