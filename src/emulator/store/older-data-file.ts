import type { Change } from "./collection.js";

/** Says that a file is not the emulator's. */
export function foreignFile(file: string): string {
  return (
    `${file} is not a data file of this emulator, so it is left alone. ` +
    "Give --data (or the option data) the name of a new file."
  );
}

/**
 * Reads the data file of an earlier version: a header line, then a line of JSON for each transaction. A process that was
 * killed left at most one torn line, at the end. Its response was never sent.
 *
 * @throws if it is another file, or damaged
 */
export function parseOlderFile(text: string, file: string): Change[] {
  const [header = "", ...lines] = text.split("\n").slice(0, -1);
  const head = parseLine(header);
  if (
    typeof head !== "object" ||
    head === null ||
    !("format" in head) ||
    head.format !== "buildpipeline-emulator"
  ) {
    throw new Error(foreignFile(file));
  }
  return lines.flatMap((line, index) => {
    const changes = parseLine(line);
    if (Array.isArray(changes) && changes.every(isChange)) return changes;
    throw new Error(`${file} is damaged at line ${index + 2}. Restore it from a copy, or use a new file.`);
  });
}

function parseLine(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

function isChange(value: unknown): value is Change {
  if (typeof value !== "object" || value === null) return false;
  if ("remove" in value) return typeof value.remove === "string" && "id" in value;
  if (!("put" in value) || typeof value.put !== "string" || !("record" in value)) return false;
  const { record } = value;
  return typeof record === "object" && record !== null && "id" in record && typeof record.id === "string";
}
