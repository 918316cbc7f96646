import * as pulumi from "@pulumi/pulumi";

/**
 * The resources with an id of their own that outputs come from, and those that were named. Components stand for what
 * they are made of.
 */
export async function resourcesBehind(
  outputs: readonly pulumi.Output<unknown>[],
  named: pulumi.InvokeOutputOptions["dependsOn"],
): Promise<Set<pulumi.CustomResource>> {
  const found = new Set<pulumi.CustomResource>();
  const seen = new Set<unknown>();
  const visit = async (source: unknown): Promise<void> => {
    if (seen.has(source)) return;
    seen.add(source);
    if (pulumi.CustomResource.isInstance(source)) found.add(source);
    else if (pulumi.Resource.isInstance(source)) await visitAll(await childrenOf(source));
    else if (pulumi.Output.isInstance(source))
      await visitAll([...(await pulumi.getAllResources(source)), await valueIn(source)]);
    else if (source instanceof Promise) await visit(await source);
    else if (Array.isArray(source)) await visitAll(source);
  };
  const visitAll = async (sources: readonly unknown[]) => {
    await Promise.all(sources.map(visit));
  };
  await visitAll([...outputs, named]);
  return found;
}

/** The value of an output; undefined as long as it is unknown: then the resources it comes from are, too. */
async function valueIn(output: pulumi.Output<unknown>): Promise<unknown> {
  let value: unknown;
  const seen = output.apply((known) => {
    value = known;
  });
  // Waits for the output whether it is known or not; `apply` alone would not tell when it is not.
  await pulumi.runtime.serializeProperties("lookup", { seen });
  return value;
}

/** The SDK knows a component's children, and when it is complete, under names that it does not declare. */
async function childrenOf(component: pulumi.Resource): Promise<pulumi.Resource[]> {
  await Reflect.get(component, "__data");
  const children: unknown = Reflect.get(component, "__childResources");
  return children instanceof Set ? [...children].filter((child) => pulumi.Resource.isInstance(child)) : [];
}
