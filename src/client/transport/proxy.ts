import { isLoopback } from "../../shared/configuration/settings.js";
import { ConfigurationError } from "../errors/build-pipeline-error.js";

type Environment = Readonly<Record<string, string | undefined>>;

export interface ProxyServer {
  readonly url: URL;
  /** Its address in messages, without a user's name and password. */
  readonly name: string;
  /** The password, in each spelling in which it is sent or configured. */
  readonly secrets: readonly string[];
}

/**
 * Returns the proxy for an address, as curl, Go and Python do: `HTTPS_PROXY` for https, `HTTP_PROXY` for http, in lower
 * or upper case, and none for the hosts of `NO_PROXY` and for this machine.
 */
export function proxyFor(address: URL, environment: Environment): ProxyServer | undefined {
  const variable = address.protocol === "https:" ? "HTTPS_PROXY" : "HTTP_PROXY";
  const value = variableIn(environment, variable);
  if (value === "" || isLoopback(address.hostname)) return undefined;
  if (isExempt(address, variableIn(environment, "NO_PROXY"))) return undefined;
  const url = URL.parse(value.includes("://") ? value : `http://${value}`);
  if (url === null || !/^https?:$/.test(url.protocol)) throw unusable(variable, address);
  const { protocol, host, username, password } = url;
  try {
    const secret = decodeURIComponent(password);
    const sent = Buffer.from(`${decodeURIComponent(username)}:${secret}`).toString("base64");
    return { url, name: `${protocol}//${host}`, secrets: [password, secret, sent] };
  } catch {
    throw unusable(variable, address);
  }
}

function variableIn(environment: Environment, name: string): string {
  return environment[name.toLowerCase()]?.trim() || environment[name]?.trim() || "";
}

function isExempt({ protocol, hostname, port }: URL, exemptions: string): boolean {
  const ownPort = port || (protocol === "https:" ? "443" : "80");
  const host = hostname.replace(/^\[|\]$/g, "").replace(/\.$/, "");
  return exemptions.split(/[\s,]+/).some((exemption) => {
    // An IPv6 address may stand there without brackets, but not with a port.
    const [, name = exemption, itsPort = ownPort] = /^(\[[^\]]*\]|[^:]+)(?::(\d+))?$/.exec(exemption) ?? [];
    const exempt = name
      .replace(/^\[|\]$/g, "")
      .replace(/\.$/, "")
      .toLowerCase();
    if (exempt === "" || itsPort !== ownPort) return false;
    const suffix = exempt.replace(/^\*?\./, "");
    return exempt === "*" || host.endsWith(`.${suffix}`) || (host === suffix && !exempt.startsWith("*"));
  });
}

/** The value may have a password in it, so the message doesn't quote it. */
function unusable(variable: string, { hostname }: URL): ConfigurationError {
  return new ConfigurationError(
    variable,
    "is not the address of an http or https proxy, such as http://proxy.example.com:3128, with special characters of " +
      `its password as %XX. Correct it, or add ${hostname} to NO_PROXY to connect without a proxy.`,
  );
}
