import { afterEach, beforeEach } from "vitest";
import { BuildPipelineError, type Clock } from "../../src/client/index.js";
import { type Emulator, type EmulatorOptions, startEmulator } from "../../src/emulator/index.js";
import { KindProvider } from "../../src/provider/dynamic/host.js";
import { type AnyKind, kinds } from "../../src/provider/for-commands/kinds.js";
import { Session, type Surroundings, sessionPool } from "../../src/provider/lifecycle/run/session.js";
import type { Settings } from "../../src/shared/configuration/settings.js";
import { Colleague } from "./colleague.js";
import { argumentsOf, EACH_KIND, USER } from "./each-kind.js";

/** What the engine writes for a value that is not known yet. */
export const UNKNOWN = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

type Properties = Record<string, unknown>;

type Config = Readonly<Record<string, string | undefined>>;

/** The page of a login proxy, with a status that claims success. */
export const LOGIN_PAGE = {
  status: 200,
  body: "<!doctype html><title>Sign in</title>",
  headers: { "Content-Type": "text/html" },
};

/** Milliseconds of real time for one request: a busy machine may be slow. */
export const PATIENT_MS = 30_000;
/** The same where a request hangs on purpose. */
export const IMPATIENT_MS = 2_500;

const LONGEST_SILENCE_MS = 10_000;

/** Time that passes only when somebody waits, and a little with every look at it. */
export class SimulatedClock {
  #now = Date.UTC(2030, 0, 1);

  now(): number {
    this.#now += 1;
    return this.#now;
  }

  async sleep(milliseconds: number): Promise<void> {
    this.#now += milliseconds;
  }
}

export function kindOf(name: string): AnyKind {
  const kind = kinds.get(name);
  if (kind === undefined) throw new Error(`no kind ${name}`);
  return kind;
}

/** A session of the provider, without a host. */
export function sessionFor(emulator: Emulator, surroundings: Surroundings = {}): Session {
  const { accessToken, organization, url: baseUrl } = emulator;
  const settings: Settings = {
    accessToken,
    organization,
    baseUrl,
    accessTokenFrom: "configuration",
    allowOrganizationChange: false,
    offline: false,
    readOnly: false,
  };
  return new Session(settings, surroundings);
}

export interface Made {
  readonly kind: string;
  readonly id: string;
  readonly inputs: Properties;
  readonly outs: Properties;
}

const NOUNS = [...kinds.values()]
  .map(({ words: { full, noun }, isSetting }) => (isSetting ? `${noun}s(?: of [\\w-]+)?` : (full ?? noun)))
  .join("|");
