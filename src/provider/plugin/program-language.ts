import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";

export type Wording = (message: string) => string;

/** Pulumi's names for what runs TypeScript and JavaScript. */
const NODE = /^runtime:\s*(?:\{?\s*name:\s*)?["']?(?:nodejs|bun)\b/m;

/**
 * Returns the wording for the program in whose folder the engine starts the plugin. Messages write options and arguments
 * as TypeScript does. For a program in another language, they keep the names and values, without the syntax.
 */
export function wordingFor(directory: string): Wording {
  const project = projectText(directory);
  return project === undefined || NODE.test(project) ? (message) => message : withoutSyntax;
}

/** Returns the text of `Pulumi.yaml`, from the folder or one above it. */
function projectText(directory: string): string | undefined {
  for (const name of ["Pulumi.json", "Pulumi.yaml", "Pulumi.yml"]) {
    try {
      return readFileSync(join(directory, name), "utf8");
    } catch {
      // Another name, or another folder.
    }
  }
  const parent = dirname(directory);
  return parent === directory ? undefined : projectText(parent);
}

/** `{ import: "Main/linux" }` is `import: "Main/linux"`, and `getCluster({ id })` is `getCluster(id)`. */
function withoutSyntax(message: string): string {
  return message
    .replaceAll('new pulumi.Config().requireNumber("tokenGeneration")', "one of the stack's configuration")
    .replaceAll(/\{ aliases: \[\{ (name: "[^"]*") \}\] \}/g, "aliases ($1)")
    .replaceAll(/\b(get\w+)\(\{ ([^{}]*) \}\)/g, "$1($2)")
    .replaceAll(/\{ (\w+: (?:"(?:[^"\\]|\\.)*"|\["[^\]]*"\]|true|false)) \}/g, "$1");
}
