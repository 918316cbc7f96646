const HIDDEN = "[redacted]";
/** Shorter strings are not hidden: that would garble every sentence with them. */
const SHORTEST = 4;
const SECRET_FIELDS = /^(?:token|api_token|access_token|authorization|secret|password)$/i;
/** No refusal comes near these; together they bound the work that a hostile one can cause. */
const MOST_SECRETS = 50;
const MOST_VALUES = 1_000;

const PATTERNS: readonly (readonly [RegExp, string])[] = [
  // An echoed header, whoever's it is.
  [/(authorization["']?\s*[:=]\s*["']?)(?:(?:bearer|basic|token)\s+)?[^\s"',;]+/gi, `$1${HIDDEN}`],
  [/\b(bearer\s+)[^\s"',;]{8,}/gi, `$1${HIDDEN}`],
  // The service's own tokens are recognizable by their prefix.
  [/\bbk[a-z]{1,3}_[\w-]{8,}/g, HIDDEN],
];

/** Takes secrets out of what the service says before it becomes part of an error. */
export class Redactor {
  readonly #secrets: ReadonlySet<string>;
  readonly #pattern: RegExp | undefined;

  constructor(secrets: Iterable<string>) {
    this.#secrets = new Set([...secrets].filter((secret) => secret.length >= SHORTEST));
    this.#pattern = patternOf(this.#secrets);
  }

  text(value: string): string {
    let result = this.#pattern === undefined ? value : value.replace(this.#pattern, HIDDEN);
    for (const [pattern, replacement] of PATTERNS) result = result.replace(pattern, replacement);
    return result;
  }

  /**
   * Returns the body of a refusal without secrets, including those in fields such as `token`. Undefined if it has too
   * many fields or secrets to search.
   */
  body(value: unknown): unknown {
    const found = secretsIn(value);
    if (found === undefined) return undefined;
    return (found.size === 0 ? this : new Redactor([...this.#secrets, ...found])).#value(value);
  }

  #value(value: unknown): unknown {
    if (typeof value === "string") return this.text(value);
    if (Array.isArray(value)) return value.map((item) => this.#value(item));
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, item]) => [
        this.text(name),
        SECRET_FIELDS.test(name) && typeof item === "string" ? HIDDEN : this.#value(item),
      ]),
    );
  }
}

/** Returns the values of secret fields; undefined when there is too much to look through. */
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

/** Finds every spelling of the secrets, the longest first: where one begins another, all of it is hidden. */
function patternOf(secrets: ReadonlySet<string>): RegExp | undefined {
  const spellings = new Set([...secrets].flatMap(spellingsOf));
  if (spellings.size === 0) return undefined;
  const longestFirst = [...spellings].sort((a, b) => b.length - a.length);
  return new RegExp(longestFirst.map((text) => text.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&")).join("|"), "g");
}

function spellingsOf(secret: string): string[] {
  return [
    secret,
    // Text that isn't well-formed has no spelling in an address.
    ...(/\p{Surrogate}/u.test(secret) ? [] : [encodeURIComponent(secret)]),
    JSON.stringify(secret).slice(1, -1),
    Buffer.from(secret).toString("base64"),
  ];
}
