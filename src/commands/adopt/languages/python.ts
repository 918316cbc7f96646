import { kindNamed } from "../../../provider/for-commands/kinds.js";
import { withArticle } from "../../../shared/messages/nouns.js";
import { bracketed, filled, quoted } from "./layout.js";
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

export const python = {
  title: "Python",
  file: "__main__.py",
  comment: "#",
  program,
  forms: { parameters: ["name", "args"], omits: true },
  runtime: { name: "python", options: { toolchain: "pip", virtualenv: "venv" } },
  ignored: ["venv/", "sdks/", "__pycache__/"],
  manifests,
};

const LAYOUT = { step: "    ", width: 88 };

function program(file: ProgramFile, parts: Parts): string {
  const values = valuesIn(parts);
  const { resources, tables } = inOrder(parts);
  const usesPulumi =
    values.some((value) => value instanceof Secret) ||
    parts.declarations.some(({ ignoreChanges, protect }) => protect || ignoreChanges.length > 0);
  const constants = file.named.map(
    ({ identifier, text, comment }) => `${snakeCase(identifier)} = ${quoted(text)}  # ${comment}\n`,
  );
  const statements = [
    ...(constants.length > 0 ? [constants.join("")] : []),
    ...resources.flatMap(({ maps, makers, declaration }) => [
      ...maps.map(mapStatement),
      // Two lines of space surround a function.
      ...makers.map((maker) => `${makerStatement(maker)}\n`),
      `${statement(declaration)}\n`,
    ]),
    ...tables.map(tableStatement),
  ];
  return `import signal
${values.some((value) => value instanceof FileText) ? "from pathlib import Path\n" : ""}
${usesPulumi ? "import pulumi\n" : ""}import pulumi_buildpipeline as buildpipeline

# Pulumi interrupts the program after an error. Without this line, Python prints a traceback for that.
signal.signal(signal.SIGINT, signal.SIG_DFL)

${joined(statements)}`;
}

/** Returns statements with a line between them, except between calls of functions that fit on a line. */
function joined(statements: readonly string[]): string {
  const isLine = (text = "") => text.indexOf("\n") === text.length - 1 && !text.includes("buildpipeline.");
  return statements
    .map((text, index) =>
      index === 0 || (isLine(text) && isLine(statements[index - 1])) ? text : `\n${text}`,
    )
    .join("");
}

