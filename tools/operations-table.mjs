// Writes the table of operations into docs/operations.md, from the table that the client is made of.
//
//   node tools/operations-table.mjs      after `npm run build`
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { checkout } from "./checkout.mjs";

const START = "<!-- operations:start -->";
const END = "<!-- operations:end -->";

/** What one of a group's objects is called in the names of lookups, and in the class where there is one. */
const nouns = /** @type {Record<string, { lookup: string, resource?: string }>} */ ({
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
});

/** Operations that more, or other, resources use than the name says. */
const uses = /** @type {Record<string, string[]>} */ ({
  "clusters.update": ["Cluster", "ClusterDefaultQueue"],
  "queues.pauseDispatch": ["Queue"],
  "queues.resumeDispatch": ["Queue"],
});

/**
 * What of the package uses an operation besides the client: lookups (`get…`) and resources.
 *
 * @param {{ id: string, method: string }} operation
 * @returns {string[]}
 */
export function usersOf({ id, method }) {
  const [group = "", verb = ""] = id.split(".");
  const noun = nouns[group];
  if (noun === undefined) throw new Error(`The group of ${id} is not in the table of nouns.`);
  if (method === "GET") return [`get${noun.lookup}${verb.startsWith("list") ? "s" : ""}`];
  if (uses[id] !== undefined) return uses[id];
  return noun.resource !== undefined && ["create", "update", "delete"].includes(verb) ? [noun.resource] : [];
}

/**
 * The table as Markdown.
 *
 * @param {readonly { id: string, method: string, path: string, scope: string | null }[]} operations
 * @returns {string}
 */
export function operationsTable(operations) {
  const rows = operations.map((operation) => {
    const users = usersOf(operation).map((name) => `\`${name}\``);
    const scope = operation.scope === null ? "none" : `\`${operation.scope}\``;
    const request = `\`${operation.method} ${operation.path}\``;
    return `| ${request} | \`${operation.id}\` | ${users.join(", ") || "–"} | ${scope} |`;
  });
  return ["| operation | client method | function or resource | scope |", "|---|---|---|---|", ...rows].join(
    "\n",
  );
}

/**
 * A text with the table between its marks.
 *
 * @param {string} text
 * @param {string} table
 * @returns {string}
 */
export function withTable(text, table) {
  const [start, end] = [text.indexOf(START), text.indexOf(END)];
  if (start < 0 || end < start) throw new Error(`The document lacks the marks ${START} and ${END}.`);
  return `${text.slice(0, start + START.length)}\n${table}\n${text.slice(end)}`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const document = join(checkout, "docs", "operations.md");
  /** @type {typeof import("../src/client/index.js")} */
  const { operations } = createRequire(import.meta.url)(join(checkout, "dist", "client", "index.js"));
  writeFileSync(document, withTable(readFileSync(document, "utf8"), operationsTable(operations)));
}
