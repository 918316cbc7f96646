import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseDocument } from "yaml";
import * as z from "zod";
import { type Backend, backendOfType, kindOfType } from "../../shared/protocol/type-token.js";
import {
  IMPORT_FILE,
  type ImportedResource,
  type ImportFile,
  importFileSchema,
} from "../shared/pulumi/import-file.js";
import { objectKey } from "../shared/pulumi/object-key.js";
import { settingsSchema } from "../shared/pulumi/projects.js";
import { projectDirectory, SETTINGS_FILES } from "../shared/pulumi/pulumi.js";
import { exportedConstants } from "./exported-constants.js";
import type { Language } from "./languages/all-languages.js";

/** A resource that a project has already. */
export interface KnownResource {
  readonly kind: string;
  /** Identifies its object among all others. */
  readonly key: string;
  /** Its name in the program. */
  readonly name: string;
}

/** What a folder has of a project. A folder that doesn't exist has nothing. */
export interface ExistingProject {
  readonly directory: string;
  /** True if Pulumi finds settings in the folder. */
  readonly hasSettings: boolean;
  /** Texts of its program and of the files of its project, by path with slashes. */
  readonly files: ReadonlyMap<string, string>;
  /** Its import file. */
  readonly importFile: ImportFile;
  /** Finds the exported constant with the resource of a class and a name. */
  readonly exported: ReturnType<typeof exportedConstants>;
}

/** Reads the project in a folder. */
export function readProject(directory: string): ExistingProject {
  const files = filesIn(directory);
  return {
    directory,
    hasSettings: projectDirectory(directory) === directory,
    files,
    importFile: importFileIn(files),
    exported: exportedConstants(directory, files),
  };
}

/** Returns the texts of a folder's program and of the files of its project, by path with slashes. */
export function filesIn(directory: string): ReadonlyMap<string, string> {
  const files = new Map<string, string>();
  const visit = (path: string) => {
    for (const entry of entriesOf(join(directory, path))) {
      const name = path === "" ? entry.name : `${path}/${entry.name}`;
      if (entry.isDirectory()) {
        if (!entry.name.startsWith(".") && entry.name !== "node_modules") visit(name);
      } else if (isOfProject(name)) files.set(name, readFileSync(join(directory, name), "utf8"));
    }
  };
  visit("");
  return files;
}

/** Returns the resources of an import file's entries. */
export function resourcesOfEntries(entries: readonly ImportedResource[]): KnownResource[] {
  return entries.flatMap(({ type, name, id }) => {
    const kind = kindOfType(type);
    if (kind === undefined || id === undefined) return [];
    // A plugin is given the id of what it lives in as well.
    const own = backendOfType(type) === "plugin" ? id.slice(id.lastIndexOf("/") + 1) : id;
    return [{ kind, key: objectKey(kind, own), name }];
  });
}

/** Module of each backend's classes. */
export const ENTRIES: Readonly<Record<Backend, string>> = {
  dynamic: "pulumi-buildpipeline",
  plugin: "pulumi-buildpipeline/native",
};

/** Returns the backend of a program's resources. Undefined without a program that uses this package. */
export function backendOf({ files }: ExistingProject): Backend | undefined {
  const names = (entry: string) =>
    [...files].some(
      ([path, text]) => path.endsWith(".ts") && (text.includes(`"${entry}"`) || text.includes(`'${entry}'`)),
    );
  if (names(ENTRIES.plugin)) return "plugin";
  return names(ENTRIES.dynamic) ? "dynamic" : undefined;
}

/** Returns the settings in Pulumi.yaml or Pulumi.json. A file that isn't there or that Pulumi refuses has none. */
export function settingsOf({ files }: Pick<ExistingProject, "files">): z.output<typeof settingsSchema> {
  const [text = "{}"] = SETTINGS_FILES.flatMap((name) => files.get(name) ?? []);
  return settingsSchema.parse(parseDocument(text).toJS());
}

const manifestSchema = z.object({ main: z.string().optional() });

/** Returns the program that Pulumi loads in place of `index.ts`. Undefined if there is none. */
function otherProgramOf({ directory, files }: ExistingProject): string | undefined {
  if (files.has("index.ts")) return undefined;
  const manifest = manifestSchema.catch({}).parse(parseDocument(files.get("package.json") ?? "{}").toJS());
  return [settingsOf({ files }).main, manifest.main, "index.js"].find((path) => {
    const place = path === undefined ? directory : join(directory, path, ".");
    return place !== directory && existsSync(place);
  });
}

/** @throws if objects can't be added to a project's program */
export function requireExtensible(project: ExistingProject, language: Language): void {
  const { directory, files, hasSettings } = project;
  const { runtime } = settingsOf({ files });
  // A program of one file is edited by people.
  const program = language.file !== undefined && files.has(language.file) ? language.file : undefined;
  const isOther = hasSettings && (language.file !== undefined || runtime !== "nodejs");
  const entry = language.file === undefined ? otherProgramOf(project) : undefined;
  const elsewhere = entry && `its program in ${entry} instead of index.ts`;
  const found = isOther ? `a project in ${runtime}` : (program ?? elsewhere);
  if (found === undefined) return;
  throw new Error(
    `${directory} has ${found}, and adopt adds to projects in TypeScript only, where new objects get new files. Nothing ` +
      "was written. For objects that its stack doesn't have, run `pulumi stack export > stack.json` there, and adopt " +
      "with --stack-export stack.json into another folder.",
  );
}

function importFileIn(files: ReadonlyMap<string, string>): ImportFile {
  const text = files.get(IMPORT_FILE);
  if (text === undefined) return { resources: [] };
  try {
    return importFileSchema.parse(JSON.parse(text));
  } catch {
    throw new Error(`${IMPORT_FILE} is not what \`pulumi import --file\` takes. Remove it, or repair it.`);
  }
}

function isOfProject(path: string): boolean {
  if (path.endsWith(".ts")) return !path.endsWith(".d.ts");
  return PROJECT_FILES.test(path);
}

/** What `adopt` may write. */
const PROJECT_FILES =
  /^(?:Pulumi\.(?:ya?ml|json)|Main\.yaml|package\.json|tsconfig\.json|\.gitignore|import\.json|requirements\.txt|go\.mod|main\.go|__main__\.py|templates\/.*\.yml)$/;

function entriesOf(directory: string) {
  try {
    return readdirSync(directory, { withFileTypes: true });
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return [];
    throw error;
  }
}
