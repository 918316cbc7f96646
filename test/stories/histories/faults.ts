import type { Emulator, Fault, FaultAction, FaultTarget } from "../../../src/emulator/index.js";
import { awkwardTexts } from "./awkward.js";
import { inPath, kindOf, parametersFor, remoteObjects, sections } from "./sections.js";

/** What can go wrong with one request, as the provider sees it. */
export interface Mishap {
  readonly name: string;
  readonly when: "before" | "after";
  readonly action: FaultAction | ((struck: Struck) => FaultAction);
  /** What goes wrong with the next request of the same operation. */
  readonly next?: FaultAction;
  /** From then on, the access token may not read the object, and after a change no list that has it. */
  readonly refusesReads?: true;
}

interface Struck {
  readonly emulator: Emulator;
  /** Ids of the objects that existed before the command. */
  readonly before: ReadonlySet<string>;
  /** Known once it has arrived. */
  request(): FaultTarget;
}

const before = (name: string, action: Mishap["action"]): Mishap => ({ name, when: "before", action });
const after = (name: string, action: Mishap["action"]): Mishap => ({ name, when: "after", action });

const PAGE = {
  body: "<!doctype html><title>Maintenance</title><p>We will be back soon.</p>",
  headers: { "Content-Type": "text/html" },
};

/** The API's word for what is missing, and for what the access token may not do. */
const DENIED = { status: 404, body: { message: "Not found" } };

/** What a service says that queues what it was asked for. */
const ACCEPTED = { status: 202, body: { message: "Accepted" } };

const ELSEWHERE = "0a0a0a0a-0000-4000-8000-0a0a0a0a0a0a";
const IDS = ["id", "uuid", "pipeline_id"].map((field) => [field, ELSEWHERE]);
const NAMES = ["name", "key", "slug", "label", "description"].map((field) => [field, "of-somebody-else"]);
const OTHER = Object.fromEntries([...IDS, ...NAMES]);

/** Every way in which a request that changes something goes wrong. */
export const mishaps: readonly Mishap[] = [
  before("refused", { status: 422, body: { message: "Refused" } }),
  before("dropped before", "drop"),
  after("dropped after", "drop"),
  before("time-out before", "hang"),
  after("time-out after", "hang"),
  ...[500, 502, 503].flatMap((status) => [
    before(`${status} before`, { status }),
    after(`${status} after`, { status }),
  ]),
  after("truncated", "truncate"),
  after("malformed", { body: '{"id": "0000' }),
  after("empty", { body: "" }),
  after("`{}`", { body: {} }),
  after("a list", { body: [] }),
  after("another object", { change: (body) => ({ ...Object(body), ...OTHER }) }),
  after("a number as id", {
    change: (body) => ({ ...Object(body), ...OTHER, id: 7, uuid: 7, pipeline_id: 7 }),
  }),
  before("202 before", ACCEPTED),
  before("HTML page before", { status: 200, ...PAGE }),
  after("HTML page after", PAGE),
  before("429", { rateLimited: { scope: "user", resetSeconds: 30 } }),
  {
    ...after("only what was sent, and no reads", ({ request }) => ({
      change: (body) => common(body, request().body),
    })),
    refusesReads: true,
  },
  { ...before("502, then 404", { status: 502 }), next: DENIED },
  before("answer to another request", (struck) => ({
    // The success of a deletion confirms any, so a deletion gets the refusal of another one.
    get status() {
      return struck.request().method === "DELETE" ? 404 : 200;
    },
    get body() {
      return fromBefore(struck);
    },
  })),
];

/** Requests that the service completes after their caller has got a response, or has given up. */
const late: readonly Mishap[] = [500, 5_000, 60_000].flatMap((workAfterMs) => {
  const gaveUp = (how: string, meanwhile: "drop" | { readonly status: number; readonly body?: object }) =>
    before(`${how}, done ${workAfterMs} ms later`, { workAfterMs, meanwhile });
  return [
    gaveUp("202", ACCEPTED),
    gaveUp("504", { status: 504 }),
    gaveUp("503 of the service", { status: 503, body: { message: "Unavailable" } }),
    gaveUp("dropped", "drop"),
  ];
});

