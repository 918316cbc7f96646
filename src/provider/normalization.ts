import { isUnknown, type Properties, reveal } from "../protocol/values.js";
import type { AnyKind } from "../resources/kind.js";
import { toolkit } from "../resources/rules/toolkit.js";

/** Arguments with defaults, and in the form in which the state keeps them. */
export function normalized(kind: AnyKind, olds: Properties, news: Properties): Properties {
  const inputs: Properties = {};
  for (const [name, field] of Object.entries(kind.arguments)) {
    const value = reveal(news[name]) ?? field.default;
    const final = value === undefined || isUnknown(value);
    inputs[name] =
      field.normalize === undefined || final ? value : field.normalize(value, toolkit, reveal(olds[name]));
  }
  return inputs;
}
