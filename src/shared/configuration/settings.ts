import { nearestName } from "../messages/nearest-name.js";

/**
 * How a program, its provider and the client reach the service. Read in two processes: in the program by the functions,
 * in the dynamic-provider host by the lifecycle. Loads no library.
 */
export interface Settings extends Connection {
  /** True if a change of the organization may replace deployed resources. Default: false. */
  readonly allowOrganizationChange: boolean;
  /** True if nothing is validated against the API before a change, in previews and deployments. Default: false. */
  readonly offline: boolean;
  /** Where the access token was found. Pulumi keeps configuration in the state, and never the environment. */
  readonly accessTokenFrom: "configuration" | "environment";
  /**
   * True if the provider may not write: the access token is for previews and refreshes, and its scopes to write are not
   * asked for. Set by the environment alone, as it is about a run and not about a stack. Default: false.
   */
  readonly readOnly: boolean;
}

export interface Connection {
  /** Access token: every request carries it, nothing prints it. */
  readonly accessToken: string;
  readonly organization: string;
  /** The service's base address, without `/v2` and without a slash at its end. */
  readonly baseUrl: string;
}

export const SETTING_KEYS = [
  "accessToken",
  "organization",
  "baseUrl",
  "allowOrganizationChange",
  "offline",
] as const;

export type SettingKey = (typeof SETTING_KEYS)[number];

export function mistypedSettings(names: readonly string[]) {
  return names.flatMap((name) => {
    const nearest = SETTING_KEYS.some((key) => key === name) ? undefined : nearestName(name, SETTING_KEYS);
    if (nearest === undefined) return [];
    const [given, meant] = [`${CONFIG_NAMESPACE}:${name}`, `${CONFIG_NAMESPACE}:${nearest}`];
    const warning = `${given} isn't a setting and has no effect. Set ${meant} instead, and run \`pulumi config rm ${given}\`.`;
    return [{ name, nearest, warning }];
  });
}

/** Settings from any source. Everything is text, as in stack configuration. */
export type SettingsInput = { readonly [Name in SettingKey]?: string | undefined };

export class SettingsError extends Error {
  override readonly name = "SettingsError";
  readonly code = "setting-invalid";
}

export const ENVIRONMENT = {
  accessToken: "BUILDPIPELINE_ACCESS_TOKEN",
  organization: "BUILDPIPELINE_ORGANIZATION",
  baseUrl: "BUILDPIPELINE_BASE_URL",
  offline: "BUILDPIPELINE_OFFLINE",
} as const satisfies Partial<Record<SettingKey, string>>;

export const READ_ONLY = "BUILDPIPELINE_READ_ONLY";

export const CONFIG_NAMESPACE = "buildpipeline";

/** Why a setting can't be used, in words that follow its name and quote no value. */
interface Problem {
  readonly kind: "missing" | "malformed" | "insecure";
  readonly words: string;
}

export type SettingProblem = Problem & { readonly setting: keyof Connection };

export interface FoundSetting<Value> {
  readonly value: Value;
  readonly from: "configuration" | "environment";
}

/** Finds a setting: a configured value counts, and the environment where there is none. The only code with this order. */
export function findSetting<Value>(
  name: keyof typeof ENVIRONMENT,
  configured: Value | undefined | null,
  environment: Readonly<Record<string, string | undefined>>,
): FoundSetting<Value | string> | undefined {
  if (!isBlank(configured)) return { value: configured, from: "configuration" };
  const value = environment[ENVIRONMENT[name]]?.trim();
  return isBlank(value) ? undefined : { value, from: "environment" };
}

/** No other code parses settings. The connection is usable where there are no problems. */
export function parseConnection(
  given: (name: keyof Connection) => unknown,
  environment: Readonly<Record<string, string | undefined>>,
  { allowInsecureHttp = false }: { allowInsecureHttp?: boolean | undefined } = {},
): { connection: Connection; problems: SettingProblem[] } {
  const problems: SettingProblem[] = [];
  const parse = (setting: keyof Connection, parser: (value: string) => string | Problem): string => {
    const { value } = findSetting(setting, given(setting), environment) ?? {};
    const parsed = typeof value === "string" ? parser(value) : notText(value);
    if (typeof parsed === "string") return parsed;
    problems.push({ setting, ...parsed });
    return "";
  };
  const connection = {
    accessToken: parse("accessToken", parseAccessToken),
    organization: parse("organization", parseOrganization),
    baseUrl: parse("baseUrl", (value) => parseBaseUrl(value, allowInsecureHttp)),
  };
  return { connection, problems };
}

