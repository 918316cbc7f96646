import { quotedLiteral, textLiteral } from "./literal.js";
import { width } from "./width.js";

/**
 * Statements, laid out as Prettier and Biome lay them out by default: 80 columns, two spaces, double quotes, commas at
 * the ends of lists. A formatter changes nothing in them.
 */

const WIDEST = 80;
const INDENT = 2;

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
  readonly args: Properties;
  /** Options of the resource. Default: none. */
  readonly options?: Properties | undefined;
}

type Properties = readonly (readonly [name: string, value: Expression])[];

export function declarationStatement(declaration: Declaration): string {
  const { identifier, className, logicalName, args, options } = declaration;
  const head = `${identifier === undefined ? "" : `export const ${identifier} = `}new ${className}(`;
  const name = quotedLiteral(logicalName);
  const objects = options === undefined ? [args] : [args, options];
  const flat = `${head}${[name, ...objects.map(objectInOneLine)].join(", ")});`;
  if (fits(flat)) return flat;
  const hugged = `${head}${name}, {`;
  // With a second object none of the two begins where the first argument stands.
  if (options === undefined && width(hugged) <= WIDEST) {
    return [hugged, ...properties(args, "  "), "});"].join("\n");
  }
  return [head, `  ${name},`, ...objects.flatMap(objectLines), ");"].join("\n");
}

/** Returns an argument on separate lines. */
function objectLines(object: Properties): string[] {
  const line = `  ${objectInOneLine(object)},`;
  if (fits(line)) return [line];
  return ["  {", ...properties(object, "    "), "  },"];
}

function objectInOneLine(object: Properties): string {
  return `{ ${object.map(([key, value]) => `${key}: ${inOneLine(value)}`).join(", ")} }`;
}

function fits(text: string): boolean {
  return !text.includes("\n") && width(text) <= WIDEST;
}

/** `import { … } from "…";` */
export function importStatement(names: readonly string[], from: string): string {
  const flat = `import { ${names.join(", ")} } from "${from}";`;
  if (width(flat) <= WIDEST) return flat;
  return ["import {", ...names.map((name) => `  ${name},`), `} from "${from}";`].join("\n");
}

function properties(args: Properties, indent: string): string[] {
  return args.flatMap(([key, value]) => property(key, value, indent));
}

function property(key: string, value: Expression, indent: string): string[] {
  const line = `${indent}${key}: ${inOneLine(value)},`;
  // A literal of several lines begins where it stands, however long its first line is.
  if (typeof value === "string" && value.includes("\n")) return [line];
  if (fits(line)) return [line];
  if (isNested(value)) return nested(`${key}: `, value, indent);
  // After a short name a line break would gain nothing.
  if (typeof value === "string" && width(key) < INDENT + 3) return [line];
  return [`${indent}${key}:`, `${indent}  ${inOneLine(value)},`];
}

function isNested(value: Expression): value is readonly Expression[] | ObjectExpression {
  return typeof value === "object" && value !== null && !(value instanceof Code);
}

/** Returns a list or an object with a line for each of its parts. */
function nested(head: string, value: readonly Expression[] | ObjectExpression, indent: string): string[] {
  const inner = `${indent}  `;
  if (!isList(value)) {
    const parts = properties(
      Object.entries(value).map(([name, part]) => [nameLiteral(name), part]),
      inner,
    );
    return [`${indent}${head}{`, ...parts, `${indent}},`];
  }
  const parts = value.flatMap((entry) => {
    const line = `${inner}${inOneLine(entry)},`;
    return isNested(entry) && !fits(line) ? nested("", entry, inner) : [line];
  });
  return [`${indent}${head}[`, ...parts, `${indent}],`];
}

function isList(value: readonly Expression[] | ObjectExpression): value is readonly Expression[] {
  return Array.isArray(value);
}

function inOneLine(value: Expression): string {
  if (value instanceof Code) return value.text;
  if (typeof value === "string") return textLiteral(value);
  if (!isNested(value)) return String(value);
  if (isList(value)) {
    return `[${value.map((entry) => (typeof entry === "string" ? quotedLiteral(entry) : inOneLine(entry))).join(", ")}]`;
  }
  const parts = Object.entries(value).map(([name, part]) => `${nameLiteral(name)}: ${inOneLine(part)}`);
  return parts.length === 0 ? "{}" : `{ ${parts.join(", ")} }`;
}

/** Returns the name of an object's property, in quotes if it isn't an identifier. */
function nameLiteral(name: string): string {
  return /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u.test(name) ? name : quotedLiteral(name);
}
