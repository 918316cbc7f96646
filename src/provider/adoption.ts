import type { Adoption, AnyKind } from "../resources/kind.js";
import { isUnknown, type Properties } from "./engine-values.js";
import { kinds } from "./kinds.js";
import type { Session } from "./session.js";
import { liveArguments, sameOnService } from "./state.js";
import { whole } from "./whole.js";

/** An existing object that `{ import: … }` names. */
export interface Adopted {
  readonly id: string;
  readonly entity: object;
  /** The cluster it was found in, for kinds that live in one. */
  readonly clusterId?: string;
}

/**
 * Finds the object that an import option names.
 *
 * @throws when the name has the wrong form, nothing has it, or several have it
 */
export async function findAdopted(
  session: Session,
  organization: string,
  kind: AnyKind,
  name: string,
): Promise<Adopted> {
  const { adoption } = kind;
  if (adoption === undefined) {
    throw new Error(
      `${kind.name}.import: there is nothing to import; declare the ${kind.noun} and it is set.`,
    );
  }
  if (!adoption.inCluster) {
    const entity = await findNamed(session, organization, kind, adoption, name, {});
    return { id: kind.calls.identify(entity), entity };
  }
  const slash = name.lastIndexOf("/");
  const cluster = kinds.get("Cluster");
  if (slash <= 0 || slash === name.length - 1 || cluster?.adoption === undefined) {
    throw new Error(`${kind.name}.import: expected ${adoption.form}, got ${JSON.stringify(name)}.`);
  }
  const clusterName = name.slice(0, slash);
  const owner = await findNamed(session, organization, cluster, cluster.adoption, clusterName, {});
  const clusterId = cluster.calls.identify(owner);
  const entity = await findNamed(session, organization, kind, adoption, name.slice(slash + 1), { clusterId });
  return { id: kind.calls.identify(entity), entity, clusterId };
}

async function findNamed(
  session: Session,
  organization: string,
  kind: AnyKind,
  adoption: Adoption<object>,
  name: string,
  known: Properties,
): Promise<object> {
  const entities = await session.list(organization, kind, known);
  const byId = entities.find((entity) => kind.calls.identify(entity) === name.toLowerCase());
  if (byId !== undefined) return whole(session, organization, kind, byId, known);
  const named = entities.filter((entity) => adoption.names(entity).includes(name));
  const [only] = named;
  if (named.length > 1) {
    const ids = named.map((entity) => kind.calls.identify(entity)).join(", ");
    throw new Error(
      `import: ${named.length} ${kind.noun}s are called ${JSON.stringify(name)}. Name one by its id: ${ids}.`,
    );
  }
  if (only === undefined) {
    throw new Error(
      `import: the organization "${organization}" has no ${kind.noun} ${JSON.stringify(name)} that this access ` +
        `token can see. Expected ${adoption.form}. To create one instead, remove the import option.`,
    );
  }
  return whole(session, organization, kind, only, known);
}

/** The arguments of an adopted object as the service has them, the cluster it is in among them. */
export function adoptedArguments(kind: AnyKind, { entity, clusterId }: Adopted): Properties {
  const live: Properties = { ...liveArguments(kind, entity) };
  if (clusterId !== undefined) live.clusterId = clusterId;
  return live;
}

/**
 * What an object that is to be adopted has and the program says otherwise, a line each. Values are described and
 * not quoted: they may be secrets. Unknown values and the names in `ignored` are not compared.
 */
export function mismatches(
  kind: AnyKind,
  args: Properties,
  adopted: Adopted,
  ignored: ReadonlySet<string>,
): string[] {
  const live = adoptedArguments(kind, adopted);
  const lines: string[] = [];
  for (const [name, field] of Object.entries(kind.arguments)) {
    if (!(name in live) || ignored.has(name) || isUnknown(args[name])) continue;
    if (field.leftOut === "unmanaged" && args[name] === undefined) continue;
    if (sameOnService(kind, name, args[name], live[name])) continue;
    const tell = name === "clusterId" ? String : described;
    lines.push(`${name}: the program has ${tell(args[name])}, the service has ${tell(live[name])}`);
  }
  return lines;
}

/** What a value is, without telling it. Numbers and yes-or-no cannot be secrets; a text like a UUID can. */
export function described(value: unknown): string {
  if (value === undefined || value === null || value === "") return "none";
  if (typeof value === "boolean" || typeof value === "number") return String(value);
  if (typeof value === "string") return `text of ${value.length} characters`;
  if (Array.isArray(value)) return `a list of ${value.length}`;
  return "a map";
}
