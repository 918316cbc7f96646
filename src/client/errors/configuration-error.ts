import { BuildPipelineError } from "./build-pipeline-error.js";

/** A setting is missing or malformed. The message names it, and the places to set it. */
export class ConfigurationError extends BuildPipelineError {
  static {
    ConfigurationError.prototype.name = "ConfigurationError";
  }

  /** Name of the setting: `accessToken`, `organization`, `baseUrl` … */
  readonly setting: string;

  constructor(setting: string, problem: string) {
    super(`${setting} ${problem}`);
    this.setting = setting;
  }
}
