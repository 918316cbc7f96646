import type { Properties } from "../../../shared/protocol/encoded-values.js";
import { isSameObject } from "../../../shared/protocol/identity.js";
import { isOfPulumiDo } from "../../../shared/protocol/urn.js";
import type { Done } from "../../kind/behavior.js";
import type { AnyKind } from "../../kind/kind.js";
import type { Arguments, Known } from "../../kind/value-roles.js";
import { changedNames } from "../values/codec.js";
import {
  type Before,
  type Inputs,
  inputsIn,
  type ObjectKey,
  objectKeyOf,
  type ResourceState,
} from "../values/state.js";

/** The longest wait for the diff of a resource that was checked. */
const DIFF_MS = 1_000;

type Entry = Partial<Pick<ResourceState, "import" | "importMark">>;

/**
 * Decides which entry of the state an object belongs to. A rename with the option `import` leaves two entries for one
 * object until the old one is deleted. That deletion must not reach the service, in any run.
 *
 * An import through the option of the dynamic backend writes a mark into the state. The diffs of an update name the
 * marks of the entries that the program still has before the engine deletes any other entry. Where the engine itself
 * imports, through the plugin, URNs distinguish the entries. A destroy has no diffs: it deletes what any entry owns
 * without `import`.
 */
export class ProgramEntries {
  /** Resources of the program with an entry in the state, by the inputs that they are to have. */
  readonly #checked = new Map<string, Checked>();
  readonly #undecided = new Map<string, PromiseWithResolvers<void>>();
  /** The values that only one new object may have, and the URN of the entry that wants each. */
  readonly #claims = new Map<string, string | undefined>();
  readonly #readByName = new Map<string, ReadByName>();
  readonly #withSecretLabels = new Set<string>();
  readonly #declared = new Set<string>();
  /** What was checked last, if that was a new object: its arguments, and the id of what it replaces, if a diff said it. */
  #lastNew:
    | { readonly kind: AnyKind; readonly args: Arguments; readonly replaces: string | undefined }
    | undefined;
  readonly #replacedFirst = new Set<string>();
  /** The URNs of resources whose objects others replace in this run. */
  readonly #replaced = new Set<string | undefined>();
  #knowsProgram = false;

  constructor(
    private readonly run: RunRecord,
    readonly urn: () => string | undefined,
  ) {}

  /** True once the engine asked for a check: a plain refresh and a plain destroy don't. */
  get knowsProgram(): boolean {
    return this.#knowsProgram;
  }

  /** True for a resource of `pulumi do`, which is in no stack and in no program. */
  get isCommand(): boolean {
    return isOfPulumiDo(this.urn() ?? "");
  }

