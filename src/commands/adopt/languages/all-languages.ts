import { go } from "./go.js";
import type { Language } from "./project-files.js";
import { python } from "./python.js";
import { typescript } from "./typescript.js";
import { yaml } from "./yaml.js";

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
