import { type Dispatcher, request } from "undici";
import { afterAll, beforeAll, beforeEach } from "vitest";
import { BuildPipelineClient } from "../../src/client/index.js";
import {
  type Emulator,
  type EmulatorOptions,
  type Snapshot,
  startEmulator,
} from "../../src/emulator/index.js";
import { Description } from "./description.js";
import type { OperationId } from "./operations.js";
import { Traffic, type WireAnswer } from "./traffic.js";

/** The time in the emulator, so that answers are the same every time. */
export const NOW = "2030-01-01T12:00:00.000Z";

export const COMMIT = "0123456789abcdef0123456789abcdef01234567";

export const NIGHT_SHIFT = {
  name: "Night shift",
  description: "Watches the night",
  privacy: "secret",
  is_default_team: true,
  default_member_role: "maintainer",
  members_can_create_pipelines: false,
} as const;

export const WEB_SHOP = {
  name: "Web Shop",
  repository: "https://github.com/acme/web.git",
  configuration: "steps:\n  - command: make\n",
};

/** Ids of what a world has, for paths and expectations. */
export interface Places {
  readonly cluster: string;
  /** A queue of the cluster that dispatches, not its default. */
  readonly queue: string;
  readonly pausedQueue: string;
  readonly token: string;
  readonly template: string;
  readonly team: string;
  /** Slug. */
  readonly suite: string;
  readonly run: string;
  /** A build that has a run. */
  readonly buildId: string;
  /** Connected. */
  readonly agent: string;
  readonly disconnectedAgent: string;
  readonly user: string;
  /** Slug. */
  readonly pipeline: string;
  readonly pipelineId: string;
  readonly suiteId: string;
  /** A member of the organization who is in no team. */
  readonly otherUser: string;
  /** The id of what `plantAccess` puts in. */
  readonly entry: string;
}

/** One operation, called through the client in a world, and what must come of it. */
export interface Case {
  /** Makes what the call needs, or takes away what stands in its way. */
  readonly before?: (data: Emulator["organizationData"]) => unknown;
  /** Calls the operation. A list is read to its end. */
  readonly call: (client: BuildPipelineClient) => Promise<unknown>;
  /** What stands in the path for each placeholder. */
  readonly ids: Readonly<Record<string, string | number>>;
  /** The query the request must have, decoded; `per_page` of lists is known. */
  readonly query?: Readonly<Record<string, string>>;
  /** The body the request must have; without it, it must have none. */
  readonly body?: unknown;
  /** What the answer must have, at least; without it, there must be none. */
  readonly answer?: unknown;
  /** What neither the answer nor an entry of it may have: secrets, and what the documentation leaves out. */
  readonly lacks?: readonly string[];
}

type At<Value, Path extends string> = Path extends `${infer Head}.${infer Rest}`
  ? Head extends keyof Value
    ? At<Value[Head], Rest>
    : never
  : Path extends keyof Value
    ? Value[Path]
    : never;

/** What the client's method takes beside ids. */
type BodyOf<Id extends OperationId> =
  At<BuildPipelineClient, Id> extends (...args: infer Args) => unknown
    ? Exclude<Args[number], string | number>
    : never;

/** What a case says. By default, the path has the world's first of each kind, and the call the body or the query after them. */
export type Said<Id extends OperationId> = Partial<Omit<Case, "call" | "body">> &
  ({ readonly call: Case["call"]; readonly body: unknown } | { readonly body?: BodyOf<Id> });

/** Cases of a group or more. What has neither a body nor an answer, such as a deletion, needs none. */
export type Cases<Id extends OperationId> = { readonly [Each in Id]?: (places: Places) => Said<Each> };

/** The operations of some groups: `"clusters"` has `clusters.list` and the others. */
export type OfGroup<Group extends string> = Extract<OperationId, `${Group}.${string}`>;

/** Numbers of the pipeline's builds, by the state they are in. */
export const builds = { passed: 1, failed: 2, canceled: 3, blocked: 4, running: 5, scheduled: 6 } as const;

/** The same for every emulator, but for its address. Its schemas are compiled once. */
let description: Description | undefined;

/** An emulator with something of everything, and the client, over a network whose answers are noted and checked. */
export class World {
  declare readonly emulator: Emulator;
  declare readonly client: BuildPipelineClient;
  declare readonly places: Places;
  declare readonly description: Description;
  declare readonly traffic: Traffic;

  static async start(options: EmulatorOptions = {}): Promise<World> {
    const emulator = await startEmulator({ clock: () => new Date(NOW), ...options });
    const traffic = new Traffic();
    description ??= await Description.of(emulator.url);
    const client = connect(emulator, traffic);
    return Object.assign(new World(), { emulator, client, places: plant(emulator), description, traffic });
  }

  /** Gives all tests of a file a world, which is for each of them as `prepare` left it. */
  static forAll(prepare?: (world: World) => Promise<void>, options: EmulatorOptions = {}): World {
    const world = new World();
    let start: Snapshot;
    beforeAll(async () => {
      Object.assign(world, await World.start(options));
      await prepare?.(world);
      start = world.emulator.snapshot();
    });
    beforeEach(() => {
      world.emulator.restore(start);
      world.forget();
    });
    afterAll(() => world.close());
    return world;
  }

