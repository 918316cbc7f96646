/** A fenced code block of a Markdown text. */
export interface Block {
  readonly language: string;
  readonly text: string;
  /** The comment right above it, `<!-- verb: object -->`, which says how it is tested. */
  readonly verb: string | undefined;
  readonly object: string;
  /** For messages: `line 42`. */
  readonly place: string;
}

/** The fenced code blocks of a Markdown text, in their order. */
export function fencedBlocks(markdown: string): Block[] {
  const blocks: Block[] = [];
  const lines = markdown.split("\n");
  let above = "";
  for (let index = 0; index < lines.length; index++) {
    const line = lines[index] ?? "";
    if (!line.startsWith("```")) {
      above = line;
      continue;
    }
    const start = index + 1;
    while (lines[++index] !== "```") {
      if (index >= lines.length) throw new Error(`The code block at line ${start} does not end.`);
    }
    const mark = /^<!-- ([a-z-]+)(?:: (.+))? -->$/.exec(above);
    blocks.push({
      language: line.slice(3),
      text: lines.slice(start, index).join("\n"),
      verb: mark?.[1],
      object: mark?.[2] ?? "",
      place: `line ${start}`,
    });
    above = "";
  }
  return blocks;
}
