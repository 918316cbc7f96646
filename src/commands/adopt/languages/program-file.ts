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
  /** @param word what stands for the parameter of a function in the text */
  constructor(
    public path: string,
    readonly text: string,
    readonly word?: string,
  ) {}

  toJSON(): unknown {
    return [this.text, this.word];
  }
}

/** Values by their names. */
export class ValueMap {
  constructor(readonly entries: readonly (readonly [string, Value])[]) {}
}

/** A constant with values by their names, and those that take the place of some or come in addition. */
export class SharedMap {
  constructor(
    readonly shared: NamedMap,
    readonly own: ValueMap,
  ) {}

  toJSON(): unknown {
    return [this.shared.identifier, this.own];
  }
}

/** A secret of the stack's configuration. */
export class Secret {
  constructor(readonly key: string) {}
}

/** A constant with the id of what no program declares, such as a user. */
export class Constant {
  constructor(readonly constant: string) {}
}

/** Its definition. */
interface NamedText {
  readonly identifier: string;
  readonly text: string;
  readonly comment: string;
}

/** A text around the parameter of a function. */
export class Pattern {
  constructor(readonly parts: readonly string[]) {}
}

/** A call leaves out what its function has. */
export class Omitted {
  readonly omitted = true;
}

export type Value =
  | string
  | number
  | boolean
  | Reference
  | FileText
  | ValueMap
  | SharedMap
  | Secret
  | Constant
  | Pattern
  | Omitted
  | readonly Value[];

export type Values = Readonly<Record<string, Value>>;

/** A resource as a program declares it, in any language. */
export interface Declaration {
  /** The variable that holds it, such as `linuxSmall`. Undefined where nothing can refer to it. */
  readonly identifier: string | undefined;
  readonly className: string;
  readonly logicalName: string;
  readonly args: Values;
  readonly ignoreChanges: readonly string[];
  /** Pulumi must not delete it, because no program can create it again. */
  readonly protect?: boolean;
  readonly comments: readonly string[];
  /** The logical name of the resource in which it is, with which its own name begins. */
  readonly within?: string | undefined;
  /** Of a pair: the argument that names what its parent is paired with, whose own name is the rest of its name. */
  readonly pairedBy?: string | undefined;
  /** The function that makes it of a word and of the arguments. Default: the class, of the logical name. */
  readonly call?: { readonly maker: string; readonly word: string; readonly takes: Maker["states"] };
}

/** A constant with values that most resources of a class share. */
export interface NamedMap {
  readonly identifier: string;
  readonly className: string;
  readonly argument: string;
  readonly values: ValueMap;
}

/** A function that makes resources of a class which differ in a word and in few arguments. */
export interface Maker {
  readonly identifier: string;
  readonly className: string;
  /** What stands around the word in a logical name. */
  readonly around: readonly [before: string, after: string];
  /** What a call that doesn't state it gets. */
  readonly args: Values;
  /** The arguments that each call states. */
  readonly required: readonly string[];
  /** Whether the calls state arguments: each of them, some or none. */
  readonly states: "all" | "some" | "none";
}

/** Pairs of a class, by the resource that each is in: a loop declares them. */
export interface Table {
  readonly className: string;
  /** The arguments with the two of a pair, and what else its rows have. */
  readonly arguments: readonly [parent: string, other: string, ...others: string[]];
  /** What rows name, by the names in the rows. */
  readonly others: { readonly identifier: string; readonly values: ValueMap };
  readonly identifier: string;
  readonly rows: readonly {
    readonly name: string;
    readonly values: readonly Value[];
    readonly names: readonly string[];
  }[];
}

/** A new file of a program. */
export class ProgramFile {
  readonly names: ProgramNames;
  readonly declarations: Declaration[] = [];
  /** Constants with ids of what no program declares. */
  readonly named: NamedText[] = [];
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
}

export function partsOf(value: Value): Value[] {
  if (value instanceof ValueMap) return value.entries.flatMap(([, part]) => partsOf(part));
  if (value instanceof SharedMap) return [value, ...partsOf(value.own)];
  return Array.isArray(value) ? value.flatMap(partsOf) : [value];
}

export function withoutEnding(path: string): string {
  return path.replace(/\.ts$/, "");
}
