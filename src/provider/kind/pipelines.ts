import type * as api from "../../client/index.js";
import { messageOf } from "../../shared/messages/of-error.js";
import { quoted } from "../../shared/messages/quoted.js";
import { withCode, withCodeOf } from "../../shared/protocol/message-codes.js";
import { type Address, type Context, type Deletion, ONCE, type Reads } from "./behavior.js";
import { slugOf } from "./canonical.js";
import { camelCase, withKeys } from "./provider-settings.js";
import type { Known } from "./value-roles.js";

/**
 * The way from a pipeline's UUID to its address. Paths have the slug, which can change and which another pipeline can
 * take. A slug that is known from somewhere is therefore only a hint: a read must show the UUID at it.
 */

type Client = api.BuildPipelineClient;

/** What a run knows of the pipelines that its client was shown. */
class Book {
  /** By the UUIDs of the pipelines. */
  readonly slugs = new Map<string, string>();
  /** A list on its way, which whoever needs one shares. */
  list: Promise<unknown> | undefined;
  /** What the run archived instead of deleting it. No list may show it. */
  readonly archived: api.Pipeline[] = [];
}

const books = new WeakMap<Client, Book>();

function bookOf(client: Client): Book {
  const book = books.get(client) ?? new Book();
  books.set(client, book);
  return book;
}

export function archivedBy(client: Client): readonly api.Pipeline[] {
  return bookOf(client).archived;
}

/** Notes where a pipeline is. @returns the pipeline */
export function noted<Pipeline extends Pick<api.Pipeline, "id" | "slug">>(
  client: Client,
  pipeline: Pipeline,
): Pipeline {
  bookOf(client).slugs.set(pipeline.id, pipeline.slug);
  return pipeline;
}

/** Returns the pipeline at a slug; undefined if there is none, or an old slug leads elsewhere. */
export async function pipelineAt(client: Client, slug: string): Promise<api.Pipeline | undefined> {
  const found = await ifAnywhere(client.pipelines.get(slug));
  return found && noted(client, found);
}

/** Returns what a slug leads to; undefined if there is nothing. */
export async function ifAnywhere<Found>(read: Promise<Found>): Promise<Found | undefined> {
  try {
    return await read;
  } catch (error) {
    // The client can't be loaded here for its error classes.
    const status = error instanceof Error && "status" in error ? Number(error.status) : 0;
    if (status === 404 || (status >= 300 && status < 400)) return undefined;
    throw error;
  }
}

/** Returns the pipeline with an id: at a slug of which is known that it was there, or else from the list. */
export async function pipelineWithId(
  { client, signal }: Pick<Context, "client"> & Reads,
  id: string,
  hint: unknown,
): Promise<api.Pipeline | undefined> {
  const wanted = id.toLowerCase();
  const hints = () => new Set([bookOf(client).slugs.get(wanted), hint]);
  if (![...hints()].some((slug) => typeof slug === "string")) await noteAll(client);
  for (const slug of hints()) {
    if (typeof slug !== "string") continue;
    const found = await pipelineAt(client, slug);
    if (found?.id.toLowerCase() === wanted) return found;
  }
  for await (const pipeline of client.pipelines.list({}, { signal }))
    if (noted(client, pipeline).id.toLowerCase() === wanted) return pipeline;
  return undefined;
}

/** Reads the slugs of all pipelines, once for all who wait for them. */
async function noteAll(client: Client): Promise<void> {
  const book = bookOf(client);
  book.list ??= client.pipelines
    .list()
    .all()
    .then((pipelines) => {
      for (const pipeline of pipelines) noted(client, pipeline);
    })
    .finally(() => {
      book.list = undefined;
    });
  await book.list;
}

const LONGEST_SLUG = 100;
const LONGEST_TAG = 128;

/** Returns the slug that the service derives from a name. */
export function pipelineSlugOf(name: string): string {
  return slugOf(name).slice(0, LONGEST_SLUG).replace(/-$/, "");
}

/** Archives or unarchives a pipeline that a read has just shown. */
export async function withArchived(
  { client }: Context,
  pipeline: api.Pipeline,
  archived: boolean,
): Promise<api.Pipeline> {
  if ((pipeline.archived_at != null) === archived) return pipeline;
  return archived
    ? client.pipelines.archive(pipeline.slug, ONCE)
    : client.pipelines.unarchive(pipeline.slug, ONCE);
}

