import { html } from "hono/html";

/** HTML with every other value escaped. */
export type Html = ReturnType<typeof html>;

/** Returns a part of the page with its heading and how many things it holds. */
export function pageSection(id: string, title: string, count: number, body: Html): Html {
  const none = html`<p class="quiet">None yet.</p>`;
  return html`<section aria-labelledby="${id}"><h2 id="${id}">${title} <span class="quiet">${count}</span></h2>
${count === 0 ? none : body}</section>
`;
}

/** Returns a table; wide ones scroll by themselves. */
export function table(headings: readonly string[], rows: readonly Html[]): Html {
  return html`<div class="scroll"><table>
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

/** Returns a state, colored by what it means. */
export function tag(state: string): Html {
  return html`<span class="tag ${Object.hasOwn(tones, state) ? tones[state] : "quiet"}">${state}</span>`;
}

/** Returns a time as people read it, to the second, in UTC. */
export function time(iso: string | null): Html {
  if (iso === null) return html`<span class="quiet">–</span>`;
  return html`<time datetime="${iso}">${iso.slice(0, 19).replace("T", " ")}</time>`;
}
