import diagnosticsChannel from "node:diagnostics_channel";
import { BuildPipelineClient, type ClientEvent } from "../client/index.js";
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

/** An answer's headers, and when it came. */
export interface Answered {
  readonly headers: ReadonlyMap<string, string>;
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
  const client = new BuildPipelineClient({
    accessToken: value("accessToken"),
    organization: value("organization"),
    baseUrl: value("baseUrl"),
    onEvent: reportingWaits(),
  });
  const { origin } = new URL(value("baseUrl"));
  const traffic = new Traffic(origin);
  const close = () => {
    traffic.end();
    return client.close();
  };
  return { client, origin, traffic, close };
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

/** Requests to one origin, observed on the channels on which undici announces them. */
export class Traffic {
  /** Requests sent, those that were repeated included. */
  requests = 0;
  latest: Answered | undefined;
  /** The service's time: that of its latest response, plus what has passed since; this machine's before the first one. */
  serviceTime(): Date {
    const date = Date.parse(this.latest?.headers.get("date") ?? "");
    return new Date(Number.isNaN(date) ? Date.now() : date + Date.now() - (this.latest?.at ?? 0));
  }
  readonly end: () => void;

  constructor(origin: string) {
    const onRequest = (message: unknown) => {
      if (originOf(message) === origin) this.requests++;
    };
    const onHeaders = (message: unknown) => {
      if (originOf(message) === origin) this.latest = { headers: headersOf(message), at: Date.now() };
    };
    diagnosticsChannel.subscribe("undici:request:create", onRequest);
    diagnosticsChannel.subscribe("undici:request:headers", onHeaders);
    this.end = () => {
      diagnosticsChannel.unsubscribe("undici:request:create", onRequest);
      diagnosticsChannel.unsubscribe("undici:request:headers", onHeaders);
    };
  }
}

function originOf(message: unknown): string | undefined {
  const request = fieldOf(message, "request");
  const origin = fieldOf(request, "origin");
  return origin === undefined ? undefined : String(origin);
}

/** A list in which names and values take turns, as on the wire, or an object. */
function headersOf(message: unknown): Map<string, string> {
  const raw = fieldOf(fieldOf(message, "response"), "headers");
  const texts = (Array.isArray(raw) ? raw : Object.entries(raw ?? {}).flat()).map(String);
  const headers = new Map<string, string>();
  for (let index = 0; index + 1 < texts.length; index += 2) {
    headers.set((texts[index] ?? "").toLowerCase(), texts[index + 1] ?? "");
  }
  return headers;
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}
