const HIDDEN = "[redacted]";
/** Shorter strings are no secrets, and hiding them would garble every sentence they occur in. */
const SHORTEST = 4;
/** Fields whose values are secret wherever the service may put them. */
const SECRET_FIELDS = /^(?:token|api_token|access_token|authorization|secret|password)$/i;

const PATTERNS: readonly (readonly [RegExp, string])[] = [
  // An echoed header, whoever's it is.
  [/(authorization["']?\s*[:=]\s*["']?)(?:(?:bearer|basic|token)\s+)?[^\s"',;]+/gi, `$1${HIDDEN}`],
  [/\b(bearer\s+)[^\s"',;]{8,}/gi, `$1${HIDDEN}`],
  // The service's own tokens are recognizable by their prefix.
  [/\bbk[a-z]{1,3}_[\w-]{8,}/g, HIDDEN],
];

/** Takes secrets out of what the service says before it becomes part of an error. */
export class Redactor {
  readonly #secrets = new Set<string>();

  constructor(accessToken: string) {
    this.#learn(accessToken);
  }

  /** The same text without secrets. */
  text(value: string): string {
    let result = value;
    for (const secret of this.#secrets) result = result.replaceAll(secret, HIDDEN);
    for (const [pattern, replacement] of PATTERNS) result = result.replace(pattern, replacement);
    return result;
  }

  /** The same JSON value without secrets, the values of fields such as `token` included. */
  value(value: unknown): unknown {
    if (typeof value === "string") return this.text(value);
    if (Array.isArray(value)) return value.map((item) => this.value(item));
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, item]) => [
        this.text(name),
        SECRET_FIELDS.test(name) && typeof item === "string" ? HIDDEN : this.value(item),
      ]),
    );
  }

  /** A redactor that also hides the secrets this answer carries in fields named for them. */
  including(answer: unknown): Redactor {
    const wider = new Redactor("");
    for (const secret of this.#secrets) wider.#secrets.add(secret);
    wider.#collect(answer);
    return wider;
  }

  #collect(value: unknown): void {
    if (Array.isArray(value)) for (const item of value) this.#collect(item);
    if (typeof value !== "object" || value === null) return;
    for (const [name, item] of Object.entries(value)) {
      if (typeof item === "string" && SECRET_FIELDS.test(name)) this.#learn(item);
      else this.#collect(item);
    }
  }

  #learn(secret: string): void {
    if (secret.length < SHORTEST) return;
    const spellings = [encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1)];
    for (const spelling of [secret, ...spellings]) this.#secrets.add(spelling);
    this.#secrets.add(Buffer.from(secret).toString("base64"));
  }
}
