import { go } from "./go.js";
import type { ProgramFile } from "./program-file.js";
import type { NewProject } from "./project-files.js";
import { python } from "./python.js";
import { typescript } from "./typescript.js";
import { yaml } from "./yaml.js";

/** A language that `adopt` writes. */
export interface Language {
  readonly title: string;
  /** The program's only file. Undefined where each cluster and each resource type has a file, as in TypeScript. */
  readonly file: string | undefined;
  program(file: ProgramFile): string;
  /** Its runtime, as Pulumi.yaml names it. */
  readonly runtime: string | object;
  /** What Git ignores in a project, beside the import file. */
  readonly ignored: readonly string[];
  /** Returns the files that list what a project depends on. Absent where Pulumi.yaml is enough. */
  manifests?(project: NewProject): Record<string, string>;
}

export const LANGUAGES: Readonly<Record<string, Language>> = { typescript, python, go, yaml };

/** Returns the language with a name. @throws for a language that `adopt` doesn't write */
export function languageNamed(name: string): Language {
  const key = name.toLowerCase();
  const language = Object.hasOwn(LANGUAGES, key) ? LANGUAGES[key] : undefined;
  if (language !== undefined) return language;
  throw new Error(
    `adopt writes ${Object.keys(LANGUAGES).join(", ")}, but not ${name}: no program in another language was ever run ` +
      "with this plugin. Choose one of these, or declare the resources yourself and import them with `pulumi import`.",
  );
}
