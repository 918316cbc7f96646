import {
  AgentToken,
  Cluster,
  ClusterDefaultQueue,
  PipelineSettings,
  Queue,
  Team,
} from "pulumi-buildpipeline";
import { NETWORKS } from "../components/networks";

const linux = new Cluster("linux", { name: "Linux", description: "Containers" }, { protect: true });
const linuxSmall = new Queue("linux-small", { clusterId: linux, key: "small", description: "2 cores" });
new ClusterDefaultQueue("linux-default", { clusterId: linux, queueId: linuxSmall.id });

const mac = new Cluster("mac", { name: "Mac", description: "Mac minis" }, { protect: true });
const macSmall = new Queue("mac-small", { clusterId: mac, key: "small", description: "One Mac mini" });
new ClusterDefaultQueue("mac-default", { clusterId: mac, queueId: macSmall.id });

// The machines that every team uses. A product team has a token for its own machines.
for (const [name, clusterId] of Object.entries({ linux, mac }))
  new AgentToken(`${name}-machines`, {
    clusterId,
    description: "Shared machines",
    allowedIpAddresses: NETWORKS,
  });

// What holds for the pipelines of all teams: who changes it opens a pull request to this file.
new PipelineSettings("pipelines", { defaultClusterId: linux, scheduledJobExpiryInMinutes: 24 * 60 });

new Team("platform", {
  name: "Platform",
  description: "Runs the machines",
  membersCanCreatePipelines: true,
});

/** The clusters that product teams may use: components/shared-cluster.ts reads this output. */
export const clusterIds = { linux: linux.id, mac: mac.id };
