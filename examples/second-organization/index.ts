import * as pulumi from "@pulumi/pulumi";
import { Cluster, getClustersOutput, getQueueOutput, Provider, Queue } from "pulumi-buildpipeline";

// Without a provider: the organization of the stack's configuration (buildpipeline:organization and the others).
const linux = new Cluster("linux", { name: "Linux" });
new Queue("linux-default", { clusterId: linux, key: "default" });

// The second one, with separate settings: pulumi config set --secret sandbox:accessToken, and so on.
const config = new pulumi.Config("sandbox");
const sandbox = new Provider("sandbox", {
  organization: config.require("organization"),
  accessToken: config.requireSecret("accessToken"),
  baseUrl: config.require("baseUrl"),
});
const trial = new Cluster(
  "sandbox-linux",
  { name: "Linux", description: "For trials" },
  { provider: sandbox },
);

// A child takes its parent's provider.
new Queue("sandbox-default", { clusterId: trial, key: "default" }, { parent: trial });

/** A cluster for trials with its queue. The provider that it inherits sets its organization. */
class Trials extends pulumi.ComponentResource {
  readonly queueName: pulumi.Output<string>;

  constructor(name: string, opts?: pulumi.ComponentResourceOptions) {
    super("acme:ci:Trials", name, {}, opts);
    const cluster = new Cluster(name, { name }, { parent: this });
    const queue = new Queue(`${name}-queue`, { clusterId: cluster, key: "trials" }, { parent: this });
    // Asked where the component is, once the queue is there.
    const found = getQueueOutput({ clusterId: cluster, key: "trials" }, { parent: this, dependsOn: [queue] });
    this.queueName = pulumi.interpolate`${cluster.name}/${found.key}`;
    this.registerOutputs();
  }
}

// A component takes the provider by `providers` and hands it to what it makes and looks up.
const trials = new Trials("sandbox-trials", { providers: [sandbox] });

// Functions take the same option as resources.
const { clusters } = getClustersOutput({}, { provider: sandbox, dependsOn: [trial] });

export const organizations = [linux.organization, trial.organization];
export const sandboxClusters = clusters.apply((found) => found.map(({ name }) => name));
export const trialsQueue = trials.queueName;
