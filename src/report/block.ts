import type { Action } from "../messages/actions.js";
import type { DiffLine } from "../messages/lines.js";
import type { Marked, Text } from "../review/text.js";
import type { Drawing } from "../topology/drawing.js";
import type { Danger } from "./dangers.js";

/** A row of a table: one change, or equal changes in several clusters. */
export interface Row {
  /** What happens, with its sign: `± replace`. */
  readonly tag: { readonly action: Action; readonly text: string };
  readonly kind: string;
  readonly name: Text;
  readonly lines: readonly Text[];
  /** Its name among all rows of the report. */
  readonly anchor: string;
  readonly level: Danger["level"] | undefined;
}

/** A sentence of an alert. */
export interface Item {
  readonly text: Marked;
  /** Sentences below it. */
  readonly details?: readonly Text[] | undefined;
  /** The row that it is about. */
  readonly anchor?: string | undefined;
}

/** A part of a report. Renderers write it unchanged, and only decide what fits. */
export type Block =
  | { readonly type: "section"; readonly title: string }
  | { readonly type: "paragraph"; readonly text: Text; readonly tone: "plain" | "strong" | "quiet" }
  | {
      readonly type: "alert";
      readonly level: Danger["level"];
      /** Empty where the level says it. */
      readonly title: string;
      /** The end of the title's sentence. */
      readonly rest: string;
      readonly items: readonly Item[];
    }
  | {
      readonly type: "table";
      readonly title: Text;
      readonly sum: string;
      /** How many dangers are about its rows. */
      readonly dangers: number;
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
