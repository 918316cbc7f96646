/**
 * How a program and its provider reach the service. Read in two processes: in the program by the lookups, in the
 * dynamic-provider host by the lifecycle. Loads nothing.
 */
export interface Settings {
  /** Access token: every request carries it, nothing prints it. */
  readonly accessToken: string;
  /** Slug of the organization. */
  readonly organization: string;
  /** The service's base address, without `/v2`. */
  readonly baseUrl: string;
  /** Whether a change of the organization may replace what is deployed. Default: false. */
  readonly allowOrganizationChange: boolean;
}

/** What somebody sets, wherever they set it. Everything is text, as in stack configuration. */
export type SettingsInput = { readonly [Name in keyof Settings]?: string | undefined };

/** Settings are missing or malformed. The message says which, and where they can be set. */
export class SettingsError extends Error {
  override readonly name = "SettingsError";
}

const ENVIRONMENT = {
  accessToken: "BUILDPIPELINE_ACCESS_TOKEN",
  organization: "BUILDPIPELINE_ORGANIZATION",
  baseUrl: "BUILDPIPELINE_BASE_URL",
} as const;

/** The namespace of the settings in stack configuration. */
export const CONFIG_NAMESPACE = "buildpipeline";

/**
 * Puts the settings together: what the configuration says (an explicit `Provider`'s arguments or the stack's,
 * whichever `configured` reads) and, where it says nothing, the environment.
 */
export function resolveSettings(
  configured: (name: keyof Settings) => string | undefined,
  environment: Readonly<Record<string, string | undefined>>,
): Settings {
  const missing: string[] = [];
  const required = (name: keyof typeof ENVIRONMENT): string => {
    const value = configured(name)?.trim() || environment[ENVIRONMENT[name]]?.trim();
    if (value) return value;
    const secret = name === "accessToken" ? "--secret " : "";
    missing.push(
      `${CONFIG_NAMESPACE}:${name} is not set: run \`pulumi config set ${secret}${CONFIG_NAMESPACE}:${name} …\`, ` +
        `or set ${ENVIRONMENT[name]}, or give ${name} to an explicit Provider`,
    );
    return "";
  };
  const settings = {
    accessToken: required("accessToken"),
    organization: required("organization"),
    baseUrl: required("baseUrl").replace(/\/+$/, "").replace(/\/v2$/, ""),
    allowOrganizationChange: flag("allowOrganizationChange", configured("allowOrganizationChange")),
  };
  if (missing.length > 0) throw new SettingsError(`${missing.join("; ")}.`);
  requireSafeAddress(settings.baseUrl);
  return settings;
}

/** An address that cannot be used, or that would carry the access token unencrypted over a network. */
function requireSafeAddress(baseUrl: string): void {
  const where = `${CONFIG_NAMESPACE}:baseUrl (or ${ENVIRONMENT.baseUrl})`;
  if (!URL.canParse(baseUrl)) {
    throw new SettingsError(`${where} is not an address; expected one such as https://api.example.com.`);
  }
  const { protocol, hostname } = new URL(baseUrl);
  const loopback = /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
  if (protocol === "https:" || (protocol === "http:" && loopback)) return;
  throw new SettingsError(
    `${where} would carry the access token unencrypted to ${hostname}. Use https; http is for this machine only.`,
  );
}

function flag(name: string, value: string | undefined): boolean {
  if (value === undefined || value === "" || value === "false") return false;
  if (value === "true") return true;
  throw new SettingsError(`${CONFIG_NAMESPACE}:${name} must be true or false.`);
}
