import { BuildPipelineError } from "../../../client/index.js";
import { similarNames } from "../../../shared/messages/nearest-name.js";
import { quoted } from "../../../shared/messages/quoted.js";
import { isUnknown } from "../../../shared/protocol/encoded-values.js";
import type { AnyKind } from "../../kind/kind.js";
import type { Arguments, Observed } from "../../kind/value-roles.js";
import { isMissing, messageOf } from "../run/errors.js";
import type { Service } from "../run/service.js";
import { decode, type ObservedObject, sameOnService } from "../values/codec.js";
import { parentKindOf, referenceTo } from "../values/kinds.js";
import type { Where } from "../values/state.js";

/** A name for which an object is looked for. */
export interface ImportQuery {
  readonly organization: string;
  readonly kind: AnyKind;
  readonly name: string;
  /** The name comes from the engine: from `pulumi import`, or from the option. */
  readonly byEngine?: boolean;
}

/** Nothing has the name. The message lacks what to do instead. */
class NothingNamed extends Error {}

/** Returns how `{ import: … }` names an object of a kind: `<cluster uuid|name>/<queue uuid|key>`. */
export function importForm(kind: AnyKind): string | undefined {
  const parent = parentKindOf(kind);
  if (parent === undefined || kind.importing === undefined) return kind.importing?.form;
  return `${importForm(parent)}/${kind.importing.form}`;
}

/** The most existing names that are listed for a name that no object has. */
const MOST_CANDIDATES = 3;

/**
 * Finds the object that an import option names. Imports share lists for some seconds, to save requests. If a shared
 * list lacks the object, a new list is read.
 *
 * @throws when the name has the wrong form, nothing has it, or several have it
 */
export async function findImported(service: Service, query: ImportQuery): Promise<ObservedObject> {
  const { kind } = query;
  const begun = service.now();
  try {
    return await findWith(service, query).catch((error: unknown) => {
      if (error instanceof BuildPipelineError) throw error;
      return findWith(service, query, begun);
    });
  } catch (error) {
    const message = messageOf(error);
    if (message.startsWith(`${kind.name}.`)) throw error;
    // The client's message about a request names no resource.
    const about = message.startsWith("import: ") ? "" : "import: ";
    const whoseOption = query.byEngine ? " from the resource, if it has that option" : "";
    const advice =
      error instanceof NothingNamed ? ` To create one instead, remove import${whoseOption}.` : "";
    throw new Error(`${kind.name}.${about}${message}${advice}`);
  }
}

async function findWith(
  service: Service,
  { organization, kind, name }: ImportQuery,
  since?: number,
): Promise<ObservedObject> {
  if (kind.importing === undefined) {
    throw new Error(
      `${kind.name}.import: there is nothing to import; declare the ${kind.words.noun} and it is set.`,
    );
  }
  const parentKind = parentKindOf(kind);
  if (parentKind === undefined) return findIn(service, { organization, kind, parent: "" }, name, since);
  // Both parts may contain slashes: a cluster's name, and a token's description.
  const splits = [...name.matchAll(/(?<=.)\/(?=.)/gs)].map(({ index }) => index);
  if (splits.length === 0) {
    throw new Error(`${kind.name}.import: expected ${importForm(kind)}, got ${JSON.stringify(name)}.`);
  }
  let failure: unknown;
  for (const at of splits.reverse()) {
    try {
      const owners = { organization, kind: parentKind, parent: "" };
      const owner = await findEntity(service, owners, name.slice(0, at), since);
      const parent = String(referenceTo(kind, parentKind, owner));
      return await findIn(service, { organization, kind, parent }, name.slice(at + 1), since);
    } catch (error) {
      failure ??= error;
    }
  }
  throw failure;
}

/**
 * Returns the values that the API returned of an object, and the argument that refers to its parent.
 *
 * @param parent the object that it lives in
 */
