/** A part of a report, in ever shorter forms. */
export interface Part {
  /** From the full form to the shortest, which may be empty. */
  readonly levels: readonly string[];
  /** Omitted part of a shortened block: `line diffs`. */
  readonly what: string;
}

/** Returns a part that is never shortened. */
export function whole(...lines: readonly string[]): Part {
  return { levels: [lines.join("\n")], what: "" };
}

/** Joins blocks, and shortens the last ones first until everything fits. Names the omitted parts. */
export function fitted(blocks: readonly Part[], longest: number): string {
  const level = blocks.map(() => 0);
  const texts = () => blocks.map(({ levels }, index) => levels[level[index] ?? 0] ?? "");
  const missing = new Set<string>();
  const whole = () => {
    const note = `> This report was shortened to ${longest} characters. Not in full: ${[...missing].join(", ")}.\n`;
    return [...texts(), ...(missing.size > 0 ? [note] : [])].filter((text) => text !== "").join("\n");
  };
  const deepest = Math.max(...blocks.map(({ levels }) => levels.length));
  for (let next = 1; next < deepest; next++) {
    for (let index = blocks.length - 1; index >= 0; index--) {
      const { levels, what } = blocks[index] ?? { levels: [], what: "" };
      if (whole().length <= longest) return whole();
      if (next >= levels.length) continue;
      level[index] = next;
      missing.add(what);
    }
  }
  const text = whole();
  if (text.length <= longest) return text;
  // Half a character at the end goes as well.
  return `${text.slice(0, longest - 1).replace(/[\ud800-\udbff]$/, "")}…`;
}
