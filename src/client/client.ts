import { Agent, type Dispatcher } from "undici";
import { Api } from "./api.js";
import { type BuildPipelineClientOptions, type Configuration, configure } from "./configuration.js";
import { Redactor } from "./redaction.js";
import { AccessToken } from "./sections/access-token.js";
import { AgentTokens } from "./sections/agent-tokens.js";
import { Agents } from "./sections/agents.js";
import { Builds } from "./sections/builds.js";
import { Clusters } from "./sections/clusters.js";
import { Members } from "./sections/members.js";
import { Organizations } from "./sections/organizations.js";
import { PipelineTemplates } from "./sections/pipeline-templates.js";
import { Queues } from "./sections/queues.js";
import { Runs } from "./sections/runs.js";
import { Suites } from "./sections/suites.js";
import { Teams } from "./sections/teams.js";
import { limitConcurrency } from "./transport/concurrency.js";
import { retrying } from "./transport/retry.js";
import { wire } from "./transport/wire.js";

/**
 * A typed client of the Build Pipeline Service REST API v2, one method for each operation.
 *
 * Methods take ids first, then one object in the document's own names (a body or a query), then `{ signal }`. Lists are
 * fetched while they are iterated. Failures are subclasses of `BuildPipelineError`. What can safely be repeated is
 * repeated: reads, changes and deletions after a lost connection or a 5xx, everything after a full request limit; a
 * creation only when it surely did not reach the service.
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
  /** Clusters (section 4.1). */
  readonly clusters: Clusters;
  /** Queues of clusters (section 4.2). */
  readonly queues: Queues;
  /** Agent tokens of clusters (section 4.3). */
  readonly agentTokens: AgentTokens;
  /** Pipeline templates (section 4.4). */
  readonly pipelineTemplates: PipelineTemplates;
  /** Teams (section 4.5). */
  readonly teams: Teams;
  /** Test suites (section 4.6). */
  readonly suites: Suites;
  /** Runs of test suites (section 4.7). */
  readonly runs: Runs;
  /** Agents (section 4.8). */
  readonly agents: Agents;
  /** Organizations (section 4.9). */
  readonly organizations: Organizations;
  /** Members of the organization (section 4.9). */
  readonly members: Members;
  /** The access token in use (section 4.10). */
  readonly accessToken: AccessToken;
  /** Builds (section 4.11). */
  readonly builds: Builds;

  /** Slug of the organization this client works on. */
  readonly organization: string;

  readonly #dispatcher: Dispatcher;
  readonly #owned: boolean;
  #closed: Promise<void> | undefined;

  constructor(options: BuildPipelineClientOptions) {
    const configuration = configure(options);
    this.organization = configuration.organization;
    this.#owned = configuration.dispatcher === undefined;
    this.#dispatcher = configuration.dispatcher ?? ownAgent(configuration);
    const api = assemble(configuration, this.#dispatcher);
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
    this.builds = new Builds(api, configuration.clock);
  }

  /**
   * Ends the kept connections once the requests on their way are done; later calls are refused. Not needed for the
   * process to end. A dispatcher of your own stays open.
   */
  close(): Promise<void> {
    this.#closed ??= this.#owned ? this.#dispatcher.close() : Promise.resolve();
    return this.#closed;
  }
}

/** Layers from the outside in: retries, then the limit on requests at once, then the wire. */
function assemble(configuration: Configuration, dispatcher: Dispatcher): Api {
  const { organization, base, timeoutMs, clock, maxRetries, onEvent } = configuration;
  const redactor = new Redactor(configuration.accessToken);
  const onWire = wire({ dispatcher, origin: base.origin, timeoutMs, redactor });
  return new Api({
    organization,
    base,
    timeoutMs,
    redactor,
    exchange: retrying(limitConcurrency(onWire, configuration.concurrency), { clock, maxRetries, onEvent }),
    headers: {
      authorization: `Bearer ${configuration.accessToken}`,
      accept: "application/json",
      "user-agent": configuration.userAgent,
    },
  });
}

function ownAgent({ concurrency, timeoutMs }: Configuration): Agent {
  // HTTP/1.1 without pipelining: then a request that has not been started was surely not sent.
  return new Agent({
    connections: concurrency,
    pipelining: 1,
    allowH2: false,
    connect: { timeout: timeoutMs },
  });
}
