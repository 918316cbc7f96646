import accessToken from "./access-token.js";
import agentTokens from "./agent-tokens.js";
import agents from "./agents.js";
import builds from "./builds.js";
import clusters from "./clusters.js";
import type { AnyGetFunction } from "./invoke/function.js";
import members from "./members.js";
import organizations from "./organizations.js";
import pipelineTemplates from "./pipeline-templates.js";
import queues from "./queues.js";
import runs from "./runs.js";
import suites from "./suites.js";
import teams from "./teams.js";

const all: readonly AnyGetFunction[] = [
  ...accessToken,
  ...agentTokens,
  ...agents,
  ...builds,
  ...clusters,
  ...members,
  ...organizations,
  ...pipelineTemplates,
  ...queues,
  ...runs,
  ...suites,
  ...teams,
];

/** Every function by its name. */
export const functions: ReadonlyMap<string, AnyGetFunction> = new Map(all.map((each) => [each.name, each]));
