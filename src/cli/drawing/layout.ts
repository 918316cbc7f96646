import { blanked } from "../../shared/messages/foreign-text.js";
import type { Drawing, Group, Member } from "./drawing.js";
import { loadInWords, marksOf } from "./signs.js";

export const TITLE_SIZE = 15;
export const MEMBER_SIZE = 13;
export const SMALL_SIZE = 12;
export const BAR = 92;
const HEADING = 40;
const LINE = 28;
/** Most pixels for the members of a group on a narrow sheet, such as a telephone or paper. */
const NARROW = 400;
const LONGEST = 34;
const SIGN = 22;
const MARK = 18;

export type PlacedGroup = ReturnType<typeof layOut>["groups"][number];

/**
 * Places the groups of a drawing and their members on a sheet of about the shape of a screen, in pixels from the upper
 * left corner of what something is in. A narrow sheet stacks the groups.
 */
export function layOut({ groups }: Drawing, isNarrow = false) {
  const insides = groups.map((group) => gridOf(group, isNarrow));
  // Boxes with as many columns are as wide as each other.
  const widest = (columns: number) =>
    Math.max(...insides.map((one) => (one.columns === columns ? one.width : 0)));
  const outsides = insides.map(({ columns, height }) => ({ width: widest(columns) + 28, height }));
  const sheet = packed(outsides, isNarrow ? 0 : 1.9);
  return {
    ...sheet,
    groups: groups.map((group, index) => {
      const place = sheet.boxes[index] ?? { x: 0, y: 0, width: 0, height: 0 };
      const { columns = 1, rows = 1, cell = LINE, bar = 0 } = insides[index] ?? {};
      const width = (place.width - 28 - (columns - 1) * 8) / columns;
      return {
        what: group,
        text: cutInMiddle(group.title, LONGEST),
        ...place,
        members: group.members.map((what, at) => ({
          what,
          text: shownName(what),
          x: 14 + Math.floor(at / rows) * (width + 8),
          y: HEADING + (at % rows) * (cell + 6),
          width,
          height: cell,
          bar: below(what) === undefined ? bar : what.color ? 17 : 11,
        })),
      };
    }),
  };
}

/** Arranges the members of a group in columns, read from top to bottom. */
function gridOf({ title, change, members }: Group, isNarrow: boolean) {
  const most = (of: (member: Member) => number) =>
    members.reduce((most, member) => Math.max(most, of(member)), 0);
  const isCard = members.some((one) => below(one) !== undefined);
  const name = most((one) => (one.load && !isCard ? leadOf(one) + widthOf(shownName(one), MEMBER_SIZE) : 0));
  const bar = name + 24;
  const cell = LINE + (isCard ? 18 : 0) + (isCard && members.some(({ load }) => load !== undefined) ? 20 : 0);
  const width = most((one) => {
    const load = one.load ? BAR + 10 + widthOf(loadInWords(one.load), SMALL_SIZE) + 12 : 0;
    const own = leadOf(one) + widthOf(shownName(one), MEMBER_SIZE) + 12;
    if (isCard)
      return Math.max(own * 1.08 + signsOf(one), 28 + widthOf(below(one) ?? "", SMALL_SIZE), 17 + load);
    return Math.max(own, one.load ? bar + load : 0);
  });
  const count = Math.max(members.length, 1);
  const wanted = Math.ceil(Math.sqrt((count * (cell + 6) * 1.3) / (width + 8)));
  const fitting = isNarrow ? Math.max(1, Math.floor(NARROW / (width + 8))) : wanted;
  const rows = Math.ceil(count / Math.min(wanted, fitting));
  const columns = Math.ceil(count / rows);
  const heading = widthOf(cutInMiddle(title, LONGEST), TITLE_SIZE * 1.1) + 18 + (change ? SIGN : 0);
  return {
    columns,
    rows,
    cell,
    bar,
    width: Math.max(columns * (width + 8) - 8, heading),
    height: HEADING + (members.length === 0 ? 8 : rows * (cell + 6) - 6 + 14),
  };
}

/** Returns how far the name of a member is indented: by the sign of its change and by its marks. */
export function leadOf(member: Member): number {
  const { change, color } = member;
  return 11 + (color ? 6 : 0) + (change ? SIGN : 0) + marksOf(member).length * MARK;
}

function shownName({ kind, name }: Member): string {
  return cutInMiddle(name, kind === "rest" ? 80 : LONGEST);
}

/** Returns what a box has on a second line. */
export function below({ counts, users }: Member): string | undefined {
  return counts ?? users;
}

function signsOf({ changes }: Member): number {
  return (changes?.length ?? 0) * 38;
}

interface Size {
  readonly width: number;
  readonly height: number;
}

/** Pixels between two boxes. */
const GAP = 16;

/** Places boxes one after another, each as high as possible. @param shape about width to height; 0 stacks all boxes */
function packed(sizes: readonly Size[], shape: number) {
  const area = sizes.reduce((sum, { width, height }) => sum + (width + GAP) * (height + GAP), 0);
  const widest = sizes.reduce((most, { width }) => Math.max(most, width), 0);
  // Two short columns of boxes are easier to read than one long column.
  const pair = shape > 0 && sizes.length > 2 && widest < 500 ? 2 * widest + GAP : widest;
  const limit = Math.max(pair, Math.sqrt(area * shape));
  const boxes: (Size & { readonly x: number; readonly y: number })[] = [];
  for (const { width, height } of sizes) {
    const places = [0, ...boxes.map((one) => one.x + one.width + GAP)]
      .filter((x) => x + width <= limit)
      .map((x) => {
        const above = boxes.filter((one) => one.x < x + width + GAP && x < one.x + one.width + GAP);
        return { x, y: above.reduce((lowest, one) => Math.max(lowest, one.y + one.height + GAP), 0) };
      });
    const best = places.reduce((one, other) =>
      other.y < one.y || (other.y === one.y && other.x < one.x) ? other : one,
    );
    boxes.push({ ...best, width, height });
  }
  const end = (of: (one: (typeof boxes)[number]) => number) =>
    boxes.reduce((most, one) => Math.max(most, of(one)), 0);
  return { boxes, width: end(({ x, width }) => x + width), height: end(({ y, height }) => y + height) };
}

/** About how wide a text is in a sans-serif font of a size, in pixels; rather too wide than too narrow. */
export function widthOf(text: string, size: number): number {
  let ems = 0;
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    if (
      /\p{Extended_Pictographic}|\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}|\p{Script=Hangul}/u.test(
        segment,
      )
    ) {
      ems += 1.25;
    } else if (/[MWmw@%]/.test(segment)) ems += 0.95;
    else if (/\p{Lu}/u.test(segment)) ems += 0.72;
    else if (/[ijl.,:;|!'’ ()[\]]/.test(segment)) ems += 0.33;
    else ems += 0.6;
  }
  return Math.ceil(ems * size);
}

/** Cuts the middle of a text, because names that begin alike differ at the end. @param longest in visible characters */
export function cutInMiddle(text: string, longest: number): string {
  const line = blanked(text).trim();
  const characters = [...new Intl.Segmenter().segment(line)].map(({ segment }) => segment);
  if (characters.length <= longest) return line;
  const tail = Math.floor((longest - 1) / 2);
  return `${characters.slice(0, longest - 1 - tail).join("")}…${characters.slice(-tail).join("")}`;
}
