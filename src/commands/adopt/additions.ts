import { createTwoFilesPatch } from "diff";
import { IMPORT_FILE } from "../shared/pulumi/import-file.js";
import type { FileChange } from "./placement.js";

/**
 * Returns the changes of files as a diff for `git apply`. Of the import file it only says that it changes.
 */
export function additions(files: readonly FileChange[]): string {
  return files
    .map(({ path, before, after }) => {
      if (path === IMPORT_FILE) return `# ${path}: ${before === undefined ? "added" : "changed"}\n`;
      const from = before === undefined ? "/dev/null" : `a/${path}`;
      return createTwoFilesPatch(from, `b/${path}`, before ?? "", after);
    })
    .join("");
}
