import { oneLine } from "../../messages/one-line.js";

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

  constructor(message: string, options?: ErrorOptions) {
    super(oneLine(message), options);
  }

  /** Name, message and the error's own fields. */
  toJSON(): Record<string, unknown> {
    return { name: this.name, message: this.message, ...Object.fromEntries(Object.entries(this)) };
  }
}
