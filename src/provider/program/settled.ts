import type * as pulumi from "@pulumi/pulumi";
import { sdk } from "../../shared/protocol/sdk.js";
import { hasMocks } from "./deployment.js";

/** A value that a program gave, as far as the program itself can know it. */
export interface Settled {
  /** True if the value is there. It is not while a resource has to be made first, or when making it failed. */
  readonly known: boolean;
  readonly value: unknown;
  /** Undefined where a preview can't know, because what the value comes from may turn out to be secret. */
  readonly secret: boolean | undefined;
}

/** Checks whether a value is there at once: nothing in it is an output, a promise or a resource. */
export function isPlain(value: unknown, within: readonly unknown[] = []): boolean {
  if (typeof value !== "object" || value === null || within.includes(value)) return true;
  if (isPulumiValue(value)) return false;
  return Object.values(value).every((entry) => isPlain(entry, [...within, value]));
}

/** Checks whether Pulumi itself finds out what a value is: an output, a promise or a resource. */
export function isPulumiValue(value: unknown): boolean {
  return value instanceof Promise || sdk().Output.isInstance(value) || sdk().Resource.isInstance(value);
}

/**
 * Waits for a value. It never rejects: Pulumi itself reports why a value has failed. Values from the mocks of a unit test
 * count as unknown: they make up ids as they like.
 */
export async function settled(value: unknown): Promise<Settled> {
  if (isPlain(value)) return { known: true, value, secret: false };
  const output: pulumi.Output<unknown> = sdk().Output.isInstance(value) ? value : sdk().output(value);
  try {
    const there = await valueIn(output);
    const madeUp = hasMocks() && (await sdk().getAllResources(output)).size > 0;
    const isKnownSecret = await sdk().isSecret(output);
    const isOpen = !isKnownSecret && there === undefined && !(await isMadeOfIds(value));
    const secret = isOpen ? undefined : isKnownSecret;
    // The provider gets the id or slug of a resource given as an argument, and validates that.
    const known = there !== undefined && isPlain(there.value) && !madeUp;
    return { known, value: there?.value, secret };
  } catch {
    return { known: false, value: undefined, secret: true };
  }
}

/** Waits for an output. Returns undefined if a preview doesn't know its value. */
export async function valueIn<Value>(output: pulumi.Output<Value>): Promise<{ value: Value } | undefined> {
  let found: { value: Value } | undefined;
  const seen = output.apply((value) => {
    found = { value };
  });
  // Waits for the output whether it is known or not; `apply` alone would not resolve if it is not. Serializing several
  // properties would write their names into the message of an error of the program.
  await sdk().runtime.serializeProperty("value", seen, new Set());
  return found;
}

export async function ownerOf(value: unknown): Promise<pulumi.Resource | undefined> {
  if (!sdk().Output.isInstance(value)) return undefined;
  for (const resource of await sdk().getAllResources(value)) {
    if (sdk().CustomResource.isInstance(resource) && resource.id === value) return resource;
  }
  return undefined;
}

/** Checks whether a value is the id of a resource, or a list of such. Pulumi keeps no id secret. */
async function isMadeOfIds(value: unknown): Promise<boolean> {
  if (!Array.isArray(value)) return isPlain(value) || (await ownerOf(value)) !== undefined;
  return (await Promise.all(value.map(isMadeOfIds))).every(Boolean);
}
