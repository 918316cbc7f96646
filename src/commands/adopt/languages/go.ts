import { dirname } from "node:path/posix";
import { kindNamed } from "../../../provider/for-commands/kinds.js";
import { capitalized, withArticle } from "../../../shared/messages/nouns.js";
import { filled, quoted } from "./layout.js";
import {
  Constant,
  type Declaration,
  FileText,
  type Maker,
  type NamedMap,
  Omitted,
  Pattern,
  type ProgramFile,
  Reference,
  Secret,
  SharedMap,
  type Table,
  type Value,
  ValueMap,
} from "./program-file.js";
import { mapType, pluginSchema } from "./project-files.js";
import { inOrder, type Parts, valuesIn } from "./regular.js";

export const go = {
  title: "Go",
  file: "main.go",
  comment: "//",
  program,
  // A map can't have the entries of another one, and a call can't leave out what its function has.
  forms: { parameters: ["name", "args", "ctx", "err"], omits: false },
  runtime: "go",
  ignored: ["sdks/"],
  manifests,
};

const SDK = "github.com/pulumi/pulumi/sdk/v3";
const SDK_VERSION = "v3.256.0";

const FAILED = "if err != nil {\n\t\treturn err\n\t}";

function program(file: ProgramFile, parts: Parts): string {
  const values = valuesIn(parts);
  const references = values.filter((value) => value instanceof Reference);
  const referredTo = new Set(references.map(({ identifier }) => identifier));
  const texts = values.filter((value) => value instanceof FileText);
  const { resources, tables } = inOrder(parts);
  const statements = [
    ...resources.flatMap(({ maps, makers, declaration }) => [
      ...maps.map(mapStatement),
      ...makers.map(makerStatement),
      ...statementsOf(declaration, referredTo),
    ]),
    ...tables.map(tableStatement),
  ];
  const standard = [
    ...(texts.length > 0 ? ["os"] : []),
    ...(texts.some(({ word }) => word !== undefined) ? ["strings"] : []),
  ];
  const longest = Math.max(...file.named.map(({ identifier }) => identifier.length));
  const constants = file.named.map(
    ({ identifier, text, comment }) => `\t${identifier.padEnd(longest)} = ${quoted(text)} // ${comment}\n`,
  );
  return `package main

import (
${standard.map((name) => `\t"${name}"\n`).join("")}${standard.length > 0 ? "\n" : ""}\t"${SDK}/go/pulumi"
${values.some((value) => value instanceof Secret) ? `\t"${SDK}/go/pulumi/config"\n` : ""}\t"${pluginSchema().language.go.importBasePath}"
)

${constants.length > 0 ? `const (\n${constants.join("")})\n\n` : ""}func main() {
\tpulumi.Run(organization)
}

func organization(ctx *pulumi.Context) error {
${statements.map((statement) => `\t${statement}\n`).join("")}\treturn nil
}
`;
}

function mapStatement({ identifier, className, argument, values }: NamedMap): string {
  return `${identifier} := ${code(values, "", "\t", mapType(className, argument))}`;
}

function makerStatement({ identifier, className, around, args, states }: Maker): string {
  const [before, after] = around;
  const type = `buildpipeline.${className}`;
  const argument = states === "none" ? "" : `, args *${type}Args`;
  const shared = Object.entries(args).map(([name, value]) => {
    const field = capitalized(name);
    return { field, value, text: code(value, "text", "\t\t\t", mapType(className, name)) };
  });
  const reads = shared.map(({ value }) => value).find((value) => value instanceof FileText);
  const lines = [
    ...(reads === undefined
      ? []
      : [`text, err := os.ReadFile(${quoted(reads.path)})`, "if err != nil {", "\treturn nil, err", "}"]),
    ...(states === "none"
      ? [`args := &${type}Args{`, ...aligned(shared.map(({ field, text }) => [`${field}:`, `${text},`])), "}"]
      : shared.flatMap(({ field, text }) => [`if args.${field} == nil {`, `\targs.${field} = ${text}`, "}"])),
    `return buildpipeline.New${className}(ctx, ${patternLiteral([before, after], "+")}, args)`,
  ];
  const noun = withArticle(kindNamed(className)?.words.noun ?? className);
  return `// ${identifier} declares ${noun} as most are${states === "none" ? "" : "; args has what differs"}.
\t${identifier} := func(name string${argument}) (*${type}, error) {
${lines.map((line) => `\t\t${line}\n`).join("")}\t}`;
}

