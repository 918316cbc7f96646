import { oneLine } from "../../shared/messages/foreign-text.js";
import { SECRET_FIELDS } from "../../shared/messages/secrets.js";
import type { ServiceMessage } from "../errors/api-errors.js";
import { isDeeperThan, type ResponseBody, webPage } from "./exchange.js";
import type { Redactor } from "./redaction.js";

const LONGEST_MESSAGE = 500;

/**
 * Reads why a request was refused. The API documents `{message}`, for builds with `errors`. Also known: fields with their
 * problems, problem details (RFC 9457), and any of these within others. Everything else is shown as it is.
 */
export function readServiceMessage(body: ResponseBody, redactor: Redactor): ServiceMessage {
  const said = (text: string): ServiceMessage => ({
    serviceMessage: oneLine(text, LONGEST_MESSAGE),
    errors: [],
    inServiceForm: false,
  });
  if (body.kind === "compressed") return { ...said(""), compression: body.coding };
  if (body.kind === "text") {
    // A page for people says nothing in one line.
    const readable = /^text\/plain\b/.test(body.contentType) || !body.value.includes("<");
    const page = webPage(body);
    return { ...said(readable ? redactor.text(body.value) : ""), page: page && redactor.text(page) };
  }
  if (body.kind !== "json") return said("");
  const value = redactor.body(body.value, (name) => NAMES.has(name));
  if (!isRecord(value)) return said(inWords(value));
  const { message, errors } = value;
  return {
    ...said(hasKnownForm(value) ? inWords(value) : JSON.stringify(value)),
    errors: Array.isArray(errors) ? errors : [],
    inServiceForm: typeof message === "string",
  };
}

/** Properties with whole sentences. The first of each list that says anything is enough. */
const SENTENCES = [["message", "error_description", "error", "msg", "reason"], ["title"], ["detail"]];
/** Properties that name what a problem is about. */
const PLACES = ["resource", "field", "attribute", "pointer", "source", "loc"];
/** Properties with problems of the whole. Rails calls them `base`. */
const WHOLE = ["errors", "base"];
const [NAME, SENT] = ["name", "value"] as const;
const NAMES: ReadonlySet<string> = new Set([...SENTENCES.flat(), ...PLACES, ...WHOLE, NAME, SENT]);

/** Any other refusal may be about anything, so that only the whole of it is sure to have the reason. */
function hasKnownForm(body: Readonly<Record<string, unknown>>): boolean {
  // No form is as deep, and each level could double the work.
  if (isDeeperThan(8, body)) return false;
  const isStructured = Object.values(body).every((value) => typeof value === "object");
  return isStructured || textIn(body) !== "" || inWords(body.errors) !== "";
}

function inWords(value: unknown): string {
  if (value === undefined || value === null) return "";
  if (Array.isArray(value)) return value.map(inWords).filter(Boolean).join(", ");
  if (!isRecord(value)) return oneLine(String(value), LONGEST_MESSAGE);
  const entries = Object.entries(value);
  const summary = textIn(value);
  const about = summary === "" ? PLACES : [...PLACES, NAME];
  const others = entries.filter(([name]) => !about.includes(name));
  if (others.length === 0) return pairs(entries);
  const place = about.map((name) => inWords(value[name])).filter(Boolean);
  const isDetail = ([name, item]: readonly [string, unknown]) =>
    name === "errors" || (!SENTENCES.flat().includes(name) && isReason(item));
  if (summary !== "") return [...place, joined([summary, pairs(others.filter(isDetail))])].join(" ");
  if (place.length === 0) return pairs(others);
  const isSecret = place.some((name) => SECRET_FIELDS.test(name) || name === SENT);
  const words = others.filter(([name]) => name !== SENT).map(([, item]) => inWords(item));
  // What was sent may be long, and comes after the reason.
  return [...place, ...words, isSecret ? "" : inWords(value[SENT])].filter(Boolean).join(" ");
}

/** Beside a sentence, a value that is no list of sentences is a circumstance, such as a status or what was sent. */
function isReason(value: unknown): boolean {
  if (Array.isArray(value)) return value.some((item) => typeof item === "string" || isReason(item));
  if (!isRecord(value)) return false;
  return textIn(value) !== "" || Object.values(value).some((item) => Array.isArray(item) && isReason(item));
}

function textIn(value: Readonly<Record<string, unknown>>): string {
  const said = (name: string) =>
    ["string", "object"].includes(typeof value[name]) ? inWords(value[name]) : "";
  return joined(SENTENCES.map((names) => names.map(said).find(Boolean) ?? ""));
}

/** Fields and their problems, as Rails lists them. */
function pairs(entries: readonly (readonly [string, unknown])[]): string {
  return entries
    .map(([name, value]) => [name, inWords(value)] as const)
    .filter(([, words]) => words !== "")
    .map(([name, words]) => (WHOLE.includes(name) ? words : `${name} ${words}`))
    .join(", ");
}

/** Joins a summary and its details, each of which may repeat an earlier one. */
function joined(texts: readonly string[]): string {
  const kept: string[] = [];
  for (const text of texts) if (text !== "" && !kept.some((other) => other.includes(text))) kept.push(text);
  return kept.map((text, at) => (at < kept.length - 1 ? text.replace(/[.:]$/, "") : text)).join(": ");
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
