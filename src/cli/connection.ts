import type { BuildPipelineClient, IncomingResponse } from "../client/index.js";
import { type FoundSettings, findSettings, type SettingName } from "./settings.js";
import { note } from "./terminal.js";
import { Waits } from "./waits.js";

/** A client, and its observed traffic. */
export interface Connection {
  readonly client: BuildPipelineClient;
  /** Origin of the service's address. */
  readonly origin: string;
  readonly traffic: Traffic;
  /** Shows how far the lists of an organization are read. */
  readonly onProgress: Waits["onProgress"];
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
 * @param stack stack with the configuration; default: the selected one, in a project's directory.
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
  return { ...(await connectWith(settings)), settings };
}

/** Connects with settings that were found before. */
export async function connectWith({ values }: FoundSettings): Promise<Connection> {
  const { BuildPipelineClient } = await import("../client/index.js");
  const waits = new Waits();
  const value = (name: SettingName) => values[name]?.value ?? "";
  const traffic = new Traffic();
  const client = new BuildPipelineClient({
    accessToken: value("accessToken"),
    organization: value("organization"),
    baseUrl: value("baseUrl"),
    onEvent: waits.onEvent,
    beforeSend: () => traffic.sent(),
    onResponse: (response) => traffic.received(response),
  });
  const { origin } = new URL(value("baseUrl"));
  return { client, origin, traffic, onProgress: waits.onProgress, close: () => client.close() };
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
