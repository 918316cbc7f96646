import { html } from "hono/html";
import type { RecordedRequest } from "../http/request-log.js";
import type { OrganizationData, RecordIn } from "../store/collection.js";
import { withEmoji } from "./emoji.js";

/** HTML with every other value escaped. */
export type Html = ReturnType<typeof html>;

interface Section {
  readonly id: string;
  readonly title: string;
  /** How many objects there are, also where only the latest are shown. */
  readonly count: number;
  readonly body: Html;
}

const shownBuilds = 50;
const shownRequests = 50;
const shownRuns = 10;

/** Returns the parts of the page. An object has the id that its web address leads to. */
export function sectionsOf(data: OrganizationData, requests: readonly RecordedRequest[]): Section[] {
  const clusters = data.clusters.list().map((cluster) => clusterCard(data, cluster));
  const suites = data.suites.list().map((suite) => suiteCard(data, suite));
  const members = data.users
    .list("member", true)
    .map(
      ({ name, email, id }) => html`<tr><td>${name}</td><td>${email}</td><td><code>${id}</code></td></tr>`,
    );
  const agents = data.agents.list().map((agent) => agentRow(data, agent));
  const builds = data.builds.list().reverse();
  const latestBuilds = builds.slice(0, shownBuilds).map((build) => buildRow(data, build));
  const latestRequests = foldedRequests(requests).slice(0, shownRequests).map(requestRow);
  const roles = ["Privacy", "Members join as", "May create pipelines"];
  const teamHeadings = ["Team", "Description", ...roles, "Members", "Id"];
  const agentHeadings = ["Agent", "State", "Host", "Version", "Queue", "Doing", "Id"];
  const buildHeadings = ["Build", "State", "Message", "Branch", "Jobs", "Created"];
  const requestHeadings = ["Latest", "Status", "Times", "Operation", "Request"];
  return [
    cardSection("clusters", "Clusters", clusters),
    cardSection("templates", "Pipeline templates", data.pipelineTemplates.list().map(templateCard)),
    tableSection("teams", "Teams", teamHeadings, data.teams.list().map(teamRow)),
    tableSection("members", "Members", ["Name", "Email", "Id"], members),
    cardSection("suites", "Test suites", suites),
    tableSection("agents", "Agents", agentHeadings, agents),
    tableSection("builds", "Builds", buildHeadings, latestBuilds, builds.length),
    tableSection("requests", "Requests", requestHeadings, latestRequests, requests.length),
  ];
}

function cardSection(id: string, title: string, cards: readonly Html[]): Section {
  return { id, title, count: cards.length, body: html`${cards}` };
}

function tableSection(
  id: string,
  title: string,
  headings: readonly string[],
  rows: readonly Html[],
  count = rows.length,
): Section {
  return { id, title, count, body: table(title, headings, rows) };
}

function clusterCard(data: OrganizationData, record: RecordIn<"clusters">): Html {
  // Only a valid color goes into the style.
  const color = /^#[0-9a-f]{3,6}$/i.test(record.color ?? "") && record.color;
  const queues = data.queues.list("cluster_id", record.id).map((queue) => queueRow(data, record, queue));
  // Without the values of the tokens.
  const tokens = data.agentTokens.list("cluster_id", record.id).map(
    (token) => html`<tr><td>${token.description}</td><td>${token.allowed_ip_addresses ?? "any"}</td>
<td>${time(token.created_at)}</td><td><code>${token.id}</code></td></tr>`,
  );
  return html`<article class="card" id="clusters-${record.id}">
<h3>${color && html`<span class="swatch" style="background:${color}"></span>`}${withEmoji(record.emoji)} ${record.name}</h3>
<p>${record.description}</p>
<p class="quiet"><code>${record.id}</code></p>
${queues.length > 0 && table(`Queues of ${record.name}`, ["Queue", "Description", "Dispatch", "Id"], queues)}
${tokens.length > 0 && table(`Agent tokens of ${record.name}`, ["Agent token", "Allowed addresses", "Created", "Id"], tokens)}
</article>
`;
}

/** Shows which queue is the default, which is paused, by whom and why. */
function queueRow(data: OrganizationData, cluster: RecordIn<"clusters">, record: RecordIn<"queues">): Html {
  const pausedBy = data.users.get(record.dispatch_paused_by ?? "")?.name;
  const paused = html`${tag("paused")} ${record.dispatch_paused_note}
<span class="quiet">by ${pausedBy}, ${time(record.dispatch_paused_at)}</span>`;
  return html`<tr id="clusters-${cluster.id}-queues-${record.id}">
<td><strong>${record.key}</strong> ${record.id === cluster.default_queue_id && tag("default")}</td>
<td>${record.description}</td><td>${record.dispatch_paused ? paused : tag("dispatching")}</td>
<td><code>${record.id}</code></td></tr>`;
}