/** What stands before a line about a resource: its kind, its name or id, and what it lives in. A long name is cut. */
const NAME = new RegExp(
  `^(?:${NOUNS})(?: (?:"(?:[^"\\\\]|\\\\.)*(?:"|…)|[\\w/-]+))?(?: of [a-z ]+ (?:"[^"]*"|[\\w-]+))?: `,
);
/** Lines that are about all resources, or name their component themselves. */
const ABOUT_ALL =
  /^(?:buildpipeline:offline is set|The scopes of the access token|\w+: the API doesn't let this access token read|Rate limit reached|The API responded with \d+ and asked to wait|RotatingAgentToken ")/;

/** Every line of the provider names its resource, because the engine shows it without one. */
function requireName(line: string): string {
  if (!NAME.test(line) && !ABOUT_ALL.test(line)) throw new Error(`A line names no resource: ${line}`);
  return line;
}

/** A failed request, as the client describes it. */
const FAILED = /\b[A-Z]+ \/v2\/\S+ (?:failed|got no complete response|responded with \d+, but) /;

/** Every message of the provider that a failed request is the reason of ends with a code. */
function requireCode(text: string): string {
  if (FAILED.test(text) && !/ \[buildpipeline:\S+(?: \S+)?\]$/.test(text))
    throw new Error(`A message has no code: ${text}`);
  return text;
}

/** Drives the provider as the dynamic-provider host does, without the engine. */
export class Driver {
  readonly warnings: string[] = [];
  /** Messages that are no warnings. */
  readonly observed: string[] = [];
  readonly #config: Config;
  readonly #sessions;

  constructor(config: Config, clock: Clock = new SimulatedClock(), others: Surroundings = {}) {
    this.#config = config;
    // Waits cost nothing.
    const surroundings: Surroundings = {
      warn: (message: string) => this.warnings.push(requireCode(requireName(message))),
      inform: (message: string) => this.observed.push(requireCode(requireName(message))),
      clock: others.progress
        ? clock
        : { now: () => clock.now(), sleep: (...wait) => this.#sleep(clock, ...wait) },
      timeoutMs: PATIENT_MS,
      ...others,
    };
    this.#sessions = sessionPool(surroundings);
  }

  /** Waits. Nobody knows why a run stands still that has said nothing. */
  #sleep(clock: Clock, ms: number, signal?: AbortSignal): Promise<void> {
    const isSilent = this.warnings.length + this.observed.length === 0;
    if (ms > LONGEST_SILENCE_MS && isSilent) throw new Error(`A silent wait of ${ms} ms`);
    return clock.sleep(ms, signal);
  }

  static for(emulator: Emulator, config: Config = {}, clock?: Clock, others?: Surroundings): Driver {
    const settings = {
      "buildpipeline:accessToken": emulator.accessToken,
      "buildpipeline:organization": emulator.organization,
      "buildpipeline:baseUrl": emulator.url,
    };
    return new Driver({ ...settings, ...config }, clock, others);
  }

  async kind(name: string): Promise<KindProvider> {
    const provider = new KindProvider(kindOf(name), this.#sessions);
    const get = (key: string) => this.#config[key];
    await provider.configure({ config: { get, require: (key) => get(key) ?? "" } });
    return provider;
  }

  async failures(name: string, news: Properties, olds: Properties = {}): Promise<string[]> {
    const provider = await this.kind(name);
    const { failures } = await provider.check(olds, news);
    return (failures ?? []).map(({ reason }) => requireCode(reason));
  }

  /** Checks and creates, as a deployment does. */
  async create(name: string, news: Properties): Promise<Made> {
    const provider = await this.kind(name);
    const { inputs = {}, failures = [] } = await provider.check({}, news);
    if (failures.length > 0) throw new Error(failures.map(({ reason }) => reason).join("\n"));
    const { id, outs = {} } = await provider.create(inputs);
    return { kind: name, id, inputs, outs };
  }

  async read({ kind, id, outs }: Omit<Made, "inputs">) {
    return (await this.kind(kind)).read(id, outs);
  }

  /** Compares what the state has with its inputs, of which the program changes some. */
  async diff({ kind, id, inputs, outs }: Made, change: Properties = {}) {
    return (await this.kind(kind)).diff(id, outs, { ...inputs, ...change });
  }

  /** Checks the same, as the program declares it, and compares. */
  async plan(made: Made, news: Properties = made.inputs) {
    const { inputs = {} } = await (await this.kind(made.kind)).check(made.inputs, news);
    return this.diff({ ...made, inputs });
  }

  async update({ kind, id, inputs, outs }: Made, change: Properties) {
    return (await this.kind(kind)).update(id, outs, { ...inputs, ...change });
  }

  async delete({ kind, id, outs }: Omit<Made, "inputs">): Promise<void> {
    await (await this.kind(kind)).delete(id, outs);
  }
}

/** The least that a program gives for a resource of each type. */
export const minimal = (clusterId: string, queueId: string): Readonly<Record<string, Properties>> => ({
  Cluster: { name: "Linux" },
  Queue: { clusterId, key: "small" },
  ClusterDefaultQueue: { clusterId, queueId },
  AgentToken: { clusterId, description: "farm" },
  PipelineTemplate: { name: "Node", configuration: "steps: []" },
  Team: { name: "Platform" },
  Suite: { name: "Unit", defaultBranch: "main" },
  Pipeline: { name: "Shop", repository: "git@github.com:acme/shop.git", clusterId: "" },
  ClusterSecret: { clusterId, key: "KEY", value: "a value" },
});

/** The same for every type of resource, with what it refers to, which exists then. */
export async function minimalOfAll({
  emulator,
  colleague,
}: Pick<ServiceOfTest, "emulator" | "colleague">): Promise<Readonly<Record<string, Properties>>> {
  const clusterId = await colleague.makes("/clusters", { name: "Around" });
  const queueId = await colleague.makes(`/clusters/${clusterId}/queues`, { key: "around" });
  const teamId = await colleague.makesTeam("Around");
  const suiteId = await colleague.makes("/suites", { name: "Around", default_branch: "main" });
  const steps = { repository: "https://git.example/around.git", configuration: "steps: []" };
  const pipelineId = await colleague.makes("/pipelines", { name: "Around", ...steps });
  const { users } = emulator.organizationData;
  if (users.get(USER.id) === undefined) users.insert(USER);
  const around = new Map(
    Object.entries({
      Cluster: clusterId,
      Queue: queueId,
      Team: teamId,
      Suite: suiteId,
      Pipeline: pipelineId,
    }),
  );
  const others = Object.keys(EACH_KIND).map((kind) => [kind, argumentsOf(kind, (of) => around.get(of))]);
  return {
    ...Object.fromEntries(others),
    ...minimal(clusterId, queueId),
    Pipeline: { name: "Storefront", repository: "https://git.example/storefront.git", clusterId },
    TeamMember: { teamId, userId: USER.id },
    TeamPipeline: { teamId, pipelineId, accessLevel: "read_only" },
    TeamSuite: { teamId, suiteId, accessLevel: ["read"] },
    PipelineSettings: {},
    ApiSettings: {},
    ClusterSecret: { clusterId, key: "DEPLOY_KEY", value: "s3cr3t-of-test" },
    NotificationService: {
      ...{ provider: "webhook", scope: "some_teams", scopeIds: [teamId], description: "Dashboards" },
      settings: { url: "https://ci.example.com/events" },
    },
  };
}

/** The name of a kind's operations and of its objects in the emulator: `agentTokens`. */
export const groupOf = (kind: string): string =>
  `${kind.charAt(0).toLowerCase()}${kind.slice(1).replace(/s$/, "")}s`;

/** What a provider works on, new for each test. */
export class ServiceOfTest {
  declare emulator: Emulator;
  declare colleague: Colleague;
  /** The provider as one run of the engine starts it. */
  declare driver: Driver;
  /** The time of the emulator and of the provider. */
  declare clock: SimulatedClock;

  async start(options: EmulatorOptions): Promise<void> {
    const clock = new SimulatedClock();
    this.clock = clock;
    this.emulator = await startEmulator({ seed: false, clock: () => new Date(clock.now()), ...options });
    this.colleague = new Colleague(this.emulator);
    this.driver = this.newRun();
  }

  get operations(): string[] {
    return this.emulator.requests.map(({ operation }) => String(operation));
  }

  get writes(): string[] {
    const written = this.emulator.requests.filter(({ method }) => method !== "GET");
    return written.map(({ operation }) => String(operation));
  }

  /** The provider as another run starts it: nothing is remembered, and settings may have changed. */
  newRun(config?: Config, others?: Surroundings): Driver {
    return Driver.for(this.emulator, config, this.clock, others);
  }
}

export function serviceForEach(options: EmulatorOptions = {}): ServiceOfTest {
  const service = new ServiceOfTest();
  beforeEach(() => service.start(options));
  afterEach(() => service.emulator.close());
  return service;
}

/** The message of the error a promise must fail with. */
export async function failure(promise: Promise<unknown>): Promise<string> {
  try {
    await promise;
  } catch (error) {
    if (!(error instanceof Error)) return String(error);
    return error instanceof BuildPipelineError ? error.message : requireCode(error.message);
  }
  throw new Error("it succeeded, and should not have");
}
