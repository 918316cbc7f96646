// Generated from the main entry by `npm run write:exports`.
import * as pulumi from "@pulumi/pulumi";
import { lookup, type ResourceOptions, register, registered } from "../program/registration.js";
import type {
  AgentTokenArgs,
  ClusterArgs,
  ClusterDefaultQueueArgs,
  PipelineTemplateArgs,
  QueueArgs,
  SuiteArgs,
  TeamArgs,
} from "../resources/index.js";
import * as dynamic from "../resources/index.js";

export type * from "../resources/index.js";

/** {@link dynamic.AgentToken}, served by the plugin. */
// biome-ignore lint/suspicious/noUnsafeDeclarationMerging: register lists every output.
export class AgentToken extends pulumi.CustomResource {
  /** @internal */
  static readonly kind = dynamic.AgentToken.kind;
  /** @internal */
  static readonly backend = "plugin";

  /**
   * Reads an existing token, without its secret, and without managing it. A missing one is an error.
   * @example AgentToken.get("farm", tokenUuid, { clusterId: clusterUuid })
   */
  static get(
    name: string,
    id: pulumi.Input<pulumi.ID>,
    state: Partial<AgentTokenArgs> & Pick<AgentTokenArgs, "clusterId">,
    opts?: pulumi.CustomResourceOptions,
  ): AgentToken {
    return new this(name, ...lookup<AgentTokenArgs>(id, state, opts));
  }

  constructor(name: string, args: AgentTokenArgs, opts?: ResourceOptions) {
    super(...register(new.target, name, args, opts));
    registered(this);
  }
}

export interface AgentToken extends dynamic.AgentToken {}

/** {@link dynamic.Cluster}, served by the plugin. */
// biome-ignore lint/suspicious/noUnsafeDeclarationMerging: register lists every output.
export class Cluster extends pulumi.CustomResource {
  /** @internal */
  static readonly kind = dynamic.Cluster.kind;
  /** @internal */
  static readonly backend = "plugin";

  /**
   * Reads an existing cluster without managing it. A missing one is an error.
   * @example Cluster.get("shared", "0190f1c4-7d51-4b0e-9d5c-2f6a5a1c9b10")
   */
  static get(
    name: string,
    id: pulumi.Input<pulumi.ID>,
    state?: Partial<ClusterArgs>,
    opts?: pulumi.CustomResourceOptions,
  ): Cluster {
    return new this(name, ...lookup<ClusterArgs>(id, state, opts));
  }

  constructor(name: string, args: ClusterArgs, opts?: ResourceOptions) {
    super(...register(new.target, name, args, opts));
    registered(this);
  }
}

export interface Cluster extends dynamic.Cluster {}

/** {@link dynamic.ClusterDefaultQueue}, served by the plugin. */
// biome-ignore lint/suspicious/noUnsafeDeclarationMerging: register lists every output.
export class ClusterDefaultQueue extends pulumi.CustomResource {
  /** @internal */
  static readonly kind = dynamic.ClusterDefaultQueue.kind;
  /** @internal */
  static readonly backend = "plugin";

  /**
   * Reads the default queue of a cluster without managing it. A cluster without one is an error.
   * @example ClusterDefaultQueue.get("linux-default", clusterUuid)
   */
  static get(
    name: string,
    id: pulumi.Input<pulumi.ID>,
    state?: Partial<ClusterDefaultQueueArgs>,
    opts?: pulumi.CustomResourceOptions,
  ): ClusterDefaultQueue {
    return new this(name, ...lookup<ClusterDefaultQueueArgs>(id, { clusterId: id, ...state }, opts));
  }

  constructor(name: string, args: ClusterDefaultQueueArgs, opts?: ResourceOptions) {
    super(...register(new.target, name, args, opts));
    registered(this);
  }
}

export interface ClusterDefaultQueue extends dynamic.ClusterDefaultQueue {}