export const lateNames = late.map(({ name }) => name);

/** Everything that can go wrong with a request in a history: also with awkward text, and with all that was sent. */
const everyMishap: readonly Mishap[] = [
  ...mishaps,
  ...late,
  ...awkwardTexts.flatMap((message, index) => [
    before(`422 with awkward text ${index}`, { status: 422, body: { message } }),
    after(`500 with awkward text ${index}`, { status: 500, body: { message } }),
  ]),
  before("404", DENIED),
  before("422 with what was sent", ({ request }) => ({
    status: 422,
    get body() {
      return { message: `Invalid: ${request().path} ${JSON.stringify(request().body)}` };
    },
  })),
];

export const mishapNames = everyMishap.map(({ name }) => name);

export interface Trouble {
  readonly operation: string;
  readonly mishap: string;
  /** How many requests of the operation go well before; none by default. */
  readonly after?: number;
  /** How many go wrong then; one by default. */
  readonly times?: number;
}

/** Has requests go wrong, and those that follow from that. */
export function inject(emulator: Emulator, { mishap: name, operation, ...rest }: Trouble): Fault {
  const mishap = everyMishap.find((candidate) => candidate.name === name);
  if (mishap === undefined) throw new Error(`There is no mishap ${name}.`);
  const { when, action, next, refusesReads } = mishap;
  let request: FaultTarget = { method: "", path: "", operation, body: undefined };
  const existing = new Set(remoteObjects(emulator).map(({ id }) => id));
  const struck: Struck = { emulator, before: existing, request: () => request };
  const fault = emulator.fault({
    ...rest,
    ...{ operation, when },
    matches: (target) => {
      request = target;
      return true;
    },
    action: typeof action === "function" ? action(struck) : action,
  });
  const [group, verb] = operation.split(".");
  // Without the list, nobody could tell which object a creation made.
  const refused = [`${group}.get`, ...(verb === "create" ? [] : [`${group}.list`])];
  const all = [
    fault,
    ...(next === undefined ? [] : [emulator.fault({ operation, action: next })]),
    ...((refusesReads ?? false)
      ? [
          emulator.fault({
            matches: (target) => fault.hits > 0 && refused.includes(target.operation ?? ""),
            times: Number.POSITIVE_INFINITY,
            action: { status: 403 },
          }),
        ]
      : []),
  ];
  return {
    get hits() {
      return fault.hits;
    },
    remove: () => {
      for (const each of all) each.remove();
    },
  };
}

/**
 * The answer to another request: to a creation that of an older object in the same place, to a change that of the object
 * as it is. Nothing is carried out.
 */
function fromBefore({ emulator, before, request }: Struck): unknown {
  const { path, operation = "" } = request();
  const parts = path.split("/").map(decodeURIComponent);
  const creates = operation.endsWith(".create");
  const object = remoteObjects(emulator).find((one) => {
    const isThere = one.parent === undefined || parts.includes(one.parent.inPath);
    if (one.kind !== kindOf(operation) || !isThere) return false;
    return creates ? before.has(one.id) : parts.includes(inPath(one));
  });
  if (operation.endsWith(".delete")) return { message: "Not found" };
  if (object === undefined) return OTHER;
  const { group } = sections[object.kind] ?? {};
  const { body } = emulator.perform(`${group}.get`, { params: parametersFor(object) });
  const { secret } = object;
  return {
    ...JSON.parse(JSON.stringify(body).replaceAll("http://localhost/", `${emulator.url}/`)),
    ...(creates && secret !== undefined && { token: secret, api_token: secret }),
  };
}

/** The fields of a response that the request had as well; all of it where the request had none. */
function common(response: unknown, request: unknown): unknown {
  if (typeof request !== "object" || request === null) return response;
  const fields = Object.entries(Object(response)).filter(([name]) => Object.hasOwn(request, name));
  return Object.fromEntries(fields);
}
