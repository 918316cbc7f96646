import { declaredNames } from "./existing-project.js";
import { Names } from "./names.js";
import { type Declaration, declarationStatement, importStatement } from "./statement.js";

/** One file of a program, and its additions. */
export class Module {
  readonly path: string;
  /** Names of the module's constants. */
  readonly names: Names;
  readonly #before: string | undefined;
  readonly #entry: string;
  readonly #classes = new Set<string>();
  readonly #functions = new Map<string, string>();
  readonly #statements: string[] = [];

  /**
   * @param before its text so far; undefined for a new file
   * @param entry what it imports the classes from
   */
  constructor(path: string, before: string | undefined, entry: string) {
    this.path = path;
    this.#before = before;
    this.#entry = entry;
    this.names = new Names(declaredNames(before ?? ""), "");
  }

  /** True if anything is added. */
  get isChanged(): boolean {
    return this.#statements.length > 0;
  }

  /** Adds a resource, with comments of which each stands once in a file. */
  declare(declaration: Declaration, comments: readonly string[] = []): void {
    this.#classes.add(declaration.className);
    const fresh = comments.filter((comment) => !this.#says(comment));
    this.#statements.push([...fresh, declarationStatement(declaration)].join("\n"));
  }

  /** Adds a constant with the id of an object that isn't declared. */
  constant(name: string, code: string, comment: string): void {
    this.#statements.push(`${comment}\nconst ${name} = ${code};`);
  }

  /** Imports a function of another module. */
  use(name: string, module: string): void {
    if (this.#functions.has(module)) return;
    this.#functions.set(module, this.names.take(name));
  }

  #says(comment: string): boolean {
    return [this.#before ?? "", ...this.#statements].some((text) => text.includes(comment));
  }

  /** Returns its text with the additions. Of the existing text, only the list of imports changes. */
  text(): string {
    const added = joined(this.#statements);
    const classes = [...this.#classes].sort();
    const functions = [...this.#functions].map(([module, name]) => ({ module, name }));
    if (this.#before === undefined) {
      const imports = functions.map(({ module, name }) => importStatement([name], module));
      return `${[importStatement(classes, this.#entry), ...imports].join("\n")}\n\n${added}\n`;
    }
    const withFunctions = functions.reduce(
      (text, { module, name }) => withClasses(text, [name], module),
      this.#before,
    );
    const withImport = withClasses(withFunctions, classes, this.#entry);
    const gap =
      withImport === "" || withImport.endsWith("\n\n") ? "" : withImport.endsWith("\n") ? "\n" : "\n\n";
    return `${withImport}${gap}${added}\n`;
  }
}

/** Short statements stand together, longer ones apart. */
function joined(statements: readonly string[]): string {
  return statements
    .map((statement, index) => {
      const before = statements[index - 1];
      if (before === undefined) return statement;
      return (before + statement).includes("\n") ? `\n\n${statement}` : `\n${statement}`;
    })
    .join("");
}

/** Returns a module that also imports these classes of an entry. */
function withClasses(text: string, classes: readonly string[], entry: string): string {
  const clause = new RegExp(String.raw`import\s*\{([^}]*)\}\s*from\s*(["'])${entry}\2\s*;?`).exec(text);
  const imported = (clause?.[1] ?? "").split(",").map((name) => name.trim());
  const missing = classes.filter((name) => !imported.includes(name));
  if (missing.length === 0) return text;
  const isPlain = clause !== null && !/\/[/*]/.test(clause[1] ?? "");
  if (!isPlain) return `${importStatement(missing, entry)}\n${text}`;
  const all = [...imported.filter((name) => name !== ""), ...missing].sort();
  const end = clause.index + clause[0].length;
  return text.slice(0, clause.index) + importStatement(all, entry) + text.slice(end);
}

/** Returns an entry point that also loads these modules. */
export function withModules(text: string | undefined, paths: readonly string[]): string {
  const lines = paths.map((path) => `import "./${path.replace(/\.ts$/, "")}";`);
  const missing = lines.filter((line) => !(text ?? "").includes(line.slice(7, -1)));
  if (text === undefined) return `${missing.join("\n")}\n`;
  if (missing.length === 0) return text;
  const imports = [...text.matchAll(/^import\b[^;]*?["'][^"'\n]+["'];?[^\S\n]*$/gm)];
  const last = imports.at(-1);
  const at = last === undefined ? 0 : last.index + last[0].length;
  const after = at === 0 ? `${missing.join("\n")}\n` : `\n${missing.join("\n")}`;
  return text.slice(0, at) + after + text.slice(at);
}
