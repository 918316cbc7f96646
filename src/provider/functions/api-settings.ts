import type * as api from "../../client/index.js";
import { ApiSettings } from "../resources/api-settings.js";
import type { NoArguments } from "./invoke/arguments.js";
import { functionsOf } from "./invoke/of-kind.js";
import type { KindResult } from "./results/result-fields.js";

export type { NoArguments as GetApiSettingsArgs };

/** Who can use the API of the organization, as the API returns it. */
export interface GetApiSettingsResult extends KindResult<ApiSettings, api.ApiSettings, "reachableFrom"> {}

const { only } = functionsOf<GetApiSettingsResult>(ApiSettings.kind);

/**
 * Reads who can use the API of the organization. Scope: `read_organization_settings`, and a user who is an admin.
 * @example const { allowedIpAddresses, features } = await getApiSettings();
 */
export const getApiSettings = only<NoArguments | undefined>();
