import { changesIn, type Drawing, SIGNS } from "./drawing.js";
import { type Layout, layOut, MEMBER_SIZE, type Placed, TITLE_SIZE } from "./layout.js";
import { cut } from "./text.js";
import type { NodeChange } from "./topology.js";

const MARGIN = 24;
const HEAD = 44;

/**
 * Returns a drawing as an SVG picture without scripts or anything from elsewhere. Attributes have the light colors, which
 * every renderer knows; the style sheet replaces them on dark screens.
 */
export function svg(drawing: Drawing): string {
  const layout = layOut(drawing);
  const legend = changesIn(drawing);
  const width = Math.ceil(Math.max(layout.width, 420) + 2 * MARGIN);
  const height = Math.ceil(layout.height + 2 * MARGIN + HEAD + (legend.length > 0 ? 32 : 0));
  const summary = `${drawing.groups.length} groups: ${drawing.groups.map(({ title }) => cut(title, 40)).join(", ")}`;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-labelledby="title description" font-family="${FONTS}" font-size="${MEMBER_SIZE}">
<title id="title">Topology of ${escaped(drawing.title)}</title>
<desc id="description">${escaped(summary)}</desc>
<style>${STYLE}</style>
<rect class="paper" width="100%" height="100%" fill="${LIGHT.paper}"/>
<text x="${MARGIN}" y="${MARGIN + 18}" font-size="20" font-weight="600" fill="${LIGHT.text}">${escaped(cut(drawing.title, 80))}</text>
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
      const stripe = /^#[0-9a-f]{3,8}$/i.test(color ?? "")
        ? `fill="${color}"`
        : `class="stripe" fill="${LIGHT.line}"`;
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
          `<text x="11" y="17"${textPaint(classes)}>${escaped(member.text)}</text>`,
          member.what.text,
        );
      });
      const classes = ["group", change ?? ""];
      const inside = `<rect ${stripe} x="1" y="12" width="4" height="18" rx="2"/>
<text x="16" y="25" font-size="${TITLE_SIZE}" font-weight="600"${textPaint(classes)}>${escaped(group.text)}</text>
${members.join("\n")}`;
      return box(group, classes, TITLE_SIZE, inside, group.what.title);
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
<rect width="${round(width)}" height="${round(height)}" rx="${Math.min(radius, 8)}"${rectPaint(classes)}/>
${inside}
</g>`;
}

function legendOf(changes: readonly NodeChange[], height: number): string {
  let x = MARGIN;
  const entries = changes.map((change) => {
    const entry = `<text class="legend ${change}" x="${x}" y="${height - 18}"${textPaint([change])}>${SIGNS[change]} ${change === "adopted" ? "imported" : change}</text>\n`;
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
  released: "#5c6670",
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
  released: "#9aa4ae",
};

const CHANGES = Object.keys(SIGNS) as readonly NodeChange[]; // Its keys are all changes, by its type.

const FONTS = "system-ui, Segoe UI, Roboto, Helvetica, Arial, sans-serif";

const changeAmong = (classes: readonly string[]) => CHANGES.find((change) => classes.includes(change));

/** Returns the attributes of a box. */
function rectPaint(classes: readonly string[]): string {
  if (classes.includes("rest")) return ' fill="none"';
  const change = changeAmong(classes);
  const isBusy = classes.includes("busy");
  const stroke = change ?? (isBusy ? "changed" : "line");
  const dashes = change === "removed" ? "5 3" : classes.includes("token") ? "3 2" : undefined;
  return [
    ` fill="${classes.includes("member") ? LIGHT.member : LIGHT.card}" stroke="${LIGHT[stroke]}"`,
    ...(change !== undefined || isBusy ? ['stroke-width="2"'] : []),
    ...(dashes === undefined ? [] : [`stroke-dasharray="${dashes}"`]),
  ].join(" ");
}

/** Returns the attributes of the text in a box. */
function textPaint(classes: readonly string[]): string {
  const change = changeAmong(classes);
  const isQuiet = classes.includes("rest") || classes.includes("paused");
  const through = change === "removed" && (classes.includes("member") || classes.includes("group"));
  return ` fill="${LIGHT[change ?? (isQuiet ? "quiet" : "text")]}"${through ? ' text-decoration="line-through"' : ""}`;
}

/** Colors for dark screens, where the last rule that fits counts. */
const STYLE = `
@media (prefers-color-scheme:dark){
text{fill:${DARK.text}}
.paper{fill:${DARK.paper}}
.group>rect:first-of-type{fill:${DARK.card};stroke:${DARK.line}}
.stripe{fill:${DARK.line}}
.member>rect{fill:${DARK.member};stroke:${DARK.line}}
.busy>rect:first-of-type{stroke:${DARK.changed}}
.rest>rect{fill:none;stroke:none}
.rest text,.paused text{fill:${DARK.quiet}}
${CHANGES.map((change) => `.${change}>rect:first-of-type{stroke:${DARK[change]}}.${change}>text,.legend.${change}{fill:${DARK[change]}}`).join("\n")}
}
`;
