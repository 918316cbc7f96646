import { oneLine } from "../../messages/one-line.js";
import type { RequestOutcome } from "./request-outcome.js";

/**
 * What every error of the client is, so that `error instanceof BuildPipelineError` tells it from all others. The
 * message is one line that says what happened and what to do. No error ever contains the access token or another
 * secret: not in its message, fields, cause or JSON.
 *
 * The one thing that is thrown as it is: the reason of an `AbortSignal` you aborted.
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

  /** What became of the request behind this error. `mayHaveBeenCarriedOut` reads it. */
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
