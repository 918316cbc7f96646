import type { z } from "zod";
import { describeType, valueAt } from "../messages/issue.js";
import type { AnyKind } from "../resources/kind.js";
import { isUnknown, type Properties, reveal } from "./engine-values.js";
import { toolkit } from "./equality.js";
import { nearestName } from "./nearest-name.js";
import { IMPORT, ORGANIZATION, SECRETS } from "./state.js";

/** What the constructor sends along for an import; it never reaches the state. */
export const IMPORT_IGNORES = "importIgnoreChanges";

/** What the constructor says of the option `deleteBeforeReplace`; it never reaches the state. */
export const DELETES_FIRST = "deletesBeforeReplace";

const INTERNAL = new Set(["__provider", ORGANIZATION, IMPORT, IMPORT_IGNORES, DELETES_FIRST, SECRETS]);

/**
 * Everything that is wrong with some inputs: each entry names the resource, the property, what is wrong and what
 * to do, and quotes no value. Unknown values pass.
 */
export function problems(kind: AnyKind, inputs: Properties): string[] {
  return [...unknownProperties(kind, inputs), ...wrongArguments(kind, inputs)];
}

function unknownProperties(kind: AnyKind, inputs: Properties): string[] {
  const known = Object.keys(kind.arguments);
  const found: string[] = [];
  for (const name of Object.keys(inputs)) {
    if (name in kind.arguments || INTERNAL.has(name)) continue;
    if (name in kind.outputs) {
      found.push(`${kind.name}.${name}: is an output, decided by the service. Remove it from the arguments.`);
      continue;
    }
    const nearest = nearestName(name, known);
    const hint = nearest ? `Did you mean ${nearest}?` : `Known are ${known.join(", ")}.`;
    found.push(`${kind.name}.${name}: there is no such argument. ${hint}`);
  }
  return found;
}

function wrongArguments(kind: AnyKind, inputs: Properties): string[] {
  const found: string[] = [];
  for (const [name, field] of Object.entries(kind.arguments)) {
    const value = reveal(inputs[name]);
    if (value === undefined || value === null) {
      if (field.whenOmitted === "required")
        found.push(`${kind.name}.${name}: is required. Give ${field.expected}.`);
      continue;
    }
    if (isUnknown(value)) continue;
    const { error } = field.check(toolkit).safeParse(value);
    for (const issue of error?.issues ?? []) {
      const place = [name, ...issue.path].map(String).join(".");
      found.push(`${kind.name}.${place}: ${problemOf(issue, value)}; expected ${field.expected}.`);
    }
  }
  return found;
}

function problemOf(issue: z.core.$ZodIssue, value: unknown): string {
  switch (issue.code) {
    case "invalid_type":
    case "invalid_union":
      return `is ${describeType(valueAt(value, issue.path))}`;
    case "invalid_value":
      return "is not one of the allowed values";
    case "too_small":
      return "is too short";
    default:
      return issue.message;
  }
}
