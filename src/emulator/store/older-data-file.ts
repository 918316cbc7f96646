import { z } from "zod";
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
  if (!headerLine.safeParse(parseLine(header)).success) throw new Error(foreignFile(file));
  return lines.flatMap((line, index) => {
    const { data, success } = changesLine.safeParse(parseLine(line));
    if (success) return data;
    throw new Error(`${file} is damaged at line ${index + 2}. Restore it from a copy, or use a new file.`);
  });
}

const headerLine = z.object({ format: z.literal("buildpipeline-emulator") });
const changesLine = z.array(
  z.union([
    z.object({ put: z.string(), record: z.looseObject({ id: z.string() }) }),
    z.object({ remove: z.string(), id: z.string() }),
  ]),
);

function parseLine(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
