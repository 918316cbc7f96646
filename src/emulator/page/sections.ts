import { html } from "hono/html";
import type { RecordedRequest } from "../http/request-log.js";
import type { OrganizationData, RecordIn } from "../store/collection.js";

/** HTML with every other value escaped. */
export type Html = ReturnType<typeof html>;

interface Section {
  readonly id: string;
  readonly title: string;
  /** How many objects there are, also where only the latest are shown. */
  readonly count: number;
  readonly body: Html | readonly Html[];
}

const shownBuilds = 50;
const shownRequests = 50;
const shownRuns = 10;

/** Returns the parts of the page. An object has the id that its web address leads to. */
export function sectionsOf(data: OrganizationData, requests: readonly RecordedRequest[]): Section[] {
  const cards = (id: string, title: string, body: readonly Html[]) => {
    return { id, title, count: body.length, body };
  };
  const rows = (title: string, headings: readonly string[], shown: readonly Html[], count = shown.length) => {
    return { id: title.toLowerCase(), title, count, body: table(title, headings, shown) };
  };
  const builds = data.builds.list().reverse();
  const folded = foldedRequests(requests).slice(0, shownRequests);
  return [
    cards(
      "clusters",
      "Clusters",
      data.clusters.list().map((cluster) => clusterCard(data, cluster)),
    ),
    cards("templates", "Pipeline templates", data.pipelineTemplates.list().map(templateCard)),
    rows(
      "Teams",
      ["Team", "Id", "Description", "Privacy", "Members join as", "May create pipelines", "Members"],
      data.teams.list().map((team) => teamRow(data, team)),
    ),
    rows("Members", ["Name", "Email", "Id"], data.users.list("member", true).map(memberRow)),
    cards(
      "suites",
      "Test suites",
      data.suites.list().map((suite) => suiteCard(data, suite)),
    ),
    rows(
      "Agents",
      ["Agent", "Id", "State", "Host", "Version", "Queue", "Doing"],
      data.agents.list().map((agent) => agentRow(data, agent)),
    ),
    rows(
      "Pipelines",
      ["Pipeline", "Slug", "Id", "Cluster", "Repository", "Schedules", "Teams"],
      data.pipelines.list().map((pipeline) => pipelineRow(data, pipeline)),
    ),
    rows(
      "Builds",
      ["Build", "State", "Message", "Branch", "Jobs", "Created"],
      builds.slice(0, shownBuilds).map((build) => buildRow(data, build)),
      builds.length,
    ),
    rows(
      "Requests",
      ["Latest", "Status", "Times", "Operation", "Request"],
      folded.map(requestRow),
      requests.length,
    ),
  ];
}

function clusterCard(data: OrganizationData, record: RecordIn<"clusters">): Html {
  // Only a valid color goes into the style.
  const color = /^#[0-9a-f]{3,6}$/i.test(record.color ?? "") && record.color;
  const queues = data.queues.list("cluster_id", record.id).map((queue) => queueRow(data, record, queue));
  // Without the values of the tokens.
  const tokens = data.agentTokens.list("cluster_id", record.id).map(
    (token) => html`<tr><td>${token.description}</td><td><code>${token.id}</code></td>
<td>${token.allowed_ip_addresses ?? "any"}</td><td>${time(token.created_at)}</td></tr>`,
  );
  // Without the values of the secrets.
  const secrets = data.clusterSecrets.list("cluster_id", record.id).map(
    (secret) => html`<tr><td><strong>${secret.key}</strong></td><td><code>${secret.id}</code></td>
<td>${secret.description}</td><td>${time(secret.updated_at)}</td></tr>`,
  );
  const maintainers = data.clusterMaintainers
    .list("cluster_id", record.id)
    .map(({ user_id, team_id }) => (data.users.get(user_id ?? "") ?? data.teams.get(team_id ?? ""))?.name);
  return html`<article class="card" id="clusters-${record.id}">
<h3>${color && html`<span class="swatch" style="background:${color}"></span>`}${withEmoji(record.emoji)} ${record.name}</h3>
<p>${record.description}</p>
<p class="quiet"><code>${record.id}</code>${maintainers.length > 0 && ` maintained by ${maintainers.join(", ")}`}</p>
${queues.length > 0 && table(`Queues of ${record.name}`, ["Queue", "Id", "Description", "Paused"], queues)}
${tokens.length > 0 && table(`Agent tokens of ${record.name}`, ["Agent token", "Id", "Allowed addresses", "Created"], tokens)}
${secrets.length > 0 && table(`Secrets of ${record.name}`, ["Secret", "Id", "Description", "Updated"], secrets)}
</article>
`;
}

