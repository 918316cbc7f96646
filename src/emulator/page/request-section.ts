import type { RecordedRequest } from "../http/request-log.js";
import { type Html, html } from "./html.js";
import { section, table, time } from "./parts.js";

const shown = 50;

/** The latest requests, newest first. */
export function requestSection(requests: readonly RecordedRequest[]): Html {
  const rows = requests
    .slice(-shown)
    .reverse()
    .map(
      ({ at, method, path, query, status, operation }) => html`<tr><td>${time(at)}</td><td>${method}</td>
<td><code>${query === "" ? path : `${path}?${query}`}</code></td>
<td class="${status !== null && status < 400 ? "good" : "bad"}">${status ?? "no answer"}</td><td>${operation}</td></tr>`,
    );
  return section(
    "requests",
    "Requests",
    requests.length,
    table(["Time", "Method", "Path", "Status", "Operation"], rows),
  );
}
