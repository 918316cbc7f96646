import { kinds } from "../../../provider/lifecycle/values/kinds.js";
import { hiding } from "../../../shared/messages/secrets.js";
import { isMasked, isShown, MASKED, reveal, UNKNOWN } from "../../../shared/protocol/encoded-values.js";
import { secretNames } from "../../../shared/protocol/properties.js";
import type { Preview } from "../pulumi/preview.js";
import type { State } from "../pulumi/state.js";
import type { Text } from "./text.js";

/**
 * Keeps secrets out of a report. The engine masks them, unless `--show-secrets` was given. Then known secrets are
 * removed wherever they occur, and all other values are withheld, because nothing marks the secrets among them.
 */
export class Masking {
  /** True if the preview was made with `--show-secrets`: a secret value isn't masked. */
  readonly withholds: boolean;
  /** Returns a text without the secrets that are known. */
  readonly text: (text: string) => string;

  constructor({ refreshed, planned }: Preview) {
    const states = [...refreshed, ...planned].flatMap(({ oldState, newState }) =>
      [oldState ?? [], newState ?? []].flat(),
    );
    // A masked value, or a masked part of it, means that the engine masks secrets.
    const shown = states.flatMap(secretValues).filter(isShown);
    this.withholds = shown.length > 0;
    this.text = hiding(shown, MASKED, 1);
  }

  /** Returns a value as one line, or words in its place. */
  value(value: unknown): Text[number] {
    if (value === undefined || value === null) return "none";
    if (value === UNKNOWN) return "known after deployment";
    if (isMasked(value)) return "secret";
    if (this.withholds) return "withheld";
    if (typeof value === "boolean" || typeof value === "number") return { code: String(value) };
    const text =
      typeof value === "string" ? value : JSON.stringify(value).replaceAll(UNKNOWN, "known after deployment");
    return { code: this.text(text) };
  }
}

/** Returns what a resource has under the names of secrets: outputs, and the arguments that the provider noted. */
function secretValues({ inputs, outputs, additionalSecretOutputs }: State): unknown[] {
  // A component has such an output too.
  const described = [...kinds.values()].flatMap((kind) => Object.entries(kind.outputs));
  const names = new Set([
    ...described.flatMap(([name, { secret }]) => (secret ? [name] : [])),
    ...(additionalSecretOutputs ?? []),
    ...secretNames(inputs),
  ]);
  return [...names].flatMap((name) => [inputs[String(name)], outputs[String(name)]]).map(reveal);
}
