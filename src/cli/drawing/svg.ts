import { raw } from "hono/html";
import type { QueueLoad } from "../workload/read.js";
import type { Action } from "./actions.js";
import { ACTIONS } from "./actions.js";
import type { Drawing } from "./drawing.js";
import {
  BAR,
  below,
  cutInMiddle,
  layOut,
  leadOf,
  MEMBER_SIZE,
  type PlacedGroup,
  SMALL_SIZE,
  TITLE_SIZE,
  widthOf,
} from "./layout.js";
import { type Markup, markup, onLines, type Part } from "./markup.js";
import {
  agentsInWords,
  badge,
  changesIn,
  jobsInWords,
  lineOf,
  MARKS,
  mark,
  marksIn,
  marksOf,
  paint,
  type Role,
  STYLE,
} from "./signs.js";

const MARGIN = 24;
const FONTS = "system-ui, -apple-system, Segoe UI, Roboto, Helvetica, Arial, sans-serif";

/** Returns a picture with a legend, without scripts or anything from elsewhere. @param isNarrow for telephones or paper */
export function svg(drawing: Drawing, isNarrow = false): string {
  const layout = layOut(drawing, isNarrow);
  const id = isNarrow ? "narrow-" : "";
  const width = Math.ceil(Math.max(layout.width, 420) + 2 * MARGIN);
  const head = MARGIN + (drawing.remark === undefined ? 34 : 52);
  const most = mostIn(drawing);
  const legend = legendOf(drawing, width - 2 * MARGIN);
  const height = Math.ceil(head + layout.height + MARGIN + legend.height);
  const summary = `${drawing.groups.length} groups: ${drawing.groups.map(({ title }) => cutInMiddle(title, 40)).join(", ")}`;
  const remark =
    drawing.remark !== undefined && text(drawing.remark, MARGIN, MARGIN + 36, "quiet", SMALL_SIZE);
  return markup`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-labelledby="${id}title ${id}description" font-family="${FONTS}" font-size="${MEMBER_SIZE}">
<title id="${id}title">Topology of ${drawing.title}</title>
<desc id="${id}description">${summary}</desc>
<style>${raw(STYLE)}</style>
<rect width="100%" height="100%"${paint("paper")}/>
${text(cutInMiddle(drawing.title, 80), MARGIN, MARGIN + 16, "text", 20, true)}
${remark}
${onLines(
  layout.groups.map((group) =>
    translated(MARGIN + group.x, head + group.y, groupBox(group, most), group.what.title),
  ),
)}
${translated(MARGIN, height - legend.height - 2, legend.entries)}
</svg>
`.toString();
}

function groupBox({ what, text: title, width, height, members }: PlacedGroup, most: number): Markup {
  const { change, color } = what;
  const start = change === undefined ? 16 : 38;
  return markup`${box(width, height, "card", change)}
${stripe(color, 11, 18)}${change && badge(change, 16, 12)}
${text(title, start, 25, change ?? "text", TITLE_SIZE, true, change === "delete")}
${onLines(
  members.map((one) =>
    translated(one.x, one.y, memberBox(one, most), lineOf(one.what, cutInMiddle(one.what.name, 500))),
  ),
)}`;
}

function memberBox(
  { what, text: name, width, height, bar }: PlacedGroup["members"][number],
  most: number,
): Part {
  const { change, load, color, changes } = what;
  const counts = below(what);
  if (what.kind === "rest") return text(name, 11, 18, "quiet");
  const lead = leadOf(what);
  const marks = marksOf(what);
  const first = lead - marks.length * 18;
  const isCard = counts !== undefined;
  const role = change ?? (what.paused ? "quiet" : "text");
  return [
    box(width, height, "member", change, 6),
    stripe(color, 7, height - 14),
    change && badge(change, first - 22, 6),
    ...marks.map((which, index) => mark(which, first + index * 18, 8)),
    text(name, lead, 18.5, role, MEMBER_SIZE, isCard, change === "delete"),
    ...(changes ?? []).map(([one, count], index) => {
      const x = width - 38 * ((changes?.length ?? 0) - index) - 2;
      return [badge(one, x, 6), text(String(count), x + 19, 18.5, one, SMALL_SIZE, true)];
    }),
    isCard && text(counts, bar, 37, "quiet", SMALL_SIZE),
    load && loadMark(load, { x: bar, y: isCard ? 47 : 10, most }),
  ];
}

