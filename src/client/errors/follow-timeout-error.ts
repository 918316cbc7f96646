import { oneLine } from "../../messages/one-line.js";
import { BuildPipelineError } from "./build-pipeline-error.js";

/** A followed build did not end within `timeoutMs`. The build continues. */
export class FollowTimeoutError extends BuildPipelineError {
  static {
    FollowTimeoutError.prototype.name = "FollowTimeoutError";
  }

  /** Slug of the pipeline. */
  readonly pipeline: string;
  /** Number of the build. */
  readonly number: number;
  /** The build's last known state. */
  readonly state: string;
  /** The limit, in milliseconds. */
  readonly timeoutMs: number;

  constructor(pipeline: string, number: number, state: string, timeoutMs: number) {
    const shown = oneLine(state, 100);
    super(
      `Build ${number} of pipeline ${pipeline} is still ${shown} after ${timeoutMs} ms. The build continues. ` +
        "Follow it again with a longer timeoutMs, or cancel it.",
    );
    this.pipeline = pipeline;
    this.number = number;
    this.state = shown;
    this.timeoutMs = timeoutMs;
  }
}
