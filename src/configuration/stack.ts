import { sdk } from "../protocol/sdk.js";
import { CONFIG_NAMESPACE, type SettingKey } from "./settings.js";

/** A setting as the stack's configuration has it, secrets in plain text; undefined when it says nothing. */
export function stackSetting(name: SettingKey): string | undefined {
  return new (sdk().Config)(CONFIG_NAMESPACE).get(name);
}
