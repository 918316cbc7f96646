import { existsSync } from "node:fs";
import { writeWhole } from "../../cli/terminal/files.js";
import { inside } from "../../shared/process/folders.js";

/** What keeps results out of Git, so that they are no change of a project. */
export const IGNORED = { file: ".gitignore", text: "*\n" } as const;

/** Keeps the results in a folder out of Git, unless the folder has its own say. */
export function ignoreIn(out: string): void {
  const file = inside(out, IGNORED.file);
  if (!existsSync(file)) writeWhole(file, IGNORED.text);
}
