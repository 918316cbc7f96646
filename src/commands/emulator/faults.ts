import { InvalidArgumentError } from "commander";
import type { FaultAction, FaultRule } from "../../emulator/index.js";

export const faultHelp = `
Faults: --fault "<which> [before|after] <what> [times=<n>|always] [skip=<n>]". The flag can be repeated.
  which   an operation (agentTokens.create), a method (POST), or * for every request
  before  the request is not carried out (the default); after: it is carried out, and its response is lost
  what    drop             the connection closes without a response
          hang             no response is ever sent
          <status>         500, 503, 429 …: a response with this status
          delay=<ms>       the response is sent after this time
          truncate         the connection closes after half of the response's body
          malformed        the body is not JSON
          empty            the body is empty
          {}               the body is an empty object
          list             the body is a list that contains the object
          number-id        the id is a number
          other-name       name, key and description differ from those that were sent
          html             the body is an HTML page instead of JSON
          In the last eight, the request is always carried out.
  times   how many requests fail (default 1); always: until the emulator ends
  skip    how many requests succeed before the first fault (default 0)`;

export function parseFault(text: string): FaultRule {
  const [which = "", ...words] = text.trim().split(/\s+/);
  const rule: { -readonly [Key in keyof FaultRule]?: FaultRule[Key] } = subjectOf(which);
  for (const word of words) {
    const action = actionOf(word);
    if (action !== undefined && rule.action === undefined) rule.action = action;
    else if (word === "before" || word === "after") rule.when = word;
    else if (word === "always") rule.times = Number.POSITIVE_INFINITY;
    else if (/^times=[1-9]\d*$/.test(word)) rule.times = Number(word.slice("times=".length));
    else if (/^skip=\d+$/.test(word)) rule.after = Number(word.slice("skip=".length));
    else throw new InvalidArgumentError(`"${word}" is not known here. See --help.`);
  }
  const { action, ...rest } = rule;
  if (action === undefined)
    throw new InvalidArgumentError('The rule must say what goes wrong, as in "POST drop".');
  return { ...rest, action };
}

function subjectOf(which: string): { method?: string; operation?: string } {
  if (which === "*") return {};
  if (/^(GET|POST|PUT|PATCH|DELETE)$/i.test(which)) return { method: which.toUpperCase() };
  if (/^[a-z]+\.[a-z]+$/i.test(which)) return { operation: which };
  throw new InvalidArgumentError(`"${which}" is no operation (as agentTokens.create), no method and not *.`);
}

const html = "<!doctype html><title>Down for maintenance</title>";

function replacing(fields: Readonly<Record<string, unknown>>): FaultAction {
  return {
    change: (body) => {
      if (typeof body !== "object" || body === null || Array.isArray(body)) return body;
      const present = Object.entries(fields).filter(([name]) => name in body);
      return { ...body, ...Object.fromEntries(present) };
    },
  };
}

const actions: ReadonlyMap<string, FaultAction> = new Map<string, FaultAction>([
  ["drop", "drop"],
  ["hang", "hang"],
  ["truncate", "truncate"],
  ["malformed", { body: '{"id": "' }],
  ["empty", { body: "" }],
  ["{}", { body: {} }],
  ["list", { change: (body) => [body] }],
  ["number-id", replacing({ id: 42, uuid: 42 })],
  ["other-name", replacing({ name: "other", key: "other", description: "other" })],
  ["html", { body: html, headers: { "Content-Type": "text/html; charset=utf-8" } }],
]);

function actionOf(word: string): FaultAction | undefined {
  if (/^[2-5]\d\d$/.test(word)) return { status: Number(word) };
  if (/^delay=\d+$/.test(word)) return { delayMs: Number(word.slice("delay=".length)) };
  return actions.get(word);
}
