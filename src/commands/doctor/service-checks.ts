import { accessExpiryOf, expiryOf, ROTATE_FIRST } from "../../cli/inventory/expiry.js";
import type { Answered, Connection } from "../../cli/pulumi/project-connection.js";
import {
  ApiError,
  AuthenticationError,
  type BuildPipelineClient,
  ConnectionError,
  PermissionError,
  TimeoutError,
} from "../../client/index.js";
import { proxyFor } from "../../client/transport/proxy.js";
import { readWindows } from "../../client/transport/rate-limit.js";
import {
  type AnyKind,
  kinds as allKinds,
  deletionScopes,
  missingScopes,
  parentKindOf,
  type ScopeChoice,
  scopesInWords,
} from "../../provider/for-commands/kinds.js";
import { listedObject } from "../../provider/for-commands/objects.js";
import { capitalized, counted, withArticle } from "../../shared/messages/nouns.js";
import { messageOf } from "../../shared/messages/of-error.js";
import { type Check, ofKind, ok, problem, type ScopeForm, skipped, warning } from "./check.js";

const TOLERATED_SKEW_SECONDS = 30;

/** The API lists agent tokens of one cluster at a time. */
const MOST_CLUSTERS = 10;

/** Asks the service at most three questions, and one about each of some clusters; reads the rest from the headers of its answers. */
export async function checkService(
  { client, traffic }: Connection,
  kinds: ReadonlySet<string>,
  readOnly: boolean,
): Promise<Check[]> {
  const proxy = proxyFor(new URL(client.baseUrl), process.env);
  const ofProxy = proxy === undefined ? [] : [ok("proxy", `Requests go through the proxy ${proxy.name}.`)];
  let scopes: ReadonlySet<string>;
  let expiry: ReturnType<typeof accessExpiryOf>;
  try {
    const token = await client.accessToken.get();
    scopes = new Set(token.scopes);
    expiry = accessExpiryOf(token.expires_at, Date.now());
  } catch (error) {
    const answered = error instanceof ApiError;
    const checks = [
      ...ofProxy,
      problem(answered ? "access" : "connection", problemIn(error), adviceOn(error)),
    ];
    return answered ? [...checks, clockCheck(traffic.latest)] : checks;
  }
  const wanted = [...allKinds.values()].filter(({ name }) => kinds.has(name));
  const [organization, clusters] = await organizationCheck(client, scopes);
  const expiries = kinds.has("AgentToken") ? await expiryChecks(client, clusters) : [];
  const isOk = organization.status === "ok";
  const ofPlans = isOk ? wanted.filter(({ requires }) => requires === "Enterprise plan") : [];
  const readable = wanted.filter(({ scopes: { read } }) => missingScopes(read, scopes).length === 0);
  const later = isOk ? readable.filter(({ requires }) => requires === "newer API") : [];
  return [
    ...ofProxy,
    ok("access", `The access token is valid and has ${scopes.size} scopes.`),
    ...(expiry === undefined ? [] : [warning("accessExpiry", expiry.message, expiry.action)]),
    ...scopeChecks(scopes, wanted, readOnly),
    organization,
    ...expiries,
    ...(await Promise.all(ofPlans.map((kind) => planCheck(client, kind, scopes)))),
    ...(await lackChecks(client, later)),
    limitsCheck(traffic.latest),
    clockCheck(traffic.latest),
  ];
}

function scopeChecks(scopes: ReadonlySet<string>, kinds: readonly AnyKind[], readOnly: boolean): Check[] {
  return kinds.map((kind) => {
    const { name } = kind;
    const { read, write } = kind.scopes;
    const unread = missingScopes(read, scopes);
    const unwritten = readOnly ? [] : missingScopes(write, scopes);
    if (unread.length > 0) return ofKind(name, [...unread, ...unwritten], unreadable);
    if (unwritten.length > 0) return ofKind(name, unwritten, unwritable);
    const unlisted = readOnly ? [] : missingScopes(deletionScopes(kind), scopes);
    if (unlisted.length > 0) return ofKind(name, unlisted, undeletable);
    return ofKind(name, readOnly ? read : [...read, ...write], usable);
  });
}

const usable: ScopeForm = (kinds, scopes) => ({
  status: "ok",
  message: `${kinds.join(", ")}: ${scopesInWords(scopes)}`,
});

const undeletable: ScopeForm = (kinds, scopes) => ({
  status: "warning",
  message: `${kinds.join(", ")}: can be written, and not deleted with this access token`,
  action: `Add ${scopesInWords(scopes)} to the token: a deletion reads what it would take along.`,
});

