import * as pulumi from "@pulumi/pulumi";
import { PipelineTemplate } from "pulumi-buildpipeline";

const pipeline = new pulumi.Config().get("pipeline") ?? "storefront";

// A build is an action and not a desired state, so it is no resource. Pulumi calls this hook when a resource that
// names it has been created or updated; not in a preview, and not when nothing changed.
const proveTemplate = new pulumi.ResourceHook("prove-template", async () => {
  const { BuildPipelineClient } = await import("pulumi-buildpipeline/client");
  // A hook runs in the program and not in the provider, so it is given its own settings.
  const client = new BuildPipelineClient({
    accessToken: process.env.BUILDPIPELINE_ACCESS_TOKEN ?? "",
    organization: process.env.BUILDPIPELINE_ORGANIZATION ?? "",
    baseUrl: process.env.BUILDPIPELINE_BASE_URL ?? "",
  });
  try {
    const build = await client.builds.create(pipeline, {
      commit: "HEAD",
      branch: "main",
      message: "Does the new template work?",
    });
    pulumi.log.info(`Started build ${build.number} of ${pipeline}: ${build.web_url}`);
  } catch (error) {
    // The template is deployed by now; that its trial could not start is worth a warning.
    pulumi.log.warn(`No build of ${pipeline} was started. ${error}`);
  } finally {
    await client.close();
  }
});

new PipelineTemplate(
  "node-service",
  { name: "Node service", configuration: { steps: [{ command: "npm ci && npm test" }] }, available: true },
  { hooks: { afterCreate: [proveTemplate], afterUpdate: [proveTemplate] } },
);
