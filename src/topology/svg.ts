import { changesIn, type Drawing, SIGNS } from "./drawing.js";
import { type Layout, layOut, MEMBER_SIZE, type Placed, TITLE_SIZE } from "./layout.js";
import { cut } from "./text.js";
import type { Change } from "./topology.js";

const MARGIN = 24;
const HEAD = 44;

/** A drawing as an SVG picture that is light or dark as its reader likes it, with no script and nothing from elsewhere. */
export async function svg(drawing: Drawing): Promise<string> {
  const layout = await layOut(drawing);
  const legend = changesIn(drawing);
  const width = Math.ceil(Math.max(layout.width, 420) + 2 * MARGIN);
  const height = Math.ceil(layout.height + 2 * MARGIN + HEAD + (legend.length > 0 ? 32 : 0));
  const summary = `${drawing.groups.length} groups: ${drawing.groups.map(({ title }) => cut(title, 40)).join(", ")}`;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-labelledby="title description">
<title id="title">Topology of ${escaped(drawing.title)}</title>
<desc id="description">${escaped(summary)}</desc>
<style>${STYLE}</style>
<rect class="paper" width="100%" height="100%"/>
<text class="head" x="${MARGIN}" y="${MARGIN + 18}">${escaped(cut(drawing.title, 80))}</text>
<g transform="translate(${MARGIN} ${MARGIN + HEAD})">
${groupsOf(layout)}
</g>
${legendOf(legend, height)}</svg>
`;
}

function groupsOf({ groups }: Layout): string {
  return groups
    .map((group) => {
      const { change, color } = group.what;
      const stripe = /^#[0-9a-f]{3,8}$/i.test(color ?? "") ? ` style="fill:${color}"` : "";
      const members = group.members.map((member) => {
        const classes = [
          "member",
          member.what.kind,
          member.what.change ?? "",
          member.what.paused ? "paused" : "",
          (member.what.jobs ?? 0) > 0 ? "busy" : "",
        ];
        return box(
          member,
          classes,
          MEMBER_SIZE,
          `<text x="11" y="17">${escaped(member.text)}</text>`,
          member.what.text,
        );
      });
      const inside = `<rect class="stripe" x="1" y="12" width="4" height="18" rx="2"${stripe}/>
<text class="title" x="16" y="25">${escaped(group.text)}</text>
${members.join("\n")}`;
      return box(group, ["group", change ?? ""], TITLE_SIZE, inside, group.what.title);
    })
    .join("\n");
}

function box(
  { x, y, width, height }: Placed<unknown>,
  classes: readonly string[],
  radius: number,
  inside: string,
  name: string,
): string {
  const names = classes.filter(Boolean).join(" ");
  const round = (value: number) => Math.round(value * 10) / 10;
  return `<g class="${names}" transform="translate(${round(x)} ${round(y)})"><title>${escaped(cut(name, 500))}</title>
<rect width="${round(width)}" height="${round(height)}" rx="${Math.min(radius, 8)}"/>
${inside}
</g>`;
}

function legendOf(changes: readonly Change[], height: number): string {
  let x = MARGIN;
  const entries = changes.map((change) => {
    const entry = `<text class="legend ${change}" x="${x}" y="${height - 18}">${SIGNS[change]} ${change}</text>\n`;
    x += 90;
    return entry;
  });
  return entries.join("");
}

/** For text and attributes; what XML cannot hold was taken out before. */
function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** The same colors as the report's page. */
const LIGHT = {
  paper: "#fff",
  text: "#1c2024",
  quiet: "#5c6670",
  card: "#f6f8fa",
  line: "#d0d7de",
  member: "#fff",
  added: "#1a7f37",
  adopted: "#0969da",
  changed: "#8a5a00",
  replaced: "#b34700",
  removed: "#cf222e",
};
const DARK: typeof LIGHT = {
  paper: "#15181c",
  text: "#e8eaed",
  quiet: "#9aa4ae",
  card: "#1c2025",
  line: "#3a424b",
  member: "#262c33",
  added: "#57c98a",
  adopted: "#7cb3f5",
  changed: "#e2b64f",
  replaced: "#f09a5b",
  removed: "#f0867d",
};

const CHANGES = ["added", "adopted", "changed", "replaced", "removed"] as const;

/** Written out, as what turns SVG into other formats knows no variables. */
const colors = (of: typeof LIGHT) => `text{fill:${of.text}}
.paper{fill:${of.paper}}
.group>rect:first-of-type{fill:${of.card};stroke:${of.line}}
.stripe{fill:${of.line}}
.member>rect{fill:${of.member};stroke:${of.line}}
.busy>rect:first-of-type{stroke:${of.changed};stroke-width:2}
.rest>rect{fill:none;stroke:none}
.rest text,.paused text{fill:${of.quiet}}
${CHANGES.map((change) => `.${change}>rect:first-of-type{stroke:${of[change]}}.${change}>text,.legend.${change}{fill:${of[change]}}`).join("\n")}`;

const STYLE = `
text{font:${MEMBER_SIZE}px system-ui,"Segoe UI",Roboto,Helvetica,Arial,sans-serif}
.head{font-size:20px;font-weight:600}
.title{font-size:${TITLE_SIZE}px;font-weight:600}
.token>rect{stroke-dasharray:3 2}
${CHANGES.map((change) => `.${change}>rect:first-of-type`).join(",")}{stroke-width:2}
.removed>rect:first-of-type{stroke-dasharray:5 3}
.removed.member>text,.removed>.title{text-decoration:line-through}
${colors(LIGHT)}
@media (prefers-color-scheme:dark){
${colors(DARK)}
}
`;
