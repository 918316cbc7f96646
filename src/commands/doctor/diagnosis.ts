import { lockInWords, locksOf, unknownLockInWords } from "../../cli/pulumi/lock.js";
import { type Connection, connectedWith, type Patience } from "../../cli/pulumi/project-connection.js";
import {
  type FoundSettings,
  findSettings,
  SETTING_NAMES,
  type SettingName,
} from "../../cli/pulumi/project-settings.js";
import { LOCK_ADVICE, type Project } from "../../cli/pulumi/pulumi.js";
import { stateOf } from "../../cli/pulumi/stack-export.js";
import { Waits } from "../../cli/terminal/connection.js";
import { kindsToRead } from "../../cli/terminal/options.js";
import { progress } from "../../cli/terminal/terminal.js";
import {
  CONFIG_NAMESPACE,
  ENVIRONMENT,
  otherToken,
  SETTING_KEYS,
} from "../../shared/configuration/settings.js";
import { nearestName } from "../../shared/messages/nearest-name.js";
import { messageOf } from "../../shared/messages/of-error.js";
import { shellWord } from "../../shared/messages/quoted.js";
import { withoutCredentials } from "../../shared/messages/secrets.js";
import { type Check, ok, problem, skipped, warning } from "./check.js";
import { checkVersions } from "./versions.js";

/** Someone waits for the result, and a service that doesn't respond within seconds is a problem to report. */
export const PATIENCE = { timeoutMs: 10_000, maxRetries: 1 };

export interface Subject {
  readonly only?: string[];
  readonly except?: string[];
  /** For previews and refreshes only. */
  readonly readOnly: boolean;
  readonly stack?: string;
}

/** Checks what a deployment needs: settings, versions, and the service as far as the settings lead there. */
export async function diagnose(subject: Subject, patience: Patience = PATIENCE): Promise<Check[]> {
  progress("Checking settings and versions …");
  const settings = await findSettings(subject.stack);
  const checks = [...(await checkVersions()), ...checkSettings(settings)];
  if (settings.project !== undefined && settings.problem === undefined)
    checks.push(await checkLock(settings.project));
  const { accessToken, organization, baseUrl } = settings.values;
  if (!accessToken || !organization || !baseUrl) {
    return [...checks, skipped("service", "Skipped: settings are missing.")];
  }
  const managed = settings.problem === undefined ? await managedKinds(settings.project) : [];
  const { kinds } = await kindsToRead(subject, ({ name }) => managed.includes(name));
  progress("Checking the API …");
  const { ConfigurationError } = await import("../../client/index.js");
  const { checkService } = await import("./service-checks.js");
  try {
    const check = (connection: Connection) => checkService(connection, kinds, subject.readOnly);
    return [...checks, ...(await connectedWith(settings, new Waits().onEvent, check, patience))];
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    return [...checks, problem("settings", error.message, "Correct the setting.")];
  }
}

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
    const message = `The stack's configuration cannot be read: ${settings.problem}.`;
    checks.unshift(warning("stack", message, action));
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

/** Returns the kinds of the stack's resources; none where there is no stack, or its state can't be read. */
async function managedKinds(project: Project | undefined): Promise<string[]> {
  if (project === undefined) return [];
  const { resources } = await stateOf(project).catch(() => ({ resources: [] }));
  return resources.map(({ kind }) => kind);
}

async function checkLock(project: Project): Promise<Check> {
  try {
    const { backend, locks } = await locksOf(project);
    if (locks === undefined) return skipped("lock", unknownLockInWords(backend));
    if (locks.length === 0) return ok("lock", "The stack isn't locked.");
    return problem("lock", locks.map(lockInWords).join(" "), LOCK_ADVICE);
  } catch (error) {
    return skipped("lock", `Whether the stack is locked is unknown: ${messageOf(error)}.`);
  }
}
