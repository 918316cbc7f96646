import type * as pulumi from "@pulumi/pulumi";
import { sdk } from "../../shared/protocol/sdk.js";
import { kindOfType } from "../../shared/protocol/type-token.js";
import type { Problem } from "../kind/argument-problems.js";
import type { AnyKind } from "../kind/kind.js";
import { memberNamed } from "../kind/lost-values.js";
import { isPlaceOf, type StepName } from "../kind/steps.js";
import type { Draft, GivenArguments } from "../kind/value-roles.js";
import { runError } from "./deployment.js";
import { isPlain, isPulumiValue } from "./settled.js";

/** Resources within an argument, such as the queue of a step. Pulumi itself would write their ids. */

/** Puts the output that it means there in place of each resource. @returns problems with those that mean nothing */
export function withoutResources(kind: AnyKind, given: Draft<GivenArguments>): Problem[] {
  return Object.entries(kind.arguments).flatMap(([argument, { hasSteps }]) => {
    const value = given[argument];
    if (hasSteps === undefined || typeof value !== "object" || value === null) return [];
    const walk = { place: `${kind.name}.${argument}`, path: [], problems: [], within: [] };
    const text = "toYAML" in value && typeof value.toYAML === "function" ? value.toYAML : undefined;
    if (text === undefined) given[argument] = isPlain(value) ? value : resolved(value, walk);
    else if (isPlain(value)) given[argument] = Reflect.apply(text, value, []);
    else mapped(value, walk, refused);
    return walk.problems.map((words) => ({ argument, text: words }));
  });
}

/** Puts ids in place of the resources in lists. @returns problems with those of another kind than is asked for */
export function withoutListed(kind: AnyKind, given: Draft<GivenArguments>): Problem[] {
  return Object.entries(kind.arguments).flatMap(([argument, { takesResource }]) => {
    const value: unknown = given[argument];
    if (typeof takesResource !== "function" || !Array.isArray(value)) return [];
    const isResource = (one: unknown) => sdk().CustomResource.isInstance(one);
    given[argument] = value.map((one: unknown) => (isResource(one) ? Reflect.get(Object(one), "id") : one));
    const wanted = takesResource(given);
    return value.flatMap((one: unknown, index) => {
      if (!sdk().Resource.isInstance(one) || wanted === undefined) return [];
      if (kindOfType(sdk().resourceType(one)) === wanted) return [];
      const text = `${kind.name}.${argument}[${index}]: is ${called(one)}. Give a ${wanted}, as the other arguments say.`;
      return [{ argument, text }];
    });
  });
}

interface Walk {
  readonly path: readonly string[];
  /** The path as a program writes it, after the argument's name. */
  readonly place: string;
  readonly problems: string[];
  readonly within: readonly unknown[];
}

function resolved(value: unknown, walk: Walk): unknown {
  const { path, place, problems } = walk;
  if (sdk().Resource.isInstance(value)) {
    const named = nameOf(value);
    if (named !== undefined && isPlaceOf(named, path)) return Reflect.get(value, named.output);
    const outputs = ["id", "slug", "key"].filter((name) => name in value);
    problems.push(`${place}: is ${called(value)}; write ${chosenFrom(value, outputs)}.`);
    return undefined;
  }
  if (!isPulumiValue(value)) return mapped(value, walk, resolved);
  const output: pulumi.Output<unknown> = sdk().output(value);
  return output.apply((inner) => {
    const later: string[] = [];
    const result = resolved(inner, { ...walk, problems: later });
    if (later.length > 0) throw runError(later.join("\n"));
    return result;
  });
}

/** Refuses what an object can't have that writes its text itself. */
function refused(value: unknown, walk: Walk): unknown {
  if (!isPulumiValue(value)) return mapped(value, walk, refused);
  const what = sdk().Resource.isInstance(value) ? called(value) : "an Output";
  walk.problems.push(
    `${walk.place}: is ${what}, which toYAML() writes before anybody knows its value. Give configuration a plain object, as ` +
      "in { steps: [step] }.",
  );
  return undefined;
}

/** Returns a value with other entries; the value itself if none is other. */
function mapped(value: unknown, walk: Walk, of: typeof resolved): unknown {
  if (typeof value !== "object" || value === null || walk.within.includes(value)) return value;
  const within = [...walk.within, value];
  const isList = Array.isArray(value);
  const entries = Object.entries(value).map(([name, entry]: [string, unknown]) => {
    const place = `${walk.place}${isList ? `[${name}]` : memberNamed(name)}`;
    return [name, of(entry, { ...walk, path: [...walk.path, name], place, within })] as const;
  });
  if (entries.every(([name, entry]) => entry === Reflect.get(value, name))) return value;
  return isList ? entries.map(([, entry]) => entry) : Object.fromEntries(entries);
}

/** Returns how steps name a resource of this package; undefined for others. */
function nameOf(resource: pulumi.Resource): StepName | undefined {
  if (kindOfType(sdk().resourceType(resource)) === undefined) return undefined;
  const kind: AnyKind | undefined = Reflect.get(resource.constructor, "kind");
  return kind?.inSteps;
}

function called(resource: pulumi.Resource): string {
  const type = sdk().resourceType(resource);
  return `the ${kindOfType(type) ?? type.slice(type.lastIndexOf(":") + 1)} ${sdk().resourceName(resource)}`;
}

function chosenFrom(resource: pulumi.Resource, outputs: readonly string[]): string {
  const name = sdk().resourceName(resource);
  return outputs.length === 0
    ? "one of its outputs"
    : outputs.map((output) => `${name}.${output}`).join(" or ");
}