  /** The client with another access token, over the same network. */
  as(accessToken: string): BuildPipelineClient {
    return connect(this.emulator, this.traffic, accessToken);
  }

  /** Calls the operation of a case. */
  call({ before, call }: Case, client = this.client): Promise<unknown> {
    before?.(this.emulator.organizationData);
    return call(client);
  }

  /** Sends a request as any program may, over the same network. A path may begin in the organization. */
  async send(method: string, path: string, body?: unknown, accessToken?: string): Promise<WireAnswer> {
    const { url, organization, accessToken: own } = this.emulator;
    const before = this.traffic.answers.length;
    await request(
      path.startsWith("/v2/") ? `${url}${path}` : `${url}/v2/organizations/${organization}${path}`,
      {
        method: method as Dispatcher.HttpMethod,
        headers: { authorization: `Bearer ${accessToken ?? own}` },
        body: body === undefined ? null : JSON.stringify(body),
        dispatcher: this.traffic.dispatcher,
      },
    ).then((response) => response.body.text());
    const answer = this.traffic.answers[before];
    if (answer === undefined) throw new Error(`${method} ${path} has no answer.`);
    return answer;
  }

  forget(): void {
    this.emulator.clearRequests();
    this.traffic.answers.length = 0;
  }

  /** The answers since the last `forget`, each held against the emulator's OpenAPI description. */
  answers(): readonly WireAnswer[] {
    for (const answer of this.traffic.answers) this.description.checkAnswer(answer);
    return this.traffic.answers;
  }

  async close(): Promise<void> {
    await this.client.close();
    await this.traffic.close();
    await this.emulator.close();
  }
}

export function failureOf(call: Promise<unknown>): Promise<unknown> {
  return call.then(
    () => "It succeeded.",
    (error: unknown) => error,
  );
}

function connect(
  { url, organization, ...emulator }: Emulator,
  { dispatcher }: Traffic,
  accessToken = emulator.accessToken,
): BuildPipelineClient {
  // Retries would hide what the first answer was.
  return new BuildPipelineClient({ baseUrl: url, organization, accessToken, dispatcher, maxRetries: 0 });
}

/** Puts in what the seed does not have, as a colleague would: without a request. */
function plant({ organizationData: data }: Emulator): Places {
  const [user, other] = data.users.list();
  const pipeline = data.pipelines.find("slug", "storefront");
  const [suite] = data.suites.list();
  const [run] = data.runs.list();
  const agent = data.agents.find("name", "builder-2");
  const disconnected = data.agents.find("name", "builder-3");
  if (!user || !other || !pipeline || !suite || run?.build_id == null || !agent || !disconnected)
    throw new Error("The seed is not there.");
  const made = { created_at: NOW, created_by: user.id };
  const cluster = data.clusters.insert({
    id: "11111111-1111-4111-8111-111111111111",
    name: "Linux",
    description: "Linux machines",
    emoji: ":penguin:",
    color: "#A9CCE3",
    default_queue_id: null,
    ...made,
  });
  const queue = (id: string, key: string, paused: boolean) =>
    data.queues.insert({
      id,
      cluster_id: cluster.id,
      key,
      description: null,
      dispatch_paused: paused,
      dispatch_paused_by: paused ? user.id : null,
      dispatch_paused_at: paused ? NOW : null,
      dispatch_paused_note: paused ? "Disk full" : null,
      ...made,
    });
  return {
    cluster: cluster.id,
    queue: queue("22222222-2222-4222-8222-222222222222", "fast", false).id,
    pausedQueue: queue("33333333-3333-4333-8333-333333333333", "slow", true).id,
    token: data.agentTokens.insert({
      id: "44444444-4444-4444-8444-444444444444",
      cluster_id: cluster.id,
      description: "Machines of the cellar",
      allowed_ip_addresses: "192.0.2.0/24",
      token: "bpct_planted",
      ...made,
    }).id,
    template: data.pipelineTemplates.insert({
      id: "55555555-5555-4555-8555-555555555555",
      name: "Base",
      description: null,
      configuration: "steps: []\n",
      available: false,
      updated_at: NOW,
      updated_by: user.id,
      ...made,
    }).id,
    team: data.teams.insert({
      id: "66666666-6666-4666-8666-666666666666",
      name: "Platform",
      slug: "platform",
      description: "Keeps builds fast",
      privacy: "visible",
      is_default_team: false,
      default_member_role: "member",
      members_can_create_pipelines: true,
      member_ids: [user.id],
      ...made,
    }).id,
    suite: suite.slug,
    run: run.id,
    buildId: run.build_id,
    agent: agent.id,
    disconnectedAgent: disconnected.id,
    user: user.id,
    pipeline: pipeline.slug,
    pipelineId: pipeline.id,
    suiteId: suite.id,
    otherUser: other.id,
    entry: "bbbbbbbb-bbbb-4bbb-8bbb-bbbbbbbbbbbb",
  };
}