/** A pipeline, and whether GitHub's events start its builds, where that was read. */
export type ShownPipeline = api.Pipeline & { readonly github_webhooks?: boolean };

/** Asks for a webhook in the repository. A refusal is no failure: there may be one already. */
export async function withWebhook(context: Context, address: Address<"slug">): Promise<api.Pipeline> {
  const { client, status, warn } = context;
  const pipeline = await existing(context, address);
  await client.pipelines.createWebhook(pipeline.slug, ONCE).catch((error: unknown) => {
    if (status(error) !== 422) throw error;
    const said = String(Reflect.get(Object(error), "serviceMessage")).replace(/[.\s]*$/, "");
    warn(
      `createWebhook: the API created no webhook for the pipeline ${named(pipeline)} (422: ${said}). If its repository has ` +
        "none, create one there with the address in webhookUrl: without a webhook, no push starts a build.",
    );
  });
  return pipeline;
}

/** Lets GitHub's events start builds, or stops that. */
export async function withGithubWebhooks(
  context: Context,
  address: Address<"slug">,
  enabled: boolean,
): Promise<ShownPipeline> {
  const pipeline = await existing(context, address);
  const { githubWebhooks } = context.client.pipelines;
  const change = enabled
    ? githubWebhooks.enable(pipeline.slug, ONCE)
    : githubWebhooks.disable(pipeline.slug, ONCE);
  return change.then(
    (after) => ({ ...pipeline, github_webhooks: after.enabled }),
    (error: unknown) => {
      throw context.status(error) === 404 ? new Error(withoutGithubWebhooks(pipeline)) : error;
    },
  );
}

export async function readGithubWebhooks(
  { client, status, warn }: Context,
  pipeline: api.Pipeline,
): Promise<ShownPipeline> {
  try {
    const { enabled } = await client.pipelines.githubWebhooks.get(pipeline.slug);
    return { ...pipeline, github_webhooks: enabled };
  } catch (error) {
    if (![403, 404].includes(status(error) ?? 0)) throw error;
    const why = status(error) === 404 ? withoutGithubWebhooks(pipeline) : messageOf(error);
    warn(
      withCodeOf(`githubWebhooks of the pipeline ${named(pipeline)} stays in state as it is: ${why}`, error),
    );
    return pipeline;
  }
}

/** Explains a 404 to a request about a pipeline that a read has just shown. */
function withoutGithubWebhooks(pipeline: api.Pipeline): string {
  const { id = "" } = pipeline.provider ?? {};
  const cause = /^github/.test(id ?? "")
    ? "By its documentation, the API has it in organizations with expanded webhook triggers only"
    : "The API has it for repositories on GitHub and GitHub Enterprise only";
  return `there is no setting githubWebhooks for the pipeline ${named(pipeline)} (404). ${cause}. Leave out githubWebhooks.`;
}

/** Names a pipeline in a message: `"storefront" (<uuid>)`. */
function named({ slug, id }: Pick<api.Pipeline, "slug" | "id">): string {
  return `${quoted(slug)} (${id})`;
}

const BUILDS_WAIT_MS = 300_000;
const BUILDS_LOOK_MS = 10_000;
const MOST_NAMED = 10;

/** Deletions that asked for an archiving: after a lost response, the next try finds the pipeline archived. */
const asked = new WeakSet<Context>();

/** Ends a pipeline: archives it, or deletes it with all of its builds once none is running. Reports which. */
export async function removed(
  context: Context,
  address: Address<"slug">,
  deletes: boolean,
): Promise<Deletion | undefined> {
  const find = () => findPipeline(context, address);
  // Before the look: others may rename, replace or unarchive the pipeline between it and what follows.
  const last = await lastBuild(context, address);
  const found = await find();
  if (found === undefined) return "missing";
  if (deletes) {
    await deleteWithoutBuilds(context, found, find);
    context.inform(`deleted the pipeline ${named(found)} with its builds, logs and artifacts${last}`);
    return undefined;
  }
  const wasArchived = found.archived_at != null && !asked.has(context);
  asked.add(context);
  const after = await withArchived(context, found, true);
  if (after.id !== found.id || after.archived_at == null)
    throw new Error(
      `Pipeline: the API responded with success to the archiving of ${named(found)}, but doesn't show it archived. ` +
        "It stays in state. Run the command again.",
    );
  bookOf(context.client).archived.push(after);
  context.inform(
    wasArchived
      ? `nothing was sent for the pipeline ${named(found)}, which is archived already; set onDelete: "delete" to delete it`
      : `archived the pipeline ${named(found)}, which keeps its builds and its slug${last}`,
  );
  return "leftBehind";
}

