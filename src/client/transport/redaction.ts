import { hiding, SECRET_FIELDS, textsIn, withoutSecretFields } from "../../shared/messages/secrets.js";

const HIDDEN = "[redacted]";
/** No refusal comes near these; together they bound the work that a hostile one can cause. */
const MOST_SECRETS = 50;
const MOST_VALUES = 1_000;

const PATTERNS: readonly (readonly [RegExp, string])[] = [
  // An echoed header, whoever's it is.
  [/(authorization["']?\s*[:=]\s*["']?)(?:(?:bearer|basic|token)\s+)?[^\s"',;]+/gi, `$1${HIDDEN}`],
  [/\b(bearer\s+)[^\s"',;]{8,}/gi, `$1${HIDDEN}`],
  // Addresses that start builds or show their state to anyone who knows them.
  [/\b((?:webhook|badge)\.[\w.-]+\/(?:deliver\/)?)[\w-]{8,}/gi, `$1${HIDDEN}`],
  // The service's own tokens are recognizable by their prefix.
  [/\bbk[a-z]{1,3}_[\w-]{8,}/g, HIDDEN],
];

/** Takes secrets out of what the service says before it becomes part of an error. */
export class Redactor {
  readonly #secrets: readonly string[];
  readonly #hide: (text: string) => string;

  /** @param also hides what the caller knows to be secret */
  constructor(
    secrets: readonly string[],
    private readonly also: (text: string) => string = String,
    private readonly shortest?: number,
  ) {
    this.#secrets = secrets;
    this.#hide = hiding(secrets, HIDDEN, { shortest });
  }

  /** Returns a redactor that also hides texts of a request, however short they are, with and without blanks at their ends. */
  andHiding(value: unknown): Redactor {
    const texts = textsIn(value).filter((text) => text.trim() !== "");
    if (texts.length === 0) return this;
    return new Redactor([...this.#secrets, ...texts, ...texts.map((text) => text.trim())], this.also, 1);
  }

  text(value: string): string {
    return PATTERNS.reduce(
      (text, [pattern, replacement]) => text.replace(pattern, replacement),
      this.also(this.#hide(value)),
    );
  }

  /**
   * Returns the body of a refusal without secrets, including those in fields such as `token`. Undefined if it has too
   * many fields or secrets to search.
   *
   * @param isKnown whether a name is one of the form's own, which stays although it is a secret as well
   */
  body(value: unknown, isKnown: (name: string) => boolean): unknown {
    const found = secretsIn(value);
    if (found === undefined) return undefined;
    const redactor =
      found.size === 0 ? this : new Redactor([...this.#secrets, ...found], this.also, this.shortest);
    const hide = (text: string) => redactor.text(text);
    return withoutSecretFields(value, HIDDEN, hide, (name) => (isKnown(name) ? name : hide(name)));
  }
}

function secretsIn(body: unknown): Set<string> | undefined {
  const secrets = new Set<string>();
  const pending: unknown[] = [body];
  for (let seen = 0; pending.length > 0; seen += 1) {
    const value = pending.pop();
    if (typeof value !== "object" || value === null) continue;
    for (const [name, item] of Object.entries(value)) {
      if (typeof item === "string" && SECRET_FIELDS.test(name)) secrets.add(item);
      else pending.push(item);
    }
    if (secrets.size > MOST_SECRETS || seen + pending.length > MOST_VALUES) return undefined;
  }
  return secrets;
}
