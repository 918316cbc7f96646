import type { Dispatcher } from "undici";
import * as z from "zod";
import { AccessToken, accessTokenOperations } from "./access-token.js";
import { AgentTokens, agentTokenOperations } from "./agent-tokens.js";
import { Agents, agentOperations } from "./agents.js";
import { Api } from "./api/api.js";
import type { List } from "./api/list.js";
import { operations as declared, type OperationFacts } from "./api/operation.js";
import { ApiSettingsOfOrganization, apiSettingsOperations } from "./api-settings.js";
import { AuditEvents, auditEventOperations } from "./audit-events.js";
import { Builds, buildOperations } from "./builds/builds.js";
import { ClusterMaintainers, clusterMaintainerOperations } from "./cluster-maintainers.js";
import { ClusterSecrets, clusterSecretOperations } from "./cluster-secrets.js";
import { Clusters, clusterOperations } from "./clusters.js";
import { Invitations, invitationOperations } from "./invitations.js";
import { Members, memberOperations } from "./members.js";
import { NotificationServices, notificationServiceOperations } from "./notification-services.js";
import { OrganizationRules, organizationRuleOperations } from "./organization-rules.js";
import { Organizations, organizationOperations } from "./organizations.js";
import { PipelineSchedules, pipelineScheduleOperations } from "./pipeline-schedules.js";
import { PipelineSettingsOfOrganization, pipelineSettingsOperations } from "./pipeline-settings.js";
import { PipelineTemplates, pipelineTemplateOperations } from "./pipeline-templates.js";
import { Pipelines, pipelineOperations } from "./pipelines.js";
import { Queues, queueOperations } from "./queues.js";
import { Runs, runOperations } from "./runs.js";
import { Suites, suiteOperations } from "./suites.js";
import { TeamMembers, teamMemberOperations } from "./team-members.js";
import { TeamPipelines, teamPipelineOperations } from "./team-pipelines.js";
import { TeamSuites, teamSuiteOperations } from "./team-suites.js";
import { Teams, teamOperations } from "./teams.js";
import type { HttpResponse, Method } from "./transport/exchange.js";
import { type BuildPipelineClientOptions, checkOptions } from "./transport/options.js";
import type { ServiceClock } from "./transport/service-clock.js";

/**
 * A typed client of Buildkite's REST API v2, with one method for each operation.
 *
 * Methods take ids first, then a body or a query in the API's spelling, then options such as `{ signal }`. The client
 * fetches the pages of a list while you iterate over it. Errors are subclasses of `BuildPipelineError`. Any method throws
 * a `NotFoundError` if there is no such object, or the access token may not see it. A method that writes throws a
 * `ValidationError` with the reason if the API refuses a value.
 *
 * The client repeats reads, changes and deletions after a lost connection or a 5xx, and all requests after a rate
 * limit. It repeats a creation only if the first request did not reach the API, or was refused only for now (such as
 * with 423). It repeats a write to an address that others can reuse only in the first case. Another suite or pipeline may
 * have the slug since, and somebody may have removed a member, a pipeline or a suite from a team and added it again.
 *
 * @throws ConfigurationError if a setting is missing or malformed.
 * @example
 * ```ts
 * const client = new BuildPipelineClient({
 *   accessToken: process.env.BUILDPIPELINE_ACCESS_TOKEN ?? "",
 *   organization: "acme",
 *   baseUrl: "https://api.example.com",
 * });
 * const cluster = await client.clusters.create({ name: "Linux" });
 * await client.queues.create(cluster.id, { key: "default" });
 * await client.close();
 * ```
 */
export class BuildPipelineClient {
  /** Clusters. */
  readonly clusters: Clusters;
  /** Queues of clusters. */
  readonly queues: Queues;
  /** Agent tokens of clusters. */
  readonly agentTokens: AgentTokens;
  /** Pipeline templates. */
  readonly pipelineTemplates: PipelineTemplates;
  /** Teams. */
  readonly teams: Teams;
  /** Test suites. */
  readonly suites: Suites;
  /** Runs of test suites. */
  readonly runs: Runs;
  /** Agents. */
  readonly agents: Agents;
  /** Organizations. */
  readonly organizations: Organizations;
  /** Members of the organization. */
  readonly members: Members;
  /** The access token in use. */
  readonly accessToken: AccessToken;
  /** Builds. */
  readonly builds: Builds;
  /** Pipelines. */
  readonly pipelines: Pipelines;
  /** Schedules of pipelines. */
  readonly pipelineSchedules: PipelineSchedules;
  /** Members of teams. */
  readonly teamMembers: TeamMembers;
  /** Access of teams to pipelines. */
  readonly teamPipelines: TeamPipelines;
  /** Access of teams to test suites. */
  readonly teamSuites: TeamSuites;
  /** Maintainers of clusters. */
  readonly clusterMaintainers: ClusterMaintainers;
  /** Secrets of clusters. */
  readonly clusterSecrets: ClusterSecrets;
  /** Notification services. */
  readonly notificationServices: NotificationServices;
  /** Rules of the organization. */
  readonly organizationRules: OrganizationRules;
  /** What holds for all pipelines of the organization. */
  readonly pipelineSettings: PipelineSettingsOfOrganization;
  /** Who can use the API of the organization. */
  readonly apiSettings: ApiSettingsOfOrganization;
  /** Invitations to the organization. */
  readonly invitations: Invitations;
  /** The organization's audit log. */
  readonly auditEvents: AuditEvents;

