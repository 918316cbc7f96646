import type * as pulumi from "@pulumi/pulumi";
import type { Properties } from "../../../shared/protocol/encoded-values.js";
import { CHILDREN, COMPONENT_DATA, sdk } from "../../../shared/protocol/sdk.js";
import { typeToken } from "../../../shared/protocol/type-token.js";
import { typeOfUrn } from "../../../shared/protocol/urn.js";
import { valueIn } from "../../program/settled.js";

type Resources = ReadonlySet<pulumi.CustomResource>;

interface Dependencies {
  /** Those that its arguments come from, and those of `dependsOn`. */
  readonly all: Resources;
  readonly dependsOn: Resources;
}

export async function dependenciesOf(
  args: readonly pulumi.Output<unknown>[],
  option: pulumi.InvokeOutputOptions["dependsOn"],
): Promise<Dependencies> {
  const [ofArguments, dependsOn] = await Promise.all([resourcesBehind(args), resourcesBehind(option)]);
  return { all: new Set([...ofArguments, ...dependsOn]), dependsOn };
}

/**
 * Checks whether a preview is going to update a resource of `dependsOn`, or the one that the function reads. Another one
 * that its arguments come from doesn't count: a queue stays as it is when its cluster is renamed.
 */
export async function anyWillChange(
  { all, dependsOn }: Dependencies,
  kind: string | undefined,
): Promise<boolean> {
  const changes = async (resource: pulumi.CustomResource) =>
    (dependsOn.has(resource) || (await isOfKind(resource, kind))) && (await willBeUpdated(resource));
  return (await Promise.all([...all].map(changes))).includes(true);
}

async function isOfKind({ urn }: pulumi.Resource, kind: string | undefined): Promise<boolean> {
  const known = await valueIn(urn);
  return kind !== undefined && known !== undefined && typeOfUrn(known.value) === typeToken(kind);
}

/**
 * Checks whether a resource of this package that exists is going to be updated. The engine then knows none of the
 * outputs that the service decides. For a kind without such outputs, such as `ClusterDefaultQueue`, this can't be
 * detected.
 */
async function willBeUpdated(resource: pulumi.Resource): Promise<boolean> {
  const kind: unknown = "kind" in resource.constructor && resource.constructor.kind;
  if (typeof kind !== "object" || kind === null || !("outputs" in kind)) return false;
  const own: Properties = { ...resource };
  const outputs = Object.keys(Object(kind.outputs)).map((name) => own[name]);
  const values = await Promise.all(outputs.filter(sdk().Output.isInstance).map(valueIn));
  return values.length > 0 && values.every((known) => known?.value === undefined);
}

/** Components stand for what they are made of. */
async function resourcesBehind(value: unknown): Promise<Set<pulumi.CustomResource>> {
  const found = new Set<pulumi.CustomResource>();
  const seen = new Set<unknown>();
  const visit = async (source: unknown): Promise<void> => {
    if (seen.has(source)) return;
    seen.add(source);
    if (sdk().CustomResource.isInstance(source)) found.add(source);
    else if (sdk().Resource.isInstance(source)) await visit(await childrenOf(source));
    else if (sdk().Output.isInstance(source))
      await visit([...(await sdk().getAllResources(source)), (await valueIn(source))?.value]);
    else if (source instanceof Promise) await visit(await source);
    else if (Array.isArray(source)) await Promise.all(source.map(visit));
  };
  await visit(value);
  return found;
}

/** The SDK knows a component's children, and when it is complete, under names that it does not declare. */
async function childrenOf(component: pulumi.Resource): Promise<pulumi.Resource[]> {
  await (COMPONENT_DATA in component && component[COMPONENT_DATA]);
  const children = CHILDREN in component && component[CHILDREN];
  return children instanceof Set ? [...children].filter((child) => sdk().Resource.isInstance(child)) : [];
}
