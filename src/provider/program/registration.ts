import { spawnSync } from "node:child_process";
import type * as pulumi from "@pulumi/pulumi";
// The SDK's index would load the automation API and the TypeScript compiler as well, for commands that only read kinds.
import { CustomResource, Resource } from "@pulumi/pulumi/resource.js";
import { quoted } from "../../shared/messages/quoted.js";
import { withCode } from "../../shared/protocol/message-codes.js";
import {
  DELETES_FIRST,
  FUNCTIONS_READ,
  IGNORES,
  IMPORT,
  IMPORTS_OF_OTHERS,
  ORGANIZATION,
  PROBLEMS,
  PROVIDER,
  providerReference,
  ROTATION,
  SECRETS,
  TRANSFORMED,
} from "../../shared/protocol/properties.js";
import { sdk } from "../../shared/protocol/sdk.js";
import { type Backend, typeToken } from "../../shared/protocol/type-token.js";
import { type AnyKind, secretArguments } from "../kind/kind.js";
import { pathsOfArguments } from "../kind/paths.js";
import type { Draft, GivenArguments } from "../kind/value-roles.js";
import { currentDeployment, hasMocks, runError } from "./deployment.js";
import { withoutListed, withoutResources } from "./inner-resources.js";
import { ownerOf } from "./settled.js";
import { transformationsOf, type Validated, validate } from "./validation.js";

/**
 * The work of every constructor before `super`. It isn't a base class: the SDK skips a fixed number of constructor
 * frames to find the user's line. One more class would make every diagnostic point into this package.
 */

/** Options of a resource: Pulumi's own, with `import` as this package understands it. */
export interface ResourceOptions extends pulumi.CustomResourceOptions {
  /**
   * Imports an existing object instead of creating one. The arguments must match the object; the preview lists
   * differences. Remove the option after the deployment that imported it. See the README, "Importing".
   */
  import?: pulumi.ID;
}

/** Options of a token in a {@link RotatingAgentToken}. */
export interface RotatedOptions extends ResourceOptions {
  /** @internal */
  rotation?: {
    /** Name of the component. */
    readonly of: string;
    readonly generation: number;
    /** Id of the token of the generation before, for the newest token only. */
    readonly previous?: pulumi.Input<string>;
  };
}

