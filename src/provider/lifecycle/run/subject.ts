import { AsyncLocalStorage } from "node:async_hooks";
import { messageOf } from "../../../shared/messages/of-error.js";
import { quoted } from "../../../shared/messages/quoted.js";
import { hiding, textsIn } from "../../../shared/messages/secrets.js";
import { isShown, type Properties, reveal } from "../../../shared/protocol/encoded-values.js";
import { identityOf, isUuid } from "../../../shared/protocol/identity.js";
import { withCodeOf } from "../../../shared/protocol/message-codes.js";
import { namesAmong, SECRETS, TRANSFORMED, withSecretMarks } from "../../../shared/protocol/properties.js";
import { slugOf } from "../../kind/canonical.js";
import type { AnyKind } from "../../kind/kind.js";
import type { Outputs } from "../../kind/value-roles.js";
import { nounOf } from "../values/kinds.js";
import { inputsIn, secretNamesOf, stateIn } from "../values/state.js";

/** What people call an object, or the secret names that it has. */
type Named = { readonly called: string } | { readonly secrets: readonly string[] };

/** The objects of a run whose names its calls have shown, by their ids. */
export type NamesInRun = Map<string, Named>;

/** The resource that a call of the engine is about: what messages call it, and what no message may show of it. */
export class Subject {
  readonly #revealed: readonly Properties[];
  #names: readonly ReadonlySet<unknown>[] | undefined;
  readonly #hiding: { ours?: (text: string) => string; foreign?: (text: string) => string } = {};

  /**
   * @param known the properties that the engine sent, the latest ones last
   * @param id undefined before its creation
   */
  constructor(
    readonly kind: AnyKind,
    readonly known: readonly Properties[],
    readonly id: string | undefined,
    private readonly names: NamesInRun,
  ) {
    this.#revealed = known.map((properties) =>
      Object.fromEntries(Object.entries(properties).map(([name, value]) => [name, reveal(value)])),
    );
  }

  /** Hides secrets of the resource in a message of ours, whose own words stay. */
  hide(text: string): string {
    return this.#hide("ours")(text);
  }

  /** Hides secrets of the resource in what somebody else says. */
  hideForeign(text: string): string {
    return this.#hide("foreign")(text);
  }

  #hide(of: "ours" | "foreign"): (text: string) => string {
    const own = () => this.#revealed.flatMap((one, index) => secretsIn(one, this.#secretNames()[index]));
    const around = () => this.#revealed.flatMap((one) => this.#secretsAround(one));
    this.#hiding[of] ??= hiding(
      [...own(), ...around()],
      HIDDEN,
      of === "ours" ? { ownLength: ownWords(this.kind) } : {},
    );
    return this.#hiding[of];
  }

  /** Returns what people call it, with what it lives in: `queue "small" of cluster "Linux"`. */
  get name(): string {
    const { name, view, parent, isSetting } = this.kind;
    if (isSetting) return `${nounOf(name)}s${this.id === undefined ? "" : ` of ${this.id}`}`;
    const own = this.#label() ?? (view === undefined ? this.id : undefined);
    const place = parent && this.#valueOf(parent.argument);
    const around = parent && place !== undefined ? ` of ${nounOf(parent.kind)} ${this.#called(place)}` : "";
    return `${nounOf(name)}${own === undefined ? "" : ` ${own}`}${around}`;
  }

  /** Notes what people call it, for messages about what lives in it or refers to it. */
  note(id = this.id): void {
    const { view, words, unique, outputs } = this.kind;
    if (view !== undefined || !id) return;
    const called = this.#label();
    const names = [words.label, unique?.argument].filter((name) => name !== undefined);
    const slugs = Object.keys(outputs).filter((name) => names.includes(outputs[name]?.spells ?? ""));
    const secrets = this.#revealed.flatMap((properties) =>
      [...names, ...slugs]
        .filter((name) => this.#isSecret(name))
        .flatMap((name) => textsIn(properties[name])),
    );
    const spelled = secrets.filter((text) => !text.includes("/")).flatMap((text) => [text, slugOf(text)]);
    if (spelled.length > 0) this.names.set(identityOf(id), { secrets: spelled });
    else if (called !== undefined) this.names.set(identityOf(id), { called });
  }

  /** Marks outputs that spell a secret name of an object that the resource refers to. */
  withMarks(outs: Outputs): Outputs {
    const secrets = this.#secretsAround(outs).map((text) => text.toLowerCase());
    const found = Object.keys(this.kind.outputs).filter((name) => {
      const value = outs[name];
      return typeof value === "string" && secrets.some((text) => value.toLowerCase().includes(text));
    });
    if (found.length === 0) return outs;
    // A refresh may not know the name of the other object.
    const names = [...namesAmong(outs[SECRETS]).union(new Set(found))];
    return withSecretMarks({ ...outs, [SECRETS]: names }, found);
  }

  /** Returns the secret names of the objects that the resource refers to. */
  #secretsAround(properties: Readonly<Properties>): readonly string[] {
    const ids = Object.keys(this.kind.arguments).flatMap((name) => textsIn(reveal(properties[name])));
    return ids.flatMap((id) => {
      const named = this.names.get(identityOf(id));
      return named !== undefined && "secrets" in named ? named.secrets : [];
    });
  }

  #label(): string | undefined {
    const { label, knownBy = [], composed } = this.kind.words;
    const name = composed?.((argument) => {
      const value = this.#valueOf(argument);
      const isName = this.kind.arguments[argument]?.refersTo !== undefined;
      return value !== undefined && isName ? this.#called(value).replace(/^"(.*)"$/, "$1") : value;
    });
    if (name !== undefined) return quoted(name);
    const values = [...knownBy, ...(label === undefined ? [] : [label])].map((name) => this.#valueOf(name));
    const value = values.find((one) => one !== undefined);
    return value === undefined ? undefined : this.#called(value);
  }

  /** Returns a value that may be shown; undefined if there is none, or nobody knows whether it is secret. */
  #valueOf(name: string): string | undefined {
    for (const properties of this.#revealed.toReversed()) {
      const value = properties[name];
      if (typeof value !== "string" || value === "" || !isShown(value)) continue;
      const isListed = Array.isArray(properties[SECRETS] ?? []) && properties[TRANSFORMED] !== true;
      const isPlace = name === this.kind.parent?.argument && isUuid(value);
      if ((isListed || isPlace) && !this.#isSecret(name) && this.hideForeign(value) === value) return value;
    }
    return undefined;
  }

  #isSecret(name: string): boolean {
    return this.#secretNames().some((names) => names.has(name));
  }

  #secretNames(): readonly ReadonlySet<unknown>[] {
    this.#names ??= this.#revealed.map((properties) => secretNames(this.kind, properties));
    return this.#names;
  }

  #called(value: string): string {
    const named = this.names.get(identityOf(value));
    if (named !== undefined && "called" in named) return named.called;
    return isUuid(value) ? value : quoted(value);
  }
}

