import { type Answers, first, known, unknown, unset } from "./answers.js";
import { type Entity, isObject, type Wire, type WireResponse } from "./wire.js";

/** The most requests of the questions that reads can answer. */
export const READ_REQUESTS = 14;

const entities = ({ status, body }: WireResponse): Entity[] =>
  status === 200 && Array.isArray(body) ? body.filter(isObject) : [];
const hasNext = ({ link }: WireResponse): boolean => /rel="?next"?/.test(link ?? "");
const isForbidden = ({ status }: WireResponse): boolean => status === 403 || status === 404;

/** Asks what reads can answer. */
export async function askByReading(wire: Wire, answers: Answers): Promise<void> {
  const at = (path: string) => `/organizations/${wire.organization}${path}`;
  const token = await wire.get("/access-token");
  const scopes = new Set(isObject(token.body) && Array.isArray(token.body.scopes) ? token.body.scopes : []);

  await answers.ask("missingScope", async () => {
    const lists: readonly (readonly [scope: string, path: string])[] = [
      ["read_clusters", at("/clusters")],
      ["read_agents", at("/agents")],
      ["read_builds", at("/builds")],
      ["read_teams", at("/teams")],
    ];
    const lacking = lists.find(([scope]) => !scopes.has(scope));
    if (token.status !== 200 || lacking === undefined)
      return unknown("needs an API access token that lacks a scope");
    const response = await wire.get(lacking[1]);
    const { status } = response;
    return first<403 | 404>(`the API responded with ${status}`, [status === 403, 403], [status === 404, 404]);
  });

  const clusters = await wire.get(at("/clusters?per_page=1000"));
  await answers.ask("embeddedUserGraphqlId", () => userGraphqlId(entities(clusters)[0]));
  await answers.ask("linkHeaderOnSinglePage", () => linkOfSinglePage(clusters));

  const teams = await wire.get(at("/teams?per_page=1000"));
  await answers.ask("largestPage", () => largestPage(clusters, teams));
  await answers.ask("teamScope", async () => {
    const [team] = entities(teams);
    const both = scopes.has("read_teams") === scopes.has("view_teams");
    if (team === undefined || both)
      return unknown("needs an API access token with only one of read_teams and view_teams");
    const response = await wire.get(at(`/teams/${String(team.id)}`));
    if (isForbidden(response)) return known(scopes.has("read_teams") ? "view_teams" : "read_teams");
    return unknown(
      "the scope of this API access token is enough; whether the other one is, needs a second token",
    );
  });

  await answers.ask("enterprisePlan", async () => {
    const response = await wire.get(at("/pipeline-templates?per_page=1"));
    if (response.status === 200) return known(true);
    if (!scopes.has("read_pipeline_templates")) return unknown("needs the scope read_pipeline_templates");
    return isForbidden(response) ? known(false) : unknown(`the API responded with ${response.status}`);
  });

  await answers.ask("undocumentedPages", async () => {
    const one = await wire.get(at("/members?per_page=1"));
    if (entities(one).length > 1) return known("never");
    const asItComes = await wire.get(at("/members"));
    if (hasNext(asItComes)) return known("always");
    if (entities(asItComes).length > 30) return known(hasNext(one) ? "on-request" : "never");
    return unknown("needs an organization with more than 30 members");
  });

  const agents = await wire.get(at("/agents?per_page=100"));
  await answers.ask("linkRelations", async () =>
    linkRelations(await wire.get(at("/teams?per_page=1&page=2"))),
  );
  await answers.ask("agentPriority", () => {
    const priority = entities(agents).find((agent) => agent.priority != null)?.priority;
    return first(
      "needs a connected agent with a priority",
      [typeof priority === "number", "number"],
      [typeof priority === "string", "string"],
    );
  });
  await answers.ask("lastJobFinishedAt", () => {
    const time = entities(agents).find((agent) => agent.last_job_finished_at != null)?.last_job_finished_at;
    return first(
      "needs a connected agent that has finished a job",
      [typeof time === "number", "epoch"],
      [typeof time === "string", "timestamp"],
    );
  });
  await answers.ask("agentFilter", async () => {
    const agent = entities(agents).find(({ name }) => typeof name === "string" && name.length > 1);
    if (agent === undefined) return unknown("needs a connected agent");
    const part = encodeURIComponent(String(agent.name).slice(0, -1));
    const found = await wire.get(at(`/agents?name=${part}`));
    if (found.status !== 200) return unknown(`the API responded with ${found.status}`);
    return known(entities(found).some(({ id }) => id === agent.id) ? "contains" : "exact");
  });

  await askBuilds(wire, answers, at);
}