/** Waits for running builds, for which the service refuses the deletion. Each try finds the pipeline first. */
async function deleteWithoutBuilds(
  { client, inform, pause, status }: Context,
  first: api.Pipeline,
  find: () => Promise<api.Pipeline | undefined>,
): Promise<void> {
  let found: api.Pipeline | undefined = first;
  for (let waited = 0; found !== undefined; waited += BUILDS_LOOK_MS) {
    const { slug } = found;
    try {
      return await client.pipelines.delete(slug, ONCE);
    } catch (error) {
      if (status(error) !== 422) throw error;
      const builds = await underway(client, slug).catch((failure: unknown) => {
        // Without the scope to read builds, nothing tells whether some are running: then time decides.
        if (status(failure) !== 403) throw failure;
      });
      if (builds?.length === 0 || (builds === undefined && waited >= BUILDS_WAIT_MS)) throw error;
      if (builds !== undefined && waited >= BUILDS_WAIT_MS)
        throw new Error(
          `Pipeline: the pipeline ${named(found)} was not deleted, because its builds ${builds.join(", ")} haven't ended in ` +
            "five minutes. Cancel them or wait for them, then run the command again.",
        );
      if (waited === 0)
        inform(
          `waiting up to five minutes for ${builds ? `the builds ${builds.join(", ")}` : "running builds"} of the pipeline ` +
            `${named(found)}, because the API doesn't delete it before.`,
        );
    }
    await pause(BUILDS_LOOK_MS);
    found = await find();
  }
}

async function underway(client: Client, slug: string): Promise<(number | string)[]> {
  const query = { state: ["scheduled", "running", "failing", "canceling"] as const };
  const numbers: (number | string)[] = [];
  for await (const { number } of client.builds.listForPipeline(slug, query)) {
    if (numbers.length === MOST_NAMED) return [...numbers, "…"];
    numbers.push(number);
  }
  return numbers;
}

/** Returns words about the last build; "" if there is none, or the token may not read builds. */
async function lastBuild({ client }: Context, { id, known: { slug } }: Address<"slug">): Promise<string> {
  if (typeof slug !== "string") return "";
  try {
    for await (const { number, created_at, pipeline } of client.builds.listForPipeline(slug, {}, ONCE))
      return pipeline?.id === id ? `; its last build is ${number} of ${created_at}` : "";
  } catch {
    // What is said of builds decides nothing.
  }
  return "";
}

function absent(keys: readonly string[]): string {
  // Warning setting-not-returned: The API accepted a setting and doesn't return it, so the pipeline's source provider
  // probably has no such setting.
  // Fix: Remove the setting.
  const text = `the API doesn't return ${keys.join(", ")} of providerSettings: its source provider may not know that.`;
  return withCode(text, "setting-not-returned");
}

/**
 * Warns of settings that a response lacks: of those that were sent, and of those that the program names, which another
 * repository's provider may not have.
 *
 * @returns the pipeline of the response
 */
export function received(
  { client, warn }: Context,
  { provider_settings = {} }: Pick<api.PipelineUpdate, "provider_settings">,
  pipeline: api.Pipeline,
  named: unknown = {},
): api.Pipeline {
  const settings = withKeys<unknown>({ ...pipeline.provider?.settings }, camelCase);
  const wanted = { ...Object(named), ...withKeys<unknown>({ ...provider_settings }, camelCase) };
  const lost = Object.keys(wanted).filter((key) => !(key in settings));
  if (lost.length > 0) warn(absent(lost));
  return noted(client, pipeline);
}

