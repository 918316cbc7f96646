import { createHash } from "node:crypto";
import { defaultSetBy, isSettingKind, kinds } from "../../provider/for-commands/kinds.js";
import { counted } from "../../shared/messages/nouns.js";
import type { PlannedChange } from "./change.js";
import { type Plan, stackName, vanishedIn } from "./plan.js";
import { type Text, text } from "./text.js";

/** A plan deletes so much that it is more likely a mistake: an empty folder, the wrong stack, a lost role. */
export interface Brake {
  /** What the plan does, in sentences. */
  readonly sentence: Text;
  /** The count of objects, and a digest of the stack and their ids; undefined if no deployment follows, or nobody knows of how many. */
  readonly key: string | undefined;
  /** Checks whether a key is that of these objects, or of more of the stack's, as far as the plan still has those. */
  allows(key: string): boolean;
}

/** More than these are braked, if they are also more than this share of the stack's objects. */
const MOST = 10;
const MOST_SHARE = 0.3;
/** Of as many objects, some must remain. */
const FEWEST = 5;
/** Each comparison of a key hits by accident once in 16 million. */
const MOST_COMPARISONS = 20_000;

/** Returns why a deployment needs to be allowed; undefined for most. A failed preview is never deployed. */
export function brakeOf(plan: Plan): Brake | undefined {
  if (plan.failed) return undefined;
  const { lost, archived } = lostIn(plan);
  const vanished = vanishedIn(plan).filter(isCounted);
  const all = new Set([...objectsIn(plan), ...[...lost, ...vanished].map(entryOf)]);
  // Without the state, nobody knows how many objects have no step.
  const isKnown = !plan.gaps.some(({ what }) => what === "pending deletions");
  const isMany = (some: readonly PlannedChange[]) =>
    some.length > MOST && (!isKnown || some.length > MOST_SHARE * all.size);
  const isEnd = isKnown && all.size >= FEWEST && lost.length === all.size;
  const braked = [...(isEnd || isMany(lost) ? lost : []), ...(isMany(vanished) ? vanished : [])];
  if (braked.length === 0) return undefined;
  const of = isKnown ? `of today's ${all.size} objects` : "objects";
  const sentences: Text[] = [];
  if (isEnd) sentences.push([`None ${of} remains${archivedInWords(archived, lost.length)}.`]);
  else if (isMany(lost))
    sentences.push([`${lost.length} ${of} are deleted${archivedInWords(archived, lost.length)}.`]);
  if (isMany(vanished))
    sentences.push([
      `The refresh finds ${vanished.length} ${of} gone, which a deployment would create again: check the organization, and the role of the API access token.`,
    ]);
  const created = plan.changes.filter(
    (one) => one.action === "create" && isCounted(one) && !vanished.some(({ urn }) => urn === one.urn),
  ).length;
  if (!plan.drift && created > 0)
    sentences.push(
      text`${[counted(created, "other")]} ${[created === 1 ? "is created: if it is the same," : "are created: if these are the same,"]} ${"aliases"} ${[created === 1 ? "keep it." : "keep them."]}`,
    );
  if (!isKnown)
    sentences.push(
      text`What share of the stack's objects that is isn't known: give ${"--stack-export"} the output of ${"pulumi stack export"}.`,
    );
  const entries = braked.map(entryOf);
  const others = [...all].filter((one) => !entries.includes(one));
  return {
    sentence: sentences.flatMap((one, index) => (index === 0 ? one : [" ", ...one])),
    key: plan.drift || !isKnown ? undefined : keyOf(plan, entries),
    allows: (key) =>
      [...setsWith(entries, others, Number.parseInt(key, 10))].some((set) => keyOf(plan, set) === key),
  };
}

/** Returns the words for a deployment that is not allowed yet; undefined if the brake doesn't hold one. */
export function allowanceOf({ key }: Pick<Brake, "key">): Text | undefined {
  return key === undefined
    ? undefined
    : text`${"ci deploy"} refuses this. To allow exactly these objects, give ${`--allow-deletions ${key}`}, or write ${`Allow-deletions: ${key}`} as a line of the commit's message.`;
}

