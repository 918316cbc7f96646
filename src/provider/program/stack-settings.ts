import { CONFIG_NAMESPACE, type SettingKey } from "../../shared/configuration/settings.js";
import { sdk } from "../../shared/protocol/sdk.js";

/** Returns the names of this package's keys in the stack's configuration. */
export function configuredNames(): string[] {
  const prefix = `${CONFIG_NAMESPACE}:`;
  const own = Object.keys(sdk().runtime.allConfig()).filter((key) => key.startsWith(prefix));
  return own.map((key) => key.slice(prefix.length));
}

/** Returns a setting of the stack's configuration, secrets in plain text. Undefined if it isn't set. */
export function stackSetting(name: SettingKey): string | undefined {
  return new (sdk().Config)(CONFIG_NAMESPACE).get(name);
}