function queueRow(data: OrganizationData, cluster: RecordIn<"clusters">, record: RecordIn<"queues">): Html {
  const pausedBy = data.users.get(record.dispatch_paused_by ?? "")?.name;
  const paused = html`${tag("paused")} ${record.dispatch_paused_note}
<span class="quiet">by ${pausedBy}, ${time(record.dispatch_paused_at)}</span>`;
  return html`<tr id="clusters-${cluster.id}-queues-${record.id}">
<td><strong>${record.key}</strong> ${record.id === cluster.default_queue_id && tag("default")}</td>
<td><code>${record.id}</code></td><td>${record.description}</td><td>${record.dispatch_paused && paused}</td></tr>`;
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

function teamRow(data: OrganizationData, record: RecordIn<"teams">): Html {
  const members = record.member_ids.map((id) => {
    const isMaintainer = record.memberships?.[id]?.role === "maintainer";
    return `${data.users.get(id)?.name ?? id}${isMaintainer ? " (maintainer)" : ""}`;
  });
  return html`<tr><td><strong>${record.name}</strong> ${record.is_default_team && tag("default")}</td>
<td><code>${record.id}</code></td><td>${record.description}</td><td>${record.privacy}</td><td>${record.default_member_role}</td>
<td>${record.members_can_create_pipelines ? "yes" : "no"}</td><td>${members.join(", ")}</td></tr>`;
}

function memberRow({ name, email, id }: RecordIn<"users">): Html {
  return html`<tr><td>${name}</td><td>${email}</td><td><code>${id}</code></td></tr>`;
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
  return html`<tr id="agents-${record.id}"><td><strong>${record.name}</strong></td><td><code>${record.id}</code></td>
<td>${tag(record.connection_state)}</td><td>${record.hostname}</td><td>${record.version}</td><td>${queue?.key}</td>
<td>${record.job_id === null ? "idle" : "running a job"}</td></tr>`;
}

function pipelineRow(data: OrganizationData, record: RecordIn<"pipelines">): Html {
  const schedules = data.pipelineSchedules.list("pipeline_id", record.id);
  const teams = data.teamPipelines.list("pipeline_id", record.id);
  const marks = [
    ...(record.archived_at === null ? [] : ["archived"]),
    ...(record.visibility === "public" ? ["public"] : []),
  ];
  return html`<tr id="pipelines-${record.slug}"><td><strong>${record.name}</strong> ${marks.map(tag)}</td>
<td>${record.slug}</td><td><code>${record.id}</code></td><td>${data.clusters.get(record.cluster_id ?? "")?.name}</td>
<td>${record.repository}</td>
<td>${schedules.map(({ label, cronline, enabled }) => html`${label} <code>${cronline}</code> ${!enabled && tag("disabled")} `)}</td>
<td>${teams.map(({ team_id, access_level }) => `${data.teams.get(team_id)?.name} ${access_level}`).join(", ")}</td></tr>`;
}

function buildRow(data: OrganizationData, record: RecordIn<"builds">): Html {
  const slug = data.pipelines.get(record.pipeline_id)?.slug;
  return html`<tr id="pipelines-${slug}-builds-${record.number}"><td>${slug} #${record.number}</td>
<td>${tag(record.blocked ? "blocked" : record.state)}</td><td>${record.message}</td><td>${record.branch}</td>
<td>${record.jobs.map(({ name, state }) => html`${name}: ${state}<br>`)}</td><td>${time(record.created_at)}</td></tr>`;
}

/** Returns requests with equal ones as one: failures first, then the latest. */
function foldedRequests(requests: readonly RecordedRequest[]) {
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

function requestRow({ latest, times }: ReturnType<typeof foldedRequests>[number]): Html {
  const { at, method, path, query, status, operation } = latest;
  return html`<tr><td>${time(at)}</td>
<td><span class="tag ${isFailure(latest) ? "bad" : "good"}">${status ?? "no answer"}</span></td>
<td>${times}</td>
<td>${operation ?? html`<span class="quiet">none</span>`}</td>
<td><code>${method} ${query === "" ? path : `${path}?${query}`}</code></td></tr>`;
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

/** Emoji of build machines, teams and test suites by their names; a page shows any other name as it is. */
const EMOJI = new Map(
  Array.from(
    (
      "penguin 🐧 apple 🍎 green_apple 🍏 window 🪟 computer 💻 desktop_computer 🖥️ rocket 🚀 package 📦 test_tube 🧪 " +
      "whale 🐳 snake 🐍 gem 💎 crab 🦀 coffee ☕ robot 🤖 robot_face 🤖 iphone 📱 hammer 🔨 wrench 🔧 gear ⚙️ " +
      "hammer_and_wrench 🛠️ factory 🏭 fire 🔥 zap ⚡ lock 🔒 key 🔑 shield 🛡️ white_check_mark ✅ heavy_check_mark ✔️ " +
      "x ❌ warning ⚠️ construction 🚧 bug 🐛 microscope 🔬 mag 🔍 chart_with_upwards_trend 📈 bar_chart 📊 books 📚 " +
      "memo 📝 pencil ✏️ broom 🧹 lipstick 💄 art 🎨 sparkles ✨ star ⭐ tada 🎉 eyes 👀 snail 🐌 turtle 🐢 " +
      "racehorse 🐎 cloud ☁️ earth_africa 🌍 globe_with_meridians 🌐 ship 🚢 anchor ⚓ truck 🚚 airplane ✈️ " +
      "hourglass ⌛ stopwatch ⏱️ moon 🌙 crescent_moon 🌙 sunny ☀️ seedling 🌱 deciduous_tree 🌳 bear 🐻 cat 🐱 dog 🐶 " +
      "ghost 👻 skull 💀 brain 🧠 dart 🎯 trophy 🏆 bell 🔔 mega 📣 card_file_box 🗃️ floppy_disk 💾 cd 💿 electric_plug 🔌"
    ).matchAll(/(\w+) (\S+)/g),
    ([, name = "", emoji = ""]) => [`:${name}:`, emoji],
  ),
);

/** Returns a text with the characters of the emoji that it names: `:penguin:` is 🐧. */
function withEmoji(text: string | null): string {
  return (text ?? "").replace(/:[a-z_]+:/g, (name) => EMOJI.get(name) ?? name);
}
