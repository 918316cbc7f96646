import { posix } from "node:path";
import { ProgramNames } from "./names.js";

/** The id of a resource that the program declares, or a constant of the program. */
export class Reference {
  /** @param isId false: a constant, or the resource itself where the language takes that for its id */
  constructor(
    readonly identifier: string,
    readonly isId = false,
  ) {}
}

/** The text of a file next to the program. */
export class FileText {
  constructor(readonly path: string) {}
}

/** Values by their names. */
export class ValueMap {
  constructor(readonly entries: readonly (readonly [string, Value])[]) {}
}

/** A secret of the stack's configuration. */
export class Secret {
  constructor(readonly key: string) {}
}

export type Value = string | number | boolean | Reference | FileText | ValueMap | Secret | readonly Value[];

/** A resource as a program declares it, in any language. */
export interface Declaration {
  /** The variable that holds it, such as `linuxSmall`. Undefined where nothing can refer to it. */
  readonly identifier: string | undefined;
  readonly className: string;
  readonly logicalName: string;
  readonly args: Readonly<Record<string, Value>>;
  readonly ignoreChanges: readonly string[];
  readonly comments: readonly string[];
}

/** A new file of a program. */
export class ProgramFile {
  readonly names: ProgramNames;
  readonly declarations: Declaration[] = [];
  /** Constants of TypeScript, as statements. */
  readonly constants: string[] = [];
  /** Names that it imports from other files of the program, and what they are called here, by the module. */
  readonly imports = new Map<string, Map<string, string>>();

  /** @param entry what it imports the classes from */
  constructor(
    readonly path: string,
    readonly entry: string,
    taken: Iterable<string> = [],
  ) {
    this.names = new ProgramNames(taken, "");
  }

  /** Adds a resource, with comments of which each stands once in a file. @param about comments on this one alone */
  declare(declaration: Declaration, about: readonly string[] = []): void {
    const written = new Set(this.declarations.flatMap(({ comments }) => comments));
    const comments = declaration.comments.filter((comment) => !written.has(comment));
    this.declarations.push({ ...declaration, comments: [...comments, ...about] });
  }

  /** Imports a name from another file of the program, once, and returns what it is called here. */
  import(name: string, file: string): string {
    const path = posix.relative(posix.dirname(this.path), withoutEnding(file));
    const module = path.startsWith(".") ? path : `./${path}`;
    const names = this.imports.get(module) ?? new Map<string, string>();
    this.imports.set(module, names);
    const local = names.get(name) ?? this.names.take(name);
    names.set(name, local);
    return local;
  }

  get referredTo(): ReadonlySet<string> {
    return new Set(this.valuesOf(Reference).map(({ identifier }) => identifier));
  }

  get readsFiles(): boolean {
    return this.valuesOf(FileText).length > 0;
  }

  get readsSecrets(): boolean {
    return this.valuesOf(Secret).length > 0;
  }

  valuesOf<Type>(type: abstract new (...args: never[]) => Type): Type[] {
    const parts = this.declarations.flatMap(({ args }) => Object.values(args).flatMap(partsOf));
    return parts.flatMap((part) => (part instanceof type ? [part] : []));
  }
}

function partsOf(value: Value): Value[] {
  if (value instanceof ValueMap) return value.entries.flatMap(([, part]) => partsOf(part));
  return Array.isArray(value) ? value.flatMap(partsOf) : [value];
}

export function withoutEnding(path: string): string {
  return path.replace(/\.ts$/, "");
}
