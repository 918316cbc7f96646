import type * as pulumi from "@pulumi/pulumi";
import {
  resolveSettings,
  type SettingKey,
  type Settings,
  SettingsError,
  type SettingsInput,
} from "../../../shared/configuration/settings.js";
import { organizationAt } from "../../../shared/protocol/properties.js";
import { sdk } from "../../../shared/protocol/sdk.js";
import { typeToken } from "../../../shared/protocol/type-token.js";
import { type Deployment, isInlineProgram } from "../../program/deployment.js";
import { valueIn } from "../../program/settled.js";
import { stackSetting } from "../../program/stack-settings.js";
import { LookupFailure } from "./lookup-error.js";

/**
 * Returns the settings of the provider that a function was given, or inherits from its parent.
 *
 * Functions run in the program, not in the engine, so no provider is configured for them. They follow the same order as
 * resources: an explicit `Provider` of this package, which remembers its arguments, then the stack's configuration, then
 * the environment.
 */
export function providerSettings(opts: pulumi.InvokeOptions): pulumi.Output<SettingsInput> | undefined {
  const provider = providerOf(opts);
  if (provider === undefined) return undefined;
  // By its shape and not its class: a project may have this package twice.
  if (!("settings" in provider) || !sdk().Output.isInstance<SettingsInput>(provider.settings)) {
    throw new LookupFailure("the provider has no settings. Pass a `Provider` of pulumi-buildpipeline.");
  }
  // The access token makes all of it secret; the result of the function is not.
  return sdk().unsecret(provider.settings);
}

/** Returns the settings of a provider, or without one, of the stack and the environment. */
export function settingsFrom(provider: SettingsInput | undefined): Settings {
  const configured = provider === undefined ? stackSetting : (name: SettingKey) => provider[name];
  try {
    return resolveSettings(configured, process.env);
  } catch (error) {
    if (!(error instanceof SettingsError) || !isInlineProgram()) throw error;
    throw new SettingsError(
      `${error.message} In an inline program of the Automation API, functions don't see the workspace's envVars.`,
    );
  }
}

/**
 * Notes which organization a function reads, so that the resources of its provider can refuse another one. Call it before
 * anything is awaited: a resource may use what the function returns.
 */
export function noteRead(deployment: Deployment, opts: pulumi.InvokeOptions): void {
  if (!isInlineProgram()) return;
  const provider = providerOf(opts);
  const note = (inputs: SettingsInput | undefined) =>
    deployment.functionsRead.set(provider, organizationAt(settingsFrom(inputs)));
  try {
    if (provider === undefined) note(undefined);
    else providerSettings(opts)?.apply(note);
  } catch {
    // The function itself reports settings that are missing.
  }
}

function providerOf({ provider, parent }: pulumi.InvokeOptions): pulumi.ProviderResource | undefined {
  // Only the token's package counts, which all resource types share.
  return provider ?? parent?.getProvider(typeToken("any"));
}

/** Returns the value of a provider's settings, for a function that cannot wait for a deployment to know them. */
export async function known(settings: pulumi.Output<SettingsInput>): Promise<SettingsInput> {
  const there = await valueIn(settings);
  if (there !== undefined) return there.value;
  throw new LookupFailure(
    "the provider's settings are known only once something else is deployed. Use the function's …Output form, " +
      "with a result that is unknown until then.",
  );
}
