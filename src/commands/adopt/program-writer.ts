import { posix } from "node:path";
import type { AnyKind } from "../../provider/kind/kind.js";
import { kinds } from "../../provider/lifecycle/values/kinds.js";
import { withArticle } from "../../shared/messages/nouns.js";
import type { Backend } from "../../shared/protocol/type-token.js";
import { claimOf, type Declarable, declarable } from "../shared/inventory/declarable.js";
import type { LiveObject } from "../shared/inventory/listing.js";
import { objectKey } from "../shared/pulumi/object-key.js";
import {
  CLUSTER,
  type ClusterReference,
  clusterCall,
  type ExportedCluster,
  STACKS,
  STACKS_TEXT,
} from "./cluster-references.js";
import { ENTRIES, type ExistingProject, type KnownResource } from "./existing-project.js";
import type { ExportedConstant } from "./exported-constants.js";
import type { Language } from "./languages/all-languages.js";
import {
  constantName,
  filePath,
  logicalName,
  Names,
  pluralName,
  stemOf,
  textPath,
  variableName,
} from "./languages/names.js";
import { FileText, ProgramFile, Reference, type Value, withoutEnding } from "./languages/program-file.js";
import { appended } from "./languages/project-files.js";
import { textLiteral } from "./languages/typescript.js";
import { unconfirmedComment } from "./remarks.js";

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

/** An object that the program declares from now on. */
export interface AdoptedObject {
  readonly object: LiveObject;
  /** Its name in the program. */
  readonly name: string;
  /** Path of the file, in the folder of all projects. */
  readonly file: string;
}

/** An object that no program can declare as it is. */
export interface LeftOut {
  readonly object: LiveObject;
  readonly reason: string;
}

const ENTRY = "index.ts";

const DUPLICATE =
  "Another name makes the same slug. ignoreChanges allows that for an object that exists already.";

/** Where the contents of an object go: the file, the start of their names, and the value that refers to the object. */
interface Site {
  readonly file: ProgramFile;
  readonly name: string;
  readonly parent: Value;
}

/** A resource that the program declares, now or from this run on. */
interface Declared {
  readonly name: string;
  /** Undefined where it is not known. */
  readonly constant: ExportedConstant | undefined;
}

/** Writes objects into new files of a program, one after the other. */
export class ProgramWriter {
  readonly adopted: AdoptedObject[] = [];
  readonly leftOut: LeftOut[] = [];
  readonly #program: Program;
  /** True if a program has a file for each cluster and each resource type. */
  readonly #isModular: boolean;
  /** Resources that others may refer to, by their keys. */
  readonly #declared: Map<string, Declared>;
  readonly #names: Names;
  /** Paths of the program's files, without their ending. */
  readonly #paths: Names;
  readonly #files: ProgramFile[] = [];
  /** Texts that the program reads from files, by their paths. */
  readonly #texts: Record<string, string> = {};
  /** Files of resource types without contents, by the type. */
  readonly #shared = new Map<string, ProgramFile>();
  /** Where the contents of an object go, by its key. */
  readonly #sites = new Map<string, Site>();
  /** True if the program reads clusters of other projects. */
  #readsStacks = false;
  /** Values that only one resource of the program may have. */
  readonly #claims = new Set<string>();

