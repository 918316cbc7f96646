import {
  CONFIG_NAMESPACE,
  ENVIRONMENT,
  otherToken,
  SETTING_KEYS,
} from "../../shared/configuration/settings.js";
import { nearestName } from "../../shared/messages/nearest-name.js";
import { shellWord } from "../../shared/messages/quoted.js";
import { withoutCredentials } from "../../shared/messages/secrets.js";
import { type FoundSettings, SETTING_NAMES, type SettingName } from "../shared/pulumi/project-settings.js";
import { type Check, ok, problem, warning } from "./check.js";

/** Which settings are there, and from where. No secret is shown. */
export function checkSettings(settings: FoundSettings): Check[] {
  const checks = SETTING_NAMES.map((name) => checkSetting(name, settings));
  for (const key of settings.unknownKeys) {
    const name = key.slice(CONFIG_NAMESPACE.length + 1);
    const nearest = nearestName(name, SETTING_KEYS);
    const action =
      nearest === undefined
        ? `The settings are ${SETTING_KEYS.join(", ")}. Remove it with \`pulumi config rm ${shellWord(key)}\`.`
        : `Set ${CONFIG_NAMESPACE}:${nearest} instead, and run \`pulumi config rm ${shellWord(key)}\`.`;
    checks.push(warning(`settings.${name}`, `${key} in the stack's configuration has no effect`, action));
  }
  if (settings.problem !== undefined) {
    const action = "Select a stack, log in to its backend, or give its passphrase, as for `pulumi preview`.";
    checks.unshift(
      warning("stack", `The stack's configuration cannot be read: ${settings.problem}.`, action),
    );
  }
  return checks;
}

function checkSetting(name: SettingName, { values }: FoundSettings): Check {
  const found = values[name];
  const check = `settings.${name}`;
  const key = `${CONFIG_NAMESPACE}:${name}`;
  const variable = ENVIRONMENT[name];
  if (found === undefined) {
    const action =
      name === "accessToken"
        ? `Set ${variable}, or run \`pulumi config set --secret ${key}\`.`
        : `Run \`pulumi config set ${key} …\`, or set ${variable}.`;
    const hint = name === "accessToken" ? otherToken(process.env) : "";
    return problem(check, `${name} is not set.${hint}`, action);
  }
  // An address that isn't valid may have a password in it.
  const shown = name === "accessToken" ? "" : `: ${withoutCredentials(found.value)}`;
  const message = `${name} from ${found.from === "configuration" ? `stack configuration (${key})` : `the environment (${variable})`}${shown}`;
  if (name === "accessToken" && found.from === "configuration" && !found.secret) {
    const plain = `${message}, in plain text`;
    return problem(check, plain, `Rotate the token, and set it with \`pulumi config set --secret ${key}\`.`);
  }
  if (found.contradicted) {
    const action = `The stack configuration takes precedence. Unset ${variable}, or remove ${key} from the stack's configuration.`;
    return warning(check, `${message}; ${variable} has another value`, action);
  }
  return ok(check, message);
}