function archivedInWords(archived: number, of: number): string {
  if (archived === 0) return "";
  return archived === of ? " (all are archived)" : ` (${archived} ${archived === 1 ? "is" : "are"} archived)`;
}

const entryOf = ({ kind, id }: Pick<PlannedChange, "kind" | "id">) => `${kind} ${id}`;

/** A setting has no object of its own. */
const isCounted = ({ kind }: Pick<PlannedChange, "kind">) => !isSettingKind(kind);

/** Objects of the stack that a deletion could count. What was replaced earlier is none of them. */
function objectsIn({ managed, pending }: Plan): string[] {
  const left = new Set([...pending.map(entryOf), ...defaultsIn(managed)]);
  return managed
    .filter(isCounted)
    .map(entryOf)
    .filter((entry) => !left.has(entry));
}

/** Default queues: a service may keep them until their clusters go, which are counted. */
function defaultsIn(managed: Plan["managed"]): string[] {
  return managed.flatMap(({ kind, properties }) => {
    const set = defaultSetBy(kind);
    return set === undefined ? [] : `${set.of} ${properties[set.argument]}`;
  });
}

/** Returns the changes that delete or archive something, and that nothing in the plan replaces. */
function lostIn(plan: Plan): { readonly lost: readonly PlannedChange[]; readonly archived: number } {
  if (plan.drift) return { lost: [], archived: 0 };
  const kept = new Set([
    ...defaultsIn(plan.managed),
    // Their old entries send no deletion.
    ...plan.resources.flatMap(({ change, kind, after }) =>
      change?.action === "adopt" ? `${kind} ${after?.id ?? change.adopts}` : [],
    ),
  ]);
  const counted = plan.changes.filter((one) => isCounted(one) && !kept.has(entryOf(one)));
  const ends = Map.groupBy(counted, endOf);
  const archived = ends.get("archived") ?? [];
  return { lost: [...archived, ...(ends.get("deleted") ?? [])], archived: archived.length };
}

/** Returns what becomes of an object; undefined if nothing is sent that ends it, or if something replaces it. */
function endOf(change: PlannedChange): "archived" | "deleted" | undefined {
  const { kind, action, before, after } = change;
  const { argument, unless: [name, value] = [] } = kinds.get(kind)?.archiving ?? {};
  const isArchived = (outputs: PlannedChange["before"]) =>
    argument !== undefined && outputs[argument] === true;
  if (action === "update") return isArchived(after) && !isArchived(before) ? "archived" : undefined;
  if (action !== "delete") return undefined;
  if (name === undefined || before[name] === value) return "deleted";
  return isArchived(before) ? undefined : "archived";
}

function keyOf(plan: Plan, entries: readonly string[]): string {
  const digest = createHash("sha256").update(JSON.stringify([stackName(plan), ...[...entries].sort()]));
  return `${entries.length}-${digest.digest("hex").slice(0, 6)}`;
}

/** Yields the sets of a size that contain these entries, and some of the others: none if they are too many to compare. */
function* setsWith(
  entries: readonly string[],
  others: readonly string[],
  size: number,
): Generator<readonly string[]> {
  const missing = size - entries.length;
  if (!(missing >= 0 && missing <= others.length)) return;
  let sets = 1;
  for (let taken = 0; taken < missing; taken++) sets = (sets * (others.length - taken)) / (taken + 1);
  if (sets > MOST_COMPARISONS) return;
  yield* combined(entries, others, missing);
}

function* combined(
  some: readonly string[],
  others: readonly string[],
  missing: number,
): Generator<readonly string[]> {
  if (missing === 0) yield some;
  else
    for (const [index, other] of others.entries())
      yield* combined([...some, other], others.slice(index + 1), missing - 1);
}
