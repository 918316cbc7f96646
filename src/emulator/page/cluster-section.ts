import type { OrganizationData } from "../store/organization-data.js";
import type { ClusterRecord } from "../store/records.js";
import { type Html, html } from "./html.js";
import { section, table, tag, time } from "./parts.js";

/** Clusters, each with its queues and its tokens. */
export function clusterSection(data: OrganizationData): Html {
  const clusters = data.clusters.list();
  return section(
    "clusters",
    "Clusters",
    clusters.length,
    html`${clusters.map((cluster) => card(data, cluster))}`,
  );
}

function card(data: OrganizationData, cluster: ClusterRecord): Html {
  const queues = data.queues.list("cluster_id", cluster.id);
  const tokens = data.agentTokens.list("cluster_id", cluster.id);
  // Only what is surely a color goes into the style.
  const color = /^#[0-9a-f]{3,6}$/i.test(cluster.color ?? "") && cluster.color;
  return html`<article class="card" id="clusters-${cluster.id}">
<h3>${color && html`<span class="swatch" style="background:${color}"></span>`}${cluster.emoji} ${cluster.name}</h3>
<p>${cluster.description}</p>
<p class="quiet"><code>${cluster.id}</code></p>
${queues.length > 0 && queueTable(data, cluster)}
${
  tokens.length > 0 &&
  table(
    ["Agent token", "Allowed addresses", "Created", "Id"],
    tokens.map(
      (token) => html`<tr><td>${token.description}</td><td>${token.allowed_ip_addresses ?? "any"}</td>
<td>${time(token.created_at)}</td><td><code>${token.id}</code></td></tr>`,
    ),
  )
}
</article>
`;
}

function queueTable(data: OrganizationData, cluster: ClusterRecord): Html {
  const rows = data.queues.list("cluster_id", cluster.id).map((queue) => {
    const pausedBy = data.users.get(queue.dispatch_paused_by ?? "")?.name;
    return html`<tr id="clusters-${cluster.id}-queues-${queue.id}">
<td><strong>${queue.key}</strong> ${queue.id === cluster.default_queue_id && tag("default")}</td>
<td>${queue.description}</td>
<td>${queue.dispatch_paused ? html`${tag("paused")} ${queue.dispatch_paused_note} <span class="quiet">by ${pausedBy}, ${time(queue.dispatch_paused_at)}</span>` : tag("dispatching")}</td>
<td><code>${queue.id}</code></td></tr>`;
  });
  return table(["Queue", "Description", "Dispatch", "Id"], rows);
}