const subjects = new AsyncLocalStorage<Subject>();

/** Returns the resource that the running code works for. Work that several calls share belongs to the first of them. */
export function currentSubject(): Subject | undefined {
  return subjects.getStore();
}

/** Returns a text without secrets of the resource that the running code works for. */
export function hidden(text: string): string {
  return currentSubject()?.hide(text) ?? text;
}

/** Works for a resource: what is said or thrown shows none of its secrets. */
export async function workFor<Result>(subject: Subject, work: () => Promise<Result>): Promise<Result> {
  subject.note();
  try {
    const result = await subjects.run(subject, work);
    if (isObject(result) && result.id !== subject.id) subject.note(result.id);
    return result;
  } catch (error) {
    const message = messageOf(error);
    const shown = subject.hide(message);
    throw shown === message ? error : new Error(withCodeOf(shown, error));
  }
}

function isObject(result: unknown): result is { readonly id: string } {
  return typeof result === "object" && result !== null && "id" in result && typeof result.id === "string";
}

const HIDDEN = "[redacted]";

function secretNames(kind: AnyKind, properties: Properties): ReadonlySet<unknown> {
  const isState = Object.keys(kind.outputs).some((name) => properties[name] !== undefined);
  const { args } = isState ? stateIn(kind, "", properties) : inputsIn(kind, properties);
  return secretNamesOf(kind, properties[SECRETS], args);
}

/** Returns secret values, and the names that the service derives from them. */
function secretsIn(properties: Properties, names: ReadonlySet<unknown> = new Set()): string[] {
  const texts = [...names].flatMap((name) => textsIn(properties[String(name)]));
  return texts.flatMap((text) => [text, slugOf(text)]);
}

const SETTING = /^(?:buildpipeline:[a-zA-Z-]+|BUILDPIPELINE_[A-Z_]+|--[a-z-]+)$/;

/**
 * Returns what recognizes words of our messages that aren't plain English: parts of paths, names of properties, scopes,
 * settings and codes. What follows the name of a property is the program's.
 */
function ownWords({ name, words, arguments: fields, outputs, scopes }: AnyKind) {
  const names = [...Object.keys(fields), ...Object.keys(outputs), "import", "get"].map(
    (one) => `${name}.${one}`,
  );
  const path = `${words.noun.toLowerCase().replaceAll(" ", "-")}s`;
  const own = new Set([path, ...names, ...scopes.read.flat(), ...scopes.write.flat()]);
  return (word: string) => {
    if (own.has(word) || SETTING.test(word)) return word.length;
    const [property = ""] = /^\w+\.\w+(?=[.[])/.exec(word) ?? [];
    return own.has(property) ? property.length : 0;
  };
}
