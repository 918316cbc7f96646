import type { PulumiFn } from "@pulumi/pulumi/automation/index.js";
import { Cluster, Queue } from "../../../../src/index.js";
import type { Recorded, Services } from "../recorded.js";

export const halfMade: Recorded = { settings: "environment", prepare, program };

/** The pause fails, so that the queue is made and not finished. */
async function prepare({ main }: Services): Promise<void> {
  main.fault({ method: "POST", path: /pause_dispatch$/, action: { status: 403, body: {} } });
}

function program(): PulumiFn {
  return async () => {
    const linux = new Cluster("linux", { name: "Linux" });
    new Queue("paused", {
      clusterId: linux.id,
      key: "paused",
      dispatchPaused: true,
      dispatchPausedNote: "Release freeze",
    });
  };
}
