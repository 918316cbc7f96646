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

/** What a generated program says as the value of an argument. */
export type Expression = string | boolean | readonly string[] | Code;

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

/** An argument on lines of its own. */
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
  if (width(line) <= WIDEST) return [line];
  // After a short name a line break would gain nothing.
  if (typeof value === "string" && width(key) < INDENT + 3) return [line];
  if (Array.isArray(value)) {
    const entries = value.map((entry) => `${indent}  ${quotedLiteral(entry)},`);
    return [`${indent}${key}: [`, ...entries, `${indent}],`];
  }
  return [`${indent}${key}:`, `${indent}  ${inOneLine(value)},`];
}

function inOneLine(value: Expression): string {
  if (value instanceof Code) return value.text;
  if (typeof value === "string") return textLiteral(value);
  if (typeof value === "boolean") return String(value);
  return `[${value.map(quotedLiteral).join(", ")}]`;
}
