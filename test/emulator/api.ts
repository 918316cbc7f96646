import { afterAll, beforeAll, beforeEach, onTestFinished } from "vitest";
import { type Emulator, type EmulatorOptions, startEmulator } from "../../src/emulator/index.js";
import { TEAM } from "../support/colleague.js";

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly body: unknown;
}

export type Entity = Readonly<Record<string, unknown>>;

/** An emulator and a caller with an access token: requests go over HTTP, as anybody's would. */
export class Api {
  #emulator: Emulator | undefined;
  readonly #token: string | undefined;

  constructor(emulator?: Emulator, token?: string) {
    this.#emulator = emulator;
    this.#token = token;
  }

  /** Starts an emulator, which ends with the test. */
  static async start(options: EmulatorOptions = {}): Promise<Api> {
    const emulator = await startEmulator(options);
    onTestFinished(() => emulator.close());
    return new Api(emulator);
  }

  /** Gives each test of a file an emulator of its own. */
  static forEach(options: EmulatorOptions = {}): Api {
    const api = new Api();
    beforeEach(async () => {
      api.#emulator = (await Api.start(options)).emulator;
    });
    return api;
  }

  /** Gives all tests of a file one emulator. */
  static forAll(options: EmulatorOptions = {}): Api {
    const api = new Api();
    beforeAll(async () => {
      api.#emulator = await startEmulator(options);
    });
    afterAll(() => api.emulator.close());
    return api;
  }

  get emulator(): Emulator {
    if (this.#emulator === undefined) throw new Error("No test has begun.");
    return this.#emulator;
  }

  get token(): string {
    return this.#token ?? this.emulator.accessToken;
  }

  as(token: string): Api {
    return new Api(this.emulator, token);
  }

  /** Sends a request. A path that does not start with /v2 is one of the organization. */
  async send(method: string, path: string, body?: unknown): Promise<Answer> {
    const init = body === undefined ? {} : { body: JSON.stringify(body) };
    const authorization = `Bearer ${this.token}`;
    const response = await fetch(this.address(path), { method, headers: { authorization }, ...init });
    const { status, headers } = response;
    const text = await response.text();
    return { status, headers, text, body: parsed(text) };
  }

  /** Sends a request that must succeed with an object. */
  async entity(method: string, path: string, body?: unknown): Promise<Entity> {
    const answer = await this.send(method, path, body);
    if (answer.status >= 300 || !isEntity(answer.body)) {
      throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    }
    return answer.body;
  }

  async list(path: string): Promise<Entity[]> {
    const answer = await this.send("GET", path);
    if (answer.status !== 200 || !Array.isArray(answer.body)) {
      throw new Error(`GET ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    }
    return answer.body;
  }

  /** Gets a list that spans pages, by its `Link` headers. */
  async walk(path: string): Promise<{ items: Entity[]; requests: number }> {
    const items: Entity[] = [];
    let requests = 0;
    for (let next: string | undefined = path; next !== undefined; requests += 1) {
      const answer: Answer = await this.send("GET", next);
      if (!Array.isArray(answer.body)) throw new Error(`${next} is no list`);
      items.push(...answer.body);
      next = /<([^>]*)>; rel="next"/.exec(answer.headers.get("link") ?? "")?.[1];
    }
    return { items, requests };
  }

  async cluster(body: object = { name: "Linux" }): Promise<Entity> {
    return this.entity("POST", "/clusters", body);
  }

  async queue(clusterId: unknown, key = "default"): Promise<Entity> {
    return this.entity("POST", `/clusters/${clusterId}/queues`, { key });
  }

  private address(path: string): string {
    if (path.startsWith("http")) return path;
    const { url, organization } = this.emulator;
    if (path.startsWith("/v2")) return `${url}${path}`;
    const analytics = path.startsWith("/suites") ? "/analytics" : "";
    return `${url}/v2${analytics}/organizations/${organization}${path}`;
  }
}

/** The six writable properties of a team. */
export function team(fields: object = {}): object {
  const description = "Keeps builds fast";
  return { ...TEAM, name: "Platform", description, members_can_create_pipelines: true, ...fields };
}

/** The parsed JSON; the text where it is none. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function isEntity(value: unknown): value is Entity {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