/** Returns the pipeline with the slug in state, if its id matches: a rename may have given the slug to another one. */
export async function pipelineOfSlug(
  { client }: Reads,
  { id, known }: Address<"slug">,
): Promise<api.Pipeline | undefined> {
  const found = typeof known.slug === "string" ? await pipelineAt(client, known.slug) : undefined;
  return found?.id === id ? found : undefined;
}

/** Returns the pipeline with this id, whatever its slug is now. */
export function findPipeline(
  context: Context,
  { id, known }: Address<"slug">,
): Promise<api.Pipeline | undefined> {
  return pipelineWithId(context, id, known.slug);
}

export async function existing(context: Context, address: Address<"slug">): Promise<api.Pipeline> {
  const found = await findPipeline(context, address);
  if (found !== undefined) return found;
  throw new Error(`The API has no pipeline ${address.id} that this access token may see.`);
}

interface Stated {
  readonly archived: boolean;
  readonly slug: string;
  readonly providerSettings: object;
}

interface PipelineChange {
  readonly old: Partial<Stated>;
  readonly next: Partial<Stated>;
  readonly known: Known<"slug">;
  readonly names: ReadonlySet<string>;
  readonly later: ReadonlySet<string>;
}

/** Judges a change: an archived pipeline takes no other, and some do more than they say. */
export function judgedChange({ old, next, known, names }: PipelineChange) {
  const others = [...names].filter((name) => !["archived", "onDelete"].includes(name));
  if (next.archived === true && others.length > 0) {
    const how = old.archived
      ? "To change it, leave out archived"
      : "Deploy the other changes first, and archive it afterwards";
    return {
      refusal: `archived: is true, and the API refuses other changes of an archived pipeline: ${others.join(", ")}. ${how}.`,
    };
  }
  const warnings = [
    old.archived &&
      names.has("archived") &&
      "archived: the pipeline becomes active, so it gets builds again.",
    names.has("slug") &&
      next.slug !== undefined &&
      next.slug !== known.slug &&
      `slug: changes from ${JSON.stringify(known.slug)} to ${JSON.stringify(next.slug)}. Web addresses, trigger steps and API calls with the old slug lead nowhere then, or to another pipeline.`,
  ];
  return { warnings: warnings.filter((text) => typeof text === "string") };
}

/** Returns what a refresh says: a new slug, and settings that the program names and the service doesn't know. */
export function noticedPipeline(
  known: { readonly slug?: unknown },
  { slug, provider }: Pick<api.Pipeline, "slug" | "provider">,
  { providerSettings = {} }: Partial<Stated>,
): string | undefined {
  const settings = withKeys<unknown>({ ...provider?.settings }, camelCase);
  const lost = Object.keys(providerSettings).filter((key) => !(key in settings));
  const renamed = typeof known.slug === "string" && known.slug !== slug;
  const words = [
    ...(renamed ? [`its slug was ${JSON.stringify(known.slug)} and is ${JSON.stringify(slug)} now.`] : []),
    ...(lost.length > 0 ? [absent(lost)] : []),
  ];
  return words.length === 0 ? undefined : words.join(" ");
}

export function problemOfSlug(slug: string): string | undefined {
  if (!/^[a-zA-Z0-9][a-zA-Z0-9-]*$/.test(slug)) return "is not a slug";
  return slug.length > LONGEST_SLUG ? "is longer than 100 characters" : undefined;
}

export function problemOfTag(tag: string): string | undefined {
  if (tag.trim() === "") return "is blank";
  return [...tag].length > LONGEST_TAG ? "is longer than 128 characters" : undefined;
}

/** Returns why patterns of branches match no branch; undefined if they may match one. */
export function doubtOfBranches(patterns: string): string | undefined {
  const isExpression = /(?:^|[\s(!])build\.|[=!]=|[=!]~|&&|\|\|/.test(patterns);
  const isRegular = patterns.split(/\s+/).some((one) => /^!?(?:\/.*\/|\^.*|.*\$)$/.test(one));
  if (!isExpression && !isRegular) return undefined;
  const what = isExpression ? "a condition" : "a regular expression";
  return `is ${what}, and branches are given by patterns such as "main release/* !wip/*", so that it may match no branch. For a condition, use filterCondition of providerSettings.`;
}