export function observedOf(kind: AnyKind, entity: object, parent: object | undefined): Observed {
  const parentKind = parentKindOf(kind);
  const reference = parentKind && parent && referenceTo(kind, parentKind, parent);
  return withParent(kind, decode(kind, entity), reference);
}

/**
 * Finds the object that an import file is to name. In addition to what the option takes, a kind that is a view of what it
 * lives in is named as that is.
 *
 * @throws when the name has the wrong form, nothing has it, or several have it
 */
export async function findForImportFile(service: Service, query: ImportQuery): Promise<ObservedObject> {
  const { organization, kind, name } = query;
  const parentKind = parentKindOf(kind);
  if (kind.importing !== undefined || parentKind === undefined || kind.listedWith !== parentKind.name) {
    return findImported(service, query);
  }
  const entity = await findEntity(service, { organization, kind: parentKind, parent: "" }, name);
  if (kind.exists?.(entity) === false) {
    throw new Error(
      `${kind.name}: the ${parentKind.words.noun} ${JSON.stringify(name)} has no ${kind.words.noun}.`,
    );
  }
  return { id: kind.identify(entity), observed: observedOf(kind, entity, entity) };
}

async function findIn(
  service: Service,
  where: Where,
  name: string,
  since: number | undefined,
): Promise<ObservedObject> {
  const { kind, parent } = where;
  const listed = await findEntity(service, where, name, since);
  const observed = decode(kind, await complete(service, where, listed));
  return { id: kind.identify(listed), observed: withParent(kind, observed, parent) };
}

/** Adds the argument that refers to the parent, which no response has. */
function withParent({ parent }: AnyKind, observed: Observed, reference: unknown): Observed {
  return parent === undefined || reference === undefined
    ? observed
    : { ...observed, [parent.argument]: reference };
}

/** Returns a listed object in full: a list may have less of it than a single read. */
export async function complete(service: Service, where: Where, listed: object): Promise<object> {
  const { kind, organization, parent } = where;
  if (!kind.listIsPartial) return listed;
  const address = { id: kind.identify(listed), parent, known: decode(kind, listed) };
  try {
    return (await kind.calls.get(service.context(organization), address)) ?? listed;
  } catch (error) {
    if (!isMissing(error)) throw error;
    return listed;
  }
}

async function findEntity(service: Service, where: Where, name: string, since?: number): Promise<object> {
  const { organization, kind } = where;
  const { importing } = kind;
  const entities = await service.collections.list(where, since);
  const byId = entities.find((entity) => kind.identify(entity) === name.toLowerCase());
  if (byId !== undefined) return byId;
  const named = entities.filter((entity) => importing?.names(entity).includes(name));
  const [only] = named;
  if (named.length > 1) {
    const ids = named.map((entity) => kind.identify(entity)).join(", ");
    throw new Error(
      `import: ${named.length} ${kind.words.noun}s are called ${JSON.stringify(name)}. Name one by its id: ${ids}.`,
    );
  }
  if (only === undefined) {
    throw new NothingNamed(
      `import: the organization "${organization}" has no ${kind.words.noun} ${JSON.stringify(name)} that this access ` +
        `token can see. ${candidates(kind, name, entities)}Expected ${importForm(kind)}.`,
    );
  }
  return only;
}

/** Returns a name by which the option `import` finds an object of a list and no other one. */
export function uniqueName(kind: AnyKind, entity: object, among: readonly object[]): string | undefined {
  const finds = (other: object, name: string) =>
    kind.importing?.names(other).includes(name) || kind.identify(other) === name.toLowerCase();
  return kind.importing
    ?.names(entity)
    .filter(isPlain)
    .find((name) => !among.some((other) => other !== entity && finds(other, name)));
}

/** Returns whether a name can be read in one way only: a slash separates names, and messages escape some characters. */
function isPlain(name: string | null | undefined): name is string {
  if (!name || name.trim() !== name || name.includes("/")) return false;
  return quoted(name) === JSON.stringify(name);
}

