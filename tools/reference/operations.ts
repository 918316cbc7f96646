import { table } from "./markdown.js";

/** An operation of the API, as the client's own table describes it. */
export interface Operation {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly scope: string | null;
}

/** What one of a group's objects is called in the names of functions, and in the class where there is one. */
const nouns: Readonly<Record<string, { readonly lookup: string; readonly resource?: string }>> = {
  clusters: { lookup: "Cluster", resource: "Cluster" },
  queues: { lookup: "Queue", resource: "Queue" },
  agentTokens: { lookup: "AgentToken", resource: "AgentToken" },
  pipelineTemplates: { lookup: "PipelineTemplate", resource: "PipelineTemplate" },
  teams: { lookup: "Team", resource: "Team" },
  suites: { lookup: "Suite", resource: "Suite" },
  runs: { lookup: "Run" },
  agents: { lookup: "Agent" },
  organizations: { lookup: "Organization" },
  members: { lookup: "OrganizationMember" },
  accessToken: { lookup: "AccessToken" },
  builds: { lookup: "Build" },
};

/** Functions or resource types that use an operation, where its name doesn't say so. */
const uses: Readonly<Record<string, readonly string[]>> = {
  "clusters.update": ["Cluster", "ClusterDefaultQueue"],
  "queues.pauseDispatch": ["Queue"],
  "queues.resumeDispatch": ["Queue"],
};

/** Lists the functions (`get…`) and the resource types that use an operation. */
export function usersOf({ id, method }: Operation): readonly string[] {
  const [group = "", verb = ""] = id.split(".");
  const noun = nouns[group];
  if (noun === undefined) throw new Error(`The group of ${id} is not in the table of nouns.`);
  if (uses[id] !== undefined) return uses[id];
  if (method === "GET") return [`get${noun.lookup}${verb.startsWith("list") ? "s" : ""}`];
  return noun.resource !== undefined && ["create", "update", "delete"].includes(verb) ? [noun.resource] : [];
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
    const names = usersOf(operation).map((name) => `\`${name}\``);
    scopes.set(scope, [...new Set([...(scopes.get(scope) ?? []), ...names])]);
  }
  return table(
    ["scope", "functions"],
    [...scopes].map(([scope, names]) => [scope, names.join(", ")]),
  );
}