function templateCard(record: RecordIn<"pipelineTemplates">): Html {
  return html`<article class="card" id="pipeline-templates-${record.id}">
<h3>${record.name} ${tag(record.available ? "available" : "for admins only")}</h3>
<p>${record.description}</p>
<p class="quiet"><code>${record.id}</code>, updated ${time(record.updated_at)}</p>
<pre tabindex="0" role="region" aria-label="Configuration of ${record.name}">${record.configuration}</pre>
</article>
`;
}

function teamRow(record: RecordIn<"teams">): Html {
  return html`<tr><td><strong>${record.name}</strong> ${record.is_default_team && tag("default")}</td>
<td>${record.description}</td><td>${record.privacy}</td><td>${record.default_member_role}</td>
<td>${record.members_can_create_pipelines ? "yes" : "no"}</td><td>${record.member_ids.length}</td>
<td><code>${record.id}</code></td></tr>`;
}

function suiteCard(data: OrganizationData, record: RecordIn<"suites">): Html {
  const runs = data.runs.list("suite_id", record.id).reverse();
  const rows = runs.slice(0, shownRuns).map(
    (run) => html`<tr id="analytics-suites-${record.slug}-runs-${run.id}"><td>${run.branch}</td>
<td><code>${run.commit_sha.slice(0, 10)}</code></td><td>${tag(run.state)}</td><td>${tag(run.result)}</td>
<td>${time(run.created_at)}</td></tr>`,
  );
  return html`<article class="card" id="analytics-suites-${record.slug}">
<h3>${withEmoji(record.emoji)} ${record.name}</h3>
<p class="quiet"><code>${record.slug}</code>, branch ${record.default_branch}, ${runs.length} runs</p>
${rows.length > 0 && table(`Runs of ${record.name}`, ["Branch", "Commit", "State", "Result", "Started"], rows)}
</article>
`;
}

function agentRow(data: OrganizationData, record: RecordIn<"agents">): Html {
  const queue = data.queues.get(record.cluster_queue_id ?? "");
  return html`<tr id="agents-${record.id}"><td><strong>${record.name}</strong></td>
<td>${tag(record.connection_state)}</td><td>${record.hostname}</td><td>${record.version}</td><td>${queue?.key}</td>
<td>${record.job_id === null ? "idle" : "running a job"}</td><td><code>${record.id}</code></td></tr>`;
}

function buildRow(data: OrganizationData, record: RecordIn<"builds">): Html {
  const slug = data.pipelines.get(record.pipeline_id)?.slug;
  return html`<tr id="pipelines-${slug}-builds-${record.number}"><td>${slug} #${record.number}</td>
<td>${tag(record.blocked ? "blocked" : record.state)}</td><td>${record.message}</td><td>${record.branch}</td>
<td>${record.jobs.map(({ name, state }) => html`${name}: ${state}<br>`)}</td><td>${time(record.created_at)}</td></tr>`;
}

interface Folded {
  readonly latest: RecordedRequest;
  readonly times: number;
}

/** Returns requests with equal ones as one: failures first, then the latest. */
function foldedRequests(requests: readonly RecordedRequest[]): Folded[] {
  const same = Map.groupBy(requests.toReversed(), (one) =>
    [one.method, one.path, one.query, one.status].join(" "),
  );
  return [...same.values()]
    .flatMap(([latest, ...others]) => (latest ? [{ latest, times: others.length + 1 }] : []))
    .sort((one, other) => Number(isFailure(other.latest)) - Number(isFailure(one.latest)));
}

function isFailure({ status }: RecordedRequest): boolean {
  return status === null || status >= 400;
}

function requestRow({ latest, times }: Folded): Html {
  const { at, method, path, query, status, operation } = latest;
  return html`<tr><td>${time(at)}</td>
<td><span class="tag ${isFailure(latest) ? "bad" : "good"}">${status ?? "no answer"}</span></td>
<td>${times}</td>
<td>${operation ?? html`<span class="quiet">none</span>`}</td>
<td><code class="path">${method} ${query === "" ? path : `${path}?${query}`}</code></td></tr>`;
}

/** Returns a table; wide ones scroll by themselves, with the keyboard as well. */
function table(label: string, headings: readonly string[], rows: readonly Html[]): Html {
  return html`<div class="scroll" tabindex="0" role="region" aria-label="${label}"><table>
<thead><tr>${headings.map((heading) => html`<th scope="col">${heading}</th>`)}</tr></thead>
<tbody>${rows}</tbody>
</table></div>`;
}

const tones: Readonly<Record<string, string>> = {
  passed: "good",
  connected: "good",
  failed: "bad",
  failing: "bad",
  lost: "bad",
  running: "busy",
  blocked: "busy",
  paused: "busy",
  canceling: "busy",
  stopping: "busy",
};

function tag(state: string): Html {
  return html`<span class="tag ${Object.hasOwn(tones, state) ? tones[state] : "quiet"}">${state}</span>`;
}

/** Returns a time as people read it, to the second, in UTC. */
function time(iso: string | null): Html {
  if (iso === null) return html`<span class="quiet">–</span>`;
  return html`<time datetime="${iso}">${iso.slice(0, 19).replace("T", " ")}</time>`;
}
