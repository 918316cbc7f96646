import ELK, { type ElkNode } from "elkjs/lib/elk.bundled.js";
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
export async function layOut({ groups }: Drawing): Promise<Layout> {
  const sheet: ElkNode = {
    id: "drawing",
    layoutOptions: {
      ...PACKED,
      "elk.aspectRatio": "1.6",
      "elk.padding": "[top=0,left=0,bottom=0,right=0]",
      "elk.spacing.nodeNode": "18",
    },
    children: groups.map((group, index) => groupNode(group, String(index))),
  };
  const graph: ElkNode = await new ELK().layout(sheet);
  return {
    width: graph.width ?? 0,
    height: graph.height ?? 0,
    groups: groups.map((group, index) => {
      const node = graph.children?.[index];
      return {
        ...placed(group, titleOf(group), node),
        members: group.members.map((member, place) =>
          placed(member, textOf(member), node?.children?.[place]),
        ),
      };
    }),
  };
}

const PACKED = { "elk.algorithm": "rectpacking", "elk.rectpacking.packing.strategy": "COMPACTION" };

function groupNode(group: Group, id: string): ElkNode {
  // Titles are bold.
  const width = widthOf(titleOf(group), TITLE_SIZE * 1.1) + 32;
  const widths = group.members.map((member) => widthOf(textOf(member), MEMBER_SIZE) + 22);
  const widest = widths.reduce((most, one) => Math.max(most, one), 0);
  return {
    id,
    layoutOptions: {
      ...PACKED,
      "elk.aspectRatio": "1.8",
      "elk.spacing.nodeNode": "8",
      "elk.padding": `[top=${HEADING},left=16,bottom=14,right=14]`,
      "elk.nodeSize.constraints": "MINIMUM_SIZE",
      "elk.nodeSize.minimum": `(${width},${HEADING + 14})`,
    },
    // The layout takes a group without children for an ordinary node, which needs a size.
    ...(group.members.length === 0 && { width, height: HEADING + 14 }),
    children: group.members.map((_, index) => ({
      id: `${id}.${index}`,
      width: group.inColumns ? widest : (widths[index] ?? 0),
      height: MEMBER_HEIGHT,
    })),
  };
}

function placed<What>(what: What, text: string, node: ElkNode | undefined): Placed<What> {
  return { what, text, x: node?.x ?? 0, y: node?.y ?? 0, width: node?.width ?? 0, height: node?.height ?? 0 };
}

function titleOf({ title, change }: Group): string {
  return `${change === undefined ? "" : `${SIGNS[change]} `}${cut(title, LONGEST)}`;
}

function textOf(member: Member): string {
  return `${member.change === undefined ? "" : `${SIGNS[member.change]} `}${markOf(member)}${cut(member.text, LONGEST)}${loadTextOf(member)}`;
}
