import type { CommandStep } from "@buildkite/buildkite-sdk";
import { Cluster, Pipeline, Queue } from "pulumi-buildpipeline";

const linux = new Cluster("linux", { name: "Linux" });
const small = new Queue("small", { clusterId: linux, key: "small" });

// Computed in the program, typed by the SDK. A queue stands for its key, so that Pulumi creates the queue first.
const tests = ["22", "24"].map(
  (version): CommandStep => ({
    label: `:node: Test on ${version}`,
    command: "npm ci && npm test",
    env: { NODE_VERSION: version },
    agents: { queue: small },
  }),
);
const pack: CommandStep = { label: ":package: Package", command: "npm pack", agents: { queue: small } };

const library = new Pipeline("library", {
  name: "Library",
  repository: "git@github.com:acme/library.git",
  clusterId: linux,
  configuration: { steps: [...tests, "wait", pack] },
  // Deletes its builds and logs too. Leave this out in production, where a deletion archives the pipeline.
  onDelete: "delete",
});

export const url = library.webUrl;
