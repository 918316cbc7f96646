import { Cluster } from "pulumi-buildpipeline";

// A pipeline reaches only the agents of its cluster. Work that must stay apart goes into separate clusters:
// here, pull requests from anybody, and releases that hold credentials.
const contributions = new Cluster("contributions", {
  name: "Contributions",
  description: "Builds of pull requests. These machines hold no credentials",
  emoji: ":seedling:",
  color: "#2a9d8f",
});

// Deleting a cluster deletes its queues and revokes its agent tokens. Where that would hurt, the third argument
// `{ protect: true }` makes Pulumi refuse the deletion until you take it away again.
const releases = new Cluster("releases", {
  name: "Releases",
  description: "Signs and publishes",
  emoji: ":package:",
  color: "#e76f51",
});

export const clusterIds = { contributions: contributions.id, releases: releases.id };
export const webUrl = releases.webUrl;
