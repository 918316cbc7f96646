import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, dirname, extname, join, resolve } from "node:path";
import * as z from "zod";
import { oneLine } from "../../shared/messages/foreign-text.js";
import { messageOf } from "../../shared/messages/of-error.js";
import { quoted } from "../../shared/messages/quoted.js";
import { inside, isWithin, repositoryOf } from "../../shared/process/folders.js";

/** The only reader of Pulumi's files in a folder: its settings, its stacks' settings, and its program's package.json. */

/** In the order in which Pulumi looks for them: it reads the first one, and stacks' settings of the same extension. */
export const SETTINGS_FILES: readonly string[] = ["Pulumi.json", "Pulumi.yaml", "Pulumi.yml"];

const text = z.string().optional().catch(undefined);
const pluginSchema = z
  .object({ name: z.string(), source: z.string(), path: z.string(), version: z.coerce.string() })
  .partial();
const settingsSchema = z.object({
  name: text,
  main: text,
  stackConfigDir: text,
  /** A text is the older form of `stackConfigDir`. */
  config: text,
  runtime: z
    .union([z.string(), z.object({ name: z.string() }).transform(({ name }) => name)])
    .catch("nodejs"),
  plugins: z
    .object({ providers: z.array(pluginSchema).optional() })
    .optional()
    .catch(undefined),
  /** Of this package. Pulumi ignores it. */
  buildpipeline: z.unknown().optional(),
  packages: z
    .record(z.string(), z.union([z.string(), pluginSchema]).nullish())
    .optional()
    .catch(undefined),
});

/** Returns the directory of the project that a directory is in, found as the Pulumi CLI finds it. */
export function projectDirectory(start: string): string | undefined {
  for (let directory = start; ; directory = dirname(directory)) {
    if (SETTINGS_FILES.some((name) => existsSync(join(directory, name)))) return directory;
    if (dirname(directory) === directory) return undefined;
  }
}

/** Returns the settings of a folder's project, if there is one. @throws with the file's name if it isn't YAML */
export function settingsIn(directory: string) {
  const file = SETTINGS_FILES.map((name) => join(directory, name)).find((path) => existsSync(path));
  if (file === undefined) return undefined;
  // Most commands read no project.
  const { parse }: typeof import("yaml") = require("yaml");
  let content: unknown;
  try {
    content = parse(readFileSync(file, "utf8"));
  } catch (error) {
    throw new Error(`${file}: ${oneLine(messageOf(error))}`);
  }
  const settings = settingsSchema.catch({ runtime: "nodejs" }).parse(content);
  return { ...settings, name: settings.name ?? basename(directory), extension: extname(file) };
}

/** Names become parts of paths. @param parts of `organization/project/stack` @throws if one breaks Pulumi's own rule */
export function requireName(folder: string, name: string, parts: readonly string[] = [name]): void {
  if (parts.every((part) => /^[\w.-]+$/.test(part) && !/^\.+$/.test(part))) return;
  throw new Error(
    `${folder}: Pulumi takes no project or stack that is called ${quoted(name)}. A name has letters, digits, hyphens, ` +
      "underscores and dots, and not dots only.",
  );
}

/**
 * Returns the paths of the files and links below a folder, without installed packages, hidden folders and what may not be
 * read, such as the data of a database beside the projects.
 */
export function* filesBelow(folder: string, without: readonly string[] = []): Generator<string> {
  for (const entry of readableEntries(folder)) {
    const path = join(folder, entry.name);
    if (entry.isFile() || entry.isSymbolicLink()) yield path;
    else if (!entry.isDirectory() || entry.name === "node_modules" || entry.name.startsWith(".")) continue;
    else if (!without.includes(path)) yield* filesBelow(path, without);
  }
}

function readableEntries(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    if (Object(error).code === "EACCES") return [];
    throw error;
  }
}

/** Returns the directories of all projects in a folder and below it, in the order of their paths. */
export function projectsBelow(folder: string): string[] {
  const isSettings = (file: string) => SETTINGS_FILES.includes(basename(file)) && existsSync(file);
  return [...new Set([...filesBelow(folder)].filter(isSettings).map((file) => dirname(file)))].sort();
}

export const PASSPHRASE = "PULUMI_CONFIG_PASSPHRASE";

/** Returns the variable with the passphrase of one project: for `teams/mobile`, it ends with `TEAMS_MOBILE`. */
export function passphraseName({ folder }: { readonly folder: string }): string {
  return `${PASSPHRASE}_${folder.toUpperCase().replace(/[^A-Z0-9]+/g, "_")}`;
}

export function passphraseOf(project: { readonly folder: string }): Record<string, string> {
  const own = process.env[passphraseName(project)];
  return own === undefined ? {} : { [PASSPHRASE]: own };
}

/** Returns the stack that an option names, or else `PULUMI_STACK`. Undefined if neither does. */
export function namedStack(option: string | undefined): string | undefined {
  if (option === "") throw new Error("--stack is empty text. Name a stack, or leave the option out.");
  return option ?? (process.env.PULUMI_STACK || undefined);
}

/** Returns the stacks with a file of settings, `Pulumi.<stack>.yaml`. */
export function stacksWithSettings(directory: string): string[] {
  const { folder, extension } = placeOfStacks(directory);
  return (existsSync(folder) ? readdirSync(folder) : [])
    .filter((file) => file.endsWith(extension))
    .flatMap((file) => /^Pulumi\.(.+)\.\w+$/.exec(file)?.[1] ?? [])
    .sort();
}

/** Returns the path of a stack's settings, whether they exist or not. @param stack with or without its organization */
export function stackFile(directory: string, stack: string): string {
  const parts = stack.split("/");
  requireName(directory, stack, parts);
  const { folder, extension } = placeOfStacks(directory);
  return join(folder, `Pulumi.${parts.at(-1)}${extension}`);
}

/** @throws if the folder is in no commit of the repository, or of the folder with all projects if that has no Git */
function placeOfStacks(directory: string) {
  const { config, stackConfigDir = config ?? ".", extension = ".yaml" } = settingsIn(directory) ?? {};
  const top = repositoryOf(directory) ?? process.cwd();
  const folder = resolve(join(directory, stackConfigDir));
  if (!isWithin(folder, top))
    throw new Error(
      `The folder of stack files that ${directory} names, ${stackConfigDir}, is not in ${top}. ` +
        "Move it there, or set PULUMI_STACK.",
    );
  return { folder: folder === top ? top : inside(top, folder), extension };
}

const dependencies = z.record(z.string(), z.string()).catch({});
const manifestSchema = z.object({
  name: text,
  version: text,
  main: text,
  dependencies,
  devDependencies: dependencies,
});

/** Returns what a folder's package.json says. Undefined without one, or if npm refuses it, as its user will see. */
export function packageJsonIn(folder: string) {
  try {
    const content = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
    const { name, version, main, dependencies, devDependencies } = manifestSchema.parse(content);
    return { name, version, main, dependencies: { ...dependencies, ...devDependencies } };
  } catch {
    return undefined;
  }
}
