import type * as api from "../../client/index.js";
import { PipelineSettings } from "../resources/pipeline-settings.js";
import type { NoArguments } from "./invoke/arguments.js";
import { functionsOf } from "./invoke/of-kind.js";
import type { KindResult } from "./results/result-fields.js";

export type { NoArguments as GetPipelineSettingsArgs };

/** What holds for all pipelines of the organization, as the API returns it. */
export interface GetPipelineSettingsResult extends KindResult<PipelineSettings, api.PipelineSettings> {}

const { only } = functionsOf<GetPipelineSettingsResult>(PipelineSettings.kind);

/**
 * Reads what holds for all pipelines of the organization. Scope: `read_organization_settings`, and a user who is an admin.
 * @example const { defaultClusterId } = await getPipelineSettings();
 */
export const getPipelineSettings = only<NoArguments | undefined>();
