import * as pulumi from "@pulumi/pulumi";

/** Stacks whose adoptions are told when the program has ended. */
const watched = new WeakSet<pulumi.Resource>();

/**
 * Tells at the end of a preview how many resources are adopted. The provider tells each of them, and does not know when
 * a preview ends; the program does, and knows an adoption by its id: Pulumi knows no id of what it takes for new.
 */
export function watchAdoptions(): void {
  const stack = pulumi.runtime.getStackResource();
  if (stack === undefined || watched.has(stack)) return;
  watched.add(stack);
  void tellAdoptions(stack).catch(() => undefined);
}

async function tellAdoptions(stack: pulumi.Resource): Promise<void> {
  // The program's own promise: it has ended, but for what it makes when an output is known.
  await Reflect.get(stack, "__data");
  let told = 0;
  for (let seen = -1; ; ) {
    const candidates = withImport(stack);
    const count = (await Promise.all(candidates.map(isNew))).filter(Boolean).length;
    if (candidates.length === seen) return;
    seen = candidates.length;
    if (count === told) continue;
    told = count;
    const words = count === 1 ? "1 of the resources to create is" : `${count} of the resources to create are`;
    await pulumi.log.info(`${words} adopted, not created: what they stand for exists already.`);
  }
}

/** The resources below another one whose program has the option `import`. */
function withImport(resource: pulumi.Resource): pulumi.CustomResource[] {
  // The SDK knows the children of a resource under a name that it does not declare.
  const children: unknown = Reflect.get(resource, "__childResources");
  if (!(children instanceof Set)) return [];
  return [...children].filter(pulumi.Resource.isInstance).flatMap((child) => {
    const own = pulumi.CustomResource.isInstance(child) && adopts(child) ? [child] : [];
    return [...own, ...withImport(child)];
  });
}

function adopts(resource: pulumi.CustomResource): boolean {
  return Object.hasOwn(resource.constructor, "kind") && Object.hasOwn(resource, "import");
}

async function isNew({ id }: pulumi.CustomResource): Promise<boolean> {
  const known = await pulumi.runtime.serializeProperties("adoption", { id });
  return known.id === pulumi.runtime.unknownValue;
}
