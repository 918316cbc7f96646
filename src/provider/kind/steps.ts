import type { Document } from "yaml";
import { nearestName } from "../../shared/messages/nearest-name.js";
import { quoted } from "../../shared/messages/quoted.js";
import { isShown, UNKNOWN } from "../../shared/protocol/encoded-values.js";
import { isUuid } from "../../shared/protocol/identity.js";
import { STEP_CODES } from "../../shared/protocol/message-codes.js";
import { memberNamed } from "./lost-values.js";
import { documentOf, valueOfYaml } from "./yaml-text.js";

/** The grammar of steps, and what Buildkite makes of mistakes. */

/** How steps name the objects of a kind. */
export interface StepName {
  /** The place in a step, or in a pipeline as a whole: `trigger`, `secrets/0`. */
  readonly place: RegExp;
  /** The output by which they name it. */
  readonly output: string;
  /** What a name is that no object has: "is no queue of the pipeline's cluster". */
  readonly none: string;
  /** What Buildkite then does: a sentence. */
  readonly consequence: string;
  /** The API rejects such steps. */
  readonly isRejected: boolean;
  /** What follows for people where an object goes, in words of a report: `its jobs would wait for ever`. */
  readonly stops: string;
  /** How grave that is. */
  readonly level: "danger" | "caution";
  /** The argument with which the service itself runs the agents. */
  readonly hostedBy?: string;
  /** The argument with a policy of who may use it, and what its claims are about: the output of a kind. */
  readonly allowedBy?: {
    readonly argument: string;
    readonly claims: Readonly<Record<string, { readonly kind: string; readonly output: string }>>;
  };
}

/** How steps name the objects of each kind that they can name. */
export type Grammar = ReadonlyMap<string, StepName>;

interface Named {
  readonly kind: string;
  readonly name: StepName;
  readonly value: string;
}

/** Checks whether a place names objects of a kind. Keys of plugins and variables name none. */
export function isPlaceOf({ place }: StepName, path: readonly string[]): boolean {
  return place.test(path.join("/").replace(/^(?:steps\/\d+\/)+/, ""));
}

/** An object that a place may name. */
export interface Candidate {
  readonly id: string;
  /** What steps may call it, the best first. */
  readonly names: readonly string[];
}

/** Returns all objects that a place may name, or the one that it names; undefined if nobody knows them. */
export type Look = (kind: string, value: string) => Promise<readonly Candidate[] | undefined>;

export interface StepRemark {
  /** As a program writes it: `steps[1].agents.queue`. "" for the steps as a whole. */
  readonly place: string;
  /** The line of a text. */
  readonly line: number | undefined;
  readonly words: string;
  readonly code: string;
  /** The API rejects such steps. Otherwise they do something else than is meant. */
  readonly isRejected: boolean;
  /** The object that they name in vain. */
  readonly named?: Pick<Named, "kind" | "value">;
}

const IN_EVERY_STEP = "allow_dependency_failure depends_on id identifier if key label name type";
const OF_BLOCKS = "allowed_teams blocked_state branches fields prompt submit";

const OF_WAITS = "branches continue_on_failure";

/** The properties of each type of step. Of the first ones, any makes a step of the type. */
const TYPES: readonly (readonly [type: string, by: readonly string[], others: string])[] = [
  ["group", ["group"], "if_changed notify skip steps"],
  ["trigger", ["trigger"], "async branches build if_changed parallelism skip soft_fail"],
  ["block", ["block", "manual"], OF_BLOCKS],
  ["input", ["input"], OF_BLOCKS],
  ["wait", ["wait", "waiter"], OF_WAITS],
  [
    "command",
    ["command", "commands", "script", "plugins"],
    "agent_query_rules agents artifact_paths artifacts branches cache cancel_on_build_failing checkout concurrency " +
      "concurrency_group concurrency_method env if_changed image matrix notify parallelism priority retry secrets " +
      "signature skip soft_fail timeout timeout_in_minutes",
  ],
];

/** Returns what a person should know of steps before anybody runs them. Invalid YAML is an error elsewhere. */
export async function remarksOn(
  configuration: unknown,
  grammar: Grammar,
  look: Look = () => Promise.resolve(undefined),
  /** The agent also uploads what is only a list of steps. */
  isUpload = false,
): Promise<StepRemark[]> {
  const reader = readerOf(configuration, grammar, isUpload);
  for (const { path, ...named } of reader.named) {
    const words = judged(named, await look(named.kind, named.value));
    if (words !== undefined) reader.remark(path, words, named.name.isRejected, named);
  }
  return reader.remarks;
}

/** Returns what steps name, each with the label of the step, if it has one. */
export function namesIn(
  configuration: unknown,
  grammar: Grammar,
): readonly { readonly kind: string; readonly value: string; readonly label: string | undefined }[] {
  return readerOf(configuration, grammar).named;
}

