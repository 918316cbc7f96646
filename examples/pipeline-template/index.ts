import { readFileSync } from "node:fs";
import { PipelineTemplate } from "pulumi-buildpipeline";

// From a file: reviewed as text, with its comments. Pulumi runs a program in its own directory.
new PipelineTemplate("node-service", {
  name: "Node service",
  description: "Test and package a Node service",
  configuration: readFileSync("node-service.yml", "utf8"),
  available: true,
});

// From a plain object: the program computes the steps.
const versions = ["22", "24"];
const library = new PipelineTemplate("node-library", {
  name: "Node library",
  description: "Test a library on each supported version of Node",
  configuration: {
    steps: versions.map((version) => ({
      label: `:node: Test on ${version}`,
      command: "npm ci && npm test",
      env: { NODE_VERSION: version },
    })),
  },
  // Only admins can assign it: `available` is false when it is left out.
});

export const libraryConfiguration = library.configuration;
