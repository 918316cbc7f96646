import type { Method } from "../../client/transport/exchange.js";
import { messageOf } from "../../shared/messages/of-error.js";
import { NoAnswer } from "./answer.js";
import { type Ledger, MARK, type ObjectKind, type OwnObject } from "./ledger.js";
import { type Entity, isObject, unexpected, type Wire, type WireResponse } from "./wire.js";

export interface LeftBehind {
  readonly kind: ObjectKind;
  readonly name: string;
  readonly id: string | undefined;
  readonly why: string;
}

/** How long the service may still work on a request whose response was lost. */
const SETTLING_MS = 2_000;
const MOST_TRIES = 4;
const MOST_LISTS = 3;
const LIST_WAIT_MS = 500;

/**
 * Tokens before their cluster, so that a credential is revoked even if the cluster stays. Queues are deleted with their
 * cluster.
 */
const ORDER: readonly ObjectKind[] = ["token", "cluster", "template", "suite", "team"];

export const LABELS: Readonly<Record<ObjectKind, "name" | "key" | "description">> = {
  cluster: "name",
  queue: "key",
  token: "description",
  template: "name",
  team: "name",
  suite: "name",
};

/** Returns the path of the list of a kind's objects: of queues and tokens, in a cluster. */
export function listOf({ organization }: Wire, kind: ObjectKind, cluster?: string): string {
  if (kind === "suite") return `/analytics/organizations/${organization}/suites`;
  const paths = {
    cluster: "/clusters",
    queue: `/clusters/${cluster}/queues`,
    token: `/clusters/${cluster}/tokens`,
    template: "/pipeline-templates",
    team: "/teams",
  };
  return `/organizations/${organization}${paths[kind]}`;
}

/** Returns the path of one object. Suites are addressed by a slug that others can reuse, so it is read from the list. */
function pathOf(wire: Wire, { kind, cluster, id }: OwnObject, { slug }: Entity): string {
  return `${listOf(wire, kind, cluster)}/${kind === "suite" ? slug : id}`;
}

export function idIn(entity: unknown): string | undefined {
  if (!isObject(entity)) return undefined;
  const id = entity.id ?? entity.uuid;
  return typeof id === "string" ? id : undefined;
}

/**
 * Removes the objects of a ledger, by their ids, or by the whole name that it noted before the request. Confirms each
 * deletion by the list.
 */
export async function clean(wire: Wire, ledger: Ledger): Promise<LeftBehind[]> {
  // The service may finish a request after its response was lost: then the object appears later.
  if (ledger.objects.some(({ id }) => id === undefined)) await wire.wait(SETTLING_MS);
  const left: LeftBehind[] = [];
  for (const kind of ORDER) {
    for (const object of ledger.objects.filter((candidate) => candidate.kind === kind)) {
      const why = await removed(wire, ledger, object);
      if (why === undefined) ledger.note({ ...object, isGone: true });
      else left.push({ kind, name: object.name, id: object.id, why });
    }
  }
  if (left.length === 0) ledger.end();
  return left;
}

/** Removes one object. @returns why it is still there, if it is */
async function removed(wire: Wire, ledger: Ledger, object: OwnObject): Promise<string | undefined> {
  let why: string | undefined;
  for (let tries = 1; tries <= MOST_TRIES; tries++) {
    if (tries > 1) await wire.wait(1_000 * tries);
    try {
      const others = object.kind === "cluster" ? await contentsOfOthers(wire, ledger, object) : [];
      if (others === undefined) return undefined;
      if (others.length > 0) return `it contains ${others.join(", ")}, which the probe didn't make`;
      const response = await writeOwn(wire, ledger, object, "DELETE");
      if (response === undefined) return undefined;
      why = response.status < 300 ? "the list still shows it" : unexpected(response);
    } catch (error) {
      if (error instanceof NotOwn) return error.message;
      why = messageOf(error);
    }
  }
  return why;
}

/** An object's name isn't this probe's, whatever a response or a file said before. */
class NotOwn extends NoAnswer {}

/**
 * Changes or deletes an object, whose live name must have this probe's nonce. It is read right before.
 *
 * @returns undefined if there is no such object
 * @throws NotOwn if another made it
 */
export async function writeOwn(
  wire: Wire,
  ledger: Ledger,
  object: OwnObject,
  method: Exclude<Method, "GET">,
  { body, verb = "" }: { readonly body?: object | undefined; readonly verb?: string | undefined } = {},
): Promise<WireResponse | undefined> {
  const entity = await find(wire, object);
  if (entity === undefined) return undefined;
  const label = entity[LABELS[object.kind]];
  if (typeof label !== "string" || !label.startsWith(ledger.name("")))
    throw new NotOwn("its name isn't this probe's, so it was left alone");
  object.id ??= idIn(entity);
  return wire.write(method, `${pathOf(wire, object, entity)}${verb}`, body);
}

/**
 * Finds an object: by its id, or in a list. A 404 may also mean that a read needs another scope, so the list decides.
 * Suites are always in the list, because only it has their slug. It may lack an object that was just made, so it is read
 * several times before the object counts as missing.
 *
 * @throws if the response is another object's
 */
export async function find(wire: Wire, object: OwnObject): Promise<Entity | undefined> {
  const { kind, name, id, cluster } = object;
  if (id !== undefined && kind !== "suite") {
    const response = await wire.get(pathOf(wire, object, {}));
    if (response.status === 200 && isObject(response.body)) {
      if (idIn(response.body) === id) return response.body;
      throw new NoAnswer("a response was another object's");
    }
  }
  // Without its cluster, a token has no list.
  if (cluster !== undefined && !(await find(wire, { kind: "cluster", name: "", id: cluster })))
    return undefined;
  const isIt = (entry: Entity) => (id === undefined ? entry[LABELS[kind]] === name : idIn(entry) === id);
  for (let tries = 1; ; tries++) {
    const entry = (await wire.all(listOf(wire, kind, cluster))).find(isIt);
    if (entry !== undefined || tries === MOST_LISTS) return entry;
    await wire.wait(LIST_WAIT_MS);
  }
}

/** Names queues and tokens that others made in the probe's cluster. Undefined if it is gone. */
async function contentsOfOthers(
  wire: Wire,
  ledger: Ledger,
  object: OwnObject,
): Promise<string[] | undefined> {
  const entity = await find(wire, object);
  if (entity === undefined) return undefined;
  const others: string[] = [];
  for (const kind of ["queue", "token"] as const) {
    for (const entry of await wire.all(listOf(wire, kind, idIn(entity)))) {
      const label = String(entry[LABELS[kind]]);
      if (!label.startsWith(ledger.name(""))) others.push(`the ${kind} ${label}`);
    }
  }
  return others;
}

/** Lists objects with the mark in their name that no ledger here has: perhaps of a probe on another machine. */
export async function marked(wire: Wire, ledgers: readonly Ledger[]): Promise<string[]> {
  const own = new Set(ledgers.flatMap(({ objects }) => objects.map(({ id }) => id)));
  const found: string[] = [];
  for (const kind of ["cluster", "template", "suite", "team"] as const) {
    const entries = await wire.all(listOf(wire, kind)).catch(() => []);
    for (const entry of entries) {
      const name = String(entry[LABELS[kind]]);
      if (name.startsWith(MARK) && !own.has(idIn(entry))) found.push(`${kind} ${name} (${idIn(entry)})`);
    }
  }
  return found;
}