function tableStatement({ className, others, rows, arguments: [parent, other, ...rest] }: Table): string {
  const place = parent.replace(/Id$/, "");
  const fields = [parent, ...rest].map((name, index) => [name, typeOf(rows[0]?.values[index])] as const);
  const entries = others.values.entries.map(
    ([name, value]) => [`${quoted(name)}:`, code(value, "")] as const,
  );
  const [{ 1: first } = ["", ""]] = others.values.entries;
  const lines = rows.map(({ name, values, names }) => {
    const own = [quoted(name), ...values.map((value) => code(value, ""))].join(", ");
    const texts = names.map((one) => quoted(one));
    const all = filled("[]string{", texts, "}", { indent: "\t\t", step: "\t" });
    return `\t\t{${own}, ${all}},\n`;
  });
  const args = aligned([
    ...fields.map(([name]) => [`${capitalized(name)}:`, `row.${name},`] as const),
    [`${capitalized(other)}:`, `${others.identifier}[name],`],
  ]);
  return `${others.identifier} := ${literal(`map[string]${typeOf(first)}`, entries, "\t")}
\t// One resource for each name in a row.
\tfor _, row := range []struct {
${aligned([[place, "string"], ...fields, ["names", "[]string"]])
  .map((line) => `\t${line}\n`)
  .join("")}\t}{
${lines.join("")}\t} {
\t\tfor _, name := range row.names {
\t\t\tif _, err := buildpipeline.New${className}(ctx, row.${place}+"-"+name, &buildpipeline.${className}Args{
${args.map((line) => `\t\t\t${line}\n`).join("")}\t\t\t}); err != nil {
\t\t\t\treturn err
\t\t\t}
\t\t}
\t}`;
}

/** Returns a value with named parts: on one line if it is short, otherwise on a line each. */
function literal(type: string, parts: readonly (readonly [string, string])[], indent: string): string {
  const line = `${type}{${parts.map((part) => part.join(" ")).join(", ")}}`;
  if (line.length <= 80 && !line.includes("\n")) return line;
  const rows = aligned(parts.map(([name, text]) => [name, `${text},`]));
  return `${type}{\n${rows.map((row) => `${indent}${row}\n`).join("")}${indent}}`;
}

/** Returns lines of two columns, as gofmt has them: another one begins at several lines, and at a name of unlike length. */
function aligned(rows: readonly (readonly [string, string])[]): string[] {
  const columns: (typeof rows)[number][][] = [];
  let logarithms: number[] = [];
  let before = 0;
  for (const row of rows) {
    const size = row[1].includes("\n") ? 0 : row[0].length - 1;
    const mean = logarithms.reduce((sum, one) => sum + one, 0) / logarithms.length;
    const isLike = Math.max(before, size) <= 40 || Math.abs(Math.log(size) - mean) < Math.log(2.5);
    const isNext = before > 0 && size > 0 && isLike;
    if (isNext) columns.at(-1)?.push(row);
    else columns.push([row]);
    logarithms = [...(isNext ? logarithms : []), Math.log(size)];
    before = size;
  }
  return columns.flatMap((column) => {
    const width = Math.max(...column.map(([name]) => name.length)) + 1;
    return column.map(([name, text]) => `\t${name.padEnd(width)}${text}`);
  });
}

function typeOf(value: Value | undefined): string {
  if (value instanceof Reference) return "pulumi.IDOutput";
  if (typeof value === "boolean") return "pulumi.Bool";
  return Array.isArray(value) ? "pulumi.StringArray" : "pulumi.String";
}

