/** What a deployment does to an object, the worst first. `adopt` imports it; `release` only removes it from state. */
export const ACTION_ORDER = ["delete", "replace", "update", "create", "adopt", "release"] as const;

export type Action = (typeof ACTION_ORDER)[number];

export function disappears({ action }: { readonly action: Action | undefined }): boolean {
  return action === "delete" || action === "replace";
}

/** What a person sees of an action, in a table, a drawing and a terminal alike. */
interface ActionLook {
  /** Pulumi's verb: `import`. */
  readonly word: string;
  /** What a refresh found, in place of the verb. */
  readonly drift?: string;
  readonly sign: string;
  /** Lines of its sign in a square of 12 pixels, because fonts draw characters differently. */
  readonly path: string;
  /** Of its sign and border, on light and on dark paper. */
  readonly colors: readonly [light: string, dark: string];
  /** Of a box that reads on light and on dark paper alike. */
  readonly box: readonly [fill: string, text: string];
  /** Its name in the JSON of a topology and the classes of a drawing, which programs read: it never changes. */
  readonly change: string;
}

export const ACTIONS: Readonly<Record<Action, ActionLook>> = {
  delete: {
    word: "delete",
    drift: "gone",
    sign: "−",
    path: "M2 6h8",
    colors: ["#cf222e", "#f0867d"],
    box: ["#ffebe9", "#82071e"],
    change: "removed",
  },
  replace: {
    word: "replace",
    sign: "±",
    path: "M6 1.2v6M3 4.2h6M3 10.2h6",
    colors: ["#b34700", "#f09a5b"],
    box: ["#fff1e5", "#762c00"],
    change: "replaced",
  },
  update: {
    word: "update",
    drift: "changed",
    sign: "~",
    path: "M1.8 7.2c1.2-2.8 2.6-2.6 4.2-1.2s3 1.6 4.2-1.2",
    colors: ["#8a5a00", "#e2b64f"],
    box: ["#fff8c5", "#4d3300"],
    change: "changed",
  },
  create: {
    word: "create",
    sign: "+",
    path: "M6 2v8M2 6h8",
    colors: ["#1a7f37", "#57c98a"],
    box: ["#dafbe1", "#0b3d1a"],
    change: "added",
  },
  adopt: {
    word: "import",
    sign: "=",
    path: "M2 4.2h8M2 7.8h8",
    colors: ["#0969da", "#7cb3f5"],
    box: ["#ddf4ff", "#0a3069"],
    change: "adopted",
  },
  release: {
    word: "release",
    sign: "○",
    path: "M6 2.4a3.6 3.6 0 1 1-.01 0z",
    colors: ["#5c6670", "#9aa4ae"],
    box: ["#f6f8fa", "#3a424b"],
    change: "released",
  },
};
