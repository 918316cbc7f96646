import type { Action } from "../messages/actions.js";
import type { DiffLine } from "../messages/lines.js";
import type { Text } from "../review/text.js";
import type { Drawing } from "../topology/drawing.js";

/** A row of a table. */
export interface Row {
  /** What happens, with its sign: `± replace`. */
  readonly tag?: { readonly action: Action; readonly text: string };
  /** Each cell has lines. */
  readonly cells: readonly (readonly Text[])[];
  /** Jobs run in it. */
  readonly busy?: boolean;
}

/** A part of a report. Renderers write it as it is, and decide nothing but what fits. */
export type Block =
  | { readonly type: "section"; readonly title: string }
  | { readonly type: "paragraph"; readonly text: Text; readonly tone: "plain" | "strong" | "quiet" }
  | {
      readonly type: "alert";
      readonly level: "danger" | "caution";
      readonly title: string;
      /** The end of the title's sentence. */
      readonly rest: string;
      readonly items: readonly Text[];
    }
  | {
      readonly type: "table";
      readonly title?: Text;
      readonly sum?: string;
      readonly columns: readonly string[];
      readonly rows: readonly Row[];
    }
  | {
      readonly type: "diff";
      readonly title: Text;
      readonly sum: string;
      readonly lines: readonly DiffLine[];
    }
  | { readonly type: "list"; readonly title: string; readonly items: readonly Text[] }
  | { readonly type: "drawing"; readonly drawing: Drawing };
