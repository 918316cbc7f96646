import { BuildPipelineError } from "./build-pipeline-error.js";

/** A call was given something no request can be made of, such as an empty id. Nothing was sent. */
export class ArgumentError extends BuildPipelineError {
  static {
    ArgumentError.prototype.name = "ArgumentError";
  }

  /** Name of the argument, as the API document spells it. */
  readonly argument: string;

  constructor(argument: string, problem: string) {
    super(`${argument} ${problem}. No request was sent.`);
    this.argument = argument;
  }
}
