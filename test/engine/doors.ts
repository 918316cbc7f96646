import * as dynamic from "../../src/index.js";
import * as native from "../../src/native/index.js";
import type { Door } from "../../src/resources/registration.js";

/** The classes of the resources, by either door. */
export type Classes = Pick<
  typeof dynamic,
  "AgentToken" | "Cluster" | "ClusterDefaultQueue" | "PipelineTemplate" | "Queue" | "Suite" | "Team"
>;

export const classesOf: Readonly<Record<Door, Classes>> = { dynamic, native };

/** The kinds that `npm test` puts through the plugin as well; `npm run test:doors` puts all through it. */
const SAMPLE = ["Queue"];

/** The doors that the tests of a kind go through in this run. */
export function doorsFor(kind: string): readonly Door[] {
  if (process.env.DOORS === "native") return ["native"];
  return SAMPLE.includes(kind) ? ["dynamic", "native"] : ["dynamic"];
}