/** Returns whether a command step names nothing of a kind, and the steps as a whole neither. */
export function leavesOut(configuration: unknown, name: StepName, isOpen = false): boolean {
  const whole = typeof configuration === "string" ? valueOfYaml(configuration) : undefined;
  const says = (step: Step) =>
    Object.entries(step).some(([key, value]) =>
      isMap(value)
        ? Object.entries(value).some(
            ([inner, entry]) => isPlaceOf(name, [key, inner]) && !(isOpen && !isLiteral(String(entry))),
          )
        : /^agent/.test(key) &&
          [value]
            .flat()
            .some((tag) => /^queue=|\$/.test(String(tag)) && !(isOpen && !isLiteral(String(tag)))),
    );
  const lacks = (steps: unknown): boolean =>
    Array.isArray(steps) &&
    steps.some(
      (step) => isMap(step) && !says(step) && (typeOf(step)?.[0] === "command" || lacks(step.steps)),
    );
  return isMap(whole) ? !says(whole) && lacks(whole.steps) : lacks(whole);
}

/** Returns whether steps are known to have no jobs: they only trigger builds, or hold them back. */
export function haveNoJobs(configuration: unknown): boolean {
  const whole = typeof configuration === "string" ? valueOfYaml(configuration) : undefined;
  const areIdle = (steps: unknown): boolean =>
    Array.isArray(steps) &&
    steps.every((step) => {
      const [type = "command"] = typeof step === "string" ? [step] : (typeOf(step) ?? []);
      return type === "group" ? isMap(step) && areIdle(step.steps) : type !== "command";
    });
  return areIdle(isMap(whole) ? whole.steps : whole);
}

/** Returns whether steps are all that run: they are shown, and none of them adds others. */
export function areWhole(configuration: unknown): boolean {
  return (
    typeof configuration === "string" && isShown(configuration) && !configuration.includes("pipeline upload")
  );
}

function readerOf(configuration: unknown, grammar: Grammar, mayBeList = false): Reader {
  const text = typeof configuration === "string" ? configuration : undefined;
  let document: Document | undefined;
  const lineOf = (text: string, path: readonly string[]) => {
    document ??= documentOf(text, { merge: true });
    return lineAt(document, text, path);
  };
  const reader = new Reader(grammar, (path) => text && lineOf(text, path));
  reader.read(text === undefined ? configuration : valueOfYaml(text), mayBeList);
  return reader;
}

type Step = Readonly<Record<string, unknown>>;

class Reader {
  readonly remarks: StepRemark[] = [];
  readonly named: (Named & { readonly path: readonly string[]; readonly label: string | undefined })[] = [];
  readonly #keys = new Set<string>();

  constructor(
    private readonly grammar: Grammar,
    private readonly lineOf: (path: readonly string[]) => number | "" | undefined,
  ) {}

  remark(path: readonly string[], words: string, isRejected = true, named?: Named): void {
    const parts = path.map((name) => (/^\d+$/.test(name) ? `[${name}]` : memberNamed(name)));
    const sentence = /[.?]$/.test(words) ? words : `${words}.`;
    const place = parts.join("").replace(/^\./, "");
    const line = this.lineOf(path) || undefined;
    const code = named === undefined ? STEP_CODES.form : STEP_CODES.name;
    this.remarks.push({ place, line, words: sentence, code, isRejected, ...(named && { named }) });
  }

  read(whole: unknown, mayBeList: boolean): void {
    if (whole === undefined) return;
    if (!isMap(whole)) {
      const isList = Array.isArray(whole);
      if (!isList || !mayBeList) this.remark([], "has no map of steps. Begin it with `steps:`", false);
      if (isList) this.#readAll(whole, [], false);
      return;
    }
    this.#readNames(whole, []);
    const { steps } = whole;
    if (Array.isArray(steps)) this.#readAll(steps, ["steps"], false);
    else if (steps !== UNKNOWN) this.remark([], "has no steps", false);
  }

