import * as pulumi from "@pulumi/pulumi";
import { PipelineTemplate } from "pulumi-buildpipeline";

const pipeline = new pulumi.Config().get("pipeline") ?? "storefront";

async function startBuild() {
  const { BuildPipelineClient } = await import("pulumi-buildpipeline/client");
  // This runs in the program and not in the provider, so the client gets the stack's settings. Omitted ones come
  // from the environment.
  const settings = new pulumi.Config("buildpipeline");
  const client = new BuildPipelineClient({
    accessToken: settings.get("accessToken"),
    organization: settings.get("organization"),
    baseUrl: settings.get("baseUrl"),
  });
  try {
    const message = "Does the new template work?";
    return await client.builds.create(pipeline, { commit: "HEAD", branch: "main", message });
  } finally {
    await client.close();
  }
}

// A build is an action and not a desired state, so it isn't a resource. Pulumi calls this hook when a resource that
// names it has been created or updated; not in a preview, and not when nothing changed.
const proveTemplate = new pulumi.ResourceHook("prove-template", async () => {
  try {
    const build = await startBuild();
    pulumi.log.info(`Started build ${build.number} of ${pipeline}: ${build.web_url}`);
  } catch (error) {
    // The template is deployed by now; that its trial could not start is worth a warning.
    pulumi.log.warn(`No build of ${pipeline} was started. ${error}`);
  }
});

new PipelineTemplate(
  "node-service",
  { name: "Node service", configuration: { steps: [{ command: "npm ci && npm test" }] }, available: true },
  { hooks: { afterCreate: [proveTemplate], afterUpdate: [proveTemplate] } },
);
