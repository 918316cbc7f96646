import { html } from "hono/html";
import type { RecordedRequest } from "../http/request-log.js";
import { type Html, pageSection, table, time } from "./parts.js";

const shown = 50;

/** Returns the latest requests, newest first. */
export function requestSection(requests: readonly RecordedRequest[]): Html {
  const rows = requests
    .slice(-shown)
    .reverse()
    .map(
      ({ at, method, path, query, status, operation }) => html`<tr><td>${time(at)}</td>
<td><span class="tag ${status !== null && status < 400 ? "good" : "bad"}">${status ?? "no answer"}</span></td>
<td>${operation ?? html`<span class="quiet">none</span>`}</td>
<td><code class="path">${method} ${query === "" ? path : `${path}?${query}`}</code></td></tr>`,
    );
  return pageSection(
    "requests",
    "Requests",
    requests.length,
    table(["Time", "Status", "Operation", "Request"], rows),
  );
}
