import { dirname, join } from "node:path";
import ts from "typescript";
import { CHECKOUT } from "../support/checkout.js";

export function optionsOf(configFile: string): ts.CompilerOptions {
  const path = join(CHECKOUT, configFile);
  const { config } = ts.readConfigFile(path, ts.sys.readFile);
  return ts.parseJsonConfigFileContent(config, ts.sys, dirname(path)).options;
}

/** Source files read so far, which programs of the same compiler options share. */
const parsed = new Map<string, Map<string, ts.SourceFile>>();

function sourcesOf(options: ts.CompilerOptions): Map<string, ts.SourceFile> {
  const key = JSON.stringify(options);
  const found = parsed.get(key) ?? new Map<string, ts.SourceFile>();
  parsed.set(key, found);
  return found;
}

/**
 * What the compiler says of some files: real ones by their path in the checkout, and others that exist only by the
 * text given here.
 *
 * @returns messages that concern these files, as `file: message`
 */
export function problemsOf(
  files: Readonly<Record<string, string | undefined>>,
  options: ts.CompilerOptions,
): string[] {
  const program = programOf(files, options);
  return Object.keys(files).flatMap((file) => {
    const source = program.getSourceFile(join(CHECKOUT, file));
    if (source === undefined) return [`${file}: is not there`];
    const found = [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)];
    return found.map(({ messageText }) => `${file}: ${ts.flattenDiagnosticMessageText(messageText, "\n")}`);
  });
}

/** Returns the program of some files, as {@link problemsOf} takes them. */
export function programOf(
  files: Readonly<Record<string, string | undefined>>,
  options: ts.CompilerOptions,
): ts.Program {
  const texts = new Map<string, string>();
  for (const [file, text] of Object.entries(files))
    if (text !== undefined) texts.set(join(CHECKOUT, file), text);
  const host = ts.createCompilerHost(options);
  const { directoryExists, fileExists, readFile, getSourceFile } = host;
  // Modules of folders that exist only by their files' texts.
  const directories = new Set([...texts.keys()].map((file) => dirname(file)));
  host.directoryExists = (path) => directories.has(path) || (directoryExists?.(path) ?? true);
  const sources = sourcesOf(options);
  host.fileExists = (file) => texts.has(file) || fileExists(file);
  host.readFile = (file) => texts.get(file) ?? readFile(file);
  host.getSourceFile = (file, version, ...rest) => {
    const text = texts.get(file);
    if (text !== undefined) return ts.createSourceFile(file, text, version);
    // The same files are asked for again and again, and reading them takes most of the time.
    const source = sources.get(file) ?? getSourceFile(file, version, ...rest);
    if (source !== undefined) sources.set(file, source);
    return source;
  };
  const names = Object.keys(files).map((file) => join(CHECKOUT, file));
  return ts.createProgram(names, { ...options, noEmit: true }, host);
}

/** What files declare, as an editor shows it. */
export class Declarations {
  readonly checker: ts.TypeChecker;
  readonly #program: ts.Program;

  constructor(files: readonly string[], configFile: string) {
    this.#program = programOf(
      Object.fromEntries(files.map((file) => [file, undefined])),
      optionsOf(configFile),
    );
    this.checker = this.#program.getTypeChecker();
  }

  exportsOf(file: string): ReadonlyMap<string, ts.Symbol> {
    const source = this.#program.getSourceFile(join(CHECKOUT, file));
    const module = source && this.checker.getSymbolAtLocation(source);
    if (module === undefined) throw new Error(`${file} exports nothing`);
    return new Map(this.checker.getExportsOfModule(module).map((symbol) => [symbol.name, symbol]));
  }

  propertiesOf(file: string, name: string): readonly ts.Symbol[] {
    const exported = this.exportsOf(file).get(name);
    if (exported === undefined) throw new Error(`${file} does not export ${name}`);
    return this.checker.getPropertiesOfType(this.checker.getDeclaredTypeOfSymbol(this.resolved(exported)));
  }

  typeOf(symbol: ts.Symbol): string {
    return this.checker.typeToString(this.checker.getTypeOfSymbol(symbol));
  }

  documentation(symbol: ts.Symbol | undefined): string {
    const comment = symbol && this.resolved(symbol).getDocumentationComment(this.checker);
    return ts.displayPartsToString(comment).trim();
  }

  /** What a name that is exported again stands for. */
  resolved(symbol: ts.Symbol): ts.Symbol {
    return symbol.flags & ts.SymbolFlags.Alias ? this.checker.getAliasedSymbol(symbol) : symbol;
  }
}
