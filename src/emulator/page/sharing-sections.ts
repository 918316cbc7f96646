import type { OrganizationData } from "../store/organization-data.js";
import { type Html, html } from "./html.js";
import { section, table, tag, time } from "./parts.js";

/** What people of the organization share: pipeline templates, teams, and who they are. */
export function sharingSections(data: OrganizationData): Html {
  return html`${templates(data)}${teams(data)}${members(data)}`;
}

function templates(data: OrganizationData): Html {
  const records = data.pipelineTemplates.list();
  const cards = records.map(
    (template) => html`<article class="card" id="pipeline-templates-${template.id}">
<h3>${template.name} ${tag(template.available ? "available" : "for admins only")}</h3>
<p>${template.description}</p>
<p class="quiet"><code>${template.id}</code>, updated ${time(template.updated_at)}</p>
<pre>${template.configuration}</pre>
</article>
`,
  );
  return section("templates", "Pipeline templates", records.length, html`${cards}`);
}

function teams(data: OrganizationData): Html {
  const records = data.teams.list();
  const rows = records.map(
    (team) => html`<tr><td><strong>${team.name}</strong> ${team.is_default_team && tag("default")}</td>
<td>${team.description}</td><td>${team.privacy}</td><td>${team.default_member_role}</td>
<td>${team.members_can_create_pipelines ? "yes" : "no"}</td><td>${team.member_ids.length}</td>
<td><code>${team.id}</code></td></tr>`,
  );
  const headings = [
    "Team",
    "Description",
    "Privacy",
    "Members join as",
    "May create pipelines",
    "Members",
    "Id",
  ];
  return section("teams", "Teams", records.length, table(headings, rows));
}

function members(data: OrganizationData): Html {
  const records = data.users.list().filter((user) => user.member);
  const rows = records.map(
    (user) => html`<tr><td>${user.name}</td><td>${user.email}</td><td><code>${user.id}</code></td></tr>`,
  );
  return section("members", "Members", records.length, table(["Name", "Email", "Id"], rows));
}
