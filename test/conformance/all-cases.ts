import { casesOfActivity } from "./cases-of-activity.js";
import { casesOfSettings } from "./cases-of-settings.js";
import type { OperationId } from "./operations.js";
import type { Cases } from "./world.js";

/** A call of every operation: the compiler and the sweep both notice one that is missing. */
export const cases: Cases<OperationId> = { ...casesOfSettings, ...casesOfActivity };