  /**
   * @param old inputs in state; undefined where the resource has no entry in the state, or is replaced
   * @param ignored names of the arguments that `ignoreChanges` keeps
   */
  noteCheck(inputs: Inputs, old: Inputs | undefined, ignored: ReadonlySet<string> = new Set()): void {
    this.#knowsProgram = true;
    const { kind, args } = inputs;
    this.#lastNew = old === undefined ? { kind, args, replaces: this.replacedBy(inputs)?.id } : undefined;
    if (old === undefined) return;
    const changed = changedNames(kind, old.args, inputs.args);
    const address = [kind.words.label, kind.parent?.argument];
    const moves =
      old.organization !== inputs.organization ||
      address.some((name) => name !== undefined && changed.has(name));
    const pair = this.#pairOf(inputs);
    const before = [...(this.#checked.get(pair)?.before ?? []), { args: old.args, ignored }];
    this.#checked.set(pair, { keepsLabel: !moves, before });
    this.#undecided.set(pair, Promise.withResolvers());
  }

  /** Notes what the program declares, by a text that names it. */
  noteDeclared(key: string): void {
    this.#declared.add(key);
  }

  isDeclared(key: string): boolean {
    return this.#declared.has(key);
  }

  /** Waits for the diffs of what was checked: the engine checks further resources meanwhile. Some options leave one out. */
  async decided(pause: (milliseconds: number) => Promise<void>): Promise<void> {
    const diffs = [...this.#undecided.values()].map(({ promise }) => promise);
    if (diffs.length > 0) await Promise.race([Promise.all(diffs), pause(DIFF_MS)]);
    this.#undecided.clear();
  }

  /** Returns what is known of the entry that is to be replaced; undefined where none is, or `--replace` names it. */
  replacedBy(inputs: Inputs): Checked | undefined {
    return this.#checked.get(this.#pairOf(inputs));
  }

  /**
   * Returns the arguments that replace an object after its deletion, at the first question about what refers to it: right
   * after the check of a new object, the engine asks only of what goes first.
   */
  replacingFirst(key: ObjectKey): Arguments | undefined {
    const { kind, args, replaces } = this.#lastNew ?? {};
    const isIt = this.run.of(key).planned === undefined || replaces === key.id;
    if (kind?.name !== key.kind.name || !isIt || this.#replacedFirst.has(objectKeyOf(key))) return undefined;
    this.#replacedFirst.add(objectKeyOf(key));
    return args;
  }

  /** Claims a value for a new object. @returns the other entry of the program that has claimed it */
  claim(value: string): { readonly urn: string | undefined } | undefined {
    const own = this.urn();
    if (!this.#claims.has(value)) this.#claims.set(value, own);
    else if (own === undefined || this.#claims.get(value) !== own) return { urn: this.#claims.get(value) };
    return undefined;
  }

  /** Returns what a check said of the inputs in state. Of several equal resources, it is the one most like the outputs. */
  before(inputs: Inputs, outs: Properties): Before | undefined {
    const { kind } = inputs;
    const { args } = inputsIn(kind, outs);
    const differences = (before: Before) => changedNames(kind, args, before.args).size;
    const all = this.replacedBy(inputs)?.before ?? [];
    return all.toSorted((one, other) => differences(one) - differences(other))[0];
  }

  /** Notes the secret arguments of a resource of the program. Not a list: the program doesn't know them. */
  noteSecretNames({ name, words: { label } }: AnyKind, secretNames: unknown): void {
    if (!Array.isArray(secretNames) || secretNames.includes(label)) this.#withSecretLabels.add(name);
  }

  /** Checks whether messages may show names of a kind's objects: no resource of the program has a secret one. */
  mayShowLabels(kind: AnyKind): boolean {
    return !this.#withSecretLabels.has(kind.name);
  }

  /** False for a diff of a refresh, which `--run-program` puts between the pairs of check and diff. */
  isOfProgram(inputs: Inputs): boolean {
    return this.#checked.has(this.#pairOf(inputs));
  }

  /** Notes the object that the engine read by a name: to import it, for `X.get`, or for `pulumi do`. */
  noteReadByName(read: ReadByName): void {
    this.#readByName.set(this.urn() ?? "", read);
  }

  /** Returns what `pulumi import` leaves out of the program that it writes for the current resource. */
  get unwritten(): readonly string[] {
    return this.#readByName.get(this.urn() ?? "")?.unwritten ?? [];
  }

  /** Returns the id of an object for which `pulumi do patch` repeats the name that was typed. */
  idOf(given: string): string {
    const read = this.#readByName.get(this.urn() ?? "");
    return read?.name === given ? read.id : given;
  }

  /** Checks whether the engine imports a resource of the program: `X.get` has no check and no diff. */
  isEngineImport(): boolean {
    const urn = this.urn();
    return urn !== undefined && this.#readByName.has(urn) && !this.isCommand;
  }

  /** @returns false where another resource of this run has the object, or is about to import it or to take it over */
  plan(key: ObjectKey, entry: Entry, inputs: Inputs): boolean {
    const pair = this.#pairOf(inputs);
    this.#checked.set(pair, { keepsLabel: false, before: [], ...this.#checked.get(pair), id: key.id });
    this.#undecided.get(pair)?.resolve();
    this.#undecided.delete(pair);
    const [urn, other] = [this.urn(), this.run.of(key).planned?.urn];
    if (key.kind.view === undefined && other !== undefined && other !== urn) return false;
    this.run.note(key, { entry: "planned", planned: { urn, imported: entry.import !== undefined } });
    return this.run.of(key).entry !== "importing";
  }

  /** Reserves an object for a resource that is about to import it or to take it over. @returns whether it is free */
  reserve(key: ObjectKey): boolean {
    const isFree = this.run.of(key).entry === "none";
    this.run.note(key, { entry: "importing" });
    return isFree;
  }

  /** Notes that the current resource gets another object: a diff said so, or one is created, as with `--replace`. */
  noteReplaced(): void {
    this.#replaced.add(this.urn());
  }

  noteImported(key: ObjectKey, entry: Entry): void {
    if (entry.importMark === undefined && entry.import === undefined) return;
    this.run.note(key, { importedBy: { mark: entry.importMark } });
  }

  isOthers(key: ObjectKey, entry: Entry): boolean {
    const { importedBy, planned, entry: now, written } = this.run.of(key);
    if (now === "importing" && written === "created") return true;
    if (importedBy !== undefined && importedBy.mark !== entry.importMark) return true;
    // By an alias, an entry is planned by its new URN, and its object is deleted by the old one.
    return planned?.urn !== undefined && planned.urn !== this.urn() && !this.#replaced.has(planned.urn);
  }

  /** Returns inputs as a text that is the same before and after their way through the engine. */
  #pairOf({ kind, organization, import: importName, args }: Inputs): string {
    const pair = [kind.name, this.urn(), organization, importName, args];
    return JSON.stringify(pair, (_, value: unknown) =>
      typeof value === "object" && value !== null && !Array.isArray(value)
        ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
        : value,
    );
  }
}

interface ReadByName {
  readonly name: string;
  readonly id: string;
  /** Names of the arguments that it has, and that its inputs leave out because a program need not manage them. */
  readonly unwritten: readonly string[];
}

interface Checked {
  /** It keeps its label and its place. */
  readonly keepsLabel: boolean;
  /** The inputs in state: several, where resources of the program are to have equal ones, as the dynamic backend can't tell. */
  readonly before: readonly Before[];
  /** The id of its object, once a diff has said it: for some options, the engine asks for none. */
  readonly id?: string;
}

/** What becomes of an object in a run. */
interface States extends Pick<Done, "written" | "end"> {
  /** What the program's entries do with it: one is about to get it; one has it; that one keeps it, unreplaced. */
  readonly entry: "none" | "importing" | "planned" | "kept";
  /** What its entry does with its label, which another object may then have. */
  readonly label: "held" | "renamed" | "deletedFirst";
}

/** The states that may follow each state. No way leads back, so that what a call relied on stays true for the others. */
export const STEPS: { readonly [Of in keyof States]: Readonly<Record<States[Of], readonly States[Of][]>> } = {
  entry: { none: ["importing", "planned"], importing: [], planned: ["kept"], kept: [] },
  label: { held: ["renamed", "deletedFirst"], renamed: ["deletedFirst"], deletedFirst: [] },
  written: { nothing: ["updated", "created"], updated: ["created"], created: [] },
  end: { none: ["begun"], begun: ["leftBehind", "deleted"], leftBehind: ["deleted"], deleted: [] },
};

interface ObjectRecord extends States, Done {
  /** The program's entry that has it: its URN, known in the plugin only, and whether its state still has `import`. */
  readonly planned?: { readonly urn: string | undefined; readonly imported: boolean };
  /** The engine itself imports it in this run. */
  readonly isEngineImport?: true;
  /** The entry that imported it, now or in an earlier run, by its mark in the state. */
  readonly importedBy?: { readonly mark: unknown };
  /** A request of this run deleted it: nobody had before. */
  readonly isDeletedHere?: boolean;
  /** Resolves when the deletion that was begun last has ended. */
  readonly deletion?: Promise<void>;
  /** Its outputs, as a creation of this run or the state has them. */
  readonly known?: Known;
}

interface KnownObject {
  readonly urn: string | undefined;
  readonly isRenamed: boolean;
  readonly known: Known;
}

/** The memory of one provider process: one record per object, which lasts as long as the process. */
export class RunRecord {
  readonly #objects = new Map<string, ObjectRecord & { readonly id: string }>();

  of(key: ObjectKey): ObjectRecord {
    return (
      this.#objects.get(objectKeyOf(key)) ?? { entry: "none", label: "held", written: "nothing", end: "none" }
    );
  }

  /** Notes facts. A state that can't follow the present one changes nothing. */
  note(key: ObjectKey, facts: Partial<ObjectRecord>): void {
    const now = this.of(key);
    const next = <Of extends keyof States>(
      of: Of,
      { [of]: from }: States = now,
      { [of]: to }: Partial<States> = facts,
    ) => (to !== undefined && STEPS[of][from].includes(to) ? to : from);
    const states = { entry: next("entry"), label: next("label"), written: next("written"), end: next("end") };
    this.#objects.set(objectKeyOf(key), { ...now, ...facts, ...states, id: key.id });
  }

  /** Returns the objects of a kind whose deletion this run has begun. */
  deletionsOf(organization: string, kind: string) {
    return this.#allOf(organization, kind).filter(({ end }) => end !== "none");
  }

  /** Returns what the program's entries keep, and what this run created: their outputs and ids. */
  knownOf(organization: string, kind: string): KnownObject[] {
    return this.#allOf(organization, kind).flatMap(({ id, known, label, planned }) =>
      known ? [{ urn: planned?.urn, isRenamed: label !== "held", known: { ...known, id } }] : [],
    );
  }

  #allOf(organization: string, kind: string) {
    const start = objectKeyOf({ organization, kind: { name: kind }, id: "" });
    return [...this.#objects].flatMap(([key, one]) => (key.startsWith(start) ? [one] : []));
  }

  /** Checks a fact about an object of an unknown kind, such as one that an argument refers to. */
  some(id: unknown, has: (record: ObjectRecord) => boolean): boolean {
    return this.#objects.values().some((record) => isSameObject(record.id, id) && has(record));
  }
}
