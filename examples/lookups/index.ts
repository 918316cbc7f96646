import { getAgentsOutput, getBuildsOutput, getClusterOutput, Queue } from "pulumi-buildpipeline";

// The cluster belongs to another program. Here it is found by the name that people know, and only read.
const linux = getClusterOutput({ name: "Linux" });

const search = new Queue("search", {
  clusterId: linux.id,
  key: "search",
  description: "Jobs of the search team",
});

// A lookup runs in the program, in previews too, and asks the service once for the same thing.
const { agents } = getAgentsOutput({});
const { builds } = getBuildsOutput({ pipelineSlug: "storefront", state: "finished", limit: 5 });

export const queueId = search.id;
export const connectedAgents = agents.apply((found) => found.map(({ name }) => name));
export const latestResults = builds.apply((found) => found.map(({ number, state }) => `#${number} ${state}`));