const unreadable: ScopeForm = (kinds, scopes) => ({
  status: "problem",
  message: `${kinds.join(", ")}: cannot be read with this access token`,
  action: `${waysOut(kinds, scopes)}.`,
});

const unwritable: ScopeForm = (kinds, scopes) => ({
  status: "problem",
  message: `${kinds.join(", ")}: can be read, and not written with this access token`,
  action: `${waysOut(kinds, scopes)}, or add --read-only if it is only for previews.`,
});

function waysOut(kinds: readonly string[], scopes: readonly ScopeChoice[]): string {
  const skipped = `skip ${kinds.length === 1 ? "it" : "them"} with --except ${kinds.join(" ")}`;
  return `Add ${scopesInWords(scopes)} to the token, ${skipped}`;
}

/** Checks whether the organization can be read, and returns the first of its clusters, where it has read those. */
async function organizationCheck(
  client: BuildPipelineClient,
  scopes: ReadonlySet<string>,
): Promise<[Check, clusterIds: string[]]> {
  const kind = [...allKinds.values()]
    .filter(
      ({ parent, requires, scopes: { read } }) =>
        !parent && requires !== "Enterprise plan" && missingScopes(read, scopes).length === 0,
    )
    .find(({ behavior }) => behavior.list !== undefined);
  const list = kind?.behavior.list;
  if (list === undefined && !scopes.has("read_organizations")) {
    const message = `${client.organization}: the access token has no scope that can read it.`;
    return [skipped("organization", message), []];
  }
  try {
    const page = list && (await firstPage(list({ client }, { parent: "" })));
    if (page === undefined) await client.organizations.get(client.organization);
    const clusters = kind?.name === "Cluster" ? (page ?? []).map(kind.identify) : [];
    return [ok("organization", `${client.organization} exists, and the access token can read it.`), clusters];
  } catch (error) {
    const action = "Check the spelling, and that the access token's user is a member with access by API.";
    return [problem("organization", `${client.organization}: ${problemIn(error)}`, action), []];
  }
}

/** Warns of agent tokens that expire soon. Most services have none that expire, so that none is no result. */
async function expiryChecks(client: BuildPipelineClient, clusterIds: readonly string[]): Promise<Check[]> {
  try {
    const pages = clusterIds.slice(0, MOST_CLUSTERS).map((id) => firstPage(client.agentTokens.list(id)));
    const expiries = (await Promise.all(pages))
      .flat()
      .flatMap(
        ({ description, id, expires_at }) => expiryOf(description ?? id, expires_at, Date.now()) ?? [],
      );
    return expiries.length === 0 ? [] : [warning("agentTokens", expiries.join(" "), ROTATE_FIRST)];
  } catch (error) {
    return [skipped("agentTokens", `Agent tokens: not checked, because ${problemIn(error)}`)];
  }
}

/** Checks whether the organization's plan has objects of a kind, and whether the access token can read them all. */
async function planCheck(
  client: BuildPipelineClient,
  kind: AnyKind,
  scopes: ReadonlySet<string>,
): Promise<Check> {
  const { name, words, scopes: needed, requires = "", hidden, behavior } = kind;
  const { noun, short = noun } = words;
  const check = `${short}s`;
  const missing = missingScopes(needed.read, scopes);
  if (missing.length > 0) {
    const why = `because the access token lacks ${scopesInWords(missing)}`;
    return skipped(check, `${capitalized(noun)}s: not checked, ${why}.`);
  }
  try {
    const page = (await (behavior.list && firstPage(behavior.list({ client }, { parent: "" })))) ?? [];
    const found = `The plan has ${noun}s`;
    if (hidden === undefined) return ok(check, `${found}.`);
    const showsAll = hidden.evidence?.is === "enough" && page.some(hidden.evidence.of);
    const visibility = showsAll ? ", and all of them show" : `. ${capitalized(hidden.words)}`;
    return ok(check, `${found}${visibility}.`);
  } catch (error) {
    if (!(error instanceof ApiError) || ![403, 404].includes(error.status)) {
      const action = "Run this again. If the error persists, contact Buildkite support.";
      return problem(check, problemIn(error), action);
    }
    const message = `The service refuses ${noun}s (${error.status}), though the scope is there.`;
    const action = `They need ${withArticle(requires)}. Without one, remove ${name} resources from the program.`;
    return warning(check, message, action);
  }
}

