import { shortNounOf } from "../../provider/for-commands/kinds.js";
import { counted } from "../../shared/messages/nouns.js";
import type { QueueLoad } from "../workload/read.js";
import { ACTION_ORDER, ACTIONS, type Action } from "./actions.js";
import type { Drawing, Member } from "./drawing.js";
import { type Markup, markup } from "./markup.js";

/** What a mark before a name means, its character in text, its shape in a square of 12 pixels, and the kinds that have it. */
export const MARKS = {
  isDefault: {
    sign: "★",
    words: "default queue",
    path: "M6 .6l1.7 3.5 3.8.5-2.8 2.7.7 3.8L6 9.3l-3.4 1.8.7-3.8L.5 4.6l3.8-.5z",
    role: "text",
    nouns: [],
  },
  paused: {
    sign: "⏸",
    words: "paused",
    path: "M2.6 1.6h2.4v8.8H2.6zM7 1.6h2.4v8.8H7z",
    role: "waiting",
    nouns: [],
  },
  token: {
    sign: "🔑",
    words: "agent token",
    path: "M3.4 3.2a2.8 2.8 0 1 0 2.6 3.7h2.2v1.9h1.5V6.9h.5v1.4h1.5V5.1H6A2.8 2.8 0 0 0 3.4 3.2zm0 1.7a1.1 1.1 0 1 1-.01 0z",
    role: "quiet",
    nouns: ["token"],
  },
  pipeline: {
    sign: "▷",
    words: "pipeline",
    path: "M3 1.5v9l7.5-4.5z",
    role: "quiet",
    nouns: ["pipeline", "team pipeline"],
  },
  schedule: {
    sign: "⏲",
    words: "schedule",
    path: "M6 .8a5.2 5.2 0 1 0 .01 0zM5.4 3h1.2v2.9l2 1.2-.6 1-2.6-1.5z",
    role: "quiet",
    nouns: ["schedule"],
  },
  secret: {
    sign: "🔒",
    words: "secret",
    path: "M3.5 5V3.8a2.5 2.5 0 0 1 5 0V5h.8v6H2.7V5zm1.2 0h2.6V3.8a1.3 1.3 0 0 0-2.6 0z",
    role: "quiet",
    nouns: ["secret"],
  },
  person: {
    sign: "👤",
    words: "person or team",
    path: "M6 1a2.3 2.3 0 1 1-.01 0zM1.5 11c0-2.8 2-4.5 4.5-4.5s4.5 1.7 4.5 4.5z",
    role: "quiet",
    nouns: ["member", "maintainer"],
  },
} as const satisfies Record<string, { nouns: readonly string[]; [look: string]: unknown }>;

export type Mark = keyof typeof MARKS;
const ALL_MARKS = Object.keys(MARKS) as Mark[]; // Its keys are all marks, by its type.

export function marksOf({ kind, isDefault, paused }: Member): Mark[] {
  const has: Partial<Record<Mark, boolean | undefined>> = { isDefault, paused };
  const noun: string = shortNounOf(kind);
  return ALL_MARKS.filter((mark) => has[mark] ?? MARKS[mark].nouns.some((own) => own === noun));
}

export function marksIn({ groups }: Drawing): Mark[] {
  const shown = new Set(groups.flatMap(({ members }) => members.flatMap(marksOf)));
  return ALL_MARKS.filter((mark) => shown.has(mark));
}

export function changesIn({ groups }: Drawing): Action[] {
  const shown = new Set(
    groups.flatMap(({ change, members }) => [
      change,
      ...members.flatMap((member) => [member.change, ...(member.changes ?? []).map(([action]) => action)]),
    ]),
  );
  return ACTION_ORDER.filter((change) => shown.has(change));
}

/** Returns `3 running, 12 waiting` or `idle`. */
export function jobsInWords({ running, waiting }: QueueLoad): string {
  return running + waiting === 0 ? "idle" : `${running} running, ${waiting} waiting`;
}