/** Describes the objects that exist instead: those with the most similar names. */
function candidates(kind: AnyKind, name: string, entities: readonly object[]): string {
  const ids = new Map<string, string>();
  for (const entity of entities) {
    for (const known of kind.importing?.names(entity) ?? []) if (known) ids.set(known, kind.identify(entity));
  }
  const listed = new Set<string>();
  const nearest = similarNames(name, [...ids.keys()])
    .filter((known) => {
      const id = ids.get(known) ?? known;
      return !listed.has(id) && listed.add(id);
    })
    .slice(0, MOST_CANDIDATES);
  if (nearest.length === 0) return "";
  return `Similar: ${nearest.map((known) => `${JSON.stringify(known)} (${ids.get(known)})`).join(", ")}. `;
}

/** Names an imported object as the program does, and by its id. */
export function importedWords(kind: AnyKind, name: string, id: string): string {
  return `${kind.words.noun} ${name.toLowerCase().endsWith(id) ? name : `${name} ${id}`}`;
}

export function alreadyManaged(kind: AnyKind, name: unknown, id: string): string {
  return (
    `${kind.name}.import: ${JSON.stringify(name)} is the ${kind.words.noun} ${id}, which another resource of this program ` +
    'manages or imports already. Declare it once; a renamed resource needs { aliases: [{ name: "<old name>" }] }.'
  );
}

/**
 * Lists the differences between an object to import and the program, with both values. Texts of several lines show the
 * lines that differ. Secret values are described. Unknown values and the names in `ignored` are not compared.
 */
export async function mismatches(
  kind: AnyKind,
  args: Arguments,
  observed: Observed,
  {
    ignored = new Set(),
    mayQuote,
  }: { readonly ignored?: ReadonlySet<string>; mayQuote(name: string): boolean },
): Promise<string[]> {
  const found: string[] = [];
  for (const [name, field] of Object.entries(kind.arguments)) {
    if (!(name in observed) || ignored.has(name) || isUnknown(args[name])) continue;
    if (field.whenOmitted === "unmanaged" && args[name] === undefined) continue;
    if (sameOnService(kind, name, args[name], observed[name])) continue;
    const [ours, theirs] = [args[name], observed[name]];
    if (mayQuote(name) && isLong(ours) && isLong(theirs)) {
      found.push(
        `${name}: lines of the program (+) and of the service (-) differ:${await linesOf(theirs, ours)}`,
      );
      continue;
    }
    const display = name === kind.parent?.argument ? String : mayQuote(name) ? shown : described;
    found.push(`${name}: the program has ${display(ours)}, the service has ${display(theirs)}`);
  }
  return found;
}

function isLong(value: unknown): value is string {
  return typeof value === "string" && value.trim().includes("\n");
}

async function linesOf(before: string, after: string): Promise<string> {
  // Loaded here and not above: every start of a provider would pay for it.
  const { lineDiff } = await import("../../../shared/messages/lines.js");
  const { lines, added, removed } = lineDiff(before, after);
  if (lines.length === 0) return `\n      ${added} lines are new, and ${removed} are gone`;
  const written = lines.map(({ sign, text }) => (sign === "gap" ? "…" : `${sign} ${text}`));
  return written.map((line) => `\n      ${line}`).join("");
}

function isNone(value: unknown): boolean {
  return value === undefined || value === null || value === "";
}

function shown(value: unknown): string {
  return isNone(value) ? "none" : quoted(value);
}

/** Describes a value without its text. Numbers and booleans cannot be secrets; a text like a UUID can. */
function described(value: unknown): string {
  if (isNone(value)) return "none";
  if (typeof value === "boolean" || typeof value === "number") return String(value);
  if (typeof value === "string") return `text of ${value.length} characters`;
  if (Array.isArray(value)) return `a list of ${value.length}`;
  return "a map";
}
