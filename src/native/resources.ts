import type { Backend } from "../protocol/type-token.js";
import * as dynamic from "../resources/index.js";

const backend: Backend = "plugin";

/**
 * A class whose resources the plugin serves: the other entry's class but for its backend, which the constructor asks for.
 * A subclass would do, but the SDK skips a fixed number of constructor frames to find the user's line, and a subclass
 * adds one.
 */
function throughPlugin<Class extends object>(resource: Class): Class {
  return new Proxy(resource, {
    get: (target, name, receiver) => (name === "backend" ? backend : Reflect.get(target, name, receiver)),
  });
}

/** {@link dynamic.AgentToken}, served by the plugin. */
export const AgentToken = throughPlugin(dynamic.AgentToken);
export type AgentToken = dynamic.AgentToken;

/** {@link dynamic.Cluster}, served by the plugin. */
export const Cluster = throughPlugin(dynamic.Cluster);
export type Cluster = dynamic.Cluster;

/** {@link dynamic.ClusterDefaultQueue}, served by the plugin. */
export const ClusterDefaultQueue = throughPlugin(dynamic.ClusterDefaultQueue);
export type ClusterDefaultQueue = dynamic.ClusterDefaultQueue;

/** {@link dynamic.PipelineTemplate}, served by the plugin. */
export const PipelineTemplate = throughPlugin(dynamic.PipelineTemplate);
export type PipelineTemplate = dynamic.PipelineTemplate;

/** {@link dynamic.Queue}, served by the plugin. */
export const Queue = throughPlugin(dynamic.Queue);
export type Queue = dynamic.Queue;

/** {@link dynamic.Suite}, served by the plugin. */
export const Suite = throughPlugin(dynamic.Suite);
export type Suite = dynamic.Suite;

/** {@link dynamic.Team}, served by the plugin. */
export const Team = throughPlugin(dynamic.Team);
export type Team = dynamic.Team;
