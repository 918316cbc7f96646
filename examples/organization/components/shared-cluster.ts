import { getOrganization, getStack, type Output, StackReference } from "@pulumi/pulumi";

const platform = new StackReference(`${getOrganization()}/platform/${getStack()}`);

/** Returns the id of a cluster of the platform team, from its stack of the same name. */
export function sharedCluster(name: string): Output<string> {
  return platform.requireOutput("clusterIds").apply((ids: Record<string, string>) => {
    const id = ids[name];
    if (id === undefined)
      throw new Error(`The platform team shares ${Object.keys(ids).join(", ")}, and no cluster "${name}".`);
    return id;
  });
}
