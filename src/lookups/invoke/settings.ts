import type * as pulumi from "@pulumi/pulumi";
import {
  resolveSettings,
  type SettingKey,
  type Settings,
  type SettingsInput,
} from "../../configuration/settings.js";
import { stackSetting } from "../../configuration/stack.js";
import { sdk } from "../../protocol/sdk.js";
import { typeToken } from "../../protocol/type-token.js";
import { LookupFailure } from "./lookup-failure.js";

/**
 * Returns the settings of the provider that a function was given, or inherits from its parent.
 *
 * Functions run in the program, not in the engine, so no provider is configured for them. They follow the same order as
 * resources: an explicit `Provider` of this package, which remembers its arguments, then the stack's configuration, then
 * the environment.
 */
export function providerSettings(opts: pulumi.InvokeOptions): pulumi.Output<SettingsInput> | undefined {
  // Only the token's package counts, which all resource types share.
  const provider = opts.provider ?? opts.parent?.getProvider(typeToken("any"));
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
  return resolveSettings(configured, process.env);
}

/** Returns the value of a provider's settings, for a function that cannot wait for a deployment to know them. */
export async function known(settings: pulumi.Output<SettingsInput>): Promise<SettingsInput> {
  const values = await sdk().runtime.serializeProperties("function", { settings });
  if (JSON.stringify(values).includes(sdk().runtime.unknownValue)) {
    throw new LookupFailure(
      "the provider's settings are known only once something else is deployed. Use the function's …Output form, " +
        "with a result that is unknown until then.",
    );
  }
  return new Promise((resolve) => settings.apply(resolve));
}
