import type { ResponseBody } from "../transport/exchange.js";
import type { Redactor } from "./redaction.js";

const LONGEST = 500;

/** What the service says in the body of a refusal. */
export interface ServiceMessage {
  /** One line, without secrets; "" when there is nothing readable. */
  text: string;
  /** The single problems, as listed under `errors`. */
  errors: readonly unknown[];
}

/** Reads the body of a refusal. Documented is `{message}`, for builds with `errors`; other forms are taken as they come. */
export function readServiceMessage(body: ResponseBody, redactor: Redactor): ServiceMessage {
  if (body.kind === "text") {
    // A page for people says nothing in one line.
    const readable = /^text\/plain\b/.test(body.contentType) || !body.value.includes("<");
    return { text: readable ? oneLine(redactor.text(body.value)) : "", errors: [] };
  }
  if (body.kind !== "json") return { text: "", errors: [] };
  const safe = redactor.including(body.value);
  const value = safe.value(body.value);
  if (typeof value !== "object" || value === null || Array.isArray(value))
    return { text: inWords(value), errors: [] };
  const { message, error, errors } = Object.fromEntries(Object.entries(value));
  const list: readonly unknown[] = Array.isArray(errors) ? errors : [];
  const problems = inWords(errors);
  const said = inWords(message) || inWords(error);
  return {
    text: oneLine([said.replace(/[.:]$/, ""), problems].filter(Boolean).join(": ") || said),
    errors: list,
  };
}

/** Problems as the service may spell them: text, a list, or objects such as `{field, code}`. */
function inWords(value: unknown): string {
  if (value === undefined || value === null) return "";
  if (Array.isArray(value)) return value.map(inWords).filter(Boolean).join(", ");
  if (typeof value !== "object") return oneLine(String(value));
  return Object.values(value).map(inWords).filter(Boolean).join(" ");
}

function oneLine(text: string): string {
  // Control characters and line breaks would let a message pretend to be several.
  const line = text.replace(/[\s\p{Cc}\p{Cf}\u2028\u2029]+/gu, " ").trim();
  return line.length > LONGEST ? `${line.slice(0, LONGEST)}…` : line;
}
