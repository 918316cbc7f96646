import { posix } from "node:path";
import type { AnyKind } from "../../provider/kind/kind.js";
import { claimOf, type Declarable, declarable } from "../shared/inventory/declarable.js";
import type { LiveObject } from "../shared/inventory/live-object.js";
import { objectKey } from "../shared/pulumi/object-key.js";
import { CLUSTER, type ExportedCluster } from "./cluster-references.js";
import type { ExportedConstant } from "./exported-constants.js";
import { logicalName, Names, stemOf, textPath } from "./languages/names.js";
import { FileText, type ProgramFile, Reference, type Value } from "./languages/program-file.js";
import { modules, oneFile, type Program, type ProgramLayout } from "./program-layout.js";
import { unconfirmedComment } from "./remarks.js";

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

const DUPLICATE =
  "Another name makes the same slug. ignoreChanges allows that for an object that exists already.";

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
  readonly #layout: ProgramLayout;
  /** Resources that others may refer to, by their keys. */
  readonly #declared: Map<string, Declared>;
  readonly #names: Names;
  /** Paths of the program's files, without their ending. */
  readonly #paths: Names;
  /** Texts that the program reads from files, by their paths. */
  readonly #texts: Record<string, string> = {};
  /** Values that only one resource of the program may have. */
  readonly #claims = new Set<string>();

  constructor(program: Program) {
    const { project, known, language } = program;
    this.#program = program;
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
    this.#layout =
      language.file === undefined ? modules(program, this.#paths) : oneFile(program, language.file);
  }

  /** Returns the program's files that change. */
  files(): Record<string, string> {
    return { ...this.#layout.texts(), ...this.#texts };
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
    const above = parent && this.#inside(parent, object);
    const name = logicalName(object, above?.name ?? "", this.#names);
    const file = above?.file ?? this.#layout.fileOf(object, name);
    // Nothing refers to a view of another object.
    const identifier = viewOf === undefined ? this.#layout.identifierOf(object, name, file) : undefined;
    const duplicate = this.#claim(object, args);
    file.declare({
      identifier,
      className: kind.name,
      logicalName: name,
      args: { ...this.#argsOf(kind, args, file, name), ...above?.args },
      ignoreChanges: [...undeclared, ...duplicate],
      comments: [
        ...(unconfirmed.length > 0 ? [unconfirmedComment(unconfirmed)] : []),
        ...(duplicate.length > 0 ? [DUPLICATE] : []),
      ],
    });
    if (identifier !== undefined)
      this.#declared.set(key, { name, constant: { file: file.path, identifier } });
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

  #argsOf(kind: AnyKind, args: Declarable["args"], file: ProgramFile, name: string): Record<string, Value> {
    const written = Object.entries(args).map(([argument, value]): [string, Value] => {
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

  /** Returns the file of what is in an object, the start of its name, and the argument that names the object. */
  #inside(parent: LiveObject, { kind, observed }: LiveObject) {
    const name = this.#declared.get(parent.key)?.name ?? stemOf(parent);
    const file = this.#layout.fileOf(parent, stemOf({ kind: parent.kind, label: name }));
    const variable = this.#variableIn(file, parent.key);
    const { argument = "id" } = kind.parent ?? {};
    const value =
      variable === undefined
        ? this.#layout.outside(parent, file, [argument, String(observed[argument])])
        : new Reference(variable);
    return { file, name, args: { [argument]: value } };
  }
}

/** @throws for a value that no object of the API has */
function plainValue(value: unknown): Value {
  if (typeof value === "string" || typeof value === "boolean" || typeof value === "number") return value;
  throw new Error(`There is no way to write ${typeof value} into a program.`);
}
