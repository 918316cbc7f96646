import { nextAddress } from "../../client/api/list.js";
import { ownCluster, ownQueues } from "./of-clusters.js";
import { first, once, type Questions } from "./question.js";
import type { ProbedService } from "./service.js";
import { type Entity, isObject, NoAnswer, type WireResponse } from "./wire.js";

const get = (service: ProbedService, path: string) =>
  service.get(`/organizations/${service.organization}${path}`);

export const scopesOfToken = once(async (service) => {
  const { status, body } = await service.get("/access-token");
  const scopes: unknown[] = isObject(body) && Array.isArray(body.scopes) ? body.scopes : [];
  return { areKnown: status === 200, has: (scope: string) => scopes.includes(scope) };
});

const clusters = once((service) => get(service, "/clusters?per_page=1000"));
const teams = once((service) => get(service, "/teams?per_page=1000"));
const agents = once(async (service) => entities(await get(service, "/agents?per_page=100")));

const NEEDS_BUILD = "needs a build, and the scope read_builds";

/** The pipeline of the newest build, as a list of all builds shows it. */
const pipeline = once(async (service) => {
  const [build] = entities(await get(service, "/builds?per_page=1"));
  if (isObject(build?.pipeline)) return build.pipeline;
  throw new NoAnswer(NEEDS_BUILD);
});

const builds = once(async (service) => {
  const { slug } = await pipeline(service);
  return entities(await get(service, `/pipelines/${String(slug)}/builds?per_page=100`));
});

