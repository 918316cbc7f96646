import { createRequire } from "node:module";
import type * as yaml from "yaml";

const load = createRequire(__filename);

/** Libraries that a kind's description may use to validate and compare. */
export interface Toolkit {
  readonly yaml: typeof yaml;
}

/** The libraries that the kinds' descriptions are given. Loaded when one is used: most programs have no YAML to judge. */
export const toolkit: Toolkit = {
  get yaml() {
    // The import above has the types of this module.
    return load("yaml") as typeof yaml;
  },
};
