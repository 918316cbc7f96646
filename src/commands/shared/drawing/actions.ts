/** What a deployment does to an object. `adopt` imports it; `release` only removes it from state. */
export type Action = "delete" | "replace" | "update" | "create" | "adopt" | "release";

/** What a person sees of an action, in a table, a drawing and a terminal alike. */
export interface ActionLook {
  /** Pulumi's verb: `import`. */
  readonly word: string;
  /** After a number: `3 to import`. */
  readonly sum: string;
  /** What a refresh found, in place of both. */
  readonly drift?: string;
  readonly sign: string;
  /** Colors of its sign and border, on light and on dark paper. */
  readonly light: string;
  readonly dark: string;
  /** Fill and text of a box that reads on light and on dark paper alike. */
  readonly fill: string;
  readonly ink: string;
  /** Its name in the JSON of a topology and the classes of a drawing, which programs read: it never changes. */
  readonly change: string;
}

/** All actions, the worst first. */
export const ACTIONS: Readonly<Record<Action, ActionLook>> = {
  delete: {
    word: "delete",
    sum: "to delete",
    drift: "gone",
    sign: "−",
    light: "#cf222e",
    dark: "#f0867d",
    fill: "#ffebe9",
    ink: "#82071e",
    change: "removed",
  },
  replace: {
    word: "replace",
    sum: "to replace",
    sign: "±",
    light: "#b34700",
    dark: "#f09a5b",
    fill: "#fff1e5",
    ink: "#762c00",
    change: "replaced",
  },
  update: {
    word: "update",
    sum: "to update",
    drift: "changed",
    sign: "~",
    light: "#8a5a00",
    dark: "#e2b64f",
    fill: "#fff8c5",
    ink: "#4d3300",
    change: "changed",
  },
  create: {
    word: "create",
    sum: "to create",
    sign: "+",
    light: "#1a7f37",
    dark: "#57c98a",
    fill: "#dafbe1",
    ink: "#0b3d1a",
    change: "added",
  },
  adopt: {
    word: "import",
    sum: "to import",
    sign: "=",
    light: "#0969da",
    dark: "#7cb3f5",
    fill: "#ddf4ff",
    ink: "#0a3069",
    change: "adopted",
  },
  release: {
    word: "release",
    sum: "to release",
    sign: "○",
    light: "#5c6670",
    dark: "#9aa4ae",
    fill: "#f6f8fa",
    ink: "#3a424b",
    change: "released",
  },
};

/** All actions, the worst first. */
export const ACTION_ORDER = Object.keys(ACTIONS) as readonly Action[]; // Its keys are all actions, by its type.
