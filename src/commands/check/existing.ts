import { isNamed, noCluster } from "../../cli/drawing/topology.js";
import { readList, unreadBecause } from "../../cli/inventory/reading.js";
import { findSettings, SETTING_NAMES } from "../../cli/pulumi/project-settings.js";
import { connected } from "../../cli/terminal/connection.js";
import { type BuildPipelineClient, NotFoundError } from "../../client/index.js";
import { type AnyKind, type Candidate, kindNamed } from "../../provider/for-commands/kinds.js";
import { namesInSteps } from "../../provider/for-commands/objects.js";
import { ENVIRONMENT } from "../../shared/configuration/settings.js";
import { quoted } from "../../shared/messages/quoted.js";
import { isUuid } from "../../shared/protocol/identity.js";

/** Whose queues and secrets the steps name, and the stack with the settings. */
export interface Where {
  readonly cluster?: string;
  readonly pipeline?: string;
  readonly stack?: string;
}

type Named = readonly { readonly kind: string; readonly value: string }[];

/** What the organization has of what steps name, by kind, and a sentence for what isn't compared with it. */
interface Existing {
  readonly candidates: ReadonlyMap<string, readonly Candidate[]>;
  readonly notChecked: readonly string[];
}

/** What exists of a kind, or why nobody knows. */
type Found = readonly Candidate[] | string;

/** Reads only what is named. Without settings it reads nothing, unless an option needs them. */
export async function readExisting(named: Named, where: Where): Promise<Existing> {
  const names = Map.groupBy(named, ({ kind }) => kind);
  const kinds = [...names.keys()].flatMap((name) => kindNamed(name) ?? []);
  if (where.cluster === undefined && where.pipeline === undefined) {
    if (kinds.length === 0) return existing([]);
    const { values } = await findSettings(where.stack);
    const missing = SETTING_NAMES.filter((name) => values[name] === undefined);
    const why = `without ${missing.map((name) => ENVIRONMENT[name]).join(", ")} nothing is read`;
    if (missing.length > 0) return existing(kinds.map((kind) => [kind, why]));
  }
  return connected(where, async ({ client }) => {
    const { id = "", why } = await clusterOf(client, where);
    const found = kinds.map(async (kind): Promise<readonly [AnyKind, Found]> => {
      const values = new Set(names.get(kind.name)?.map(({ value }) => value));
      if (kind.parent !== undefined && id === "") return [kind, why];
      const reasonOf = (error: unknown) => unreadBecause(error, kind.scopes.read[0]?.[0]).reason;
      return [kind, await read(client, kind, id, values).catch(reasonOf)];
    });
    return existing(await Promise.all(found));
  });
}

function existing(found: readonly (readonly [AnyKind, Found])[]): Existing {
  const candidates = found.flatMap(([{ name }, of]) => (typeof of === "string" ? [] : [[name, of] as const]));
  const unread = Map.groupBy(found, ([, of]) => (typeof of === "string" ? of : undefined));
  const notChecked = [...unread].flatMap(([why, of]) => {
    const nouns = of.map(([{ words }]) => `${words.noun}s`).join(", ");
    return why === undefined ? [] : [`Not compared with the organization: ${nouns}, because ${why}.`];
  });
  return { candidates: new Map(candidates), notChecked };
}

/** Returns the id of the cluster that the flags name, or why nothing in a cluster is compared. */
async function clusterOf(
  client: BuildPipelineClient,
  { cluster, pipeline }: Where,
): Promise<{ readonly id?: string | undefined; readonly why: string }> {
  if (pipeline !== undefined) {
    try {
      const { cluster_id } = await client.pipelines.get(pipeline);
      return { id: cluster_id ?? undefined, why: `the pipeline ${quoted(pipeline)} is in no cluster` };
    } catch (error) {
      if (!(error instanceof NotFoundError)) throw error;
      const why = `There is no pipeline ${quoted(pipeline)} that the access token can see`;
      throw new Error(`${why}, so nothing was checked.`);
    }
  }
  if (cluster === undefined) return { why: "each cluster has its own: give --cluster or --pipeline" };
  const all = await client.clusters.list().all();
  const [found, ...others] = all.filter((one) => isNamed(one, cluster));
  if (found === undefined)
    throw noCluster(
      cluster,
      all.map(({ name }) => name),
      "checked",
    );
  if (others.length === 0) return { id: found.id, why: "" };
  const ids = [found, ...others].map(({ id }) => id).join(", ");
  throw new Error(
    `Several clusters are called ${quoted(cluster)}, so nothing was checked. Give an id: ${ids}.`,
  );
}

/**
 * Reads the list of a kind. Where a name can be read alone, that costs less. For a name that leads to nothing, the first
 * page of the list then shows that the access token may read, and which name may be meant.
 */
async function read(
  client: BuildPipelineClient,
  kind: AnyKind,
  parent: string,
  values: ReadonlySet<string>,
): Promise<Found> {
  const { behavior, identify, words, scopes, unique } = kind;
  const holder = unique?.holder;
  const single = await Promise.all(
    holder === undefined
      ? []
      : [...values].map((value) => (isUuid(value) ? undefined : holder({ client }, value))),
  );
  const found = single.filter((entity) => entity !== undefined);
  const isRead = holder !== undefined && found.length === values.size;
  const list = isRead ? undefined : behavior.list?.({ client }, { parent: kind.parent ? parent : "" });
  const bounds = { noun: words.noun, scope: scopes.read[0]?.[0], idOf: identify };
  const { items = [], unread } = list
    ? await readList<object>(list, { ...bounds, ...(holder && { most: 1 }) })
    : {};
  return (
    unread?.reason ??
    [...found, ...items].map((entity) => ({ id: identify(entity), names: namesInSteps(kind, entity) }))
  );
}
