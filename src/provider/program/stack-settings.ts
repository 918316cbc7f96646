import { CONFIG_NAMESPACE, SETTING_KEYS, type SettingKey } from "../../shared/configuration/settings.js";
import { sdk } from "../../shared/protocol/sdk.js";

/** Returns the keys of the stack's configuration in this package's namespace that no setting has. */
export function unknownKeys(): string[] {
  const prefix = `${CONFIG_NAMESPACE}:`;
  return Object.keys(sdk().runtime.allConfig())
    .filter((key) => key.startsWith(prefix))
    .map((key) => key.slice(prefix.length))
    .filter((name) => !SETTING_KEYS.some((known) => known === name));
}

/** Returns a setting of the stack's configuration, secrets in plain text. Undefined if it isn't set. */
export function stackSetting(name: SettingKey): string | undefined {
  return new (sdk().Config)(CONFIG_NAMESPACE).get(name);
}
