import { oneLine } from "../../messages/one-line.js";
import type { ResponseBody } from "../transport/exchange.js";
import type { Redactor } from "./redaction.js";

const LONGEST = 500;

/** Message in the body of a refusal. */
export interface ServiceMessage {
  /** One line, without secrets; "" when there is nothing readable. */
  text: string;
  /** The single problems, as listed under `errors`. */
  errors: readonly unknown[];
  /** True if the body has the service's own form: JSON with a `message`. */
  inServiceForm: boolean;
}

/** Reads the body of a refusal. Documented is `{message}`, for builds with `errors`; other forms are taken as they come. */
export function readServiceMessage(body: ResponseBody, redactor: Redactor): ServiceMessage {
  if (body.kind === "text") {
    // A page for people says nothing in one line.
    const readable = /^text\/plain\b/.test(body.contentType) || !body.value.includes("<");
    return {
      text: readable ? oneLine(redactor.text(body.value), LONGEST) : "",
      errors: [],
      inServiceForm: false,
    };
  }
  if (body.kind !== "json") return { text: "", errors: [], inServiceForm: false };
  const value = redactor.body(body.value);
  if (typeof value !== "object" || value === null || Array.isArray(value))
    return { text: inWords(value), errors: [], inServiceForm: false };
  const { message, error, errors } = Object.fromEntries(Object.entries(value));
  const list: readonly unknown[] = Array.isArray(errors) ? errors : [];
  const problems = inWords(errors);
  const said = inWords(message) || inWords(error);
  const text = [said.replace(/[.:]$/, ""), problems].filter(Boolean).join(": ") || said;
  return { text: oneLine(text, LONGEST), errors: list, inServiceForm: typeof message === "string" };
}

/** Problems as the service may spell them: text, a list, or objects such as `{field, code}`. */
function inWords(value: unknown): string {
  if (value === undefined || value === null) return "";
  if (Array.isArray(value)) return value.map(inWords).filter(Boolean).join(", ");
  if (typeof value !== "object") return oneLine(String(value), LONGEST);
  return Object.values(value).map(inWords).filter(Boolean).join(" ");
}
