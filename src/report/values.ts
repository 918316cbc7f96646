import type { Preview, State } from "./preview.js";
import type { Text } from "./text.js";

/** What stands in previews for a value that only a deployment makes known. */
const UNKNOWN = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";
const SECRET_MARK = "4dabf18193072939515e22adb298388d";
const HIDDEN = "[secret]";

/** Outputs that are secret in every state. */
const SECRET_OUTPUTS = ["token", "apiToken"];

export function isUnknown(value: unknown): boolean {
  return value === UNKNOWN;
}

/** Whether a value is secret, or has a secret in it. */
export function isSecret(value: unknown): boolean {
  if (value === HIDDEN) return true;
  if (typeof value !== "object" || value === null) return false;
  return SECRET_MARK in value || Object.values(value).some(isSecret);
}

/**
 * Keeps secrets out of a report. The engine masks them, unless `--show-secrets` was given: then what is known to be
 * secret is taken out wherever it occurs, and all other values are withheld, as nothing says which of them are secret.
 */
export class Masking {
  readonly #secrets: readonly string[];

  constructor({ steps }: Preview) {
    const states = steps.flatMap(({ oldState, newState }) => [oldState, newState]);
    this.#secrets = states.flatMap((state) => (state ? plainSecrets(state) : []));
  }

  /** Whether the preview was made with `--show-secrets`. */
  get withholds(): boolean {
    return this.#secrets.length > 0;
  }

  /** A text without the secrets that are known. */
  text(text: string): string {
    return this.#secrets.reduce((masked, secret) => masked.replaceAll(secret, HIDDEN), text);
  }

  /** A value as one line, or what is to be said of it instead. */
  value(value: unknown): Text[number] {
    if (value === undefined || value === null) return "none";
    if (isUnknown(value)) return "known after deployment";
    if (isSecret(value)) return "secret";
    if (typeof value === "boolean" || typeof value === "number") return { code: String(value) };
    if (this.withholds) return "withheld";
    const text =
      typeof value === "string" ? value : JSON.stringify(value).replaceAll(UNKNOWN, "known after deployment");
    return { code: this.text(text) };
  }
}

function plainSecrets({ inputs, outputs, additionalSecretOutputs }: State): string[] {
  // The provider notes the names of arguments that are secret.
  const noted = inputs?.__secrets;
  const names = new Set([
    ...SECRET_OUTPUTS,
    ...(additionalSecretOutputs ?? []),
    ...(Array.isArray(noted) ? noted : []),
  ]);
  const values = [...names].flatMap((name) => [inputs?.[name], outputs?.[name]]).map(revealed);
  return values.filter(
    (value): value is string =>
      typeof value === "string" && value.length > 3 && value !== HIDDEN && value !== UNKNOWN,
  );
}

/** An event log keeps the marks of secrets, with the value as JSON beside them where it is shown. */
function revealed(value: unknown): unknown {
  if (typeof value !== "object" || value === null || !("plaintext" in value)) return value;
  try {
    return JSON.parse(String(value.plaintext));
  } catch {
    return value.plaintext;
  }
}
