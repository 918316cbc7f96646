import { ACTION_ORDER, ACTIONS, type Action } from "../messages/actions.js";
import type { Mark } from "./drawing.js";

/** Lines of the sign of each change in a square of 12 pixels, because fonts draw characters differently. */
const LINES: Readonly<Record<Action, string>> = {
  create: "M6 2v8M2 6h8",
  delete: "M2 6h8",
  update: "M1.8 7.2c1.2-2.8 2.6-2.6 4.2-1.2s3 1.6 4.2-1.2",
  replace: "M6 1.2v6M3 4.2h6M3 10.2h6",
  adopt: "M2 4.2h8M2 7.8h8",
  release: "M6 2.4a3.6 3.6 0 1 1-.01 0z",
};

/** Each mark in a square of 12 pixels. */
const MARKS: Readonly<Record<Mark, { path: string; role: Role }>> = {
  isDefault: {
    path: "M6 .6l1.7 3.5 3.8.5-2.8 2.7.7 3.8L6 9.3l-3.4 1.8.7-3.8L.5 4.6l3.8-.5z",
    role: "text",
  },
  paused: { path: "M2.6 1.6h2.4v8.8H2.6zM7 1.6h2.4v8.8H7z", role: "waiting" },
  token: {
    path: "M3.4 3.2a2.8 2.8 0 1 0 2.6 3.7h2.2v1.9h1.5V6.9h.5v1.4h1.5V5.1H6A2.8 2.8 0 0 0 3.4 3.2zm0 1.7a1.1 1.1 0 1 1-.01 0z",
    role: "quiet",
  },
};

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
  alarm: [ACTIONS.delete.light, ACTIONS.delete.dark],
} as const;

/** A use of a color: one of the drawing's own, or the color of a change. */
export type Role = keyof typeof COLORS | Action;

/** Returns the class and the colors of a role. */
function colorOf(role: Role): { readonly name: string; readonly light: string; readonly dark: string } {
  if (isAction(role)) return { ...ACTIONS[role], name: ACTIONS[role].change };
  const [light, dark] = COLORS[role];
  return { name: role, light, dark };
}

function isAction(role: Role): role is Action {
  return role in ACTIONS;
}

/** Returns the attributes of a shape: light colors, which every renderer knows, and classes for dark screens. */
export function paint(fill: Role | "none", stroke?: Role): string {
  const [inside, line] = [fill === "none" ? undefined : colorOf(fill), stroke && colorOf(stroke)];
  const classes = [inside && `f-${inside.name}`, line && `s-${line.name}`].filter(Boolean);
  const names = classes.length === 0 ? "" : ` class="${classes.join(" ")}"`;
  return `${names} fill="${inside?.light ?? "none"}"${line ? ` stroke="${line.light}"` : ""}`;
}

const ROLES = [...Object.keys(COLORS), ...ACTION_ORDER] as Role[]; // Their keys are all roles, by its type.

/** Colors for dark screens. */
export const STYLE = `
@media (prefers-color-scheme:dark){
${ROLES.map(colorOf)
  .map(({ name, dark }) => `.f-${name}{fill:${dark}}.s-${name}{stroke:${dark}}`)
  .join("\n")}
}
`;

/** Returns the sign of a change, as a badge of 16 pixels. */
export function badge(change: Action, x: number, y: number): string {
  return `<g transform="translate(${x} ${y})"><rect width="16" height="16" rx="4"${paint(change)}/><path transform="translate(2 2)" d="${LINES[change]}" stroke-width="1.9" stroke-linecap="round"${paint("none", "paper")}/></g>`;
}

/** Returns a mark of 12 pixels. */
export function mark(which: Mark, x: number, y: number): string {
  const { path, role } = MARKS[which];
  return `<path transform="translate(${x} ${y})" fill-rule="evenodd" d="${path}"${paint(role)}/>`;
}
