import { afterEach, beforeEach } from "vitest";
import { type Emulator, type EmulatorOptions, startEmulator } from "../../src/emulator/index.js";

/** What a creation of a team says beside its name. */
export const TEAM = {
  description: "",
  privacy: "visible",
  is_default_team: false,
  default_member_role: "member",
  members_can_create_pipelines: false,
} as const;

/** Somebody who changes things behind the provider's back, with the service's own interface. */
export class Colleague {
  constructor(private readonly emulator: Emulator) {}

  /** Sends a request; the path is below the organization's. Returns the answer's body. */
  async sends(method: string, path: string, body?: object): Promise<Record<string, unknown>> {
    const { url, organization, accessToken } = this.emulator;
    const base = path.startsWith("/suites") ? "/v2/analytics/organizations" : "/v2/organizations";
    const response = await fetch(`${url}${base}/${organization}${path}`, {
      method,
      headers: { authorization: `Bearer ${accessToken}`, "content-type": "application/json" },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return text === "" ? {} : JSON.parse(text);
  }

  /** Creates an object. @returns its id */
  async makes(path: string, body: object): Promise<string> {
    return String((await this.sends("POST", path, body)).id);
  }

  /** Creates a team: visible, whose members may create nothing, unless something else is given. */
  makesTeam(name: string, more: object = {}): Promise<string> {
    return this.makes("/teams", { ...TEAM, name, ...more });
  }

  async list(path: string): Promise<Record<string, unknown>[]> {
    const answer: unknown = await this.sends("GET", path);
    if (!Array.isArray(answer)) throw new Error(`${path} is not a list`);
    return answer;
  }
}

/** The service of a test, and a colleague there. */
export let emulator: Emulator;
export let colleague: Colleague;

/** What the service was asked to change, since the requests were cleared. */
const writes = () => emulator.requests.filter(({ method }) => method !== "GET");
export const written = () => writes().map(({ operation }) => operation);
export const bodies = () => writes().map(({ body }) => body);

/** Gives each test of a file a service. Default: an empty one. */
export function colleagueForEach(options: EmulatorOptions = {}): void {
  beforeEach(() => start(options));
  afterEach(() => emulator.close());
}

/** Starts another service in place of the test's own one. */
export async function restart(options: EmulatorOptions): Promise<void> {
  await emulator.close();
  await start(options);
}

async function start(options: EmulatorOptions): Promise<void> {
  emulator = await startEmulator({ seed: false, ...options });
  colleague = new Colleague(emulator);
}
