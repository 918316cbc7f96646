import type {
  BuildPipelineClient,
  BuildPipelineClientOptions,
  ClientEvent,
  IncomingResponse,
} from "../../client/index.js";
import type { FoundSettings, SettingName } from "./project-settings.js";

/** A client for the settings of a project or of the environment, open during the work that gets it. */
export interface Connection {
  readonly client: BuildPipelineClient;
  readonly origin: string;
  readonly traffic: Traffic;
}

/** How long a command waits for the API, and how often it tries. Default: as long as the client does. */
export type Patience = Pick<BuildPipelineClientOptions, "timeoutMs" | "maxRetries">;

export interface Answered {
  readonly headers: IncomingResponse["headers"];
  /** Milliseconds since the epoch, by the clock of this machine. */
  readonly at: number;
}

class Traffic {
  /** Requests sent, those that were repeated included. */
  requests = 0;
  latest: Answered | undefined;

  /** The time of the latest response, plus what has passed since; this machine's before the first one. */
  serviceTime(): Date {
    const date = Date.parse(String(this.latest?.headers.date));
    return new Date(Number.isNaN(date) ? Date.now() : date + Date.now() - (this.latest?.at ?? 0));
  }
}

/** Does work with a client, and closes it. @throws ConfigurationError when a setting is missing or malformed */
export async function connectedWith<Result>(
  { values }: FoundSettings,
  onEvent: (event: ClientEvent) => void,
  work: (connection: Connection) => Promise<Result>,
  patience: Patience = {},
): Promise<Result> {
  const { BuildPipelineClient } = await import("../../client/index.js");
  const value = (name: SettingName) => values[name]?.value ?? "";
  const traffic = new Traffic();
  const client = new BuildPipelineClient({
    accessToken: value("accessToken"),
    organization: value("organization"),
    baseUrl: value("baseUrl"),
    onEvent,
    ...patience,
    beforeSend: () => {
      traffic.requests++;
    },
    onResponse: ({ headers }) => {
      traffic.latest = { headers, at: Date.now() };
    },
  });
  try {
    return await work({ client, origin: new URL(value("baseUrl")).origin, traffic });
  } finally {
    await client.close();
  }
}
