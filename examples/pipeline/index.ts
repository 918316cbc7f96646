import { Cluster, Pipeline, Queue } from "pulumi-buildpipeline";

const linux = new Cluster("linux", { name: "Linux" });
const large = new Queue("large", { clusterId: linux, key: "large" });

// A plain object or YAML text. Left out, one step uploads the pipeline file of the repository.
const storefront = new Pipeline(
  "storefront",
  {
    name: "Storefront",
    repository: "git@github.com:acme/storefront.git",
    clusterId: linux,
    configuration: {
      steps: [
        { label: ":pipeline:", command: "buildkite-agent pipeline upload", agents: { queue: "large" } },
      ],
    },
    defaultBranch: "main",
    skipQueuedBranchBuilds: true,
    tags: ["web"],
  },
  { dependsOn: [large] },
);

// A deletion archives the pipeline, unless onDelete is "delete".
export const slug = storefront.slug;
