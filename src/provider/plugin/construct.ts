import { setImmediate, setTimeout } from "node:timers/promises";
import type * as pulumi from "@pulumi/pulumi";
import { containsUnknowns } from "@pulumi/pulumi/output.js";
import type { Alias } from "@pulumi/pulumi/proto/alias_pb.js";
import { type ConstructRequest, ConstructResponse } from "@pulumi/pulumi/proto/provider_pb.js";
import { DependencyProviderResource, DependencyResource } from "@pulumi/pulumi/resource.js";
import { setAllConfig } from "@pulumi/pulumi/runtime/config.js";
import { deserializeProperty, serializeResourceProperties } from "@pulumi/pulumi/runtime/rpc.js";
import { resetOptions } from "@pulumi/pulumi/runtime/settings.js";
import { UNKNOWN } from "../../shared/protocol/encoded-values.js";
import { constructing, sdk } from "../../shared/protocol/sdk.js";
import { ROTATING_AGENT_TOKEN } from "../../shared/protocol/type-token.js";
import { RotatingAgentToken, type RotatingAgentTokenArgs } from "../native/rotating-agent-token.js";
import { valueIn } from "../program/settled.js";
import { toStruct } from "./protobuf.js";

/** Fails the construction that is under way. The SDK reports what happens to a registration as an unhandled rejection. */
let fail: (reason: unknown) => void = () => {};
let last: Promise<unknown> = Promise.resolve();
// A rejection must not end the process, with the writes of other resources.
process.on("unhandledRejection", (reason) => fail(reason));

/**
 * Runs the component's class in the plugin, for a program in any language. What it registers goes to the engine of the
 * program. The SDK keeps its settings once for each process, so constructions run one after the other.
 */
export function construct(request: ConstructRequest, engine: string): Promise<ConstructResponse> {
  const mine = last.then(() => {
    const { promise: failed, reject } = Promise.withResolvers<never>();
    fail = reject;
    const { withLocalStorage, waitForRPCs } = constructing();
    return withLocalStorage(async () => {
      try {
        return await Promise.race([constructed(request, engine), failed]);
      } catch (error) {
        // More registrations may fail, and must not fail the next construction. Older SDKs may never end them.
        await Promise.race([waitForRPCs().catch(() => {}), setTimeout(1000)]);
        await setImmediate();
        throw error;
      }
    });
  });
  last = mine.catch(() => {});
  return mine;
}

async function constructed(request: ConstructRequest, engine: string): Promise<ConstructResponse> {
  if (request.getType() !== ROTATING_AGENT_TOKEN)
    throw new Error(`There is no component ${request.getType()}.`);
  // An older SDK can't read the aliases that the engine sends, so a token that an alias names would be replaced.
  if (typeof request.hasReplacementTrigger !== "function")
    throw new Error(
      "RotatingAgentToken needs version 3.220 or later of @pulumi/pulumi where the plugin runs. " +
        "Run `npm install @pulumi/pulumi@latest` in the folder that has pulumi-buildpipeline.",
    );
  const { awaitFeatureSupport, deserializeInputs, waitForRPCs } = constructing<RotatingAgentTokenArgs>();
  resetOptions(
    ...([request.getProject(), request.getStack(), request.getParallel(), engine] as const),
    ...([request.getMonitorendpoint(), request.getDryrun(), request.getOrganization()] as const),
  );
  await awaitFeatureSupport();
  setAllConfig(Object.fromEntries(request.getConfigMap().entries()), request.getConfigsecretkeysList());

  const inputs = await deserializeInputs(request.getInputs(), request.getInputdependenciesMap());
  // The SDK leaves the unknown id of a resource as it is, and only an Output is unknown to a class.
  for (const [name, value] of Object.entries(inputs))
    if (containsUnknowns(value)) Object.assign(inputs, { [name]: sdk().output(value) });
  // The component needs the generation while it is constructed.
  const known = await valueIn(sdk().output(inputs.generation));
  const args = { ...inputs, generation: known === undefined ? (UNKNOWN as never) : known.value };
  const component = new RotatingAgentToken(request.getName(), args, optionsOf(request));

  const { token, previousToken, tokenId, previousTokenId, generation, expiresAt, previousExpiresAt } =
    component;
  const tokens = { token, previousToken, tokenId, previousTokenId };
  const outputs = { ...tokens, generation, expiresAt, previousExpiresAt };
  const [state, dependencies] = await serializeResourceProperties("construct", outputs);
  const urnOf = async ({ urn }: pulumi.Resource) => (await valueIn(urn))?.value ?? "";
  const response = new ConstructResponse().setUrn(await urnOf(component));
  response.setState(toStruct(state));
  for (const [name, resources] of dependencies) {
    const urns = await Promise.all([...resources].map(urnOf));
    const list = new ConstructResponse.PropertyDependencies().setUrnsList(urns);
    response.getStatedependenciesMap().set(name, list);
  }
  await waitForRPCs();
  return response;
}

function optionsOf(request: ConstructRequest): pulumi.ComponentResourceOptions {
  const hooks = constructing().hookBindingFromProto?.(request.getResourceHooks?.());
  const timeouts = request.getCustomtimeouts()?.toObject();
  const version = installedVersion();
  const trigger = request.getReplacementTrigger();
  return {
    // Without a version, the engine takes the newest plugin that is installed.
    ...(version && { version }),
    ...(request.getParent() && { parent: new DependencyResource(request.getParent()) }),
    providers: Object.fromEntries(
      [...request.getProvidersMap().entries()].map(([name, ref]) => [
        name,
        new DependencyProviderResource(ref),
      ]),
    ),
    dependsOn: request.getDependenciesList().map((urn) => new DependencyResource(urn)),
    aliases: request.getAliasesList().map(aliasOf),
    ...(request.hasProtect() && { protect: request.getProtect() === true }),
    ...(request.hasRetainondelete() && { retainOnDelete: request.getRetainondelete() === true }),
    ...(timeouts && { customTimeouts: timeouts }),
    ...(request.getDeletedwith() && { deletedWith: new DependencyResource(request.getDeletedwith()) }),
    ignoreChanges: request.getIgnorechangesList(),
    replaceOnChanges: request.getReplaceonchangesList(),
    ...(trigger && { replacementTrigger: deserializeProperty(trigger.toJavaScript(), true) }),
    ...(hooks && { hooks }),
  };
}

function aliasOf(alias: Alias): string | pulumi.Alias {
  const spec = alias.getSpec();
  if (spec === undefined) return alias.getUrn();
  const { name, type, project, stack } = spec.toObject();
  return {
    ...Object.fromEntries(Object.entries({ name, type, project, stack }).filter(([, text]) => text !== "")),
    ...(spec.hasParenturn() && { parent: spec.getParenturn() }),
    ...(spec.getNoparent() && { parent: sdk().rootStackResource }),
  };
}

/** Returns the version by which the engine finds this plugin. Undefined where a project names its folder. */
function installedVersion(): string | undefined {
  const [, version] = /[\\/]resource-buildpipeline-v([^\\/]+)[\\/]/.exec(process.execPath + __filename) ?? [];
  return version;
}