/** Questions about lists, access, builds and agents, which reads of what is there can answer. */
export const ofLists = {
  teamScope: {
    asks: "Which scope reads a single team?",
    document: "`view_teams`",
    copes: "accepts either in its check of scopes",
    async answer(service) {
      const { has } = await scopesOfToken(service);
      const [team] = entities(await teams(service));
      if (team === undefined || has("read_teams") === has("view_teams"))
        throw new NoAnswer("needs an API access token with only one of read_teams and view_teams");
      const isEnough = !isForbidden(await get(service, `/teams/${String(team.id)}`));
      const reason =
        "the scope of this API access token is enough; whether the other one is, needs a second token";
      return first(reason, [!isEnough, has("read_teams") ? "view_teams" : "read_teams"]);
    },
  },
  missingScope: {
    asks: "Which status does a request without the needed scope get?",
    copes: "treats a 404 as missing only if a list confirms it",
    async answer(service) {
      const { areKnown, has } = await scopesOfToken(service);
      const lacking = ["clusters", "agents", "builds", "teams"].find((list) => !has(`read_${list}`));
      if (!areKnown || lacking === undefined)
        throw new NoAnswer("needs an API access token that lacks a scope");
      const { status } = await get(service, `/${lacking}`);
      return first(`the API responded with ${status}`, [status === 403, 403], [status === 404, 404]);
    },
  },
  enterprisePlan: {
    asks: "Does the organization's plan have pipeline templates?",
    document: "needs an Enterprise plan",
    copes: "reports the API's refusal",
    async answer(service) {
      const response = await get(service, "/pipeline-templates?per_page=1");
      if (response.status === 200) return true;
      if (!(await scopesOfToken(service)).has("read_pipeline_templates"))
        throw new NoAnswer("needs the scope read_pipeline_templates");
      return first(`the API responded with ${response.status}`, [isForbidden(response), false]);
    },
  },
  embeddedUserGraphqlId: {
    asks: "Do embedded users have a `graphql_id`?",
    document: "not everywhere",
    copes: "keeps only id, name and email",
    async answer(service) {
      const there = entities(await clusters(service)).find(({ created_by }) => isObject(created_by));
      const user = (there ?? (await ownCluster(service)).entity).created_by;
      if (isObject(user)) return "graphql_id" in user;
      throw new NoAnswer("needs an object that shows its creator");
    },
  },
  cancelState: {
    asks: "Which state does the response to canceling a build show?",
    document: "`canceled`",
    copes: "waits while a build is `canceling`",
    answer: "a probe cancels no builds",
  },
  waitingJobQueue: {
    asks: "Does a job that waits show the queue that it waits for?",
    document: "describes the queue that ran the job",
    copes: "finds the queue by the job's rules where the id is missing",
    async answer(service) {
      const waiting = entities(await get(service, "/builds?state=scheduled&per_page=100"))
        .flatMap(({ jobs }) => (Array.isArray(jobs) ? jobs.filter(isObject) : []))
        .find((job) => job.state === "scheduled" && job.started_at == null && job.cluster_id != null);
      if (waiting === undefined) throw new NoAnswer("needs a job that waits in a cluster");
      return waiting.cluster_queue_id == null ? "absent" : "shown";
    },
  },
  pullRequestUnset: {
    asks: "How does `pull_request` of a build without one come back?",
    copes: "reads all forms",
    async answer(service) {
      for (const build of await builds(service)) {
        const value = build.pull_request;
        if (isObject(value) && Object.keys(value).length === 0) return "empty";
        if (value === null) return null;
        if (!Object.hasOwn(build, "pull_request")) return "absent";
      }
      throw new NoAnswer("needs a build without a pull request");
    },
  },
  broadBuildLists: {
    asks: "Do lists of builds across pipelines show whole pipelines?",
    copes: "reads both forms",
    answer: async (service) => ("default_branch" in (await pipeline(service)) ? "full" : "reduced"),
  },
  webhookUrlVisible: {
    asks: "Does the access token's user see webhook addresses?",
    document: "only with permission to edit the pipeline",
    copes: "reads an empty address",
    async answer(service) {
      const [build] = await builds(service);
      const provider = isObject(build?.pipeline) ? build.pipeline.provider : undefined;
      const address = isObject(provider) ? provider.webhook_url : undefined;
      return first(NEEDS_BUILD, [typeof address === "string", address !== ""]);
    },
  },
  agentPriority: {
    asks: "Is an agent's priority a number or a string?",
    copes: "reads both",
    async answer(service) {
      const priority = (await agents(service)).find((agent) => agent.priority != null)?.priority;
      return first(
        "needs a connected agent with a priority",
        [typeof priority === "number", "number"],
        [typeof priority === "string", "string"],
      );
    },
  },
  lastJobFinishedAt: {
    asks: "What form does an agent's `last_job_finished_at` have?",
    copes: "reads both",
    async answer(service) {
      const worked = (await agents(service)).find((agent) => agent.last_job_finished_at != null);
      const time = worked?.last_job_finished_at;
      return first(
        "needs a connected agent that has finished a job",
        [typeof time === "number", "epoch"],
        [typeof time === "string", "timestamp"],
      );
    },
  },
  agentFilter: {
    asks: "Does the filter `name` of agents match a part of a name?",
    copes: "passes the filter on",
    async answer(service) {
      const agent = (await agents(service)).find(({ name }) => typeof name === "string" && name.length > 1);
      if (agent === undefined) throw new NoAnswer("needs a connected agent");
      const part = encodeURIComponent(String(agent.name).slice(0, -1));
      const found = await get(service, `/agents?name=${part}`);
      if (found.status !== 200) throw new NoAnswer(`the API responded with ${found.status}`);
      return entities(found).some(({ id }) => id === agent.id) ? "contains" : "exact";
    },
  },
  linkHeaderOnSinglePage: {
    asks: "Does a list that fits one page have a `Link` header?",
    copes: "reads both",
    async answer(service) {
      const there = await clusters(service);
      const list = fitsOnePage(there) ? there : (await ownQueues(service)).onOnePage;
      if (!fitsOnePage(list)) throw new NoAnswer("needs a list that fits one page");
      const { link } = list;
      const reason = "the Link header of a single page has relations";
      return first(reason, [link === undefined, "absent"], [link === "", "empty"]);
    },
  },
  linkRelations: {
    asks: "Which relations does a `Link` header have?",
    copes: "follows `next` alone",
    async answer(service) {
      const there = await get(service, "/teams?per_page=1&page=2");
      const response = hasNext(there) ? there : (await ownQueues(service)).secondPage;
      if (!hasNext(response)) throw new NoAnswer("needs a list of at least three objects");
      const relations = response.link?.match(/rel="?\w+"?/g)?.length;
      const reason = "the Link header has some of the other relations";
      return first(reason, [relations === 1, "next-only"], [relations === 4, "all"]);
    },
  },
  undocumentedPages: {
    asks: "Are members and templates listed in pages?",
    document: "only other lists are described as paginated",
    copes: "follows `next` wherever there is one",
    async answer(service) {
      const one = await get(service, "/members?per_page=1");
      if (entities(one).length > 1) return "never";
      const asItComes = await get(service, "/members");
      if (hasNext(asItComes)) return "always";
      if (entities(asItComes).length > 30) return hasNext(one) ? "on-request" : "never";
      throw new NoAnswer("needs an organization with more than 30 members");
    },
  },
  largestPage: {
    asks: "How many entries does a page have at most?",
    copes: "asks for 100 and follows `next`",
    async answer(service) {
      const there = [await clusters(service), await teams(service)].filter(hasNext);
      const large =
        there.length === 0 && service.own ? [(await ownQueues(service)).largePage].filter(hasNext) : there;
      if (large.length === 0) throw new NoAnswer("needs a list of more than 100 objects");
      return Math.max(...large.map((response) => entities(response).length));
    },
  },
} satisfies Partial<Questions>;

const entities = ({ status, body }: WireResponse): Entity[] =>
  status === 200 && Array.isArray(body) ? body.filter(isObject) : [];
const hasNext = ({ link }: WireResponse): boolean => nextAddress(link) !== undefined;
const fitsOnePage = (response: WireResponse): boolean => response.status === 200 && !hasNext(response);
const isForbidden = ({ status }: WireResponse): boolean => status === 403 || status === 404;
