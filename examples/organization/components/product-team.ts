import { ComponentResource, type ComponentResourceOptions, Config, type Output } from "@pulumi/pulumi";
import { Queue, type QueueArgs, RotatingAgentToken, Team } from "pulumi-buildpipeline";
import { NETWORKS } from "./networks";

export interface ProductTeamArgs {
  /** The team's name on Buildkite. */
  name: string;
  /** The cluster that runs its jobs. */
  clusterId: QueueArgs["clusterId"];
  /** What it has queues for. Their keys begin with the resource's name: `mobile-build`. */
  queues: readonly string[];
}

/** A product team: the team on Buildkite, its queues, and a token for its machines. */
export class ProductTeam extends ComponentResource {
  /** The secret that the team's agents connect with. */
  readonly agentToken: Output<string | undefined>;

  constructor(team: string, { name, clusterId, queues }: ProductTeamArgs, opts?: ComponentResourceOptions) {
    super("acme:index:ProductTeam", team, {}, opts);
    const parent = { parent: this };
    new Team(team, { name, description: `Builds ${name}` }, parent);
    for (const queue of queues) {
      const key = `${team}-${queue}`;
      new Queue(key, { clusterId, key, description: `${name}: ${queue}` }, parent);
    }
    // `pulumi config set tokenGeneration 2` in the team's project rotates its token.
    const generation = new Config().getNumber("tokenGeneration") ?? 1;
    const description = `Machines of ${name}`;
    const token = new RotatingAgentToken(
      team,
      { clusterId, description, allowedIpAddresses: NETWORKS, generation },
      parent,
    );
    this.agentToken = token.token;
    this.registerOutputs({ agentToken: this.agentToken });
  }
}
