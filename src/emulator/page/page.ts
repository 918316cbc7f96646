import { html, raw } from "hono/html";
import { agentTokenTable } from "../agent-tokens.js";
import { agentSection } from "../agents.js";
import { buildSection } from "../builds/builds.js";
import { clusterSection } from "../clusters.js";
import type { RecordedRequest } from "../http/request-log.js";
import { memberSection } from "../members.js";
import { templateSection } from "../pipeline-templates.js";
import { queueTable } from "../queues.js";
import { runTable } from "../runs.js";
import type { OrganizationData } from "../store/organization-data.js";
import { suiteSection } from "../suites.js";
import { teamSection } from "../teams.js";
import type { Html } from "./parts.js";
import { requestSection } from "./requests.js";
import { style } from "./style.js";

/** Content of the page. */
export interface PageContent {
  /** The address the browser used. */
  readonly base: string;
  readonly data: OrganizationData;
  readonly requests: readonly RecordedRequest[];
}

/** Returns the organization as one page of HTML, without scripts and secrets. */
export function renderPage(content: PageContent): Html {
  const { data, base, requests } = content;
  const organization = data.organizations.list()[0];
  const name = organization?.name ?? "No organization";
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${name} – emulator</title>
<link rel="icon" href="data:,">
<style>${raw(style)}</style>
</head>
<body>
<header>
<h1>${name}</h1>
<p class="quiet">Organization <code>${organization?.slug}</code> at <code>${base}</code>, served by the emulator on this machine.
Interface description: <a href="/openapi.json">openapi.json</a></p>
<nav aria-label="Sections">
<a href="#clusters">Clusters</a> <a href="#templates">Pipeline templates</a> <a href="#teams">Teams</a>
<a href="#members">Members</a> <a href="#suites">Test suites</a> <a href="#agents">Agents</a>
<a href="#builds">Builds</a> <a href="#requests">Requests</a>
</nav>
</header>
<main>
${clusterSection(data, (cluster) => html`${queueTable(data, cluster)}${agentTokenTable(data, cluster.id)}`)}
${templateSection(data)}${teamSection(data)}${memberSection(data)}
${suiteSection(data, (suite) => runTable(data, suite))}${agentSection(data)}${buildSection(data)}
${requestSection(requests)}
</main>
</body>
</html>
`;
}
