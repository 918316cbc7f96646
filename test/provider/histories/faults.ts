import type { FaultAction, FaultRule } from "../../../src/emulator/index.js";

/** What can go wrong with one request, as the provider sees it. */
export interface Mishap {
  readonly name: string;
  readonly when: "before" | "after";
  /** @param created Whether the request creates: its answer is 201. */
  readonly action: (created: boolean) => FaultAction;
}

const answer =
  (body: unknown, headers: Readonly<Record<string, string>> = {}) =>
  (created: boolean): FaultAction => ({ status: created ? 201 : 200, body, headers });
const status = (code: number) => (): FaultAction => ({ status: code });

const HTML = "<!doctype html><title>Maintenance</title><p>We will be back soon.</p>";

/** Every way in which a request that changes something goes wrong. */
export const mishaps: readonly Mishap[] = [
  { name: "refused", when: "before", action: () => ({ status: 422, body: { message: "Refused" } }) },
  { name: "dropped before", when: "before", action: () => "drop" },
  { name: "dropped after", when: "after", action: () => "drop" },
  { name: "time-out before", when: "before", action: () => "hang" },
  { name: "time-out after", when: "after", action: () => "hang" },
  ...[500, 502, 503].flatMap((code): Mishap[] => [
    { name: `${code} before`, when: "before", action: status(code) },
    { name: `${code} after`, when: "after", action: status(code) },
  ]),
  { name: "truncated", when: "after", action: () => "truncate" },
  { name: "malformed", when: "after", action: answer('{"id": "0000') },
  { name: "empty", when: "after", action: answer("") },
  { name: "`{}`", when: "after", action: answer({}) },
  { name: "a list", when: "after", action: answer([]) },
  { name: "another object", when: "after", action: answer(another()) },
  { name: "a number as id", when: "after", action: answer({ ...another(), id: 7, uuid: 7 }) },
  { name: "HTML page before", when: "before", action: answer(HTML, { "Content-Type": "text/html" }) },
  { name: "HTML page after", when: "after", action: answer(HTML, { "Content-Type": "text/html" }) },
  { name: "429", when: "before", action: () => ({ rateLimited: { scope: "user", resetSeconds: 30 } }) },
];

/** A fault rule for the next request of an operation. */
export function ruleOf(name: string, operation: string): FaultRule {
  const mishap = mishaps.find((candidate) => candidate.name === name);
  if (mishap === undefined) throw new Error(`There is no mishap ${name}.`);
  return { operation, when: mishap.when, action: mishap.action(operation.endsWith(".create")) };
}

/** An object that is none of those that were asked for, complete enough for every kind. */
function another() {
  const id = "0a0a0a0a-0000-4000-8000-0a0a0a0a0a0a";
  const user = {
    id,
    name: "Somebody",
    email: "somebody@example.com",
    created_at: "2020-01-01T00:00:00.000Z",
  };
  const url = `https://elsewhere.example/${id}`;
  return {
    id,
    uuid: id,
    graphql_id: "QQ==",
    name: "Of somebody else",
    key: "of-somebody-else",
    slug: "of-somebody-else",
    description: "of somebody else",
    configuration: "steps: []",
    available: false,
    privacy: "visible",
    default: false,
    emoji: null,
    color: null,
    default_branch: "elsewhere",
    token: "not-yours",
    api_token: "not-yours",
    allowed_ip_addresses: "192.0.2.1",
    dispatch_paused: false,
    dispatch_paused_by: null,
    dispatch_paused_at: null,
    dispatch_paused_note: null,
    default_queue_id: null,
    default_queue_url: null,
    url,
    web_url: url,
    queues_url: url,
    cluster_url: url,
    suite_url: url,
    created_at: "2020-01-01T00:00:00.000Z",
    created_by: user,
    updated_at: "2020-01-01T00:00:00.000Z",
    updated_by: user,
  };
}
