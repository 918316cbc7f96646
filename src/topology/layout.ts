import { type Drawing, type Group, loadTextOf, type Member, markOf, SIGNS } from "./drawing.js";
import { cut, widthOf } from "./text.js";

export const TITLE_SIZE = 15;
export const MEMBER_SIZE = 13;
const MEMBER_HEIGHT = 26;
const HEADING = 38;
const LONGEST = 34;

/** Where something is, in pixels from the upper left corner of what it is in. */
export interface Placed<What> {
  readonly what: What;
  /** Text in it. */
  readonly text: string;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface PlacedGroup extends Placed<Group> {
  readonly members: readonly Placed<Member>[];
}

export interface Layout {
  readonly width: number;
  readonly height: number;
  readonly groups: readonly PlacedGroup[];
}

/** Places the groups of a drawing and their members on a sheet of about the shape of a screen. */
export function layOut({ groups }: Drawing): Layout {
  const insides = groups.map(({ members, inColumns }) => {
    const widths = members.map((member) => widthOf(textOf(member), MEMBER_SIZE) + 22);
    const widest = widths.reduce((most, one) => Math.max(most, one), 0);
    const sizes = widths.map((width) => ({ width: inColumns ? widest : width, height: MEMBER_HEIGHT }));
    return packed(sizes, { gap: 8, shape: 2.6 });
  });
  const outsides = groups.map((group, index) => {
    const { width = 0, height = 0 } = insides[index] ?? {};
    // Titles are bold.
    const title = widthOf(titleOf(group), TITLE_SIZE * 1.1) + 32;
    return { width: Math.max(title, width + 30), height: HEADING + height + 14 };
  });
  const sheet = packed(outsides, { gap: 18, shape: 2.4 });
  return {
    ...sheet,
    groups: groups.map((group, index) => ({
      what: group,
      text: titleOf(group),
      ...box(sheet, index),
      members: group.members.map((member, place) => {
        const { x, y, ...size } = box(insides[index], place);
        return { what: member, text: textOf(member), x: x + 16, y: y + HEADING, ...size };
      }),
    })),
  };
}

interface Size {
  readonly width: number;
  readonly height: number;
}

interface Box extends Size {
  readonly x: number;
  readonly y: number;
}

/** Places boxes one after another, each as high as possible, on a sheet with about this ratio of width to height. */
function packed(sizes: readonly Size[], { gap, shape }: { gap: number; shape: number }) {
  const area = sizes.reduce((sum, { width, height }) => sum + (width + gap) * (height + gap), 0);
  const limit = sizes.reduce((most, { width }) => Math.max(most, width), Math.sqrt(area * shape));
  const boxes: Box[] = [];
  for (const { width, height } of sizes) {
    const places = [0, ...boxes.map((one) => one.x + one.width + gap)]
      .filter((x) => x + width <= limit)
      .map((x) => {
        const above = boxes.filter((one) => one.x < x + width + gap && x < one.x + one.width + gap);
        return { x, y: above.reduce((lowest, one) => Math.max(lowest, one.y + one.height + gap), 0) };
      });
    const best = places.reduce((one, other) =>
      other.y < one.y || (other.y === one.y && other.x < one.x) ? other : one,
    );
    boxes.push({ ...best, width, height });
  }
  const end = (of: (one: Box) => number) => boxes.reduce((most, one) => Math.max(most, of(one)), 0);
  return { boxes, width: end(({ x, width }) => x + width), height: end(({ y, height }) => y + height) };
}

function box(packing: { readonly boxes: readonly Box[] } | undefined, index: number): Box {
  return packing?.boxes[index] ?? { x: 0, y: 0, width: 0, height: 0 };
}

function titleOf({ title, change }: Group): string {
  return `${change === undefined ? "" : `${SIGNS[change]} `}${cut(title, LONGEST)}`;
}

function textOf(member: Member): string {
  return `${member.change === undefined ? "" : `${SIGNS[member.change]} `}${markOf(member)}${cut(member.text, LONGEST)}${loadTextOf(member)}`;
}
