import { html, raw } from "hono/html";
import type { Service } from "../http/service.js";
import { type Html, sectionsOf } from "./sections.js";
import { style } from "./style.js";

/** Three queues in a box, as the drawings show a cluster. */
const ICON = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#1558b0"/><g fill="#fff"><rect x="6" y="7" width="20" height="4" rx="2"/><rect x="6" y="14" width="14" height="4" rx="2"/><rect x="6" y="21" width="8" height="4" rx="2"/></g></svg>',
)}`;

/** Returns the organization as one page of HTML, without scripts and secrets. `base` is the address the browser used. */
export function renderPage({ store, requests, clock }: Service, base: string): Html {
  const organization = store.data.organizations.list()[0];
  const name = organization?.name ?? "No organization";
  const sections = sectionsOf(store.data, requests.entries);
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${name} – emulator</title>
<link rel="icon" href="${ICON}">
<style>${raw(style)}</style>
</head>
<body>
<header>
<p class="reload"><a href="">Reload</a> <span class="quiet">as of ${clock().toISOString().slice(11, 19)} UTC</span></p>
<h1>${name}</h1>
<p class="quiet">Organization <code>${organization?.slug}</code> at <code>${base}</code>, served by the emulator on this machine.
Interface description: <a href="/openapi.json">openapi.json</a></p>
<nav aria-label="Sections">
${sections.map(({ id, title }) => html`<a href="#${id}">${title}</a> `)}
</nav>
</header>
<main>
${sections.map(
  ({ id, title, count, body }) => html`<section aria-labelledby="${id}">
<h2 id="${id}">${title} <span class="quiet">${count}</span></h2>
${count === 0 ? html`<p class="quiet">None yet.</p>` : body}</section>
`,
)}
</main>
</body>
</html>
`;
}
