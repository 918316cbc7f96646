import { oneLine } from "../../shared/messages/foreign-text.js";
import { type CheckedOptions, OLD_DISPATCHER } from "./options.js";

/** An error of the network as the client shows it: a message and a code, without parts of the request. */
interface NetworkError {
  readonly cause: Error & { code?: string };
  /** Trying again is pointless: a certificate that is not trusted stays so. */
  readonly permanent: boolean;
  /** The proxy refused to carry the request, which therefore did not reach the service. */
  readonly refusedByProxy: boolean;
}

const NO_TLS = "the server doesn't use TLS there: the address may need http, or another port";
const CLOSED = "the connection was closed";
const NOT_IN_TIME = "no connection in time";

const IN_WORDS: Readonly<Record<string, string>> = {
  ECONNREFUSED: "the connection was refused",
  ECONNRESET: "the connection was reset",
  EPIPE: CLOSED,
  UND_ERR_SOCKET: CLOSED,
  UND_ERR_PRX_CONN: "the proxy closed the connection",
  ETIMEDOUT: NOT_IN_TIME,
  UND_ERR_CONNECT_TIMEOUT: NOT_IN_TIME,
  ENETUNREACH: "the network can't be reached",
  EHOSTUNREACH: "the host can't be reached",
  ENOTFOUND: "the host name is unknown",
  EAI_AGAIN: "the host name could not be looked up",
  ERR_SSL_WRONG_VERSION_NUMBER: NO_TLS,
  ERR_SSL_PACKET_LENGTH_TOO_LONG: NO_TLS,
  ERR_SSL_HTTP_REQUEST: NO_TLS,
};

/** Codes of errors with which the same request would fail again. */
const PERMANENT =
  /^(?:CERT_|ERR_TLS_|ERR_SSL_|EPROTO$|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|UND_ERR_(?:INVALID_ARG|DESTROYED|CLOSED|PRX_TLS)$)/;

/** OpenSSL's errors name files of its source. Only the reason in front of them is for people. */
const OPENSSL = /:error:[0-9A-F]+:[^:]*:[^:]*:([^:]+):/;

/** What old dispatchers, that can't be recognized as such, say of this client's handler. */
const OLD_HANDLER = /invalid onError method|\bonConnect is not a function/;

export function networkError(
  error: Error,
  { redactor, proxy }: Pick<CheckedOptions, "redactor" | "proxy">,
): NetworkError {
  if (OLD_HANDLER.test(error.message))
    return {
      cause: new Error(`the dispatcher ${OLD_DISPATCHER.replace(/\.$/, "")}`),
      permanent: true,
      refusedByProxy: false,
    };
  const status = proxyStatus(error);
  const code = codeOf(error);
  const through = proxy === undefined ? "" : ` (through the proxy ${proxy.name})`;
  // A new error, since the original may hold the request's headers in its fields.
  const shown: Error & { code?: string } = new Error(
    status === undefined
      ? `${messageOf(error, code, (text) => redactor.text(text))}${through}`
      : `${proxy === undefined ? "the proxy" : `the proxy ${proxy.name}`} responded with ${status}${status === 407 ? NEEDS_PASSWORD : ""}`,
  );
  if (code !== undefined) shown.code = code;
  return {
    cause: shown,
    permanent: status === undefined ? PERMANENT.test(code ?? "") : [401, 403, 405, 407].includes(status),
    refusedByProxy: status !== undefined,
  };
}

const NEEDS_PASSWORD =
  ", because it needs a user and a password: write them into HTTPS_PROXY, as in http://user:password@proxy:3128";

function messageOf(error: Error, code: string | undefined, redacted: (text: string) => string): string {
  const words = code === undefined ? undefined : IN_WORDS[code];
  const [, reason] = OPENSSL.exec(error.message) ?? [];
  if (reason !== undefined) return words ?? `TLS failed: ${oneLine(reason)}`;
  const own = oneLine(redacted(error.message), 500);
  return [words, own === words ? "" : own].filter(Boolean).join(": ") || code || error.name;
}

/** Returns the status with which a proxy refused a connection or a request, as undici reports it. */
function proxyStatus({ message }: Error): number | undefined {
  const [, tunnel, request] =
    /^Proxy response \((\d+)\) !== 200|^Proxy Authentication Required \((\d+)\)$/.exec(message) ?? [];
  const status = tunnel ?? request;
  return status === undefined ? undefined : Number(status);
}

function codeOf(error: Error): string | undefined {
  if ("code" in error && typeof error.code === "string") return error.code;
  // Several addresses were tried: the first failure stands for all.
  const first: unknown = error instanceof AggregateError ? error.errors[0] : error.cause;
  return first instanceof Error ? codeOf(first) : undefined;
}
