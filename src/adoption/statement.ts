import { quotedLiteral, textLiteral } from "./literal.js";

/** A piece of a program that stands for a value, such as `linux.id`. */
export class Code {
  constructor(readonly text: string) {}
}

/** Value of an argument in a generated program. */
export type Expression = string | number | boolean | null | Code | readonly Expression[] | ObjectExpression;

interface ObjectExpression {
  readonly [name: string]: Expression;
}

/**
 * Returns a value of an argument as a program says it.
 *
 * @throws for a value that can't be written as a literal
 */
export function expressionOf(value: unknown): Expression {
  if (value === null || typeof value === "string" || typeof value === "boolean") return value;
  if (typeof value === "number" && Number.isFinite(value)) return value;
  if (Array.isArray(value)) return value.map(expressionOf);
  if (typeof value === "object") {
    return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, expressionOf(part)]));
  }
  throw new Error(`There is no way to write ${typeof value} into a program.`);
}

/** A resource as a program declares it. */
export interface Declaration {
  /** The constant that it is exported as; undefined where nothing would refer to it. */
  readonly identifier: string | undefined;
  readonly className: string;
  readonly logicalName: string;
  readonly args: ObjectExpression;
  /** Options of the resource. Default: none. */
  readonly options?: ObjectExpression | undefined;
}

export function declarationStatement(declaration: Declaration): string {
  const { identifier, className, logicalName, args, options } = declaration;
  const constant = identifier === undefined ? "" : `export const ${identifier} = `;
  const head = `${constant}new ${className}(${quotedLiteral(logicalName)}, `;
  const objects = options === undefined ? [args] : [args, options];
  const line = `${head}${objects.map(inOneLine).join(", ")});`;
  return fits(line) ? line : `${head}${objects.map((each) => inLines(each, "")).join(", ")});`;
}

export function importStatement(clauses: readonly string[], module: string): string {
  const line = `import { ${clauses.join(", ")} } from "${module}";`;
  return fits(line) ? line : `import {\n${linesOf(clauses, "  ")}} from "${module}";`;
}

/** Returns whether a piece of code is one line that is not too long. */
function fits(line: string): boolean {
  return line.length <= 80 && !line.includes("\n");
}

/** @param head what its first line begins with */
function code(value: Expression, head: string, indent: string): string {
  const line = inOneLine(value);
  return fits(`${head}${line},`) ? line : inLines(value, indent);
}

function inOneLine(value: Expression): string {
  if (isList(value)) return `[${value.map(inOneLine).join(", ")}]`;
  if (!isObject(value)) return value instanceof Code ? value.text : literal(value);
  const parts = Object.entries(value).map(([name, part]) => `${propertyName(name)}: ${inOneLine(part)}`);
  return parts.length === 0 ? "{}" : `{ ${parts.join(", ")} }`;
}

function inLines(value: Expression, indent: string): string {
  const inner = `${indent}  `;
  if (isList(value)) {
    const entries = value.map((entry) => code(entry, inner, inner));
    return `[\n${linesOf(entries, inner)}${indent}]`;
  }
  if (!isObject(value)) return inOneLine(value);
  const parts = Object.entries(value).map(([key, part]) => {
    const name = `${propertyName(key)}: `;
    return name + code(part, inner + name, inner);
  });
  return `{\n${linesOf(parts, inner)}${indent}}`;
}

function linesOf(parts: readonly string[], indent: string): string {
  return parts.map((part) => `${indent}${part},\n`).join("");
}

function literal(value: string | number | boolean | null): string {
  return typeof value === "string" ? textLiteral(value) : String(value);
}

function isList(value: Expression): value is readonly Expression[] {
  return Array.isArray(value);
}

function isObject(value: Expression): value is ObjectExpression {
  return typeof value === "object" && value !== null && !(value instanceof Code) && !isList(value);
}

/** Returns the name of an object's property, in quotes if it isn't an identifier. */
export function propertyName(name: string): string {
  return /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u.test(name) ? name : quotedLiteral(name);
}
