import { dirname, join } from "node:path";
import ts from "typescript";

/** The type of a value as every language of Pulumi can say it. */
export type Type =
  | { readonly is: "string" | "number" | "boolean" | "function" | "anything" }
  | { readonly is: "list" | "map"; readonly of: Type }
  | { readonly is: "enum"; readonly values: readonly string[] }
  | { readonly is: "object"; readonly object: ObjectType }
  | { readonly is: "union"; readonly of: readonly Type[] };

/** An interface: its name, its comment, its properties. */
export interface ObjectType {
  readonly name: string;
  readonly documentation: string;
  /** Read when they are asked for, as types may refer to themselves. */
  readonly properties: () => readonly Property[];
}

/** What a comment says. */
export interface Comment {
  /** In paragraphs of one line each, names in backticks. */
  readonly documentation: string;
  /** Code as it stands in the comment, without its fence. */
  readonly examples: readonly string[];
  /** What is thrown, and when. */
  readonly throws: readonly string[];
}

/** A property of an interface. */
export interface Property extends Comment {
  readonly name: string;
  readonly type: Type;
  readonly optional: boolean;
  /** A class of resource that a program may give in place of the value. */
  readonly resource?: string;
}

/** An exported name. */
export interface Declared extends Comment {
  readonly name: string;
  readonly type: ts.Type;
}

/** Views of interfaces that the package does not export: what stays of an argument or output when it is resolved. */
const VIEWS = `
import type * as pulumi from "@pulumi/pulumi";
import type { Plain } from "./provider/kind/kind.js";
type Outputs<Class> = {
  [Name in keyof Class]: Class[Name] extends pulumi.Output<infer Value> ? Value : never;
};
type Accepted<Args> = { [Name in keyof Args]-?: Extract<Args[Name], pulumi.Resource> };
export type Settings = Plain<program.ProviderArgs>;
`;

/** The package's source as the compiler sees it: the comments of public interfaces are what documentation is made of. */
export class Source {
  readonly #checkout: string;
  readonly #program: ts.Program;
  readonly #checker: ts.TypeChecker;
  readonly #views: string;

