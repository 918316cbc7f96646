/** A row of a table, its cells by the heads of their columns. */
export type Row = Readonly<Record<string, string>>;

/** The first table after a line of a Markdown text. */
export function tableOf(markdown: string, after: string): Row[] {
  const lines = markdown.split("\n");
  const heading = lines.indexOf(after);
  const start = lines.findIndex((line, index) => index > heading && line.startsWith("|"));
  if (heading < 0 || start < 0) throw new Error(`There is no table after "${after}".`);
  const end = lines.findIndex((line, index) => index > start && !line.startsWith("|"));
  const [heads = [], , ...rows] = lines.slice(start, end).map(cells);
  return rows.map((row) => Object.fromEntries(heads.map((head, column) => [head, row[column] ?? ""])));
}

/** The cells of a line; `\|` within one is no border. */
function cells(line: string): string[] {
  return line
    .split(/(?<!\\)\|/)
    .slice(1, -1)
    .map((cell) => cell.trim());
}
