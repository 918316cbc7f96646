import { oneLine } from "../../messages/one-line.js";
import type { Redactor } from "../responses/redaction.js";

const PERMANENT =
  /^(?:CERT_|ERR_TLS_|ERR_SSL_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|UND_ERR_(?:INVALID_ARG|DESTROYED|CLOSED)$)/;

const IN_WORDS: Readonly<Record<string, string>> = {
  ECONNREFUSED: "the connection was refused",
  ECONNRESET: "the connection was reset",
  ENOTFOUND: "the host name is unknown",
  EAI_AGAIN: "the host name could not be looked up",
  UND_ERR_SOCKET: "the connection was closed",
  UND_ERR_CONNECT_TIMEOUT: "no connection in time",
};

/** Returns a printable error of the network: a message and a code, without parts of the request. */
export function failureCause(error: Error, redactor: Redactor): Error & { code?: string } {
  const code = codeOf(error);
  const words = code === undefined ? undefined : IN_WORDS[code];
  const own = oneLine(redactor.text(error.message), 500);
  const message = [words, own === words ? "" : own].filter(Boolean).join(": ") || code || error.name;
  // A new error, since the original may hold the request's headers in its fields.
  const cause: Error & { code?: string } = new Error(message);
  if (code !== undefined) cause.code = code;
  return cause;
}

/** Checks whether the same request would fail in the same way again. */
export function isPermanent(error: Error): boolean {
  return PERMANENT.test(codeOf(error) ?? "");
}

function codeOf(error: Error): string | undefined {
  if ("code" in error && typeof error.code === "string") return error.code;
  // Several addresses were tried: the first failure stands for all.
  const first: unknown = error instanceof AggregateError ? error.errors[0] : error.cause;
  return first instanceof Error ? codeOf(first) : undefined;
}