/** Warns of kinds whose list the service answers with 404. Objects in others are listed in the first one of those. */
async function lackChecks(client: BuildPipelineClient, kinds: readonly AnyKind[]): Promise<Check[]> {
  const pages = new Map<AnyKind, Promise<readonly [string, object][]>>();
  const read = (kind: AnyKind): Promise<readonly [string, object][]> => {
    const reading = pages.get(kind) ?? readFirst(kind);
    pages.set(kind, reading);
    return reading;
  };
  const readFirst = async (kind: AnyKind): Promise<readonly [string, object][]> => {
    const parent = parentKindOf(kind);
    const [place] = parent === undefined ? [["", {}] as const] : await read(parent);
    if (place === undefined || kind.behavior.list === undefined) return [];
    const [id, entity] = place;
    const shown = parent && listedObject(parent, entity).observed;
    const page = await firstPage(kind.behavior.list({ client }, { parent: id, ...(shown && { shown }) }));
    return page.map((one) => [kind.identify(one), one]);
  };
  const checks = kinds.map(async (kind): Promise<Check[]> => {
    const { name, words } = kind;
    const check = `lists.${name}`;
    try {
      await read(kind);
      return [];
    } catch (error) {
      if (error instanceof ApiError && error.status === 404) {
        const action = `Remove ${name} resources from the program, or ask whoever runs the service.`;
        return [warning(check, `The service lacks ${words.noun}s: it answers 404 to their list.`, action)];
      }
      return [skipped(check, `${capitalized(words.noun)}s: not checked, because ${problemIn(error)}`)];
    }
  });
  return (await Promise.all(checks)).flat();
}

async function firstPage<T>(list: { pages(): AsyncIterable<T[]> }): Promise<T[]> {
  for await (const page of list.pages()) return page;
  return [];
}

function limitsCheck(answered: Answered | undefined): Check {
  const windows = readWindows(answered?.headers ?? {}).flatMap(({ name, remaining: left, limit, reset }) =>
    left === undefined || limit === undefined ? [] : [{ name, left, limit, reset }],
  );
  if (windows.length === 0) return ok("limits", "The API reports no rate limits.");
  const message = windows
    .map(
      ({ name, left, limit, reset }) =>
        `${name}: ${left} of ${limit} requests left${reset === undefined ? "" : `, full again in ${reset} s`}`,
    )
    .join("; ");
  const scarce = windows.some(({ left, limit }) => left < limit / 5);
  if (!scarce) return ok("limits", message);
  const action = "Other clients use this token or organization. Deployments wait for the rate limit.";
  return warning("limits", message, action);
}

function clockCheck(answered: Answered | undefined): Check {
  const date = Date.parse(String(answered?.headers.date));
  if (answered === undefined || Number.isNaN(date)) return skipped("clock", "The API reports no time.");
  // The header has whole seconds, and the answer took its time.
  const seconds = Math.round((answered.at - date) / 1000);
  if (Math.abs(seconds) <= TOLERATED_SKEW_SECONDS)
    return ok("clock", "This machine's clock agrees with the service's.");
  const message = `This machine's clock is ${Math.abs(seconds)} s ${seconds > 0 ? "ahead of" : "behind"} the service's.`;
  return warning("clock", message, "Set the clock (NTP). Certificates and ages of objects depend on it.");
}

/** What to do where nothing about the access token could be read. */
function adviceOn(error: unknown): string {
  if (error instanceof AuthenticationError)
    return "The access token is mistyped, revoked, expired, or belongs to another service.";
  if (error instanceof PermissionError)
    return "Check from which addresses the access token may be used, and whether the organization requires single sign-on.";
  if (error instanceof ApiError && error.status >= 500) return "The service has a problem: try again later.";
  return "Check baseUrl, and that this machine can reach it (proxy, certificate, firewall).";
}

/** Returns what an error reports, without its advice: the check has its own. */
function problemIn(error: unknown): string {
  if (error instanceof ApiError) {
    const { method, path, status, serviceMessage } = error;
    return `${method} ${path} failed with ${status}${serviceMessage === "" ? "" : `: ${serviceMessage}`}`;
  }
  if (error instanceof ConnectionError && error.cause instanceof Error) {
    return `${error.method} ${error.path} failed: ${error.cause.message}`;
  }
  if (error instanceof TimeoutError) {
    const { method, path, attempts, timeoutMs } = error;
    return `${method} ${path} had no response within ${timeoutMs / 1000} s, ${counted(attempts, "time")}`;
  }
  return messageOf(error);
}
