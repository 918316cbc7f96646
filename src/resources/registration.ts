import * as pulumi from "@pulumi/pulumi";

/**
 * What every constructor does before it hands over to Pulumi, as a function and not as a base class: the SDK
 * skips a fixed number of constructor frames to find the user's line, and one class more would make every
 * diagnostic point into this package.
 */

/** Options of a resource: Pulumi's own, with `import` as this package understands it. */
export interface ResourceOptions extends pulumi.CustomResourceOptions {
  /**
   * Adopts an existing object instead of creating one. The arguments must match what is there; differences are
   * told at preview. Remove the option after the deployment that adopted. See the README, "Importing".
   */
  import?: pulumi.ID;
}

/** What a constructor needs of this module. */
export interface Registration {
  readonly type: string;
  readonly props: pulumi.Inputs;
  readonly options: pulumi.CustomResourceOptions;
  /** To be called with the new resource, after `super`. */
  remember(resource: pulumi.Resource): void;
}

/**
 * Clusters, and whether each outlives a destroy of this stack. A resource that is in a cluster which this stack
 * deletes need not be deleted by itself.
 */
const outliving = new WeakMap<object, boolean>();

/**
 * How a resource finds its provider, evaluated by the dynamic-provider host. It stands in the state of every
 * resource of every user: this text, the entry it loads and the names it asks for may never change.
 */
function providerReference(kind: string): string {
  return `exports.handler=()=>require('module').createRequire(process.cwd()+'/')('pulumi-buildpipeline/provider').provider('${kind}')`;
}

/** The type token of a kind. */
export function typeToken(kind: string): string {
  return `pulumi-nodejs:dynamic/buildpipeline:${kind}`;
}

/** Options for reading an existing object by its id. */
export function lookupOptions(
  id: pulumi.Input<pulumi.ID>,
  opts: pulumi.CustomResourceOptions | undefined,
): ResourceOptions {
  const { import: _, ...rest } = opts ?? {};
  return { ...rest, id };
}

type Outputs = Readonly<Record<string, { readonly returnedAs: string; readonly secret?: true }>>;

/** Prepares the registration of a resource of a kind. */
export function register(
  kind: {
    readonly name: string;
    readonly arguments: object;
    readonly outputs: Outputs;
  },
  args: object | undefined,
  opts: ResourceOptions | undefined,
): Registration {
  const { import: importName, ...options } = opts ?? {};
  const reading = options.id !== undefined;
  const given: Record<string, unknown> = { ...args };
  const cluster = given.clusterId;
  if (pulumi.CustomResource.isInstance(cluster)) given.clusterId = cluster.id;

  // Every output is listed, or the program's property would stay undefined for ever.
  const props: pulumi.Inputs = { organization: undefined };
  for (const name of [...Object.keys(kind.outputs), ...Object.keys(kind.arguments)]) props[name] = undefined;
  Object.assign(props, given, { __provider: providerReference(kind.name) });

  if (!reading && importName !== undefined) {
    props.import = importName;
    if (options.ignoreChanges?.length) props.importIgnoreChanges = options.ignoreChanges;
  }
  if (pulumi.CustomResource.isInstance(cluster) && !reading && !("deletedWith" in options)) {
    // One that outlives the destroy would leave its queues and tokens behind.
    if (outliving.get(cluster) === false) options.deletedWith = cluster;
  }
  const secrets = secretOutputs(kind.outputs);
  if (secrets.length > 0) {
    options.additionalSecretOutputs = [...(options.additionalSecretOutputs ?? []), ...secrets];
  }
  return {
    type: typeToken(kind.name),
    props,
    options,
    remember(resource) {
      outliving.set(resource, reading || importName !== undefined || options.retainOnDelete === true);
    },
  };
}

function secretOutputs(outputs: Outputs): string[] {
  return Object.keys(outputs).filter((name) => outputs[name]?.secret);
}
