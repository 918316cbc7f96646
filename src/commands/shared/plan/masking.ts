import { kinds } from "../../../provider/lifecycle/values/kinds.js";
import { anyOf, literal } from "../../../shared/messages/foreign-text.js";
import { isSecret, UNKNOWN } from "../../../shared/protocol/encoded-values.js";
import { SECRETS } from "../../../shared/protocol/properties.js";
import type { Preview, State } from "./preview.js";
import type { Text } from "./text.js";

const HIDDEN = "[secret]";

/** Returns the names of outputs that are secret in every state. */
function secretOutputs(): string[] {
  const outputs = [...kinds.values()].flatMap((kind) => Object.entries(kind.outputs));
  return outputs.filter(([, { secret }]) => secret).map(([name]) => name);
}

/** Checks whether a value is secret, or has a secret in it. */
export function containsSecret(value: unknown): boolean {
  if (value === HIDDEN) return true;
  if (typeof value !== "object" || value === null) return false;
  return isSecret(value) || Object.values(value).some(containsSecret);
}

/**
 * Keeps secrets out of a report. The engine masks them, unless `--show-secrets` was given. Then known secrets are
 * removed wherever they occur, and all other values are withheld, because nothing marks the secrets among them.
 */
export class Masking {
  /** True if the preview was made with `--show-secrets`: a secret value isn't masked. */
  readonly withholds: boolean;
  readonly #pattern: RegExp | undefined;

  constructor({ refreshed, planned }: Preview) {
    const states = [...refreshed, ...planned].flatMap(({ oldState, newState }) =>
      [oldState ?? [], newState ?? []].flat(),
    );
    const shown = states.flatMap(secretValues).filter(isShown);
    this.withholds = shown.length > 0;
    this.#pattern = anyOf(shown.flatMap(textsIn), asPattern);
  }

  /** Returns a text without the secrets that are known. */
  text(text: string): string {
    return this.#pattern === undefined ? text : text.replace(this.#pattern, HIDDEN);
  }

  /** Returns a value as one line, or words in its place. */
  value(value: unknown): Text[number] {
    if (value === undefined || value === null) return "none";
    if (value === UNKNOWN) return "known after deployment";
    if (containsSecret(value)) return "secret";
    if (this.withholds) return "withheld";
    if (typeof value === "boolean" || typeof value === "number") return { code: String(value) };
    const text =
      typeof value === "string" ? value : JSON.stringify(value).replaceAll(UNKNOWN, "known after deployment");
    return { code: this.text(text) };
  }
}

/** Returns what a resource has under the names of secrets. */
function secretValues({ inputs, outputs, additionalSecretOutputs }: State): unknown[] {
  // The provider notes the names of arguments that are secret.
  const noted = inputs[SECRETS];
  const names = new Set([
    ...secretOutputs(),
    ...(additionalSecretOutputs ?? []),
    ...(Array.isArray(noted) ? noted : []),
  ]);
  return [...names].flatMap((name) => [inputs[name], outputs[name]]).map(revealed);
}

/** A masked value, or a masked part of it, means that the engine masks secrets. */
function isShown(value: unknown): boolean {
  return value !== undefined && value !== null && value !== UNKNOWN && !containsSecret(value);
}

/** Returns the value of a secret that an event log shows: as JSON, next to its mark. */
function revealed(value: unknown): unknown {
  if (typeof value !== "object" || value === null || !("plaintext" in value)) return value;
  try {
    return JSON.parse(String(value.plaintext));
  } catch {
    return value.plaintext;
  }
}

/** Returns every text and number in a value. */
function textsIn(value: unknown): string[] {
  if (typeof value === "string" || typeof value === "number") return value === "" ? [] : [String(value)];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

/** A short secret matches only as a whole word, because it would otherwise garble every sentence. */
function asPattern(secret: string): string {
  return secret.length > 3 ? literal(secret) : `(?<![\\p{L}\\p{N}])${literal(secret)}(?![\\p{L}\\p{N}])`;
}
