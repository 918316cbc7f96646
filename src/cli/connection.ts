import { BuildPipelineClient, type ClientEvent, type IncomingResponse } from "../client/index.js";
import { type FoundSettings, findSettings, type SettingName } from "./settings.js";
import { note } from "./terminal.js";

/** A client, and what is seen of its traffic. */
export interface Connection {
  readonly client: BuildPipelineClient;
  /** Origin of the service's address. */
  readonly origin: string;
  readonly traffic: Traffic;
  close(): Promise<void>;
}

/** A response's headers, and when it arrived. */
export interface Answered {
  readonly headers: IncomingResponse["headers"];
  /** Milliseconds since the epoch, by the clock of this machine. */
  readonly at: number;
}

/**
 * Connects to the service that the settings lead to.
 *
 * @param stack whose configuration counts; default: the selected one, in a project's directory
 * @param start directory in the project; default: the current one
 * @throws ConfigurationError when a setting is missing or malformed
 */
export async function connect(
  stack: string | undefined,
  start?: string,
): Promise<Connection & { settings: FoundSettings }> {
  const settings = await findSettings(stack, start);
  if (settings.problem !== undefined) {
    note(
      `The stack's configuration cannot be read (${settings.problem}); the environment's settings are used.`,
    );
  }
  return { ...connectWith(settings), settings };
}

/** Connects with settings that were found before. */
export function connectWith({ values }: FoundSettings): Connection {
  const value = (name: SettingName) => values[name]?.value ?? "";
  const traffic = new Traffic();
  const client = new BuildPipelineClient({
    accessToken: value("accessToken"),
    organization: value("organization"),
    baseUrl: value("baseUrl"),
    onEvent: reportingWaits(),
    beforeSend: () => traffic.sent(),
    onResponse: (response) => traffic.received(response),
  });
  const { origin } = new URL(value("baseUrl"));
  return { client, origin, traffic, close: () => client.close() };
}

/** Reports each wait for the rate limit once: every request that waits for it announces it. */
function reportingWaits(): (event: ClientEvent) => void {
  let until = 0;
  return (event) => {
    if (event.type !== "rateLimit") return;
    const now = performance.now();
    if (now < until) return;
    until = now + event.waitMs;
    note(`Rate limit reached. Resuming in ${Math.ceil(event.waitMs / 1000)}s.`);
  };
}

/** Requests of a client and its latest response. */
export class Traffic {
  /** Requests sent, those that were repeated included. */
  requests = 0;
  latest: Answered | undefined;

  /** Counts a request. */
  sent(): void {
    this.requests++;
  }

  /** Remembers a response. */
  received({ headers }: IncomingResponse): void {
    this.latest = { headers, at: Date.now() };
  }

  /** The service's time: that of its latest response, plus what has passed since; this machine's before the first one. */
  serviceTime(): Date {
    const date = Date.parse(String(this.latest?.headers.date));
    return new Date(Number.isNaN(date) ? Date.now() : date + Date.now() - (this.latest?.at ?? 0));
  }
}
