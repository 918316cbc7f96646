import { Cluster, Queue } from "pulumi-buildpipeline";

const linux = new Cluster("linux", { name: "Linux" });

// Steps choose a queue by its key.
const sizes = { small: "2 cores", medium: "8 cores", large: "32 cores" };
for (const [key, description] of Object.entries(sizes)) {
  // Pausing is not mentioned, so it is not managed: an operator may pause one of these during an incident, and
  // the next deployment leaves it paused.
  new Queue(key, { clusterId: linux, key, description });
}

// Here it is managed: this queue stays paused until somebody changes the line, whatever is clicked meanwhile.
const gpu = new Queue("gpu", {
  clusterId: linux,
  key: "gpu",
  description: "Machines with accelerators",
  dispatchPaused: true,
  dispatchPausedNote: "Waits for the new drivers",
});

export const pausedSince = gpu.dispatchPausedAt;
