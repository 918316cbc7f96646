import type { AnyKind } from "../../provider/kind/kind.js";
import { kinds } from "../../provider/lifecycle/values/kinds.js";
import { withArticle } from "../../shared/messages/nouns.js";
import type { Backend } from "../../shared/protocol/type-token.js";
import type { LiveObject } from "../shared/inventory/live-object.js";
import { type ClusterReference, clusterCall, STACKS, STACKS_TEXT } from "./cluster-references.js";
import { ENTRIES, type ExistingProject, type KnownResource } from "./existing-project.js";
import type { Language } from "./languages/all-languages.js";
import { constantName, filePath, type Names, pluralName, variableName } from "./languages/names.js";
import { ProgramFile, Reference, type Value, withoutEnding } from "./languages/program-file.js";
import { appended } from "./languages/project-files.js";
import { textLiteral } from "./languages/typescript.js";

/** The program that objects are written into. */
export interface Program {
  readonly project: ExistingProject;
  /** The project's folder in the folder of all projects. */
  readonly folder: string;
  /** Resources that the project has already. */
  readonly known: readonly KnownResource[];
  readonly backend: Backend;
  readonly language: Language;
  /** Clusters that other projects declare, by id. Any other cluster is named by its id. */
  readonly references: ReadonlyMap<string, ClusterReference>;
}

/** Where a program has its resources, and how they name what they are in. */
export interface ProgramLayout {
  /** Returns the file for an object and its contents. @param stem what its own file is called after */
  fileOf(object: LiveObject, stem: string): ProgramFile;
  /** Returns the variable of a new resource. */
  identifierOf(object: LiveObject, name: string, file: ProgramFile): string;
  /** Returns the value that names a parent by its id, because the file has no variable of it. */
  outside(parent: LiveObject, file: ProgramFile, id: readonly [argument: string, value: string]): Value;
  /** Returns the files with resources, and what belongs to them. */
  texts(): Record<string, string>;
}

/** All resources are in one file. */
export function oneFile({ language, backend }: Program, path: string): ProgramLayout {
  const file = new ProgramFile(path, ENTRIES[backend]);
  return {
    fileOf: () => file,
    identifierOf: (object, name) => variableName(object, name, file.names),
    outside: (_parent, _file, [, id]) => id,
    texts: () => textsOf([file], language),
  };
}

const ENTRY = "index.ts";

/**
 * Each object with contents has a module of TypeScript with them, and so has each resource type without.
 *
 * @param paths those of the program's files, without their ending
 */
export function modules(
  { project, language, backend, known, references }: Program,
  paths: Names,
): ProgramLayout {
  /** By the object or the resource type that each is for. */
  const files = new Map<string, ProgramFile>();
  /** Constants with ids of parents, by the parents' keys. */
  const ids = new Map<string, Reference>();
  const others: Record<string, string> = {};
  return {
    fileOf({ kind, key }, stem) {
      const [owner, path] = isParent(kind) ? [key, filePath(kind, stem)] : [kind.name, pluralName(kind)];
      const file = files.get(owner) ?? new ProgramFile(`${paths.take(path)}.ts`, ENTRIES[backend]);
      files.set(owner, file);
      return file;
    },
    identifierOf: (object, _name, { names }) => constantName(object, names),
    outside({ key, id, kind }, file, [argument, value]) {
      const constant = ids.get(key) ?? new Reference(file.names.take(argument));
      if (ids.has(key)) return constant;
      ids.set(key, constant);
      const other = references.get(id);
      const where = other ? "another project declares" : "this program does not declare";
      const program = known.some((one) => one.key === key) ? "another file declares" : where;
      if (other) others[STACKS.file] = project.files.get(STACKS.file) ?? STACKS_TEXT;
      const code = other ? clusterCall(file.import(STACKS.function, STACKS.file), other) : textLiteral(value);
      file.constants.push(
        `/** The id of ${withArticle(kind.words.noun)} that ${program}. */\nconst ${constant.identifier} = ${code};`,
      );
      return constant;
    },
    texts() {
      const texts = textsOf(files.values(), language);
      const imports = Object.keys(texts).map((path) => `import "./${withoutEnding(path)}";\n`);
      if (imports.length === 0) return {};
      return { ...texts, [ENTRY]: appended(project.files.get(ENTRY) ?? "", imports.join("")), ...others };
    },
  };
}

function textsOf(files: Iterable<ProgramFile>, language: Language): Record<string, string> {
  const written = [...files].filter(({ declarations }) => declarations.length > 0);
  return Object.fromEntries(written.map((file) => [file.path, language.program(file)]));
}

/** Checks whether objects of a kind contain other objects, so that each has its own file. */
function isParent({ name }: AnyKind): boolean {
  return [...kinds.values()].some(({ parent }) => parent?.kind === name);
}
