import type { ClientEvent } from "../../client/index.js";
import type { AnyKind } from "../../provider/for-commands/kinds.js";
import { CONFIG_NAMESPACE, ENVIRONMENT } from "../../shared/configuration/settings.js";
import { capitalized } from "../../shared/messages/nouns.js";
import { RateLimitWaits, rateLimitText } from "../../shared/messages/rate-limit.js";
import type { Connection } from "../pulumi/project-connection.js";
import type { FoundSettings } from "../pulumi/project-settings.js";
import type { Project } from "../pulumi/pulumi.js";
import { note, progress } from "./terminal.js";

/** Progress of reading the lists within objects of a kind. */
export interface Progress {
  readonly kind: AnyKind;
  readonly done: number;
  readonly of: number;
  /** Lists in the others, each at least one request. */
  readonly listsLeft: number;
}

/** A connection of a command, with where its settings come from, and what shows how far lists are read. */
export interface Connected extends Connection {
  readonly settings: FoundSettings;
  readonly onProgress: (progress: Progress) => void;
}

/**
 * Does work that is connected to the API address in the settings, and shows how long the client waits.
 *
 * @param project default: the one of this directory, with its selected stack
 * @throws if settings are missing, with a line for each; ConfigurationError if one is malformed
 */
export async function connected<Result>(
  { stack, directory, environment }: { readonly [Part in keyof Project]?: Project[Part] | undefined },
  work: (connection: Connected) => Promise<Result>,
): Promise<Result> {
  const { connectedWith } = await import("../pulumi/project-connection.js");
  const { findSettings, SETTING_NAMES } = await import("../pulumi/project-settings.js");
  const settings = await findSettings(stack, directory, environment);
  if (settings.problem !== undefined) {
    note(
      // Warning configuration-unread: No stack is selected, or `pulumi config` failed, so the command uses the settings
      // of the environment.
      // Fix: Select a stack, or set the variables of the environment.
      `The stack's configuration cannot be read (${settings.problem}); the environment's settings are used.`,
    );
  }
  const missing = SETTING_NAMES.filter((name) => settings.values[name] === undefined);
  if (missing.length > 0) {
    const howToSet = missing.map(
      (name) =>
        `${name} is missing. Set ${ENVIRONMENT[name]}, or ${CONFIG_NAMESPACE}:${name} in the stack's configuration.`,
    );
    throw new Error(howToSet.join("\n"));
  }
  const { onEvent, onProgress } = new Waits();
  return connectedWith(settings, onEvent, (connection) => work({ ...connection, settings, onProgress }));
}

/** The API's limit for a user. */
const REQUESTS_PER_MINUTE = 50;

/** Says how long requests take: `about 3 minutes at 50 requests a minute`. */
export function minutesFor(requests: number): string {
  const minutes = Math.ceil(requests / REQUESTS_PER_MINUTE);
  const duration = minutes === 1 ? "less than a minute" : `about ${minutes} minutes`;
  return `${duration} at ${REQUESTS_PER_MINUTE} requests a minute`;
}

export class Waits {
  #listsLeft = 0;
  readonly #waits = new RateLimitWaits<ClientEvent>(
    () => performance.now(),
    (event) =>
      note(
        event.type === "rateLimit"
          ? waitText(event.waitMs, event.limit, this.#listsLeft)
          : rateLimitText(event),
      ),
  );

  readonly onProgress = ({ kind, done, of, listsLeft }: Progress): void => {
    if (done === 0 && listsLeft > REQUESTS_PER_MINUTE)
      note(
        `The lists in ${of} ${kind.words.noun}s need ${listsLeft} requests or more: ${minutesFor(listsLeft)}.`,
      );
    this.#listsLeft = listsLeft;
    progress(`${capitalized(kind.words.noun)}s read: ${done} of ${of}`);
  };

  readonly onEvent = (event: ClientEvent): void => {
    if (event.type === "retry" && event.reason === "timeout")
      // Warning no-response: A command waits for a response that doesn't come, and sends the request again.
      // Fix: Nothing to do. If the command fails in the end, check `baseUrl`, the proxy and the firewall.
      note(`No response to ${event.method} ${event.path}. Trying again.`);
    this.#waits.report(event);
  };
}

/** Adds the time for the requests that are left, if they take more such waits. `limit`: requests in a minute. */
export function waitText(waitMs: number, limit: number | undefined, requestsLeft: number): string {
  const wait = rateLimitText({ type: "rateLimit", waitMs });
  if (limit === undefined || limit === 0 || requestsLeft <= limit) return wait;
  const minutes = Math.ceil(waitMs / 60_000 + Math.ceil(requestsLeft / limit) - 1);
  return `${wait} ${requestsLeft} requests are left: about ${minutes} minutes at ${limit} a minute.`;
}
