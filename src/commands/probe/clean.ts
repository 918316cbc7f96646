import { messageOf } from "../../shared/messages/of-error.js";
import { type Ledger, MARK, type ObjectKind, type OwnObject } from "./ledger.js";
import { Gone, idIn, LABELS, NotOwn, type ProbedService } from "./service.js";
import { unexpected } from "./wire.js";

/** How long the service may still work on a request whose response was lost. */
const SETTLING_MS = 2_000;
const MOST_TRIES = 4;

/** Tokens first, so that a credential is revoked even if its cluster stays. Queues are deleted with their cluster. */
const ORDER: readonly ObjectKind[] = ["token", "cluster", "template", "suite", "team"];

export type LeftBehind = OwnObject & { readonly why: string };

/** Removes objects by their ids, or by the whole name noted before the request. The list confirms each deletion. */
export async function clean(service: ProbedService): Promise<readonly LeftBehind[]> {
  const { ledger } = service;
  // The service may finish a request after its response was lost: then the object appears later.
  if (ledger.objects.some(({ id }) => id === undefined)) await service.wait(SETTLING_MS);
  const left: LeftBehind[] = [];
  for (const object of ORDER.flatMap((kind) => ledger.objects.filter((one) => one.kind === kind))) {
    const why = await removed(service, object);
    if (why === undefined) ledger.note({ ...object, isGone: true });
    else left.push({ ...object, why });
  }
  if (left.length === 0) ledger.end();
  return left;
}

async function removed(service: ProbedService, object: OwnObject): Promise<string | undefined> {
  let why: string | undefined;
  for (let tries = 1; tries <= MOST_TRIES; tries++) {
    if (tries > 1) await service.wait(1_000 * tries);
    try {
      const others = object.kind === "cluster" ? await contentsOfOthers(service, object) : [];
      if (others.length > 0) return `it contains ${others.join(", ")}, which the probe didn't make`;
      const response = await service.write("DELETE", object);
      why = response.status < 300 ? "the list still shows it" : unexpected(response);
    } catch (error) {
      if (error instanceof Gone) return undefined;
      if (error instanceof NotOwn) return error.message;
      why = messageOf(error);
    }
  }
  return why;
}

async function contentsOfOthers(service: ProbedService, object: OwnObject): Promise<string[]> {
  const id = idIn(await service.read(object));
  const others: string[] = [];
  for (const kind of ["queue", "token"] as const) {
    for (const entry of await service.all(service.listOf(kind, id))) {
      const label = String(entry[LABELS[kind]]);
      if (!label.startsWith(service.ledger.name(""))) others.push(`the ${kind} ${label}`);
    }
  }
  return others;
}

/** Lists objects with the mark in their name that no ledger here has: perhaps of a probe on another machine. */
export async function marked(service: ProbedService, ledgers: readonly Ledger[]): Promise<string[]> {
  const own = new Set(ledgers.flatMap(({ objects }) => objects.map(({ id }) => id)));
  const found: string[] = [];
  for (const kind of ["cluster", "template", "suite", "team"] as const) {
    for (const entry of await service.all(service.listOf(kind)).catch(() => [])) {
      const name = String(entry[LABELS[kind]]);
      if (name.startsWith(MARK) && !own.has(idIn(entry))) found.push(`${kind} ${name} (${idIn(entry)})`);
    }
  }
  return found;
}
