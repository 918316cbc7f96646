import { oneLine } from "../../shared/messages/foreign-text.js";
import type { ServiceMessage } from "../errors/api-errors.js";
import type { ResponseBody } from "../transport/exchange.js";
import type { Redactor } from "../transport/redaction.js";

const LONGEST = 500;

/** Reads the body of a refusal. Documented is `{message}`, for builds with `errors`; other forms are taken as they come. */
export function readServiceMessage(body: ResponseBody, redactor: Redactor): ServiceMessage {
  const said = (text: string): ServiceMessage => ({
    serviceMessage: oneLine(text, LONGEST),
    errors: [],
    inServiceForm: false,
  });
  if (body.kind === "text") {
    // A page for people says nothing in one line.
    const readable = /^text\/plain\b/.test(body.contentType) || !body.value.includes("<");
    return said(readable ? redactor.text(body.value) : "");
  }
  if (body.kind !== "json") return said("");
  const value = redactor.body(body.value);
  if (typeof value !== "object" || value === null || Array.isArray(value)) return said(inWords(value));
  const { message, error, errors } = Object.fromEntries(Object.entries(value));
  const summary = inWords(message) || inWords(error);
  const text = [summary.replace(/[.:]$/, ""), inWords(errors)].filter(Boolean).join(": ") || summary;
  return {
    ...said(text),
    errors: Array.isArray(errors) ? errors : [],
    inServiceForm: typeof message === "string",
  };
}

/** Problems as the service may spell them: text, a list, or objects such as `{field, code}`. */
function inWords(value: unknown): string {
  if (value === undefined || value === null) return "";
  if (Array.isArray(value)) return value.map(inWords).filter(Boolean).join(", ");
  if (typeof value !== "object") return oneLine(String(value), LONGEST);
  return Object.values(value).map(inWords).filter(Boolean).join(" ");
}