/** Returns a bar of what runs and waits, with a line at the number of agents, and the same in words. */
function loadMark(load: QueueLoad, { x, y, most }: { x: number; y: number; most: number }): Part {
  const { running, waiting, agents } = load;
  const wide = (count: number) => Math.round((count / most) * BAR * 10) / 10;
  const part = (from: number, count: number, role: Role) =>
    count > 0 &&
    markup`<rect x="${x + wide(from)}" y="${y}" width="${Math.max(wide(count), 2)}" height="8"${paint(role)}/>`;
  const isAlarm = agents === 0 && running + waiting > 0;
  const words = agentsInWords(load);
  return [
    markup`<rect x="${x}" y="${y}" width="${BAR}" height="8" rx="2"${paint("line")} opacity="0.5"/>`,
    part(0, running, "running"),
    part(running, waiting, "waiting"),
    agents !== undefined && tick(x + wide(agents), y, isAlarm),
    markup`<text x="${x + BAR + 10}" y="${y + 8.5}" font-size="${SMALL_SIZE}"${paint("quiet")}>${jobsInWords(load)}${
      words && markup`, <tspan${isAlarm && markup` font-weight="700"${paint("alarm")}`}>${words}</tspan>`
    }</text>`,
  ];
}

function tick(x: number, y: number, isAlarm: boolean): Markup {
  return markup`<rect x="${x - 1}" y="${y - 3}" width="2" height="14"${paint(isAlarm ? "alarm" : "text")}/>`;
}

function mostIn({ groups }: Drawing): number {
  const loads = groups.flatMap(({ members }) => members.flatMap(({ load }) => load ?? []));
  return loads.reduce(
    (most, { running, waiting, agents = 0 }) => Math.max(most, running + waiting, agents),
    1,
  );
}

function legendOf(drawing: Drawing, width: number): { entries: Part; height: number } {
  const hasLoad = drawing.groups.some(({ members }) => members.some(({ load }) => load !== undefined));
  const bar = (role: Role) => markup`<rect y="2" width="14" height="8"${paint(role)}/>`;
  const all: (readonly [sign: Markup, words: string])[] = [
    ...changesIn(drawing).map((change) => [badge(change, 0, -2), ACTIONS[change].word] as const),
    ...marksIn(drawing).map((one) => [mark(one, 2, 0), MARKS[one].words] as const),
    ...(hasLoad
      ? ([
          [bar("running"), "running"],
          [bar("waiting"), "waiting"],
          [tick(8, 2, false), "agents"],
        ] as const)
      : []),
  ];
  let [x, y] = [0, 0];
  const entries = all.map(([sign, words]) => {
    const wide = 40 + widthOf(words, SMALL_SIZE);
    if (x > 0 && x + wide - 18 > width) [x, y] = [0, y + 24];
    const entry = translated(x, y, [sign, text(words, 22, 10.5, "quiet", SMALL_SIZE)]);
    x += wide;
    return entry;
  });
  return { entries, height: all.length === 0 ? 0 : y + 36 };
}

/** Returns a frame: dashed for what is deleted, and double for what is replaced, so that no reader needs its color. */
function box(width: number, height: number, fill: Role, change?: Action, round = 8): Part {
  const [w, h] = [Math.round(width * 10) / 10, Math.round(height * 10) / 10];
  const rect = (inset: number, rest: Markup) =>
    markup`<rect x="${inset}" y="${inset}" width="${w - 2 * inset}" height="${h - 2 * inset}" rx="${round - inset / 2}"${rest}/>`;
  if (change === undefined) return rect(0, paint(fill, "line"));
  const dashes = change === "delete" && markup` stroke-dasharray="5 3"`;
  const outer = rect(
    0,
    markup`${paint(fill, change)} stroke-width="${change === "replace" ? 1.2 : 2}"${dashes}`,
  );
  return [outer, change === "replace" && rect(3, markup`${paint("none", change)} stroke-width="1.2"`)];
}

function stripe(color: string | undefined, y: number, height: number): Part {
  return (
    /^#[0-9a-f]{3,8}$/i.test(color ?? "") &&
    markup`<rect x="5" y="${y}" width="5" height="${height}" rx="2.5" fill="${color}"/>`
  );
}

function text(
  words: string,
  x: number,
  y: number,
  role: Role,
  size = MEMBER_SIZE,
  bold = false,
  through = false,
): Markup {
  const style = [
    size !== MEMBER_SIZE && markup` font-size="${size}"`,
    bold && markup` font-weight="600"`,
    through && markup` text-decoration="line-through"`,
  ];
  return markup`<text x="${x}" y="${y}"${style}${paint(role)}>${words}</text>`;
}

function translated(x: number, y: number, inside: Part, name?: string): Markup {
  const place = `${Math.round(x * 10) / 10} ${Math.round(y * 10) / 10}`;
  const title = name !== undefined && markup`<title>${cutInMiddle(name, 500)}</title>`;
  return markup`<g transform="translate(${place})">${title}${inside}</g>`;
}
