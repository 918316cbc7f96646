import { BuildPipelineError, nameErrors } from "./build-pipeline-error.js";

/** An argument of the call can't be part of a request, such as an empty id. Nothing was sent. */
export class ArgumentError extends BuildPipelineError {
  /** Name of the argument, in the API's spelling. */
  readonly argument: string;

  constructor(argument: string, problem: string) {
    super(`${argument} ${problem}. No request was sent.`);
    this.argument = argument;
  }
}

/** A setting is missing or malformed. The message names it, and the places to set it. */
export class ConfigurationError extends BuildPipelineError {
  /** Name of the setting: `accessToken`, `organization`, `baseUrl` … */
  readonly setting: string;

  constructor(setting: string, problem: string) {
    super(`${setting} ${problem}`);
    this.setting = setting;
  }
}

nameErrors({ ArgumentError, ConfigurationError });
