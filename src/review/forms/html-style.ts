import { ACTION_ORDER, ACTIONS } from "../../cli/drawing/actions.js";

/** The style of a report's page: light or dark, on any width, and on paper. */
export const STYLE = `
:root { color-scheme: light dark;
  --text: light-dark(#1c2024, #e8eaed); --quiet: light-dark(#5c6670, #9aa4ae); --line: light-dark(#d0d7de, #3a424b);
  --page: light-dark(#ffffff, #15181c); --card: light-dark(#f6f8fa, #1c2025);
  --danger: light-dark(#cf222e, #f0867d); --caution: light-dark(#8a5a00, #e2b64f);
  --fill-danger: light-dark(#cf222e, #a40e26); --fill-caution: light-dark(#8a5a00, #7a5200);
  --fill-clear: light-dark(#1a7f37, #1a6e31); --fill-open: light-dark(#5c6670, #4a535c);
  ${ACTION_ORDER.map((action) => `--${action}: light-dark(${ACTIONS[action].colors.join(", ")});`).join(" ")} }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 72rem; padding: 2rem 1.25rem 4rem; font: 15px/1.5 system-ui, sans-serif; color: var(--text); background: var(--page); }
h1 { font-size: 1.6rem; margin: 0 0 .75rem; } h2 { font-size: 1.1rem; margin: 2rem 0 .5rem; }
h1, h2, p, li, td, summary { overflow-wrap: break-word; }
code, pre { font: .87em/1.45 ui-monospace, monospace; } code { overflow-wrap: anywhere; }
ul { margin: .25rem 0; padding-left: 1.25rem; }
.quiet { color: var(--quiet); font-weight: normal; }
.verdict { margin: 0 0 .75rem; padding: .7rem 1rem; border-radius: 8px; color: #fff; font-size: 1.05rem; }
.verdict.danger, .mark { background: var(--fill-danger); } .verdict.caution { background: var(--fill-caution); }
.verdict.clear { background: var(--fill-clear); } .verdict.open { background: var(--fill-open); }
.counts { margin: 0; line-height: 2; }
.busy { color: var(--danger); font-weight: 600; }
.alert { border: 1px solid var(--line); border-left: 4px solid var(--own); border-radius: 6px; background: var(--card); padding: .75rem 1rem; margin: 1rem 0; }
.alert.danger { --own: var(--danger); } .alert.caution { --own: var(--caution); }
.alert h2 { margin: 0 0 .25rem; color: var(--own); } .alert li { margin: .3rem 0; }
.alert li li { margin: 0; color: var(--quiet); font-size: .92em; } .alert strong { color: var(--own); }
a { color: inherit; text-decoration-color: var(--quiet); text-underline-offset: .2em; }
.tag { display: inline-block; border: 1px solid currentColor; border-radius: 99px; padding: 0 .6em; font-size: .85rem; line-height: 1.5; white-space: nowrap; }
.mark { border-radius: 99px; padding: .1em .6em; font-size: .8rem; color: #fff; white-space: nowrap; }
${ACTION_ORDER.map((action) => `.${action} { color: var(--${action}); }`).join(" ")}
details { border: 1px solid var(--line); border-radius: 8px; background: var(--card); margin: .6rem 0; padding: .5rem 1rem; }
summary { cursor: pointer; font-weight: 600; }
table { border-collapse: collapse; width: 100%; margin-top: .5rem; }
th, td { text-align: left; vertical-align: top; padding: .35rem 1rem .35rem 0; border-top: 1px solid var(--line); }
th { border-top: 0; font-size: .8rem; color: var(--quiet); }
th:nth-child(1) { width: 7.5rem; } th:nth-child(2) { width: 10rem; } th:nth-child(3) { width: 16rem; } th:last-child { width: auto; }
tr:target td { background: color-mix(in srgb, var(--adopt) 12%, transparent); }
${ACTION_ORDER.map((action) => `tr.danger .${action} { background: var(--${action}); border-color: var(--${action}); color: var(--page); }`).join(" ")}
pre { margin: .5rem 0 0; } .scroll { overflow-x: auto; }
svg { max-width: 100%; height: auto; } .narrow { display: none; } .counts small { display: inline-block; }
@media print, (max-width: 40rem) { .wide { display: none; } .narrow { display: block; } }
@media (max-width: 40rem) { td .narrow { display: inline; } }
@media (max-width: 40rem) {
  body { padding: 1.25rem .75rem 3rem; } thead { display: none; }
  tr { display: flex; flex-wrap: wrap; gap: .1rem .6rem; align-items: baseline; border-top: 1px solid var(--line); padding: .5rem 0; }
  td { border: 0; padding: 0; } td:nth-child(3) { flex: 1 1 8rem; } td:nth-child(4) { flex-basis: 100%; } }
@media print {
  body { max-width: none; padding: 0; font-size: 10pt; } .verdict, .mark, .tag { print-color-adjust: exact; } .alert a { text-decoration: none; }
  details::details-content { content-visibility: visible; block-size: auto; } tr, .alert li { break-inside: avoid; } }
`;