  /** @param views declarations that refer to exports of `src/index.ts` as `program.…`, and to Plain and Outputs */
  constructor(checkout: string, entries: readonly string[], views: string) {
    this.#checkout = checkout;
    this.#views = join(checkout, "src", "views.ts");
    const configFile = join(checkout, "tsconfig.json");
    const { config } = ts.readConfigFile(configFile, ts.sys.readFile);
    const { options } = ts.parseJsonConfigFileContent(config, ts.sys, dirname(configFile));
    const host = ts.createCompilerHost(options, true);
    const { getSourceFile, fileExists } = host;
    const text = `import type * as program from "./index.js";\n${VIEWS}${views}`;
    host.fileExists = (file) => file === this.#views || fileExists(file);
    host.getSourceFile = (file, version, ...rest) =>
      file === this.#views
        ? ts.createSourceFile(file, text, version, true)
        : getSourceFile(file, version, ...rest);
    const roots = [...entries.map((entry) => join(checkout, entry)), this.#views];
    this.#program = ts.createProgram(roots, options, host);
    this.#checker = this.#program.getTypeChecker();
    // A view that doesn't compile would have no properties, and the reference none of its rows.
    const [problem] = this.#program.getSemanticDiagnostics(this.#program.getSourceFile(this.#views));
    if (problem !== undefined) throw new Error(ts.flattenDiagnosticMessageText(problem.messageText, "\n"));
  }

  /** The exports of a file, types included. */
  exportsOf(file: string): Declared[] {
    return this.#exports(join(this.#checkout, file));
  }

  /** A declaration of the views. */
  view(name: string): Declared {
    const found = this.#exports(this.#views).find((declared) => declared.name === name);
    if (found === undefined) throw new Error(`There is no view ${name}.`);
    return found;
  }

  #exports(file: string): Declared[] {
    const module = this.#program.getSourceFile(file);
    const symbol = module && this.#checker.getSymbolAtLocation(module);
    if (symbol === undefined) throw new Error(`${file} exports nothing.`);
    return this.#checker.getExportsOfModule(symbol).map((exported) => {
      const target =
        exported.flags & ts.SymbolFlags.Alias ? this.#checker.getAliasedSymbol(exported) : exported;
      const isType = (target.flags & ts.SymbolFlags.Type) !== 0;
      const type = isType
        ? this.#checker.getDeclaredTypeOfSymbol(target)
        : this.#checker.getTypeOfSymbol(target);
      return { name: exported.name, type, ...this.commentOf(target) };
    });
  }

  /** The properties of a type that hold values: no methods, and nothing of type never. */
  propertiesOf(type: ts.Type): Property[] {
    return this.#checker.getPropertiesOfType(type).flatMap((symbol): Property[] => {
      const given = this.#checker.getTypeOfSymbol(symbol);
      const isInternal = symbol.getJsDocTags().some(({ name }) => name === "internal");
      if (isInternal || given.flags & ts.TypeFlags.Never || given.getCallSignatures().length > 0) return [];
      const known = this.#checker.getNonNullableType(given);
      const optional = known !== given || (symbol.flags & ts.SymbolFlags.Optional) !== 0;
      return [{ name: symbol.name, type: this.typeOf(known), optional, ...this.commentOf(symbol) }];
    });
  }

  /** The methods of a class, in the order of the source. */
  methodsOf(type: ts.Type): (Comment & { readonly name: string; readonly signature: string })[] {
    return this.#checker.getPropertiesOfType(type).flatMap((symbol) => {
      const [declaration] = symbol.declarations ?? [];
      if (declaration === undefined || !ts.isMethodDeclaration(declaration)) return [];
      if (ts.getCombinedModifierFlags(declaration) & (ts.ModifierFlags.Protected | ts.ModifierFlags.Static))
        return [];
      const parameters = declaration.parameters.map((parameter) =>
        parameter.getText().replaceAll(/\s+/g, " "),
      );
      const signature = `${symbol.name}(${parameters.join(", ")}): ${declaration.type?.getText() ?? "void"}`;
      return [{ name: symbol.name, signature, ...this.commentOf(symbol) }];
    });
  }

  /** What a class makes. An abstract one or one that is only used as a type is that already. */
  instanceOf(type: ts.Type): ts.Type {
    const [signature] = type.getConstructSignatures();
    return signature?.getReturnType() ?? type;
  }

  /** The own properties of a class that people may read, whatever their types, with those of this package's base classes. */
  membersOf(type: ts.Type): (Comment & { readonly name: string })[] {
    return this.#checker.getPropertiesOfType(type).flatMap((symbol) => {
      const [declaration] = symbol.declarations ?? [];
      const own = declaration?.getSourceFile().fileName.startsWith(join(this.#checkout, "src")) ?? false;
      if (!own || declaration === undefined || !ts.isPropertyDeclaration(declaration)) return [];
      if (!ts.isIdentifier(declaration.name)) return [];
      return [{ name: symbol.name, ...this.commentOf(symbol) }];
    });
  }

  /** The type of a class's property. */
  memberOf(type: ts.Type, name: string): ts.Type {
    const symbol = this.#checker.getPropertyOfType(type, name);
    if (symbol === undefined) throw new Error(`There is no property ${name}.`);
    return this.#checker.getTypeOfSymbol(symbol);
  }

  /** What a function resolves to. */
  resultOf(type: ts.Type): ts.Type {
    const [signature] = type.getCallSignatures();
    if (signature === undefined) throw new Error("This is no function.");
    const returned = signature.getReturnType();
    return this.#checker.getAwaitedType(returned) ?? returned;
  }

  /** A type, resolved. */
  typeOf(given: ts.Type): Type {
    const type = this.#checker.getNonNullableType(given);
    if (type.getCallSignatures().length > 0) return { is: "function" };
    if (type.flags & ts.TypeFlags.BooleanLike) return { is: "boolean" };
    if (type.flags & ts.TypeFlags.NumberLike) return { is: "number" };
    if (type.flags & (ts.TypeFlags.Unknown | ts.TypeFlags.Any)) return { is: "anything" };
    if (type.isStringLiteral()) return { is: "enum", values: [type.value] };
    if (type.flags & ts.TypeFlags.StringLike || type.symbol?.name === "Date") return { is: "string" };
    if (type.isUnion()) return this.#unionOf(type);
    if (this.#checker.isArrayType(type)) {
      const [element] = this.#checker.getTypeArguments(type as ts.TypeReference);
      return { is: "list", of: element === undefined ? { is: "anything" } : this.typeOf(element) };
    }
    const index = type.getStringIndexType();
    if (index !== undefined) return { is: "map", of: this.typeOf(index) };
    if (this.#checker.getPropertiesOfType(type).length === 0) return { is: "anything" };
    const [unwrapped] = type.aliasSymbol?.name === "UnwrappedObject" ? (type.aliasTypeArguments ?? []) : [];
    const symbol: ts.Symbol | undefined = unwrapped?.symbol ?? type.aliasSymbol ?? type.symbol;
    if (symbol === undefined) throw new Error(`The type ${this.#checker.typeToString(type)} has no name.`);
    return {
      is: "object",
      object: {
        name: symbol.name,
        documentation: this.commentOf(symbol).documentation,
        properties: () => this.propertiesOf(type),
      },
    };
  }

  #unionOf(union: ts.UnionType): Type {
    // Any other text is taken as well, and says nothing.
    const members = union.types.filter((one) => !one.isIntersection()).map((member) => this.typeOf(member));
    if (members.every((member) => member.is === "enum")) {
      return { is: "enum", values: members.flatMap(({ values }) => values).sort() };
    }
    const different = new Map(members.map((member) => [JSON.stringify(member), member]));
    const [only] = different.values();
    return different.size === 1 && only !== undefined ? only : { is: "union", of: [...different.values()] };
  }

  /** What the comment before a declaration says. */
  commentOf(symbol: ts.Symbol): Comment {
    const tags = symbol.getJsDocTags(this.#checker);
    const texts = (name: string) =>
      tags.filter((tag) => tag.name === name).map(({ text }) => ts.displayPartsToString(text));
    return {
      documentation: prose(ts.displayPartsToString(symbol.getDocumentationComment(this.#checker))),
      examples: texts("example").map((text) => text.replace(/^```\w*\n([\s\S]*?)\n?```\s*$/, "$1").trim()),
      throws: texts("throws").map(prose),
    };
  }
}

/** A comment's text: one line for each paragraph or entry of a list, links as the names they lead to. */
function prose(text: string): string {
  return text
    .replaceAll(/\{@link ([^\s|}]+)[^}]*\}/g, "`$1`")
    .split(/\n{2,}/)
    .map((paragraph) => paragraph.replaceAll(/\n(?!- )\s*/g, " ").trim())
    .join("\n\n")
    .trim();
}
