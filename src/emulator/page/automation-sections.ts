import type { OrganizationData } from "../store/organization-data.js";
import { type Html, html } from "./html.js";
import { section, table, tag, time } from "./parts.js";

const shownBuilds = 50;
const shownRuns = 10;

/** What runs: test suites with their latest runs, agents, the latest builds. */
export function automationSections(data: OrganizationData): Html {
  return html`${suites(data)}${agents(data)}${builds(data)}`;
}

function suites(data: OrganizationData): Html {
  const records = data.suites.list();
  const cards = records.map((suite) => {
    const runs = data.runs.list("suite_id", suite.id).reverse();
    const rows = runs.slice(0, shownRuns).map(
      (run) => html`<tr id="analytics-suites-${suite.slug}-runs-${run.id}"><td>${run.branch}</td>
<td><code>${run.commit_sha.slice(0, 10)}</code></td><td>${tag(run.state)}</td><td>${tag(run.result)}</td>
<td>${time(run.created_at)}</td></tr>`,
    );
    return html`<article class="card" id="analytics-suites-${suite.slug}">
<h3>${suite.emoji} ${suite.name}</h3>
<p class="quiet"><code>${suite.slug}</code>, branch ${suite.default_branch}, ${runs.length} runs</p>
${rows.length > 0 && table(["Branch", "Commit", "State", "Result", "Started"], rows)}
</article>
`;
  });
  return section("suites", "Test suites", records.length, html`${cards}`);
}

function agents(data: OrganizationData): Html {
  const records = data.agents.list();
  const rows = records.map((agent) => {
    const queue = data.queues.get(agent.cluster_queue_id ?? "");
    return html`<tr id="agents-${agent.id}"><td><strong>${agent.name}</strong></td>
<td>${tag(agent.connection_state)}</td><td>${agent.hostname}</td><td>${agent.version}</td><td>${queue?.key}</td>
<td>${agent.job_id === null ? "idle" : "running a job"}</td><td><code>${agent.id}</code></td></tr>`;
  });
  const headings = ["Agent", "State", "Host", "Version", "Queue", "Doing", "Id"];
  return section("agents", "Agents", records.length, table(headings, rows));
}

function builds(data: OrganizationData): Html {
  const records = data.builds.list().reverse();
  const rows = records.slice(0, shownBuilds).map((build) => {
    const slug = data.pipelines.get(build.pipeline_id)?.slug;
    return html`<tr id="pipelines-${slug}-builds-${build.number}"><td>${slug} #${build.number}</td>
<td>${tag(build.blocked ? "blocked" : build.state)}</td><td>${build.message}</td><td>${build.branch}</td>
<td>${build.jobs.map((job) => html`${job.name}: ${job.state}<br>`)}</td><td>${time(build.created_at)}</td></tr>`;
  });
  const headings = ["Build", "State", "Message", "Branch", "Jobs", "Created"];
  return section("builds", "Builds", records.length, table(headings, rows));
}
