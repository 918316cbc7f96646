import { basename } from "node:path";
import { createTwoFilesPatch } from "diff";
import { counted } from "../../shared/messages/nouns.js";
import { IMPORT_FILE, importFileSchema } from "../shared/pulumi/import-file.js";
import type { FileChange } from "./placement.js";

/**
 * Returns the changes of files as a diff for `git apply`. Of an import file it only says how many resources it gains and
 * loses.
 */
export function additions(files: readonly FileChange[]): string {
  return files
    .map(({ path, before, after }) => {
      if (basename(path) === IMPORT_FILE) return `# ${path}: ${importsOf(before, after)}\n`;
      const from = before === undefined ? "/dev/null" : `a/${path}`;
      return createTwoFilesPatch(from, `b/${path}`, before ?? "", after);
    })
    .join("");
}

function importsOf(before: string | undefined, after: string): string {
  const entriesIn = (text = "{}") =>
    new Set(
      importFileSchema
        .parse(JSON.parse(text))
        .resources.map(({ type, name }) => JSON.stringify([type, name])),
    );
  const [old, next] = [entriesIn(before ?? '{"resources":[]}'), entriesIn(after)];
  const added = [...next].filter((entry) => !old.has(entry)).length;
  const done = [...old].filter((entry) => !next.has(entry)).length;
  const removed = done === 0 ? "" : `, ${counted(done, "imported resource")} removed`;
  return `${counted(added, "resource")} added${removed}`;
}
