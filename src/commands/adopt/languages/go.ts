import { dirname } from "node:path/posix";
import { capitalized } from "../../../shared/messages/nouns.js";
import { quoted } from "./layout.js";
import {
  type Declaration,
  FileText,
  type ProgramFile,
  Reference,
  Secret,
  type Value,
  ValueMap,
} from "./program-file.js";
import { mapType, pluginSchema } from "./project-files.js";
import { type Parts, valuesIn } from "./regular.js";

export const go = { title: "Go", file: "main.go", program, runtime: "go", ignored: ["sdks/"], manifests };

const SDK = "github.com/pulumi/pulumi/sdk/v3";
const SDK_VERSION = "v3.256.0";

const FAILED = "if err != nil {\n\t\treturn err\n\t}";

function program(file: ProgramFile, parts: Parts): string {
  const { referredTo } = file;
  const statements = file.declarations.flatMap((one) => statementsOf(one, referredTo));
  return `package main

import (
${valuesIn(parts).some((value) => value instanceof FileText) ? '\t"os"\n\n' : ""}\t"${SDK}/go/pulumi"
${valuesIn(parts).some((value) => value instanceof Secret) ? `\t"${SDK}/go/pulumi/config"\n` : ""}\t"${pluginSchema().language.go.importBasePath}"
)

func main() {
\tpulumi.Run(organization)
}

func organization(ctx *pulumi.Context) error {
${statements.map((statement) => `\t${statement}\n`).join("")}\treturn nil
}
`;
}

/** A variable that nothing refers to is an error in Go. */
function statementsOf(declaration: Declaration, referredTo: ReadonlySet<string>): string[] {
  const { identifier = "", className, logicalName, args, ignoreChanges, protect, comments } = declaration;
  const fields = Object.entries(args).map(
    ([name, value]) => [capitalized(name), value, mapType(className, name)] as const,
  );
  const width = Math.max(...fields.map(([name]) => name.length)) + 2;
  const files = fields.flatMap(([, value]) => (value instanceof FileText ? [value] : []));
  const text = `${identifier}Text`;
  const lines = fields.map(
    ([name, value, type]) => `\t\t${`${name}:`.padEnd(width)}${code(value, text, type)},\n`,
  );
  const ignored = ignoreChanges.length === 0 ? "" : `, pulumi.IgnoreChanges(${strings(ignoreChanges)})`;
  const options = `${ignored}${protect ? ", pulumi.Protect(true)" : ""}`;
  const call = `buildpipeline.New${className}(ctx, ${quoted(logicalName)}, &buildpipeline.${className}Args{\n${lines.join("")}\t}${options})`;
  const made = referredTo.has(identifier)
    ? `${identifier}, err := ${call}\n\t${FAILED}`
    : `if _, err := ${call}; err != nil {\n\t\treturn err\n\t}`;
  return [
    ...files.map(({ path }) => `${text}, err := os.ReadFile(${quoted(path)})\n\t${FAILED}`),
    ...comments.map((comment) => `// ${comment}`),
    made,
  ];
}

/** @param text the variable with the text of a file. @param type of a map */
function code(value: Value, text: string, type: ReturnType<typeof mapType> = { ofAny: true }): string {
  if (value instanceof Reference) return `${value.identifier}.ID()`;
  if (value instanceof FileText) return `pulumi.String(${text})`;
  if (value instanceof Secret) return `config.New(ctx, "").RequireSecret(${quoted(value.key)})`;
  if (value instanceof ValueMap) {
    const nameOf = type.own === undefined ? quoted : capitalized;
    const entries = value.entries.map(([name, one]) => `${nameOf(name)}: ${code(one, text)}`);
    const maps = type.ofAny ? "pulumi.Map" : "pulumi.StringMap";
    return `${type.own === undefined ? maps : `&buildpipeline.${type.own}Args`}{${entries.join(", ")}}`;
  }
  if (typeof value === "string") return `pulumi.String(${quoted(value)})`;
  if (typeof value === "boolean") return `pulumi.Bool(${value})`;
  // The schema has whole numbers only.
  if (typeof value === "number") return `pulumi.Int(${value})`;
  const all = Array.isArray(value) ? value : [];
  const texts = all.filter((part) => typeof part === "string");
  if (texts.length === all.length) return `pulumi.ToStringArray(${strings(texts)})`;
  return `pulumi.StringArray{${all.map((part) => code(part, text)).join(", ")}}`;
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
