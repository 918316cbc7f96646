import { BuildPipelineError } from "./build-pipeline-error.js";

/** The client cannot be made with these settings. The message says which one, and where to set it. */
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
