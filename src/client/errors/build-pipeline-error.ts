import { oneLine } from "../../shared/messages/foreign-text.js";

/**
 * Result of a failed request. `not sent`: it never left this machine, so nothing was changed. `rejected`: the service
 * refused it. `unknown`: its response was lost, unreadable or a 5xx, so it may have been carried out.
 */
export type RequestOutcome = "not sent" | "rejected" | "unknown";

/** What to do about a failure, and the code of both. */
export type Advice = readonly [code: string, words: string];

/** Outcomes by reasons that ended a request from outside, of which none can be a field: calls throw them as they are. */
const ofReasons = new WeakMap<object, RequestOutcome>();

export function noted(reason: unknown, outcome: RequestOutcome): unknown {
  // One reason may end several calls, and it doesn't name one of them.
  if (typeof reason === "object" && reason !== null && ofReasons.get(reason) !== "unknown")
    ofReasons.set(reason, outcome);
  return reason;
}

/**
 * Base class of the client's errors: `error instanceof BuildPipelineError` recognizes them. The message is one line with
 * the failure and its fix. No error contains the access token or another secret: not in its message, fields, cause or
 * JSON.
 *
 * One exception is thrown as it is: the reason of an `AbortSignal` that you aborted.
 */
export abstract class BuildPipelineError extends Error {
  /** Stable code of the failure, such as `not-found`, by which the error reference explains it. */
  readonly code: string;
  readonly #outcome: RequestOutcome;

  constructor(
    code: string,
    message: string,
    { outcome = "not sent", ...options }: { cause?: unknown; readonly outcome?: RequestOutcome } = {},
  ) {
    super(oneLine(message), options);
    this.code = code;
    this.#outcome = outcome;
  }

  /** Outcome of the request behind this error. `mayHaveBeenCarriedOut` reads it. */
  get outcome(): RequestOutcome {
    return this.#outcome;
  }

  /** Name, message and the error's own fields. */
  toJSON(): Record<string, unknown> {
    return { name: this.name, message: this.message, ...Object.fromEntries(Object.entries(this)) };
  }
}

/**
 * Gives classes of errors their names. On the prototype, because an error's stack begins with the name that it has when
 * it is made; and by keys, because bundlers rename classes.
 */
export function nameErrors(classes: Readonly<Record<string, { readonly prototype: Error }>>): void {
  for (const [name, { prototype }] of Object.entries(classes)) prototype.name = name;
}

/** An argument of the call can't be part of a request, such as an empty id. Nothing was sent. */
export class ArgumentError extends BuildPipelineError {
  /** Name of the argument, in the API's spelling. */
  readonly argument: string;

  constructor(argument: string, problem: string) {
    // Error argument-invalid: A call of the client has an argument that can't be part of a request, such as an empty id.
    // Fix: Correct the argument.
    super("argument-invalid", `${argument} ${problem}. No request was sent.`);
    this.argument = argument;
  }
}

/** A setting is missing or malformed. The message names it, and the places to set it. */
export class ConfigurationError extends BuildPipelineError {
  /** Name of the setting: `accessToken`, `organization`, `baseUrl` … */
  readonly setting: string;

  constructor(setting: string, problem: string) {
    super("setting-invalid", `${setting} ${problem}`);
    this.setting = setting;
  }
}

nameErrors({ BuildPipelineError, ArgumentError, ConfigurationError });

/**
 * Checks whether the request behind an error may have been carried out. True if its response was lost, unreadable or a
 * 5xx. Also true if it was aborted on its way, or if an earlier try got no response. False for a GET, and where it is
 * certain.
 *
 * @example
 * ```ts
 * try {
 *   return await client.clusters.create({ name: "Linux" });
 * } catch (error) {
 *   if (!mayHaveBeenCarriedOut(error)) throw error;
 *   for await (const cluster of client.clusters.list()) if (cluster.name === "Linux") return cluster;
 *   throw error;
 * }
 * ```
 */
export function mayHaveBeenCarriedOut(error: unknown): boolean {
  if (error instanceof BuildPipelineError && "method" in error && error.method === "GET") return false;
  return outcomeOf(error) === "unknown";
}

/** Returns what became of the request behind an error. `unknown` for errors that are not the client's. */
export function outcomeOf(error: unknown): RequestOutcome {
  return ofReasons.get(Object(error)) ?? (error instanceof BuildPipelineError ? error.outcome : "unknown");
}