/** Validates a resource and prepares its registration. A constructor passes `new.target`, then calls `registered`. */
export function register(
  made: { readonly kind: AnyKind; readonly backend?: Backend; readonly prototype: pulumi.CustomResource },
  name: string,
  args: object | undefined,
  opts: RotatedOptions | undefined,
): [type: string, name: string, props: pulumi.Inputs, options: pulumi.CustomResourceOptions] {
  const { kind, backend = "dynamic" } = made;
  const type = typeToken(kind.name, backend);
  const { rotation, ...options } = { ...opts };
  // Pulumi refuses a resource without a name, and a parent or provider that is none. Its errors need the user's line.
  const isRefused =
    !name || [options.parent, options.provider].some((one) => one && !Resource.isInstance(one));
  if (isRefused) return [type, name, {}, options];
  if (options.id === "") {
    const words = `the id is missing. Give the id of an object that exists, or create one with new ${kind.name}(…).`;
    throw runError(`${quoted(name)}: ${kind.name}.get: ${words}`);
  }
  if (backend === "dynamic") requireNode(`${quoted(name)}: ${kind.name}`);
  if (options.ignoreChanges)
    options.ignoreChanges = pathsOfArguments(options.ignoreChanges, Object.keys(kind.arguments));
  const given: Draft<GivenArguments> = { ...args };
  const resources = resourcesAmong(kind, given);
  for (const [argument, resource] of resources) given[argument] = resource.id;
  const misplaced = [...withoutResources(kind, given), ...withoutListed(kind, given)];
  // The program doesn't decide on an object that it only reads.
  const isRead = options.id !== undefined || options.urn !== undefined;
  const deployment = isRead ? undefined : currentDeployment();
  const validated: Validated =
    deployment === undefined
      ? { args: given, importName: undefined, secrets: [], transformed: false }
      : validate(deployment, kind, { name, type, options, args: given, resources, misplaced });

  // Every output is listed, or the program's property would stay undefined for ever.
  const props: pulumi.Inputs = {};
  for (const name of [...Object.keys(kind.outputs), ...Object.keys(kind.arguments)]) props[name] = undefined;
  Object.assign(props, validated.args);
  for (const argument of secretArguments(kind))
    if (props[argument] !== undefined) props[argument] = sdk().secret(props[argument]);
  const deletesFirst = options.retainOnDelete ? "never" : options.deleteBeforeReplace;
  if (options.id === undefined && deletesFirst) props[DELETES_FIRST] = deletesFirst;
  if (rotation !== undefined) props[ROTATION] = rotation;
  if (validated.transformed) props[TRANSFORMED] = true;
  if (backend === "dynamic") {
    addProviderInputs(kind, validated, props, options);
    const provider = options.provider ?? options.parent?.getProvider(type);
    const functionsRead = deployment?.functionsRead.get(provider);
    if (functionsRead !== undefined) props[FUNCTIONS_READ] = functionsRead;
    if (deployment?.hasImports) props[IMPORTS_OF_OTHERS] = importsOfOthers(kind, args, resources);
    if (deployment !== undefined && opts?.import !== undefined) deployment.hasImports = true;
  }
  // In a preview the provider returns its problems if the program reports them.
  if (deployment?.previewEnd !== undefined) props[PROBLEMS] = [];

  const secretOutputs = [
    ...Object.keys(kind.outputs).filter((name) => kind.outputs[name]?.secret),
    ...secretArguments(kind),
  ];
  if (secretOutputs.length > 0) {
    options.additionalSecretOutputs = [...(options.additionalSecretOutputs ?? []), ...secretOutputs];
  }
  // Aliases are not kept in the state. Without them a stack that changes the backend would replace everything.
  const other = typeToken(kind.name, backend === "dynamic" ? "plugin" : "dynamic");
  const ofOther = (options.aliases ?? []).flatMap((alias) => ofType(alias, type, other));
  options.aliases = [...(options.aliases ?? []), { type: other }, ...ofOther];
  props[ORGANIZATION] ??= undefined;
  pauseStackTraces(made, options);
  return [type, name, props, options];
}

type Alias = pulumi.Input<string | pulumi.Alias>;

/** Returns an alias with another type in place of a resource's own: an old name or parent, in the other backend. */
function ofType(alias: Alias, own: string, other: string): Alias[] {
  if (typeof alias === "string") return [alias.replace(`${own}::`, `${other}::`)];
  if (sdk().Output.isInstance(alias) || alias instanceof Promise) return [];
  return alias.type === undefined || alias.type === own ? [{ ...alias, type: other }] : [];
}

let hasNode = process.versions.bun === undefined;

/** Pulumi runs dynamic providers on Node, also for a program on Bun. Without Node, the engine only says `EOF`. */
function requireNode(resource: string): void {
  hasNode ||= spawnSync("node", ["--version"]).error === undefined;
  if (hasNode || hasMocks()) return;
  const reason =
    // Error bun-without-node: `Pulumi.yaml` has `runtime: bun`, and the machine has no Node.
    // Fix: Install Node 22.19 or later, or import from `pulumi-buildpipeline/native` and install [the
    // plugin](../guides/native.md).
    "Pulumi runs dynamic providers on Node, not on Bun (pulumi#22040), and found no `node` on the PATH.";
  const fix =
    'Install Node 22.19 or later, and use `runtime: nodejs` if nothing needs Bun; or import from "pulumi-buildpipeline/native" and install the plugin.';
  throw runError(withCode(`${resource}: ${reason} ${fix}`, "bun-without-node"));
}