export function agentsInWords({ agents }: QueueLoad): string | undefined {
  return agents === undefined ? undefined : counted(agents, "agent");
}

export function loadInWords(load: QueueLoad): string {
  return [jobsInWords(load), agentsInWords(load)].filter(Boolean).join(", ");
}

/** Returns a member as text: `~ ★ small · 3 running, 12 waiting, 5 agents`. @param name its name, shortened or not */
export function lineOf(member: Member, name = member.name): string {
  const { change, counts, load, users } = member;
  const signs = [change && ACTIONS[change].sign, ...marksOf(member).map((mark) => MARKS[mark].sign)];
  const details = [counts, load && loadInWords(load)].filter(Boolean);
  const end = details.length > 0 ? `· ${details.join(", ")}` : undefined;
  return [...signs, name, end, users].filter(Boolean).join(" ");
}

export function legendOf(drawing: Drawing): string[] {
  return [
    ...changesIn(drawing).map((change) => `${ACTIONS[change].sign} ${ACTIONS[change].word}`),
    ...marksIn(drawing).map((mark) => `${MARKS[mark].sign} ${MARKS[mark].words}`),
  ];
}

/** Returns a drawing with a group that explains its signs, for a format that has no other place for that. */
export function withLegend(drawing: Drawing): Drawing {
  const texts = legendOf(drawing);
  if (texts.length === 0) return drawing;
  const legend = { title: "Legend", members: texts.map((name) => ({ kind: "rest", name })) };
  return { ...drawing, groups: [...drawing.groups, legend] };
}

/** What a color is for: on light paper, and on dark paper. */
const COLORS = {
  paper: ["#fff", "#15181c"],
  text: ["#1c2024", "#e8eaed"],
  quiet: ["#5c6670", "#9aa4ae"],
  card: ["#f6f8fa", "#1c2025"],
  line: ["#d0d7de", "#3a424b"],
  member: ["#fff", "#262c33"],
  running: ["#0969da", "#6cb0ff"],
  waiting: ["#bf8700", "#e2b64f"],
  alarm: ACTIONS.delete.colors,
} as const;

export type Role = keyof typeof COLORS | Action;

function colorOf(role: Role): readonly [name: string, light: string, dark: string] {
  return isAction(role) ? [ACTIONS[role].change, ...ACTIONS[role].colors] : [role, ...COLORS[role]];
}

function isAction(role: Role): role is Action {
  return role in ACTIONS;
}

/** Returns the attributes of a shape: light colors, which every renderer knows, and classes for dark screens. */
export function paint(fill: Role | "none", stroke?: Role): Markup {
  const [inside, inner = "none"] = fill === "none" ? [] : colorOf(fill);
  const [line, outer] = stroke === undefined ? [] : colorOf(stroke);
  const classes = [inside && `f-${inside}`, line && `s-${line}`].filter(Boolean);
  const names = classes.length > 0 && markup` class="${classes.join(" ")}"`;
  return markup`${names} fill="${inner}"${outer && markup` stroke="${outer}"`}`;
}

const ROLES = [...Object.keys(COLORS), ...ACTION_ORDER] as Role[]; // Their keys are all roles, by its type.

export const STYLE = `
@media (prefers-color-scheme:dark){
${ROLES.map(colorOf)
  .map(([name, , dark]) => `.f-${name}{fill:${dark}}.s-${name}{stroke:${dark}}`)
  .join("\n")}
}
`;

export function badge(change: Action, x: number, y: number): Markup {
  return markup`<g transform="translate(${x} ${y})"><rect width="16" height="16" rx="4"${paint(change)}/><path transform="translate(2 2)" d="${ACTIONS[change].path}" stroke-width="1.9" stroke-linecap="round"${paint("none", "paper")}/></g>`;
}

export function mark(which: Mark, x: number, y: number): Markup {
  const { path, role } = MARKS[which];
  return markup`<path transform="translate(${x} ${y})" fill-rule="evenodd" d="${path}"${paint(role)}/>`;
}