/** @param configured reads an explicit `Provider`'s arguments, or else the stack's configuration */
export function resolveSettings(
  configured: (name: SettingKey) => string | undefined,
  environment: Readonly<Record<string, string | undefined>>,
): Settings {
  const { connection, problems } = parseConnection((name) => configured(name)?.trim(), environment);
  if (problems.length > 0) {
    const isMissing = problems.some(({ setting, kind }) => setting === "accessToken" && kind === "missing");
    const hint = isMissing ? otherToken(environment) : "";
    throw new SettingsError(`${problems.map(problemInStack).join("; ")}.${hint}`);
  }
  return {
    ...connection,
    allowOrganizationChange: flag(placesOf("allowOrganizationChange"), configured("allowOrganizationChange")),
    offline: flag(
      placesOf("offline"),
      findSetting("offline", configured("offline")?.trim(), environment)?.value,
    ),
    readOnly: flag(READ_ONLY, environment[READ_ONLY]?.trim()),
    accessTokenFrom:
      findSetting("accessToken", configured("accessToken"), environment)?.from ?? "configuration",
  };
}

/** Returns a sentence for whoever has the variable of Buildkite's own tools. It is never read: it may be for another place. */
export function otherToken(environment: Readonly<Record<string, string | undefined>>): string {
  if (isBlank(environment.BUILDKITE_API_TOKEN)) return "";
  return ` BUILDKITE_API_TOKEN is set; this provider reads ${ENVIRONMENT.accessToken}.`;
}

function problemInStack({ setting, kind, words }: SettingProblem): string {
  const key = `${CONFIG_NAMESPACE}:${setting}`;
  if (kind !== "missing") return `${placesOf(setting)} ${words}`;
  // Configuration would put an access token into state.
  const ways =
    setting === "accessToken"
      ? `set ${ENVIRONMENT[setting]}, or run \`pulumi config set --secret ${key} …\``
      : `run \`pulumi config set ${key} …\`, or set ${ENVIRONMENT[setting]}`;
  // Error setting-invalid: A setting is not set, or is malformed. The provider looks in the stack's configuration and
  // in the environment.
  // Fix: Set it in one of the ways that the message lists. `baseUrl` has no default: for Buildkite it is
  // `https://api.buildkite.com`.
  return `${key} is not set: ${ways}, or give ${setting} to an explicit Provider`;
}

function placesOf(setting: SettingKey): string {
  const variables: Partial<Record<SettingKey, string>> = ENVIRONMENT;
  const key = `${CONFIG_NAMESPACE}:${setting}`;
  return variables[setting] === undefined ? key : `${key} (or ${variables[setting]})`;
}

function notText(value: unknown): Problem {
  return value === undefined ? { kind: "missing", words: "is missing" } : malformed("must be a string");
}

function malformed(words: string): Problem {
  return { kind: "malformed", words };
}

function isBlank(value: unknown): value is undefined | null | "" {
  return value === undefined || value === null || (typeof value === "string" && value.trim() === "");
}

// Messages about an access token never quote it: it is secret even if it is malformed.
function parseAccessToken(value: string): string | Problem {
  if (/^bearer\s/i.test(value)) return malformed("must be the token alone, without the word Bearer");
  if (/^[\x21-\x7e]+$/.test(value)) return value;
  return malformed("has blanks, line breaks or letters beyond ASCII in it, which no access token has");
}

function parseOrganization(value: string): string | Problem {
  if (!/[\s/?#:\\]/.test(value) && !/^\.+$/.test(value)) return value;
  return malformed(
    `must be the organization's slug alone, such as "acme", not an address or a name with blanks`,
  );
}

function parseBaseUrl(value: string, allowInsecureHttp: boolean): string | Problem {
  const url = URL.parse(value.trim());
  if (url === null) return malformed("is not an address; expected one such as https://api.example.com");
  const { protocol, hostname, origin, pathname } = url;
  if (!["http:", "https:"].includes(protocol))
    return malformed(`has the scheme ${protocol.slice(0, -1)}. Use https`);
  if (url.username || url.password) return malformed("must not have a user name or password in it");
  if (url.search || url.hash) return malformed("must not have a query or fragment");
  if (protocol === "http:" && !allowInsecureHttp && !isLoopback(hostname)) {
    const words = `would carry the access token unencrypted to ${hostname}. Use https; http is for this machine only`;
    return { kind: "insecure", words };
  }
  return `${origin}${pathname.replace(/\/+$/, "").replace(/\/v2$/, "").replace(/\/+$/, "")}`;
}

export function isLoopback(hostname: string): boolean {
  return hostname === "localhost" || hostname === "[::1]" || /^127(?:\.\d+){3}$/.test(hostname);
}

function flag(name: string, value: string | undefined): boolean {
  if (value === undefined || value === "" || value === "false") return false;
  if (value === "true") return true;
  throw new SettingsError(`${name} must be true or false.`);
}