  constructor(program: Program) {
    const { project, known, language } = program;
    this.#program = program;
    this.#isModular = language.file === undefined;
    this.#declared = new Map(
      known.map(({ kind, key, name }) => [key, { name, constant: project.exported(kind, name) }]),
    );
    this.#names = new Names(
      known.map(({ name }) => name),
      "-",
    );
    this.#paths = new Names(
      [...project.files.keys()].map((path) => path.toLowerCase().replace(/\.(?:ts|yml)$/, "")),
      "-",
    );
  }

  /** Returns the program's files that change. */
  files(): Record<string, string> {
    const { project, language } = this.#program;
    const written = this.#files.filter(({ declarations }) => declarations.length > 0);
    const modules = written.map(({ path }) => `import "./${withoutEnding(path)}";\n`).join("");
    return {
      ...Object.fromEntries(written.map((file) => [file.path, language.program(file)])),
      ...this.#texts,
      ...(this.#isModular &&
        written.length > 0 && { [ENTRY]: appended(project.files.get(ENTRY) ?? "", modules) }),
      ...(this.#readsStacks && { [STACKS.file]: project.files.get(STACKS.file) ?? STACKS_TEXT }),
    };
  }

  /** Returns the clusters with these ids that this program declares. */
  declaredClusters(ids: Iterable<string>): ExportedCluster[] {
    return [...ids].flatMap((id) => {
      const declared = this.#declared.get(objectKey(CLUSTER, id));
      return declared === undefined ? [] : [{ id, ...declared }];
    });
  }

  /** Returns the variable of a resource in a file: an imported constant where another file has it. */
  #variableIn(file: ProgramFile, key: string): string | undefined {
    const constant = this.#declared.get(key)?.constant;
    if (constant === undefined || constant.file === file.path) return constant?.identifier;
    return file.import(constant.identifier, constant.file);
  }

  /** An object that the program declares already. */
  know(object: LiveObject): void {
    this.#claim(object, declarable(object).args);
  }

  add(object: LiveObject): void {
    const { kind, key, parent, viewOf } = object;
    const { args, unconfirmed, undeclared, problems } = declarable(object);
    if (problems.length > 0) {
      this.leftOut.push({ object, reason: problems.join(" ") });
      return;
    }
    const above = parent && this.#placeIn(parent, object);
    const name = logicalName(object, above?.name ?? "", this.#names);
    const file = above?.file ?? this.#fileFor(kind, name);
    // Nothing refers to a view of another object.
    const identifier = viewOf === undefined ? this.#identifierOf(object, name, file) : undefined;
    const duplicate = this.#claim(object, args);
    file.declare({
      identifier,
      className: kind.name,
      logicalName: name,
      args: this.#argsOf(kind, args, { file, name, parent: above?.parent ?? "" }),
      ignoreChanges: [...undeclared, ...duplicate],
      comments: [
        ...(unconfirmed.length > 0 ? [unconfirmedComment(unconfirmed)] : []),
        ...(duplicate.length > 0 ? [DUPLICATE] : []),
      ],
    });
    if (identifier !== undefined) {
      this.#declared.set(key, { name, constant: { file: file.path, identifier } });
      this.#sites.set(key, { file, name, parent: new Reference(identifier) });
    }
    this.adopted.push({ object, name, file: posix.join(this.#program.folder, file.path) });
  }

  /** Returns the argument with a value that another resource has already: the engine ignores its changes. */
  #claim(object: LiveObject, args: Declarable["args"]): string[] {
    const { argument, claim } = claimOf(object, args) ?? {};
    if (argument === undefined || claim === undefined) return [];
    if (this.#claims.has(claim)) return [argument];
    this.#claims.add(claim);
    return [];
  }

  #argsOf(kind: AnyKind, args: Declarable["args"], { file, name, parent }: Site): Record<string, Value> {
    const written = Object.entries(args).map(([argument, value]): [string, Value] => {
      if (argument === kind.parent?.argument) return [argument, this.#parentIn(parent)];
      const { refersTo, isDocument } = kind.arguments[argument] ?? {};
      if (isDocument && typeof value === "string") {
        const path = `${this.#paths.take(textPath(kind, name))}.yml`;
        this.#texts[path] = value;
        return [argument, new FileText(path)];
      }
      const one = (part: unknown) => {
        const variable =
          refersTo === undefined || typeof part !== "string"
            ? undefined
            : this.#variableIn(file, objectKey(refersTo, part));
        return variable === undefined ? plainValue(part) : new Reference(variable, "id");
      };
      return [argument, Array.isArray(value) ? value.map(one) : one(value)];
    });
    return Object.fromEntries(written);
  }

  #identifierOf(object: LiveObject, name: string, { names }: ProgramFile): string {
    return this.#isModular ? constantName(object, names) : variableName(object, name, names);
  }

  /** In TypeScript, an argument takes the resource itself. */
  #parentIn(value: Value): Value {
    const isWhole = this.#isModular || !(value instanceof Reference);
    return isWhole ? value : new Reference(value.identifier);
  }

  /** Returns a separate file for an object with contents, and for others the file of their kind. */
  #fileFor(kind: AnyKind, name: string): ProgramFile {
    if (isParent(kind)) return this.#freshFile(filePath(kind, name));
    const path = pluralName(kind);
    const file = this.#shared.get(path) ?? this.#freshFile(path);
    this.#shared.set(path, file);
    return file;
  }

  /** Where the contents of an object go: next to it, or into a new file where this run doesn't declare it. */
  #placeIn(parent: LiveObject, object: LiveObject): Site {
    const site = this.#sites.get(parent.key) ?? this.#newPlaceIn(parent, object);
    this.#sites.set(parent.key, site);
    return site;
  }

  #newPlaceIn(parent: LiveObject, { kind, observed }: LiveObject): Site {
    const known = this.#declared.get(parent.key)?.name;
    const name = known ?? stemOf(parent);
    const file = this.#freshFile(filePath(parent.kind, stemOf({ kind: parent.kind, label: name })));
    const imported = this.#variableIn(file, parent.key);
    if (imported !== undefined) return { file, name, parent: new Reference(imported) };
    const argument = kind.parent?.argument ?? "id";
    const id = String(observed[argument]);
    if (!this.#isModular) return { file, name, parent: id };
    const constant = file.names.take(argument);
    const other = this.#program.references.get(parent.id);
    const where = other ? "another project declares" : "this program does not declare";
    const program = known === undefined ? where : "another file declares";
    const code =
      other === undefined ? textLiteral(id) : clusterCall(file.import(STACKS.function, STACKS.file), other);
    if (other !== undefined) this.#readsStacks = true;
    file.constants.push(
      `/** The id of ${withArticle(parent.kind.words.noun)} that ${program}. */\nconst ${constant} = ${code};`,
    );
    return { file, name, parent: new Reference(constant) };
  }

  /** Returns a new file, or the only file of the program. @param path without its ending */
  #freshFile(path: string): ProgramFile {
    const { language, backend } = this.#program;
    const [first] = this.#files;
    if (language.file !== undefined && first !== undefined) return first;
    const file = new ProgramFile(language.file ?? `${this.#paths.take(path)}.ts`, ENTRIES[backend]);
    this.#files.push(file);
    return file;
  }
}

/** @throws for a value that no object of the API has */
function plainValue(value: unknown): Value {
  if (typeof value === "string" || typeof value === "boolean" || typeof value === "number") return value;
  throw new Error(`There is no way to write ${typeof value} into a program.`);
}

/** Checks whether objects of a kind contain other objects, so that each has its own file. */
function isParent({ name }: AnyKind): boolean {
  return [...kinds.values()].some(({ parent }) => parent?.kind === name);
}
