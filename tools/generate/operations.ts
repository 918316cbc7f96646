import { kinds } from "../../src/provider/for-commands/kinds.js";
import { table } from "./markdown.js";

/** An operation of the API, as the client's own table describes it. */
export interface Operation {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly scope: string | null;
}

/** Functions or resource types that use an operation, where its name doesn't say so. */
const uses: Readonly<Record<string, readonly string[]>> = {
  "clusters.update": ["Cluster", "ClusterDefaultQueue"],
  "clusterSecrets.updateValue": ["ClusterSecret"],
  "pipelines.archive": ["Pipeline"],
  "pipelines.unarchive": ["Pipeline"],
  "pipelines.createWebhook": ["Pipeline"],
  "pipelines.githubWebhooks.get": ["Pipeline"],
  "pipelines.githubWebhooks.enable": ["Pipeline"],
  "pipelines.githubWebhooks.disable": ["Pipeline"],
  "pipelineSettings.get": ["getPipelineSettings"],
  "pipelineSettings.update": ["PipelineSettings"],
  "pipelineSettings.enableHostedAgentsSsh": ["PipelineSettings"],
  "pipelineSettings.disableHostedAgentsSsh": ["PipelineSettings"],
  "pipelineSettings.enablePublicPipelines": ["PipelineSettings"],
  "pipelineSettings.disablePublicPipelines": ["PipelineSettings"],
  "apiSettings.get": ["getApiSettings"],
  "apiSettings.update": ["ApiSettings"],
  "queues.pauseDispatch": ["Queue"],
  "queues.resumeDispatch": ["Queue"],
  "members.list": ["getOrganizationMembers"],
  "members.get": ["getOrganizationMember"],
  // People who come and go, and what they did, are nothing that a program declares or looks up.
  "invitations.list": [],
  "invitations.get": [],
  "auditEvents.list": [],
  "auditEvents.get": [],
};

/** Lists the functions (`get…`) and the resource types that use an operation. */
export function usersOf({ id, method }: Operation): readonly string[] {
  const [group = "", verb = ""] = id.split(".");
  // The groups of the client are plurals of what the functions and resource types are called.
  const noun = group.charAt(0).toUpperCase() + group.slice(1).replace(/s$/, "");
  if (uses[id] !== undefined) return uses[id];
  if (method === "GET") return [`get${noun}${verb.startsWith("list") ? "s" : ""}`];
  return kinds.has(noun) && ["create", "update", "delete"].includes(verb) ? [noun] : [];
}

/** Returns the table of all operations. */
export function operationsTable(operations: readonly Operation[]): string {
  return table(
    ["operation", "client method", "function or resource", "scope"],
    operations.map((operation) => [
      `\`${operation.method} ${operation.path}\``,
      `\`${operation.id}\``,
      usersOf(operation)
        .map((name) => `\`${name}\``)
        .join(", ") || "–",
      operation.scope === null ? "none" : `\`${operation.scope}\``,
    ]),
  );
}

/** Returns the table of the scopes that the functions need, each scope once. */
export function functionScopes(operations: readonly Operation[]): string {
  const scopes = new Map<string, string[]>();
  for (const operation of operations.filter(({ method }) => method === "GET")) {
    const scope = operation.scope === null ? "none" : `\`${operation.scope}\``;
    const names = usersOf(operation).flatMap((name) => (name.startsWith("get") ? [`\`${name}\``] : []));
    if (names.length === 0) continue;
    scopes.set(scope, [...new Set([...(scopes.get(scope) ?? []), ...names])]);
  }
  return table(
    ["scope", "functions"],
    [...scopes].map(([scope, names]) => [scope, names.join(", ")]),
  );
}
