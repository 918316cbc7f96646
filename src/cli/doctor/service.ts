import {
  ApiError,
  AuthenticationError,
  type BuildPipelineClient,
  ConnectionError,
} from "../../client/index.js";
import { kinds as allKinds } from "../../provider/kinds.js";
import type { Answered, Connection } from "../connection.js";
import { type Check, ok, problem, skipped, warning } from "./check.js";

/** Seconds by which a clock may be off before anybody notices. */
const TOLERATED_SKEW = 30;

/** What somebody means to do. */
export interface Intent {
  readonly kinds: ReadonlySet<string>;
  /** Previews and refreshes only. */
  readonly readOnly: boolean;
}

/** Asks the service at most three questions, and reads the rest from the headers of its answers. */
export async function checkService({ client, traffic }: Connection, intent: Intent): Promise<Check[]> {
  let scopes: readonly string[];
  try {
    ({ scopes } = await client.accessToken.get());
  } catch (error) {
    const answered = error instanceof ApiError;
    const checks = [problem(answered ? "access" : "connection", messageOf(error), adviceFor(error))];
    return answered ? [...checks, clockCheck(traffic.latest)] : checks;
  }
  const organization = await organizationCheck(client, scopes);
  const asksTemplates = intent.kinds.has("PipelineTemplate") && organization.status === "ok";
  return [
    ok("access", `The access token is valid and has ${scopes.length} scopes.`),
    ...scopeChecks(scopes, intent),
    organization,
    ...(asksTemplates ? [await templatesCheck(client, scopes)] : []),
    limitsCheck(traffic.latest),
    clockCheck(traffic.latest),
  ];
}

function adviceFor(error: unknown): string {
  if (error instanceof AuthenticationError)
    return "The access token is mistyped, revoked, or belongs to another service.";
  return "Check baseUrl, and that this machine can reach it (proxy, certificate, firewall).";
}

/** For each kind, what the access token may do with it. */
function scopeChecks(scopes: readonly string[], { kinds, readOnly }: Intent): Check[] {
  const missing = (needed: readonly (readonly string[])[]) =>
    needed.filter((alternatives) => !alternatives.some((scope) => scopes.includes(scope)));
  const named = (needed: readonly (readonly string[])[]) =>
    needed.map((alternatives) => alternatives.join(" or ")).join(", ");
  return [...allKinds.values()]
    .filter(({ name }) => kinds.has(name))
    .map(({ name, scopes: { read, write } }): Check => {
      const unread = missing(read);
      const unwritten = readOnly ? [] : missing(write);
      if (unread.length + unwritten.length === 0) {
        return ok(`scopes.${name}`, `${name}: ${named(readOnly ? read : [...read, ...write])}`);
      }
      const can = unread.length > 0 ? "cannot be read" : "can be read, and not written";
      const ways = [`Add ${named([...unread, ...unwritten])} to the token`, `skip it with --except ${name}`];
      if (unread.length === 0) ways.push("or add --read-only if it is only for previews");
      return problem(`scopes.${name}`, `${name}: ${can} with this access token`, `${ways.join(", ")}.`);
    });
}

async function organizationCheck(client: BuildPipelineClient, scopes: readonly string[]): Promise<Check> {
  const questions: readonly (readonly [string, () => Promise<unknown>])[] = [
    ["read_clusters", () => firstPage(client.clusters.list())],
    ["read_teams", () => firstPage(client.teams.list())],
    ["read_suites", () => firstPage(client.suites.list())],
    ["read_organizations", () => client.organizations.get(client.organization)],
  ];
  const ask = questions.find(([scope]) => scopes.includes(scope))?.[1];
  if (ask === undefined) {
    return skipped("organization", `${client.organization}: the access token has no scope that can read it.`);
  }
  try {
    await ask();
    return ok("organization", `${client.organization} exists, and the access token can read it.`);
  } catch (error) {
    const action = "Check the spelling, and that the access token's user is a member with access by API.";
    return problem("organization", `${client.organization}: ${messageOf(error)}`, action);
  }
}

async function templatesCheck(client: BuildPipelineClient, scopes: readonly string[]): Promise<Check> {
  if (!scopes.includes("read_pipeline_templates")) {
    return skipped(
      "templates",
      "Pipeline templates: not checked, because the access token lacks read_pipeline_templates.",
    );
  }
  try {
    const page = await firstPage(client.pipelineTemplates.list());
    const seen = "The plan has pipeline templates";
    if (page.some(({ available }) => available === false))
      return ok("templates", `${seen}, and all of them show.`);
    return ok("templates", `${seen}. Those that are not available show to admins only.`);
  } catch (error) {
    if (!(error instanceof ApiError) || ![403, 404].includes(error.status)) {
      return problem(
        "templates",
        messageOf(error),
        "Run this again. If the error persists, contact Buildkite support.",
      );
    }
    const message = `The service refuses pipeline templates (${error.status}), though the scope is there.`;
    return warning(
      "templates",
      message,
      "They need an Enterprise plan. Without one, remove PipelineTemplate resources from the program.",
    );
  }
}

async function firstPage<T>(list: { pages(): AsyncIterable<T[]> }): Promise<T[]> {
  for await (const page of list.pages()) return page;
  return [];
}

function limitsCheck(answered: Answered | undefined): Check {
  const number = (name: string) => {
    const text = answered?.headers[`ratelimit-${name}`];
    return text === undefined ? undefined : Number(text);
  };
  const windows = [
    { whose: "organization", left: number("remaining"), limit: number("limit"), reset: number("reset") },
    {
      whose: "user",
      left: number("user-remaining"),
      limit: number("user-limit"),
      reset: number("user-reset"),
    },
  ].flatMap(({ whose, left, limit, reset }) => {
    if (left === undefined || limit === undefined) return [];
    return [{ whose, left, limit, reset }];
  });
  if (windows.length === 0) return ok("limits", "The API reports no rate limits.");
  const message = windows
    .map(
      ({ whose, left, limit, reset }) =>
        `${whose}: ${left} of ${limit} requests left, full again in ${reset} s`,
    )
    .join("; ");
  const scarce = windows.some(({ left, limit }) => left < limit / 5);
  if (!scarce) return ok("limits", message);
  return warning(
    "limits",
    message,
    "Other clients use this token or organization. Deployments wait for the rate limit.",
  );
}

function clockCheck(answered: Answered | undefined): Check {
  const date = Date.parse(String(answered?.headers.date));
  if (answered === undefined || Number.isNaN(date)) return skipped("clock", "The API reports no time.");
  // The header has whole seconds, and the answer took its time.
  const seconds = Math.round((answered.at - date) / 1000);
  if (Math.abs(seconds) <= TOLERATED_SKEW)
    return ok("clock", "This machine's clock agrees with the service's.");
  const message = `This machine's clock is ${Math.abs(seconds)} s ${seconds > 0 ? "ahead of" : "behind"} the service's.`;
  return warning("clock", message, "Set the clock (NTP). Certificates and ages of objects depend on it.");
}

/** Returns what an error reports, without its advice: the check has its own. */
function messageOf(error: unknown): string {
  if (error instanceof ApiError) {
    const { method, path, status, serviceMessage } = error;
    return `${method} ${path} failed with ${status}${serviceMessage === "" ? "" : `: ${serviceMessage}`}`;
  }
  if (error instanceof ConnectionError && error.cause instanceof Error) {
    return `${error.method} ${error.path} failed: ${error.cause.message}`;
  }
  return error instanceof Error ? error.message : String(error);
}
