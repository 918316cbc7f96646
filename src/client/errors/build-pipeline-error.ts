import { oneLine } from "../../messages/one-line.js";
import type { RequestOutcome } from "./request-outcome.js";

/**
 * Base class of the client's errors: `error instanceof BuildPipelineError` recognizes them. The message is one line with
 * the failure and its fix. No error contains the access token or another secret: not in its message, fields, cause or
 * JSON.
 *
 * One exception is thrown as it is: the reason of an `AbortSignal` that you aborted.
 */
export abstract class BuildPipelineError extends Error {
  static {
    BuildPipelineError.prototype.name = "BuildPipelineError";
  }

  readonly #outcome: RequestOutcome;

  constructor(message: string, { outcome = "not sent", ...options }: BuildPipelineErrorOptions = {}) {
    super(oneLine(message), options);
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

interface BuildPipelineErrorOptions extends ErrorOptions {
  /** Default: no request was sent. */
  readonly outcome?: RequestOutcome;
}
