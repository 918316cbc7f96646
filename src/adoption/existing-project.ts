import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import { IMPORT_FILE, type ImportFile } from "../import/import-file.js";
import { type Backend, backendOfType, kindOfType } from "../protocol/type-token.js";

/** A resource that a project has already. */
export interface KnownResource {
  readonly kind: string;
  readonly id: string;
  /** Its name in the program. */
  readonly name: string;
}

/** Existing project in a folder. */
export interface ExistingProject {
  /** Texts of its program and of the files of its project, by path with slashes. */
  readonly files: ReadonlyMap<string, string>;
  /** Its import file. */
  readonly importFile: ImportFile;
}

const importFileSchema = z.looseObject({
  nameTable: z.record(z.string(), z.string()).optional(),
  resources: z
    .array(z.looseObject({ type: z.string(), name: z.string(), id: z.string().optional() }))
    .default([]),
});

/** Reads a folder; one that is not there has nothing. */
export function readProject(folder: string): ExistingProject {
  const files = new Map<string, string>();
  const visit = (path: string) => {
    for (const entry of entriesOf(join(folder, path))) {
      const name = path === "" ? entry.name : `${path}/${entry.name}`;
      if (entry.isDirectory()) {
        if (!entry.name.startsWith(".") && entry.name !== "node_modules") visit(name);
      } else if (isOfProject(name)) files.set(name, readFileSync(join(folder, name), "utf8"));
    }
  };
  visit("");
  return { files, importFile: importFileIn(files) };
}

/** Returns the resources that wait for being imported. */
export function waitingResources({ importFile }: ExistingProject): KnownResource[] {
  return importFile.resources.flatMap(({ type, name, id }) => {
    const kind = kindOfType(type);
    if (kind === undefined || id === undefined) return [];
    // A plugin is given the id of what it lives in as well.
    const own = backendOfType(type) === "plugin" ? id.slice(id.lastIndexOf("/") + 1) : id;
    return [{ kind, id: own, name }];
  });
}

/** Module of each backend's classes. */
export const ENTRIES: Readonly<Record<Backend, string>> = {
  dynamic: "pulumi-buildpipeline",
  plugin: "pulumi-buildpipeline/native",
};

/** Returns the backend of a program's resources. Undefined without resources. */
export function backendOf({ files }: ExistingProject): Backend | undefined {
  const imports = (entry: string) =>
    [...files].some(
      ([path, text]) => path.endsWith(".ts") && new RegExp(String.raw`from\s*(["'])${entry}\1`).test(text),
    );
  if (imports(ENTRIES.plugin)) return "plugin";
  return imports(ENTRIES.dynamic) ? "dynamic" : undefined;
}

/** Where a program declares a resource, and the constant that it is. */
export interface FoundDeclaration {
  readonly file: string;
  readonly identifier: string;
}

/**
 * Finds the constant with the resource of a class and a name, as people and this package write it. The rest of a module
 * can't use constants in a component or a function.
 */
export function findDeclaration(
  { files }: ExistingProject,
  className: string,
  logicalName: string,
): FoundDeclaration | undefined {
  const pattern = new RegExp(
    String.raw`^(?:export\s+)?(?:const|let|var)\s+([\p{ID_Start}$_][\p{ID_Continue}$]*)\s*=\s*new\s+(?:\w+\.)?${className}\(\s*(["'\x60])(.*?)\2`,
    "gmu",
  );
  for (const [file, text] of files) {
    if (!file.endsWith(".ts")) continue;
    const found = [...text.matchAll(pattern)].find(([, , , name]) => name === logicalName);
    if (found?.[1] !== undefined) return { file, identifier: found[1] };
  }
  return undefined;
}

/** Finds the constant that has an id. */
export function findConstant(project: ExistingProject, id: string): FoundDeclaration | undefined {
  return findConstantOf(project, `"${id}"`) ?? findConstantOf(project, `'${id}'`);
}

/** Finds the constant with a value, by the code of the value. */
export function findConstantOf({ files }: ExistingProject, code: string): FoundDeclaration | undefined {
  for (const [file, text] of files) {
    if (!file.endsWith(".ts")) continue;
    for (const match of text.matchAll(/^const\s+([\p{ID_Start}$_][\p{ID_Continue}$]*)\s*=\s*/gmu)) {
      const [{ length }, identifier] = match;
      if (identifier !== undefined && text.startsWith(code, match.index + length))
        return { file, identifier };
    }
  }
  return undefined;
}

/** Names that a module declares or imports, and others that only look like it: none of them is given again. */
export function declaredNames(text: string): string[] {
  const names: string[] = [];
  for (const [, name = ""] of text.matchAll(
    /\b(?:const|let|var|function|class|enum|type|interface|namespace|as)\s+([\p{ID_Start}$_][\p{ID_Continue}$]*)/gu,
  )) {
    names.push(name);
  }
  for (const [, inside = ""] of text.matchAll(
    /\b(?:import|const|let|var)\s*(?:type\s*)?[{[]([^}\]]*)[}\]]/g,
  )) {
    names.push(...(inside.match(/[\p{ID_Start}$_][\p{ID_Continue}$]*/gu) ?? []));
  }
  return names;
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

const PROJECT_FILES = /^(?:Pulumi\.ya?ml|package\.json|tsconfig\.json|\.gitignore|import\.json)$/;

function entriesOf(directory: string) {
  try {
    return readdirSync(directory, { withFileTypes: true });
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return [];
    throw error;
  }
}
