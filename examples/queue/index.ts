import { Cluster, Queue } from "pulumi-buildpipeline";

const linux = new Cluster("linux", { name: "Linux" });

// Steps choose a queue by its key.
const sizes = { small: "2 cores", medium: "8 cores", large: "32 cores" };
for (const [key, description] of Object.entries(sizes)) {
  // The program doesn't set dispatchPaused, so it doesn't manage pausing. An operator may pause one of these queues
  // during an incident, and the next deployment keeps it paused.
  new Queue(key, { clusterId: linux, key, description });
}

// Here it is managed: a deployment that refreshes pauses this queue again until the line changes.
const gpu = new Queue("gpu", {
  clusterId: linux,
  key: "gpu",
  description: "Machines with accelerators",
  dispatchPaused: true,
  dispatchPausedNote: "Waits for the new drivers",
});

export const pausedSince = gpu.dispatchPausedAt;