/** A variable that nothing refers to is an error in Go. */
function statementsOf(declaration: Declaration, referredTo: ReadonlySet<string>): string[] {
  const {
    identifier = "",
    className,
    logicalName,
    args,
    ignoreChanges,
    protect,
    comments,
    call,
  } = declaration;
  const files = Object.values(args).filter((value) => value instanceof FileText);
  const text = `${identifier}Text`;
  const lines = aligned(
    Object.entries(args).map(([name, value]) => [
      `${capitalized(name)}:`,
      `${code(value, text, "\t\t", mapType(className, name))},`,
    ]),
  );
  const ignored = ignoreChanges.length === 0 ? "" : `, pulumi.IgnoreChanges(${strings(ignoreChanges)})`;
  const options = `${ignored}${protect ? ", pulumi.Protect(true)" : ""}`;
  const given = lines.length === 0 ? "" : `\n${lines.map((line) => `\t${line}\n`).join("")}\t`;
  const all = `&buildpipeline.${className}Args{${given}}`;
  const created =
    call === undefined
      ? `buildpipeline.New${className}(ctx, ${quoted(logicalName)}, ${all}${options})`
      : `${call.maker}(${quoted(call.word)}${call.takes === "none" ? "" : `, ${all}`})`;
  const made = referredTo.has(identifier)
    ? `${identifier}, err := ${created}\n\t${FAILED}`
    : `if _, err := ${created}; err != nil {\n\t\treturn err\n\t}`;
  return [
    ...files.map(({ path }) => `${text}, err := os.ReadFile(${quoted(path)})\n\t${FAILED}`),
    ...comments.map((comment) => `// ${comment}`),
    made,
  ];
}

/** @param text the variable with the text of a file. @param type of a map */
function code(
  value: Value,
  text: string,
  indent = "\t\t",
  type: ReturnType<typeof mapType> = { ofAny: true },
): string {
  if (value instanceof Reference) return `${value.identifier}.ID()`;
  if (value instanceof Constant) return `pulumi.String(${value.constant})`;
  if (value instanceof Pattern) return `pulumi.String(${patternLiteral(value.parts)})`;
  if (value instanceof FileText)
    return value.word === undefined
      ? `pulumi.String(${text})`
      : `pulumi.String(strings.ReplaceAll(string(${text}), ${quoted(value.word)}, name))`;
  if (value instanceof Secret) return `config.New(ctx, "").RequireSecret(${quoted(value.key)})`;
  if (value instanceof ValueMap) {
    const nameOf = type.own === undefined ? quoted : capitalized;
    const entries = value.entries.map(
      ([name, one]) => [`${nameOf(name)}:`, code(one, text, `${indent}\t`)] as const,
    );
    const maps = type.ofAny ? "pulumi.Map" : "pulumi.StringMap";
    return literal(type.own === undefined ? maps : `&buildpipeline.${type.own}Args`, entries, indent);
  }
  if (typeof value === "string") return `pulumi.String(${quoted(value)})`;
  if (typeof value === "boolean") return `pulumi.Bool(${value})`;
  // The schema has whole numbers only.
  if (typeof value === "number") return `pulumi.Int(${value})`;
  if (value instanceof SharedMap) return value.shared.identifier;
  if (value instanceof Omitted) throw new Error("Go has no form for what a call leaves out.");
  const all = value;
  const texts = all.filter((part) => typeof part === "string");
  if (texts.length === all.length) return `pulumi.ToStringArray(${strings(texts)})`;
  return `pulumi.StringArray{${all.map((part) => code(part, text)).join(", ")}}`;
}

/** Returns texts with the parameter `name` between them: `"…" + name + "…"`. */
function patternLiteral(parts: readonly string[], plus = " + "): string {
  const texts = parts.flatMap((part, index) => [
    ...(index > 0 ? ["name"] : []),
    ...(part === "" ? [] : [quoted(part)]),
  ]);
  return texts.join(plus);
}

function strings(texts: readonly string[]): string {
  return `[]string{${texts.map((text) => quoted(text)).join(", ")}}`;
}

function manifests(): Record<string, string> {
  const { name, version, language } = pluginSchema();
  const module = dirname(language.go.importBasePath);
  return {
    "go.mod": `module infrastructure

go 1.25.0

require (
\t${SDK} ${SDK_VERSION}
\t${module} v${version}
)

replace ${module} => ./sdks/${name}
`,
  };
}
