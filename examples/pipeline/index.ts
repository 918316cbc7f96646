import { Cluster, Pipeline, Queue } from "pulumi-buildpipeline";

const linux = new Cluster("linux", { name: "Linux" });
const small = new Queue("small", { clusterId: linux, key: "small", description: "2 cores" });

// The steps stand in the program. Text works as well as an object.
const storefront = new Pipeline(
  "storefront",
  {
    name: "Storefront",
    repository: "git@github.com:acme/storefront.git",
    clusterId: linux,
    configuration: {
      steps: [{ label: ":hammer: test", command: "make test", agents: { queue: "small" } }],
    },
    defaultBranch: "main",
    branchConfiguration: "main release/*",
    cancelRunningBranchBuilds: true,
    cancelRunningBranchBuildsFilter: "!main",
    tags: ["team:web"],
    // The provider manages the settings that are named here, and leaves all others to the web interface.
    providerSettings: { triggerMode: "code", buildPullRequests: true },
    // Deletes its builds and logs too. Leave this out in production, where a deletion archives the pipeline.
    // Without a webhook at GitHub, no push starts a build.
    createWebhook: true,
    onDelete: "delete",
  },
  { dependsOn: small },
);

// Without steps, a build runs those that its repository has in `.buildkite/pipeline.yml`.
new Pipeline("docs", {
  name: "Docs",
  repository: "git@github.com:acme/docs.git",
  clusterId: linux,
  onDelete: "delete",
});

export const slug = storefront.slug;
