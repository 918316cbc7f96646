import { kindNames, kindOfAnyCase } from "../../provider/for-commands/kinds.js";
import { messageOf } from "../../shared/messages/of-error.js";

/** A resource of a program, and the object that it is to be. */
export interface ImportPair {
  readonly kind: string;
  readonly name: string;
  /** As the option `import` takes it: `Linux/small`. */
  readonly importName: string;
}

export function importPair(kind: string, name: string, importName: string): ImportPair {
  const known = kindOfAnyCase(kind);
  if (known === undefined) throw new Error(`There is no kind ${kind}. The kinds are ${kindNames()}.`);
  return { kind: known.name, name, importName };
}

/**
 * Pairs from a text of lines `<Kind> <name> <import name>`. A name with blanks stands in double quotes, as in JSON; an
 * import name goes to the end of its line. Lines that are empty or begin with # say nothing.
 *
 * @throws with the number of the line that is none
 */
export function parsePairs(text: string): ImportPair[] {
  return text.split(/\r?\n/).flatMap((line, index) => {
    if (line.trim() === "" || line.trimStart().startsWith("#")) return [];
    const [, kind, name, importName] = /^\s*(\S+)\s+("(?:[^"\\]|\\.)*"|\S+)\s+(\S.*?)\s*$/.exec(line) ?? [];
    try {
      if (kind === undefined || name === undefined || importName === undefined) {
        throw new Error("Expected <Kind> <name> <import name>.");
      }
      return [importPair(kind, unquoted(name), unquoted(importName))];
    } catch (error) {
      throw new Error(`Line ${index + 1}: ${messageOf(error)}`);
    }
  });
}

function unquoted(text: string): string {
  return /^".*"$/.test(text) ? String(JSON.parse(text)) : text;
}