async function askBuilds(wire: Wire, answers: Answers, at: (path: string) => string): Promise<void> {
  const [build] = entities(await wire.get(at("/builds?per_page=1")));
  const pipeline = build?.pipeline;
  const without = "needs a build, and the scope read_builds";
  await answers.ask("broadBuildLists", () =>
    isObject(pipeline) ? known("default_branch" in pipeline ? "full" : "reduced") : unknown(without),
  );
  const slug = isObject(pipeline) ? pipeline.slug : undefined;
  const builds =
    typeof slug === "string" ? entities(await wire.get(at(`/pipelines/${slug}/builds?per_page=100`))) : [];
  await answers.ask("webhookUrlVisible", () => {
    const provider = isObject(builds[0]?.pipeline) ? builds[0].pipeline.provider : undefined;
    const address = isObject(provider) ? provider.webhook_url : undefined;
    return typeof address === "string" ? known(address !== "") : unknown(without);
  });
  await answers.ask("pullRequestUnset", () => {
    for (const candidate of builds) {
      if (isObject(candidate.pull_request) && Object.keys(candidate.pull_request).length === 0)
        return known("empty");
      const found = unset(candidate, "pull_request");
      if ("value" in found && found.value !== "") return known(found.value);
    }
    return unknown("needs a build without a pull request");
  });
  await answers.ask("waitingJobQueue", async () => {
    const waiting = entities(await wire.get(at("/builds?state=scheduled&per_page=100")))
      .flatMap(({ jobs }) => (Array.isArray(jobs) ? jobs.filter(isObject) : []))
      .find((job) => job.state === "scheduled" && job.started_at == null && job.cluster_id != null);
    if (waiting === undefined) return unknown("needs a job that waits in a cluster");
    return known(waiting.cluster_queue_id == null ? "absent" : "shown");
  });
}

/** Looks whether the creator of an object has a `graphql_id`. */
export function userGraphqlId(entity: Entity | undefined) {
  const user = entity?.created_by;
  return isObject(user) ? known("graphql_id" in user) : unknown("needs an object that shows its creator");
}

/** Looks for the `Link` header of a list that fits one page. */
export function linkOfSinglePage(response: WireResponse) {
  if (response.status !== 200 || hasNext(response)) return unknown("needs a list that fits one page");
  return first<"absent" | "empty">(
    "the Link header of a single page has relations",
    [response.link === undefined, "absent"],
    [response.link === "", "empty"],
  );
}

/** Looks for the relations on the second of several pages. */
export function linkRelations(response: WireResponse) {
  const reason = "needs a list of at least three objects";
  if (response.status !== 200 || !hasNext(response)) return unknown(reason);
  const relations = response.link?.match(/rel="?\w+"?/g) ?? [];
  return first<"all" | "next-only">(
    "the Link header has some of the other relations",
    [relations.length === 1, "next-only"],
    [relations.length === 4, "all"],
  );
}

/** Takes the length of a page that is followed by another. */
export function largestPage(...responses: readonly WireResponse[]) {
  const sizes = responses.filter(hasNext).map((response) => entities(response).length);
  return sizes.length > 0 ? known(Math.max(...sizes)) : unknown("needs a list of more than 100 objects");
}