  #readAll(steps: readonly unknown[], path: readonly string[], isInGroup: boolean): void {
    for (const [index, step] of steps.entries()) this.#read(step, [...path, String(index)], isInGroup);
  }

  #read(step: unknown, path: readonly string[], isInGroup: boolean): void {
    if (typeof step === "string" && (!isLiteral(step) || TYPES.some(([, by]) => by.includes(step)))) return;
    if (isMap(step)) this.#readNames(step, path);
    const [type, by = [], others = ""] = typeOf(step) ?? [];
    if (!isMap(step) || type === undefined) {
      this.remark(path, untyped(step), false);
      return;
    }
    // The older form of plugins is a map as well.
    const nested = by.find((name) => name !== "plugins" && isMap(step[name]));
    if (nested !== undefined) {
      this.#read({ [nested]: "", ...Object(step[nested]) }, [...path, nested], isInGroup);
      return;
    }
    const known = [...by, ...`${IN_EVERY_STEP} ${others}`.split(" ")];
    for (const name of Object.keys(step)) {
      if (known.includes(name) || !isLiteral(name)) continue;
      const near = nearestName(name, known);
      const hint = near === undefined ? "" : `. Did you mean ${near}?`;
      // Warning steps-undocumented: Steps have a form that Buildkite doesn't document. It rejects most such steps at an
      // upload.
      // Fix: Correct the steps at the place that the message names.
      this.remark([...path, name], `is no property of a ${type} step${hint}`);
    }
    if (step.concurrency != null && step.concurrency_group == null)
      this.remark([...path, "concurrency"], "needs a concurrency_group, without which the API refuses it");
    if (step.concurrency_group != null && step.concurrency == null)
      this.remark([...path, "concurrency_group"], "has no effect without concurrency", false);
    this.#readKey(step.key ?? step.id ?? step.identifier, [...path, "key"]);
    if (type !== "group") return;
    if (isInGroup) this.remark(path, "is a group in a group, which the API rejects");
    if (Array.isArray(step.steps)) this.#readAll(step.steps, [...path, "steps"], true);
  }

  /** Reads the names of objects in a step, or in what all steps share. */
  #readNames(step: Step, path: readonly string[]): void {
    const label = [step.label, step.name].find((text) => typeof text === "string");
    for (const [name, value] of Object.entries(step)) {
      const isNested = typeof value === "object" && value !== null;
      for (const [inner, entry] of isNested ? Object.entries(value) : [["", value] as const]) {
        const below = inner === "" ? [name] : [name, inner];
        // The older form: `queue=small`, or a list with it.
        const tag =
          /^agent/.test(name) && typeof entry === "string" ? /^queue=(.*)$/.exec(entry)?.[1] : undefined;
        const text: unknown = tag ?? entry;
        if (typeof text !== "string" || !isLiteral(text)) continue;
        for (const [kind, own] of this.grammar)
          if (isPlaceOf(own, tag === undefined ? below : [name, "queue"]))
            this.named.push({ kind, name: own, value: text, path: [...path, ...below], label });
      }
    }
  }

  #readKey(key: unknown, path: readonly string[]): void {
    if (typeof key !== "string" || !isLiteral(key)) return;
    if (/\s/.test(key)) this.remark(path, `${quoted(key)} has blanks, which no key may have`);
    if (this.#keys.has(key)) this.remark(path, `${quoted(key)} is the key of another step already`);
    this.#keys.add(key);
  }
}

function untyped(step: unknown): string {
  const known = TYPES.flatMap(([, by]) => by);
  for (const name of isMap(step) ? Object.keys(step) : []) {
    const near = nearestName(name, known);
    if (near !== undefined) return `is a step of no type. Write ${near} for ${name}`;
  }
  if (isMap(step) && Object.keys(step).every((name) => OF_WAITS.split(" ").includes(name)))
    return 'is a step of no type. A program in YAML loses null: write `wait: ""` for `wait: ~`';
  return `is a step of no type. Give it one of ${TYPES.map(([name]) => name).join(", ")}`;
}

function judged(
  { name: { output, none, consequence }, value }: Named,
  candidates: readonly Candidate[] | undefined,
): string | undefined {
  const own = candidates?.find(({ id, names }) => names.includes(value) || id === value);
  if (output !== "id" && isUuid(value)) {
    const name = own?.names[0];
    const fix = name === undefined ? `Write its ${output}` : `Write ${name}, its ${output}`;
    // Warning steps-name-nothing: Steps name an object that neither this program nor the organization has, as far as
    // the access token can see.
    // Fix: Write the key or slug of one that exists. In TypeScript, give the resource itself: `agents: { queue: small
    // }`.
    return `${quoted(value)} is a UUID, and steps name it by its ${output}. ${fix}. ${consequence}`;
  }
  if (candidates === undefined || own !== undefined) return undefined;
  const near = nearestName(
    value,
    candidates.flatMap(({ names }) => names),
  );
  const hint = near === undefined ? "" : ` Did you mean ${quoted(near)}?`;
  return `${quoted(value)} ${none}.${hint} ${consequence}`;
}

export function typeOf(step: unknown): (typeof TYPES)[number] | undefined {
  if (!isMap(step)) return undefined;
  const { type } = step;
  return TYPES.find(([name, by]) => name === type || by.some((one) => one in step || one === type));
}

/** Checks whether a text is what it says: nothing of it is known only to a template, to a build or after a deployment. */
function isLiteral(text: string): boolean {
  return text !== "" && !/[$*]|\{\{|<%/.test(text) && !text.includes(UNKNOWN);
}

function isMap(value: unknown): value is Step {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Returns the line of a place, or of what is nearest around it: a merged map has its entries elsewhere. */
function lineAt(document: Document, text: string, path: readonly string[]): number {
  let start = 0;
  for (let depth = 0; depth <= path.length; depth += 1) {
    const keys = path.slice(0, depth).map((name) => (/^\d+$/.test(name) ? Number(name) : name));
    const node: unknown = depth === 0 ? document.contents : document.getIn(keys, true);
    if (typeof node === "object" && node !== null && "range" in node && Array.isArray(node.range))
      start = Number(node.range[0]);
  }
  return text.slice(0, start).split("\n").length;
}
