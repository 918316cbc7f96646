import * as dynamic from "../../src/index.js";
import * as native from "../../src/native/index.js";
import type { Door } from "../../src/resources/type-token.js";

/** The classes of the resources, by either door. */
export type Classes = Pick<
  typeof dynamic,
  "AgentToken" | "Cluster" | "ClusterDefaultQueue" | "PipelineTemplate" | "Queue" | "Suite" | "Team"
>;

export const classesOf: Readonly<Record<Door, Classes>> = { dynamic, native };

/** The door of this run: the dynamic one, unless `npm run test:doors` asks for the plugin. */
export const door: Door = process.env.DOORS === "native" ? "native" : "dynamic";

/** The classes that the tests of this run declare their resources with. */
export const { AgentToken, Cluster, ClusterDefaultQueue, PipelineTemplate, Provider, Queue, Suite, Team } = {
  dynamic,
  native,
}[door];

/** The title of tests that hold through either door: by it `npm run test:doors` finds what it runs. */
export function throughEither(title: string): string {
  return door === "native" ? `${title}, by the native door` : title;
}

/** The kinds that `npm test` puts through the plugin as well; `npm run test:doors` puts all through it. */
const SAMPLE = ["Queue"];

/** The doors that the tests of a kind go through in this run. */
export function doorsFor(kind: string): readonly Door[] {
  if (door === "native") return ["native"];
  return SAMPLE.includes(kind) ? ["dynamic", "native"] : ["dynamic"];
}
