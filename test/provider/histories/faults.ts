import type { Emulator, FaultAction, FaultRule, FaultTarget } from "../../../src/emulator/index.js";
import { sections } from "./bodies.js";
import { remoteObjects } from "./service-state.js";

/** What can go wrong with one request, as the provider sees it. */
export interface Mishap {
  readonly name: string;
  readonly when: "before" | "after";
  /** @param created Whether the request creates: its answer is 201. */
  readonly action: (created: boolean, service: Struck) => FaultAction;
  /** What goes wrong with the next request of the same operation. */
  readonly next?: Mishap;
  /** From then on, the access token may not read the object, and after a change no list that has it. */
  readonly refusesReads?: true;
}

/** The service, and the request that goes wrong, once it has arrived. */
interface Struck {
  readonly emulator: Emulator;
  /** Ids of the objects that existed before the command. */
  readonly before: ReadonlySet<string>;
  request(): FaultTarget;
}

const answer =
  (body: unknown, headers: Readonly<Record<string, string>> = {}) =>
  (created: boolean): FaultAction => ({ status: created ? 201 : 200, body, headers });
const status = (code: number) => (): FaultAction => ({ status: code });

const HTML = "<!doctype html><title>Maintenance</title><p>We will be back soon.</p>";

/** The API's word for what is missing, and for what the access token may not do. */
export const denied: Mishap = {
  name: "404",
  when: "before",
  action: () => ({ status: 404, body: { message: "Not found" } }),
};

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
  {
    name: "only what was sent, and no reads",
    when: "after",
    action: (_, { request }) => ({ change: (body) => common(body, request().body) }),
    refusesReads: true,
  },
  { name: "502, then 404", when: "before", action: status(502), next: denied },
  {
    name: "answer to another request",
    when: "before",
    action: (created, service) => ({
      // Any success confirms a deletion, so a deletion gets the refusal of another one.
      get status() {
        return created ? 201 : service.request().method === "DELETE" ? 404 : 200;
      },
      get body() {
        return fromBefore(service);
      },
    }),
  },
];

/** A fault rule for requests of an operation. */
export function ruleOf({ when, action }: Mishap, operation: string, emulator: Emulator): FaultRule {
  let struck: FaultTarget = { method: "", path: "", operation, body: undefined };
  const matches = (request: FaultTarget) => {
    struck = request;
    return true;
  };
  const before = new Set(remoteObjects(emulator).map(({ id }) => id));
  const made = action(operation.endsWith(".create"), { emulator, before, request: () => struck });
  return { operation, when, matches, action: made };
}

/**
 * The answer to another request: to a creation that of an older object in the same place, to a change that of the object
 * as it is. Nothing is carried out.
 */
function fromBefore({ emulator, before, request }: Struck): unknown {
  const { path, operation = "" } = request();
  const [group = "", verb = ""] = operation.split(".");
  const parts = path.split("/").filter((part) => !part.endsWith("_dispatch"));
  const cluster = parts[parts.indexOf("clusters") + 1] ?? "";
  if (verb === "delete") return { message: "Not found" };
  if (verb !== "create") return answerAbout(emulator, group, cluster, decodeURIComponent(parts.at(-1) ?? ""));
  const { queues, agentTokens, suites } = emulator.organizationData;
  const older = remoteObjects(emulator).find(({ kind, id }) => {
    const around = queues.get(id)?.cluster_id ?? agentTokens.get(id)?.cluster_id;
    const isHere = around === undefined || around === cluster;
    return before.has(id) && isHere && sections[kind]?.group === group;
  });
  if (older === undefined) return another();
  const name = suites.get(older.id)?.slug ?? older.id;
  const { secret } = older;
  return {
    ...answerAbout(emulator, group, cluster, name),
    ...(secret && { token: secret, api_token: secret }),
  };
}

function answerAbout(emulator: Emulator, group: string, cluster: string, name: string): object {
  const params = {
    ...{ cluster_id: cluster, id: name, queue_id: name, token_id: name, uuid: name, team_uuid: name },
    suite_slug: name,
  };
  const { body } = emulator.perform(`${group}.get`, { params });
  return JSON.parse(JSON.stringify(body ?? {}).replaceAll("http://localhost/", `${emulator.url}/`));
}

/** The fields of a response that the request had as well; all of it where the request had none. */
function common(response: unknown, request: unknown): unknown {
  if (typeof request !== "object" || request === null) return response;
  const fields = Object.entries(Object(response)).filter(([name]) => Object.hasOwn(request, name));
  return Object.fromEntries(fields);
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
