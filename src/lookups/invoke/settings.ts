import * as pulumi from "@pulumi/pulumi";
import {
  resolveSettings,
  type SettingKey,
  type Settings,
  type SettingsInput,
} from "../../configuration/settings.js";
import { stackSetting } from "../../configuration/stack.js";
import { typeToken } from "../../protocol/type-token.js";
import { LookupFailure } from "./lookup-failure.js";

/**
 * Where a lookup's settings come from.
 *
 * Lookups run in the program, not in the engine, so no provider is configured for them. They go by the same order
 * as resources all the same: an explicit `Provider` of this package, given or inherited from the parent, remembers
 * what it was made with; else the stack's configuration; else the environment. A settings argument of their own
 * would be a second way to say the same, and one that resources do not have.
 */
export function providerSettings(opts: pulumi.InvokeOptions): pulumi.Output<SettingsInput> | undefined {
  const provider = opts.provider ?? opts.parent?.getProvider(typeToken("Cluster"));
  if (provider === undefined) return undefined;
  // By its shape and not its class: a project may have this package twice.
  if (!("settings" in provider) || !pulumi.Output.isInstance<SettingsInput>(provider.settings)) {
    throw new LookupFailure("the provider has no settings. Pass a `Provider` of pulumi-buildpipeline.");
  }
  // The access token makes all of it secret; what the lookup finds is not.
  return pulumi.unsecret(provider.settings);
}

/** The settings as a provider has them, or, without one, as the stack and the environment do. */
export function settingsFrom(provider: SettingsInput | undefined): Settings {
  const configured = provider === undefined ? stackSetting : (name: SettingKey) => provider[name];
  return resolveSettings(configured, process.env);
}

/** The value of a provider's settings, for a lookup that cannot wait for a deployment to know them. */
export async function known(settings: pulumi.Output<SettingsInput>): Promise<SettingsInput> {
  const values = await pulumi.runtime.serializeProperties("lookup", { settings });
  if (JSON.stringify(values).includes(pulumi.runtime.unknownValue)) {
    throw new LookupFailure(
      "the provider's settings are known only once something else is deployed. Use the lookup's …Output form, " +
        "whose result is unknown until then.",
    );
  }
  return new Promise((resolve) => settings.apply(resolve));
}