function mapStatement({ identifier, className, argument, values }: NamedMap): string {
  const isOwn = mapType(className, argument).own !== undefined;
  const entries = entriesOf(values, isOwn);
  return `${bracketed(`${snakeCase(identifier)} = {`, entries, "}", LAYOUT)}\n`;
}

function makerStatement({ identifier, className, around, args, states }: Maker): string {
  const [before, after] = around;
  const entries = Object.entries(args).map(([name, value]) =>
    code(value, `${quoted(snakeCase(name))}: `, isOwnMap(className, name), " ".repeat(12)),
  );
  const given = states === "none" ? [] : ["**args"];
  const shared = bracketed("**{", [...entries, ...given], "}", { ...LAYOUT, indent: "        ", width: 0 });
  const parameters = states === "none" ? "name: str" : "name: str, /, **args";
  const kind = kindNamed(className);
  return `
def ${snakeCase(identifier)}(${parameters}) -> buildpipeline.${className}:
    """Declares ${withArticle(kind?.words.noun ?? className)} as most are${states === "none" ? "" : "; `args` has what differs"}."""
    return buildpipeline.${className}(
        ${patternLiteral([before, after])},
        ${shared},
    )
`;
}

function tableStatement(table: Table): string {
  const { className, others, identifier, rows } = table;
  const [parent, other, ...rest] = table.arguments;
  const names = [parent, ...rest].map(snakeCase);
  const place = snakeCase(parent.replace(/Id$/, ""));
  const lines = rows.map((row) => {
    const own = [quoted(row.name), ...row.values.map((value) => code(value))].join(", ");
    return `    (${own}, ${filled(
      "[",
      row.names.map((name) => quoted(name)),
      "]",
      { ...LAYOUT, indent: "    " },
    )}),\n`;
  });
  const entries = entriesOf(others.values, false);
  const args = [
    ...names.map((name) => `${name}=${name}`),
    `${snakeCase(other)}=${snakeCase(others.identifier)}[name]`,
  ];
  const call = bracketed(`buildpipeline.${className}(`, [`f"{${place}}-{name}"`, ...args], ")", {
    ...LAYOUT,
    indent: "        ",
  });
  return `${snakeCase(others.identifier)} = ${filled("{", entries, "}", LAYOUT)}

# One resource for each name in a row.
${snakeCase(identifier)} = [
${lines.join("")}]
for ${[place, ...names, "names"].join(", ")} in ${snakeCase(identifier)}:
    for name in names:
        ${call}
`;
}

function statement(declaration: Declaration): string {
  const { identifier, className, logicalName, args, ignoreChanges, protect, comments, call } = declaration;
  const variable = identifier === undefined ? "" : `${snakeCase(identifier)} = `;
  const options = [
    ...(ignoreChanges.length === 0 ? [] : [code(ignoreChanges.map(snakeCase), "ignore_changes=")]),
    ...(protect ? ["protect=True"] : []),
  ];
  const parts = [
    quoted(call === undefined ? logicalName : call.word),
    ...Object.entries(args).map(([name, value]) =>
      code(value, `${snakeCase(name)}=`, isOwnMap(className, name)),
    ),
    ...(options.length === 0 ? [] : [`opts=pulumi.ResourceOptions(${options.join(", ")})`]),
  ];
  const callee = call === undefined ? `buildpipeline.${className}` : snakeCase(call.maker);
  return [
    ...comments.map((comment) => `# ${comment}`),
    bracketed(`${variable}${callee}(`, parts, ")", LAYOUT),
  ].join("\n");
}

function isOwnMap(className: string, argument: string): boolean {
  return mapType(className, argument).own !== undefined;
}

/** @param isOwn true for a map of the package's own type, whose keys are arguments */
function code(value: Value, before = "", isOwn = false, indent = "    "): string {
  if (value instanceof Reference) return `${before}${snakeCase(value.identifier)}.id`;
  if (value instanceof Constant) return before + snakeCase(value.constant);
  if (value instanceof Omitted) return `${before}None`;
  if (value instanceof Pattern) return before + patternLiteral(value.parts);
  if (value instanceof FileText) {
    const text = `${before}Path(${quoted(value.path)}).read_bytes().decode()`;
    return value.word === undefined ? text : `${text}.replace(${quoted(value.word)}, name)`;
  }
  if (value instanceof Secret) return `${before}pulumi.Config().require_secret(${quoted(value.key)})`;
  if (value instanceof SharedMap) {
    const own = entriesOf(value.own, isOwn, `${indent}    `);
    const shared = snakeCase(value.shared.identifier);
    if (own.length === 0) return before + shared;
    return bracketed(`${before}{`, [`**${shared}`, ...own], "}", { ...LAYOUT, indent });
  }
  if (value instanceof ValueMap)
    return bracketed(`${before}{`, entriesOf(value, isOwn, `${indent}    `), "}", { ...LAYOUT, indent });
  if (typeof value === "string") return before + quoted(value);
  if (typeof value === "boolean") return before + (value ? "True" : "False");
  if (typeof value === "number") return before + String(value);
  const parts = value.map((part) => code(part));
  return bracketed(`${before}[`, parts, "]", { ...LAYOUT, indent });
}

function entriesOf({ entries }: ValueMap, isOwn: boolean, indent = "    "): string[] {
  return entries.map(([name, one]) =>
    code(one, `${quoted(isOwn ? snakeCase(name) : name)}: `, false, indent),
  );
}

/** Returns texts with the parameter `name` between them: `f"…{name}…"`. */
function patternLiteral(parts: readonly string[]): string {
  if (parts.every((part) => part === "") && parts.length === 2) return "name";
  const texts = parts.map((part) => quoted(part).slice(1, -1).replaceAll("{", "{{").replaceAll("}", "}}"));
  return `f"${texts.join("{name}")}"`;
}

/** Returns the name of an argument as Python writes it: `clusterId` becomes `cluster_id`. */
function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

function manifests(): Record<string, string> {
  const { name, language } = pluginSchema();
  return { "requirements.txt": `pulumi${language.python.requires.pulumi}\nsdks/${name}\n` };
}
