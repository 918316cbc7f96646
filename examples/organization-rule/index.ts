import { Cluster, OrganizationRule, Pipeline } from "pulumi-buildpipeline";

const inCluster = (name: string) =>
  new Pipeline(name.toLowerCase(), {
    name,
    repository: `https://github.com/acme/${name.toLowerCase()}.git`,
    clusterId: new Cluster(`for-${name.toLowerCase()}`, { name: `For ${name}` }),
    onDelete: "delete",
  });
const storefront = inCluster("Storefront");
const deploy = inCluster("Deploy");

// Pipelines of two clusters can't trigger one another without a rule.
const rule = new OrganizationRule("storefront-deploys", {
  type: "pipeline.trigger_build.pipeline",
  sourcePipelineId: storefront,
  targetPipelineId: deploy,
  conditions: ["source.build.branch == 'main'"],
});

export const allows = rule.action;
