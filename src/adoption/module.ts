import { posix } from "node:path";
import { Names } from "./names.js";
import { type Declaration, declarationStatement, importStatement } from "./statement.js";

/** A new file of a program. */
export class Module {
  readonly path: string;
  /** Names of its constants. */
  readonly names: Names;
  readonly #entry: string;
  readonly #imports = new Map<string, string[]>();
  readonly #classes = new Set<string>();
  readonly #statements: string[] = [];

  /**
   * @param entry what it imports the classes from
   * @param taken names that it has already
   */
  constructor(path: string, entry: string, taken: Iterable<string> = []) {
    this.path = path;
    this.#entry = entry;
    this.names = new Names(taken, "");
  }

  /** True if it declares a resource. */
  get hasResources(): boolean {
    return this.#classes.size > 0;
  }

  /** Adds a resource, with comments of which each stands once in a file. */
  declare(declaration: Declaration, comments: readonly string[] = []): void {
    this.#classes.add(declaration.className);
    const fresh = comments.filter((comment) => !this.#statements.some((text) => text.includes(comment)));
    this.#statements.push([...fresh, declarationStatement(declaration)].join("\n"));
  }

  /** Adds a constant with the id of an object that another file declares, or none. */
  constant(name: string, code: string, comment: string): void {
    this.#statements.push(`${comment}\nconst ${name} = ${code};`);
  }

  /** Imports a name from another file of the program, and returns what it is called here. */
  import(name: string, file: string): string {
    const path = posix.relative(posix.dirname(this.path), withoutEnding(file));
    const module = path.startsWith(".") ? path : `./${path}`;
    const local = this.names.take(name);
    const clauses = this.#imports.get(module) ?? [];
    this.#imports.set(module, [...clauses, local === name ? name : `${name} as ${local}`]);
    return local;
  }

  /** Returns the lines that import from other files. */
  imports(): string[] {
    return [...this.#imports].map(([module, clauses]) => importStatement(clauses, module));
  }

  text(): string {
    const imports = [importStatement([...this.#classes].sort(), this.#entry), ...this.imports()];
    return `${imports.join("\n")}\n\n${this.#statements.join("\n\n")}\n`;
  }
}

/** Returns an entry point that also loads new files. */
export function withModules(text: string, paths: readonly string[]): string {
  const lines = paths.map((path) => `import "./${withoutEnding(path)}";\n`);
  return `${text}${text === "" || text.endsWith("\n") ? "" : "\n"}${lines.join("")}`;
}

function withoutEnding(path: string): string {
  return path.replace(/\.ts$/, "");
}
