import { html, raw } from "hono/html";
import { type Html, type PageContent, sectionsOf } from "./sections.js";
import { style } from "./style.js";

/** Returns the organization as one page of HTML, without scripts and secrets. */
export function renderPage(content: PageContent): Html {
  const organization = content.data.organizations.list()[0];
  const name = organization?.name ?? "No organization";
  const sections = sectionsOf(content);
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
<p class="quiet">Organization <code>${organization?.slug}</code> at <code>${content.base}</code>, served by the emulator on this machine.
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