/** {@link dynamic.PipelineTemplate}, served by the plugin. */
// biome-ignore lint/suspicious/noUnsafeDeclarationMerging: register lists every output.
export class PipelineTemplate extends pulumi.CustomResource {
  /** @internal */
  static readonly kind = dynamic.PipelineTemplate.kind;
  /** @internal */
  static readonly backend = "plugin";

  /**
   * Reads an existing template without managing it. A missing one is an error.
   * @example PipelineTemplate.get("node", templateUuid)
   */
  static get(
    name: string,
    id: pulumi.Input<pulumi.ID>,
    state?: Partial<PipelineTemplateArgs>,
    opts?: pulumi.CustomResourceOptions,
  ): PipelineTemplate {
    return new this(name, ...lookup<PipelineTemplateArgs>(id, state, opts));
  }

  constructor(name: string, args: PipelineTemplateArgs, opts?: ResourceOptions) {
    super(...register(new.target, name, args, opts));
    registered(this);
  }
}

export interface PipelineTemplate extends dynamic.PipelineTemplate {}

/** {@link dynamic.Queue}, served by the plugin. */
// biome-ignore lint/suspicious/noUnsafeDeclarationMerging: register lists every output.
export class Queue extends pulumi.CustomResource {
  /** @internal */
  static readonly kind = dynamic.Queue.kind;
  /** @internal */
  static readonly backend = "plugin";

  /**
   * Reads an existing queue without managing it. A missing one is an error.
   * @example Queue.get("default", queueUuid, { clusterId: clusterUuid })
   */
  static get(
    name: string,
    id: pulumi.Input<pulumi.ID>,
    state: Partial<QueueArgs> & Pick<QueueArgs, "clusterId">,
    opts?: pulumi.CustomResourceOptions,
  ): Queue {
    return new this(name, ...lookup<QueueArgs>(id, state, opts));
  }

  constructor(name: string, args: QueueArgs, opts?: ResourceOptions) {
    super(...register(new.target, name, args, opts));
    registered(this);
  }
}

export interface Queue extends dynamic.Queue {}

/** {@link dynamic.Suite}, served by the plugin. */
// biome-ignore lint/suspicious/noUnsafeDeclarationMerging: register lists every output.
export class Suite extends pulumi.CustomResource {
  /** @internal */
  static readonly kind = dynamic.Suite.kind;
  /** @internal */
  static readonly backend = "plugin";

  /**
   * Reads an existing suite, without its API token, and without managing it. A missing one is an error.
   * @example Suite.get("unit", suiteUuid)
   */
  static get(
    name: string,
    id: pulumi.Input<pulumi.ID>,
    state?: Partial<SuiteArgs>,
    opts?: pulumi.CustomResourceOptions,
  ): Suite {
    return new this(name, ...lookup<SuiteArgs>(id, state, opts));
  }

  constructor(name: string, args: SuiteArgs, opts?: ResourceOptions) {
    super(...register(new.target, name, args, opts));
    registered(this);
  }
}

export interface Suite extends dynamic.Suite {}

/** {@link dynamic.Team}, served by the plugin. */
// biome-ignore lint/suspicious/noUnsafeDeclarationMerging: register lists every output.
export class Team extends pulumi.CustomResource {
  /** @internal */
  static readonly kind = dynamic.Team.kind;
  /** @internal */
  static readonly backend = "plugin";

  /**
   * Reads an existing team without managing it. A missing one is an error.
   * @example Team.get("everyone", teamUuid)
   */
  static get(
    name: string,
    id: pulumi.Input<pulumi.ID>,
    state?: Partial<TeamArgs>,
    opts?: pulumi.CustomResourceOptions,
  ): Team {
    return new this(name, ...lookup<TeamArgs>(id, state, opts));
  }

  constructor(name: string, args: TeamArgs, opts?: ResourceOptions) {
    super(...register(new.target, name, args, opts));
    registered(this);
  }
}

export interface Team extends dynamic.Team {}
