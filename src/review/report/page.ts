import * as z from "zod";
import { ACTION_ORDER } from "../../cli/drawing/actions.js";
import { drawingSchema } from "../../cli/drawing/drawing.js";
import type { Marked, Text } from "../plan/text.js";

/** A report as its renderers read it, which is also a file: the report of several stacks is made of it. */
export type Page = z.infer<typeof pageSchema>;

/** A part of a report. Renderers write it unchanged, and only decide what fits. */
export type Block = Page["blocks"][number];
export type BlockOf<Type extends Block["type"]> = Extract<Block, { readonly type: Type }>;
/** One change, or equal changes in several clusters. */
export type Row = BlockOf<"table">["rows"][number];
/** A sentence of an alert, with the anchor of the row that it is about. */
export type Item = BlockOf<"alert">["items"][number];

const code = z.object({ code: z.string() });
const text: z.ZodType<Text> = z.array(z.union([z.string(), code]));
const texts = z.array(text).readonly();
const marked: z.ZodType<Marked> = z.array(z.union([z.string(), code, z.object({ strong: z.string() })]));
const action = z.enum(ACTION_ORDER);
const level = z.enum(["danger", "caution"]);
const count = z.number();
const row = z.object({
  tag: z.object({ action, text: z.string() }),
  kind: z.string(),
  name: text,
  lines: texts,
  anchor: z.string(),
  level: level.optional(),
});
const block = z.discriminatedUnion("type", [
  z.object({ type: z.literal("section"), title: z.string() }),
  z.object({ type: z.literal("paragraph"), text, tone: z.enum(["plain", "strong", "quiet"]) }),
  z.object({
    type: z.literal("alert"),
    level,
    /** Empty where the level says it. */
    title: z.string(),
    /** The end of the title's sentence. */
    rest: z.string(),
    items: z
      .array(z.object({ message: marked, details: texts.optional(), anchor: z.string().optional() }))
      .readonly(),
  }),
  z.object({ type: z.literal("table"), title: text, sum: z.string(), dangers: count, rows: z.array(row) }),
  z.object({
    type: z.literal("diff"),
    title: text,
    sum: z.string(),
    lines: z.array(z.object({ sign: z.enum(["+", "-", " ", "gap"]), text: z.string() })).readonly(),
  }),
  z.object({ type: z.literal("list"), title: z.string(), items: texts }),
  z.object({
    type: z.literal("drawing"),
    drawing: drawingSchema,
    /** How many objects stay as they are, and their names if the drawing leaves them out. */
    unchanged: z.object({ count, omitted: text }),
  }),
]);

export const pageSchema = z.object({
  title: z.string(),
  /** `project/stack`; "" if it isn't known. */
  stack: z.string(),
  drift: z.boolean(),
  failed: z.boolean(),
  interrupted: z.boolean(),
  verdict: z.object({
    level: z.enum(["danger", "caution", "clear", "open"]),
    parts: z.array(z.string()).readonly(),
    dangerous: count,
    noticeable: count,
  }),
  about: z.array(z.string()).readonly(),
  summary: z.array(z.object({ text: z.string(), action: action.optional() })).readonly(),
  explanation: z.string(),
  /** A warning is no change, but nothing then proves that there is none. */
  changes: z.enum(["some", "none", "unproven"]),
  /** How many changes there are. */
  size: count,
  /** What to read at lines of the program. Reports of earlier versions have none. */
  annotations: z
    .array(z.object({ file: z.string(), line: count, level: level.optional(), message: z.string() }))
    .default([]),
  load: z
    .object({
      busy: count,
      running: count,
      waiting: count,
      atLeast: z.boolean(),
      /** Nothing is missing that could contradict the figures. */
      proven: z.boolean(),
    })
    .optional(),
  blocks: z.array(block),
});