  /** Slug of the organization that this client uses. */
  readonly organization: string;
  /** Address of the API that this client uses, without `/v2`. */
  readonly baseUrl: string;

  readonly #api: Api;
  /** The client's own connections; undefined if it uses a dispatcher that it got. */
  readonly #connections: Dispatcher | undefined;
  #closed: Promise<void> | undefined;

  constructor(options: BuildPipelineClientOptions = {}) {
    const checked = checkOptions(options);
    this.organization = checked.organization;
    this.baseUrl = checked.baseUrl;
    this.#connections = options.dispatcher === undefined ? checked.dispatcher : undefined;
    const api = new Api(checked);
    this.#api = api;
    this.clusters = new Clusters(api);
    this.queues = new Queues(api);
    this.agentTokens = new AgentTokens(api);
    this.pipelineTemplates = new PipelineTemplates(api);
    this.teams = new Teams(api);
    this.suites = new Suites(api);
    this.runs = new Runs(api);
    this.agents = new Agents(api);
    this.organizations = new Organizations(api);
    this.members = new Members(api);
    this.accessToken = new AccessToken(api);
    this.builds = new Builds(api, checked.clock);
    this.pipelines = new Pipelines(api);
    this.pipelineSchedules = new PipelineSchedules(api);
    this.teamMembers = new TeamMembers(api);
    this.teamPipelines = new TeamPipelines(api);
    this.teamSuites = new TeamSuites(api);
    this.clusterMaintainers = new ClusterMaintainers(api);
    this.clusterSecrets = new ClusterSecrets(api);
    this.notificationServices = new NotificationServices(api);
    this.organizationRules = new OrganizationRules(api);
    this.pipelineSettings = new PipelineSettingsOfOrganization(api);
    this.apiSettings = new ApiSettingsOfOrganization(api);
    this.invitations = new Invitations(api);
    this.auditEvents = new AuditEvents(api);
  }

  /** @internal */
  get serviceClock(): ServiceClock {
    return this.#api.serviceClock;
  }

  /** @internal Sends a request to a path such as `/v2/access-token`, once if it writes. Returns any response as it came. */
  request(method: Method, path: string, body?: object): Promise<HttpResponse> {
    return this.#api.request(method, path, body);
  }

  /** @internal Returns a list at a path, with whatever entries it has. */
  requestList(path: string): List<unknown> {
    return this.#api.list(declared("any", { list: ["GET", path, null, z.unknown()] }).list, []);
  }

  /**
   * Closes the client's connections after pending requests have finished; later calls fail. The process can also exit
   * without this call. A dispatcher that you passed to the client stays open.
   */
  close(): Promise<void> {
    this.#closed ??= this.#connections?.close() ?? Promise.resolve();
    return this.#closed;
  }
}

const groups: readonly Readonly<Record<string, OperationFacts>>[] = [
  clusterOperations,
  queueOperations,
  agentTokenOperations,
  pipelineTemplateOperations,
  teamOperations,
  suiteOperations,
  runOperations,
  agentOperations,
  organizationOperations,
  memberOperations,
  accessTokenOperations,
  buildOperations,
  pipelineOperations,
  pipelineScheduleOperations,
  teamMemberOperations,
  teamPipelineOperations,
  teamSuiteOperations,
  clusterMaintainerOperations,
  clusterSecretOperations,
  notificationServiceOperations,
  organizationRuleOperations,
  pipelineSettingsOperations,
  apiSettingsOperations,
  invitationOperations,
  auditEventOperations,
];

/**
 * Lists every operation, in the order of the client's groups. Each has its name in the client, its method and path, its
 * scope, and its group.
 *
 * @example const scopes = new Set(operations.map(({ scope }) => scope));
 */
export const operations: readonly OperationFacts[] = groups.flatMap((group) =>
  Object.values(group).map(({ id, method, path, scope, section }) => ({ id, method, path, scope, section })),
);