/** Returns the resources that a program gives, or whose ids it gives: that in which another one lives, and others. */
function resourcesAmong(kind: AnyKind, given: GivenArguments): Map<string, pulumi.CustomResource> {
  const found = new Map<string, pulumi.CustomResource>();
  for (const [argument, { takesResource }] of Object.entries(kind.arguments)) {
    const value = given[argument];
    if (!takesResource && argument !== kind.parent?.argument) continue;
    const resource = CustomResource.isInstance(value) ? value : owners.get(Object(value));
    if (resource !== undefined) found.set(argument, resource);
  }
  return found;
}

/** Resources of this package by their outputs `id`, which a program may give as well. Only asking Pulumi takes a turn. */
const owners = new WeakMap<object, pulumi.CustomResource>();

/** Returns the options `import` of the resources whose ids are given as arguments. */
function importsOfOthers(
  { parent, arguments: fields }: AnyKind,
  args: object | undefined,
  resources: ReadonlyMap<string, pulumi.CustomResource>,
): pulumi.Inputs {
  const names = Object.keys(fields).filter(
    (name) => name === parent?.argument || fields[name]?.takesResource,
  );
  return Object.fromEntries(
    names.map((name) => {
      const given: unknown = Reflect.get({ ...args }, name);
      return [name, resources.has(name) ? importOf(resources.get(name)) : ownerOf(given).then(importOf)];
    }),
  );
}

function importOf(resource: pulumi.Resource | undefined): unknown {
  return resource !== undefined && IMPORT in resource ? resource[IMPORT] : undefined;
}

/** Returns the check for resources of a type, with the name that Pulumi's own packages give it. */
export function instancesOf<Instance>(type: string) {
  return (value: unknown): value is Instance =>
    typeof value === "object" && value !== null && Reflect.get(value, "__pulumiType") === type;
}

/** Ends the constructor of a resource. */
export function registered(resource: pulumi.CustomResource): void {
  owners.set(resource.id, resource);
  if (Object.hasOwn(resource, PROBLEMS)) void currentDeployment().previewEnd?.watch(resource);
}

/**
 * Switches stack traces off while the SDK makes the properties. It takes four traces for each, and some before, to report
 * promises that never end, and they take half of a program's time. The SDK first copies the options, so that reading one
 * switches the traces off, and setting the property that it makes last switches them on again. The trace by which errors
 * and policies find the program's line has a limit of its own. Transformations read everything as well, and keep their
 * traces.
 */
function pauseStackTraces(
  { prototype }: { readonly prototype: pulumi.CustomResource },
  options: pulumi.CustomResourceOptions,
): void {
  if (process.env.PULUMI_DEBUG_PROMISE_LEAKS || transformationsOf(options).length > 0) return;
  const { aliases } = options;
  Object.defineProperty(options, "aliases", {
    get: () => {
      limitBefore ??= Error.stackTraceLimit;
      Error.stackTraceLimit = 0;
      // A property that has no text ends the constructor before the last one is made.
      queueMicrotask(resumeStackTraces);
      return aliases;
    },
    enumerable: true,
  });
  if (Object.hasOwn(prototype, ORGANIZATION)) return;
  Object.defineProperty(prototype, ORGANIZATION, {
    set(value: unknown) {
      resumeStackTraces();
      Object.defineProperty(this, ORGANIZATION, {
        value,
        enumerable: true,
        writable: true,
        configurable: true,
      });
    },
  });
}

/** Set while stack traces are off. */
let limitBefore: number | undefined;

function resumeStackTraces(): void {
  Error.stackTraceLimit = limitBefore ?? Error.stackTraceLimit;
  limitBefore = undefined;
}

/** Adds inputs for the dynamic-provider host that the engine sends to a plugin by itself. */
function addProviderInputs(
  kind: AnyKind,
  { secrets, importName }: Validated,
  props: pulumi.Inputs,
  options: ResourceOptions,
): void {
  props[PROVIDER] = providerReference(kind.name);
  if (options.id === undefined) {
    props[SECRETS] = secrets;
    if (options.import !== undefined) props[IMPORT] = importName;
    if (options.ignoreChanges?.length) props[IGNORES] = options.ignoreChanges;
  }
  delete options.import;
}
