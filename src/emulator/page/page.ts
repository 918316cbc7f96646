import { html, raw } from "hono/html";
import type { EmulatedService } from "../http/service.js";
import { type Html, sectionsOf } from "./sections.js";

/** Three queues in a box, as the drawings show a cluster. */
const ICON = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#1558b0"/><g fill="#fff"><rect x="6" y="7" width="20" height="4" rx="2"/><rect x="6" y="14" width="14" height="4" rx="2"/><rect x="6" y="21" width="8" height="4" rx="2"/></g></svg>',
)}`;

/** Returns the organization as one page of HTML, without scripts and secrets. `base` is the address the browser used. */
export function renderPage({ store, requests, clock }: EmulatedService, base: string): Html {
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

/** The page's style: one column that reads well on any screen, light or dark as the browser likes it. */
const style = `
:root {
  color-scheme: light dark;
  --text: light-dark(#1c2024, #e8eaed);
  --quiet: light-dark(#5c6670, #9aa4ae);
  --line: light-dark(#dfe3e8, #30363d);
  --paper: light-dark(#ffffff, #15181c);
  --card: light-dark(#f7f8fa, #1c2025);
  --good: light-dark(#13703c, #57c98a);
  --bad: light-dark(#b3261e, #f0867d);
  --busy: light-dark(#9a5b00, #e2ab54);
  --link: light-dark(#1558b0, #7cb3f5);
}
* { box-sizing: border-box; }
body {
  margin: 0 auto; max-width: 84rem; padding: 2rem 1.25rem 4rem;
  font: 15px/1.5 system-ui, sans-serif; color: var(--text); background: var(--paper);
}
h1 { font-size: 1.7rem; margin: 0; }
.reload { float: right; margin: .35rem 0 0; } .reload a { border: 1px solid var(--line); border-radius: 6px; padding: .25rem .7rem; margin-right: .4rem; text-decoration: none; }
h2 { font-size: 1.15rem; margin: 2.5rem 0 .75rem; }
h3 { font-size: 1rem; margin: 0; }
p { margin: .25rem 0; }
a { color: var(--link); text-underline-offset: .15em; }
nav { display: flex; flex-wrap: wrap; gap: .25rem 1rem; margin-top: .75rem; }
code { font: .85em/1.4 ui-monospace, monospace; overflow-wrap: anywhere; }
.quiet { color: var(--quiet); }
.card, section > .scroll { background: var(--card); border: 1px solid var(--line); border-radius: 8px; padding: 1rem; margin: .75rem 0; }
h2, .card, tr { scroll-margin-top: 1rem; }
.card:target, tr:target { outline: 2px solid var(--link); }
.swatch { display: inline-block; width: .8em; height: .8em; border-radius: 50%; margin-right: .4em; }
.tag { display: inline-block; border: 1px solid currentColor; border-radius: 99px; padding: 0 .55em; font-size: .8rem; }
.good { color: var(--good); } .bad { color: var(--bad); } .busy { color: var(--busy); }
/* A shadow at an edge says that there is more behind it. */
.scroll, section > .scroll { overflow-x: auto; background:
  linear-gradient(to right, var(--card) 40%, transparent) left / 3rem 100% local, linear-gradient(to left, var(--card) 40%, transparent) right / 3rem 100% local,
  linear-gradient(to right, var(--line), transparent) left / 1rem 100%, linear-gradient(to left, var(--line), transparent) right / 1rem 100%, var(--card); background-repeat: no-repeat; } :focus-visible { outline: 2px solid var(--link); outline-offset: 2px; border-radius: 4px; }
.card > .scroll { margin-top: .75rem; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; vertical-align: top; padding: .35rem 1rem .35rem 0; border-top: 1px solid var(--line); }
th { border-top: 0; padding-top: 0; font-weight: 600; font-size: .8rem; color: var(--quiet); white-space: nowrap; }
td { max-width: 26rem; overflow-wrap: break-word; }
:is(#teams, #members, #agents, #pipelines) ~ .scroll td { max-width: none; white-space: nowrap; }
/* The tables of a cluster have their columns below each other. */
#clusters ~ .card th:nth-child(1) { width: 14rem; } #clusters ~ .card th:nth-child(2) { width: 19rem; } #clusters ~ .card th:nth-child(4) { width: 16rem; }
#clusters ~ .card table { table-layout: fixed; min-width: 62rem; }
td:first-child { min-width: 8rem; }
td:empty::after { content: "–"; color: var(--quiet); }
td code, .tag, time { white-space: nowrap; }
tr:last-child > td { padding-bottom: 0; }
td code, time { white-space: nowrap; }
pre { margin: .5rem 0 0; overflow-x: auto; font: .85em/1.45 ui-monospace, monospace; }
`;
