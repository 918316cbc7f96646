import { sdk } from "../protocol/sdk.js";
import { CONFIG_NAMESPACE, type SettingKey } from "./settings.js";

/** Returns a setting of the stack's configuration, secrets in plain text. Undefined if it isn't set. */
export function stackSetting(name: SettingKey): string | undefined {
  return new (sdk().Config)(CONFIG_NAMESPACE).get(name);
}
