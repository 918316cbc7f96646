import { visible } from "../../shared/messages/foreign-text.js";
import { paint, wrapped } from "../terminal/terminal.js";
import { ACTIONS } from "./actions.js";
import type { Drawing } from "./drawing.js";
import { legendOf, lineOf } from "./signs.js";

export function tree(drawing: Drawing): string {
  const lines = drawing.groups.flatMap(({ title, change, members }, index) => {
    const isLast = index === drawing.groups.length - 1;
    const sign = change === undefined ? "" : `${ACTIONS[change].sign} `;
    return [
      `${isLast ? "└─" : "├─"} ${paint("bold", visible(sign + title))}`,
      ...members.map(
        (member, place) =>
          `${isLast ? "  " : "│ "} ${place === members.length - 1 ? "└─" : "├─"} ${visible(lineOf(member))}`,
      ),
    ];
  });
  const legend = legendOf(drawing);
  return [
    paint("bold", visible(drawing.title)),
    ...lines,
    ...(drawing.remark === undefined ? [] : ["", paint("dim", drawing.remark)]),
    ...(legend.length === 0 ? [] : ["", wrapped(legend.join(", "), process.stdout)]),
    "",
  ].join("\n");
}
