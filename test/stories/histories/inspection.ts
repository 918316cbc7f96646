import { OBEYED } from "../../support/foreign-text.js";
import { stringsIn } from "./awkward.js";
import { isSecret } from "./engine/backend.js";

const HALF_PAIR = /\p{Surrogate}/u;

/** Finds half surrogate pairs, which gRPC cannot send, messages that are obeyed, and secrets outside what is marked as one. */
export class Inspection {
  readonly found: string[] = [];

  /** @param secrets everything that no text may show */
  constructor(private readonly secrets: () => readonly string[]) {}

  message(text: string): void {
    this.#look(text, "a message");
    const obeyed = OBEYED.exec(text);
    if (obeyed !== null)
      this.found.push(`${JSON.stringify(obeyed[0])} in a message: ${JSON.stringify(text)}`);
  }

  properties(value: unknown): void {
    for (const text of stringsIn(withoutSecrets(value))) this.#look(text, "properties");
    for (const text of stringsIn(value)) {
      if (HALF_PAIR.test(text))
        this.found.push(`half a surrogate pair in properties: ${JSON.stringify(text)}`);
    }
  }

  #look(text: string, where: string): void {
    if (HALF_PAIR.test(text)) this.found.push(`half a surrogate pair in ${where}: ${JSON.stringify(text)}`);
    const leaked = this.secrets().find((secret) => text.includes(secret));
    if (leaked !== undefined) this.found.push(`a secret in ${where}`);
  }
}

function withoutSecrets(value: unknown): unknown {
  if (isSecret(value)) return undefined;
  if (Array.isArray(value)) return value.map(withoutSecrets);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, entry]) => [name, withoutSecrets(entry)]));
}
