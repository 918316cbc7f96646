import { Pipeline as Steps } from "@buildkite/buildkite-sdk";
import { Cluster, Pipeline, Queue } from "pulumi-buildpipeline";

const linux = new Cluster("linux", { name: "Linux" });
const small = new Queue("small", { clusterId: linux, key: "small" });

// Computed in the program, typed by the SDK. Another layout of the same YAML is no change.
const steps = new Steps();
for (const version of ["22", "24"])
  steps.addStep({
    label: `:node: Test on ${version}`,
    command: "npm ci && npm test",
    env: { NODE_VERSION: version },
    agents: { queue: "small" },
  });
steps.addStep({ wait: "" });
steps.addStep({ label: ":package: Package", command: "npm pack", agents: { queue: "small" } });

const library = new Pipeline(
  "library",
  {
    name: "Library",
    repository: "git@github.com:acme/library.git",
    clusterId: linux,
    configuration: steps.toYAML(),
    // Deletes its builds and logs too. Leave this out in production, where a deletion archives the pipeline.
    onDelete: "delete",
  },
  { dependsOn: small },
);

export const url = library.webUrl;
