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
  type Values,
} from "./program-file.js";
import { LAUNCHER, type NewProject } from "./project-files.js";
import { inOrder, type Parts, valuesIn } from "./regular.js";

export const typescript = {
  title: "TypeScript",
  file: undefined,
  comment: "//",
  program,
  forms: { parameters: ["name", "args"], omits: true },
  runtime: "nodejs",
  ignored: ["node_modules/"],
  manifests,
};

function program(file: ProgramFile, parts: Parts): string {
  const { makers, declarations, tables } = parts;
  const values = valuesIn(parts);
  const constructed = [...makers, ...tables, ...declarations.filter(({ call }) => call === undefined)];
  const classes = [
    ...constructed.map(({ className }) => className),
    ...makers.flatMap(({ className, states }) => (states === "none" ? [] : [`type ${className}Args`])),
  ];
  const byName = (clause: string) => clause.replace(/^type /, "");
  const sorted = [...new Set(classes)].sort((one, other) => (byName(one) < byName(other) ? -1 : 1));
  const imports = [
    ...(values.some((value) => value instanceof FileText) ? ['import { readFileSync } from "node:fs";'] : []),
    ...(values.some((value) => value instanceof Secret) ? ['import { Config } from "@pulumi/pulumi";'] : []),
    ...(sorted.length > 0 ? [importStatement(sorted, file.entry)] : []),
    ...importStatements(file),
  ];
  const constants = file.named.map(
    ({ identifier, text, comment }) => `export const ${identifier} = ${textLiteral(text)}; // ${comment}`,
  );
  const { resources } = inOrder(parts);
  const statements = resources.flatMap((one) => [
    ...one.maps.map(mapStatement),
    ...one.makers.map(makerStatement),
    statement(one.declaration),
  ]);
  const isLine = (text: string | undefined) => text?.includes("\n") === false;
  const code = statements.map((text, index) => {
    const isNext = isLine(text) && isLine(statements[index - 1]);
    return `${isNext ? "" : "\n"}${text}\n`;
  });
  return [
    ...(imports.length > 0 ? [`${imports.join("\n")}\n`] : []),
    ...(constants.length > 0 ? [`${imports.length > 0 ? "\n" : ""}${constants.join("\n")}\n`] : []),
    ...file.constants.map((constant) => `\n${constant}\n`),
    ...code,
    ...tables.map((table) => `\n${tableStatement(table)}\n`),
  ].join("");
}

export function importStatements({ imports }: ProgramFile): string[] {
  const sorted = [...imports].toSorted(([one], [other]) => (one < other ? -1 : 1));
  return sorted.map(([module, names]) => {
    const clauses = [...names]
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([name, local]) => (local === name ? name : `${name} as ${local}`));
    return importStatement(clauses, module);
  });
}

function importStatement(clauses: readonly string[], module: string): string {
  const end = `} from "${module}";`;
  if (clauses.length > 8) return filled("import {", clauses, end, { pad: " " });
  return bracketed("import {", clauses, end, { pad: " " });
}

function mapStatement({ identifier, className, argument, values }: NamedMap): string {
  const { words } = kindNamed(className) ?? {};
  const entries = values.entries.map(([name, value]) => property(name, value));
  const comment = `/** The \`${argument}\` that most ${words?.noun ?? className}s share. */`;
  return `${comment}\nconst ${identifier} = ${bracketed("{", entries, "}", { pad: " ", width: 60 })};`;
}

function makerStatement({ identifier, className, around, args, required, states }: Maker): string {
  const [before, after] = around;
  const shared = propertiesOf(args, "    ");
  const all = states === "none" ? shared : [...shared, "...args"];
  const needed = required.map((name) => textLiteral(name)).join(" | ");
  const more = needed === "" ? "" : ` & Pick<${className}Args, ${needed}>`;
  const parameters = [
    "name: string",
    ...(states === "none"
      ? []
      : [`args: Partial<${className}Args>${more}${states === "some" && needed === "" ? " = {}" : ""}`]),
  ];
  const noun = withArticle(kindNamed(className)?.words.noun ?? className);
  const rest = states === "none" ? "" : "; `args` has what differs";
  return `/** Declares ${noun} as most are${rest}. */
${bracketed(`function ${identifier}(`, parameters, `): ${className} {`, { width: 110 })}
  return new ${className}(${patternLiteral([before, after])}, ${bracketed("{", all, "}", { width: 0, indent: "  " })});
}`;
}

function statement(declaration: Declaration): string {
  const { identifier, className, logicalName, args, ignoreChanges, protect, comments, call } = declaration;
  const constant = identifier === undefined ? "" : `export const ${identifier} = `;
  const [callee, name] = call === undefined ? [`new ${className}`, logicalName] : [call.maker, call.word];
  const isBare = call !== undefined && Object.keys(args).length === 0;
  const head = `${constant}${callee}(${textLiteral(name)}`;
  const options = { ...(ignoreChanges.length > 0 && { ignoreChanges }), ...(protect && { protect }) };
  const given = isBare ? [] : [bracketed("{", propertiesOf(args), "}", { width: 0 })];
  const more = Object.keys(options).length > 0 ? [`{ ${propertiesOf(options).join(", ")} }`] : [];
  const line = [head, ...(isBare ? [] : [`{ ${propertiesOf(args).join(", ")} }`]), ...more].join(", ");
  const fits = line.length <= (call === undefined ? 78 : 108) && !line.includes("\n");
  const code = fits ? line : [head, ...given, ...more].join(", ");
  return [...comments.map((comment) => `// ${comment}`), `${code});`].join("\n");
}

function tableStatement(table: Table): string {
  const { className, others, identifier, rows } = table;
  const [parent, other, ...rest] = table.arguments;
  const [noun, plural] = [parent.replace(/Id$/, ""), `${other.replace(/Id$/, "")}s`];
  const lines = rows.map(({ name, values, names }) => {
    const own = [parent, ...rest].map((argument, index) => property(argument, values[index] ?? ""));
    const texts = filled("[", names.map(textLiteral), "]", { indent: "  " });
    return `  { ${noun}: ${textLiteral(name)}, ${own.join(", ")}, ${plural}: ${texts} },\n`;
  });
  const entries = others.values.entries.map(([name, value]) => property(name, value));
  const own = [parent, `${other}: ${others.identifier}[name]`, ...rest].join(", ");
  return `const ${others.identifier} = ${filled("{", entries, "}", { pad: " " })};

/** One resource for each name in a row. */
const ${identifier} = [
${lines.join("")}] as const;
for (const { ${[noun, parent, ...rest, `${plural}: names`].join(", ")} } of ${identifier})
  for (const name of names) new ${className}(\`\${${noun}}-\${name}\`, { ${own} });`;
}

function propertiesOf(values: Values, indent?: string): string[] {
  return Object.entries(values).map(([name, value]) => property(name, value, indent));
}

function property(name: string, value: Value, indent?: string): string {
  const text = code(value, name.length, indent);
  return text === name ? name : `${propertyName(name)}: ${text}`;
}

/** @param used characters of the line before it */
function code(value: Value, used: number, indent = "  "): string {
  if (value instanceof Reference) return value.isId ? `${value.identifier}.id` : value.identifier;
  if (value instanceof Constant) return value.constant;
  if (value instanceof Omitted) return "undefined";
  if (value instanceof Pattern) return patternLiteral(value.parts);
  if (value instanceof FileText) {
    const text = `readFileSync(${textLiteral(value.path)}, "utf8")`;
    return value.word === undefined ? text : `${text}.replaceAll(${textLiteral(value.word)}, name)`;
  }
  if (value instanceof Secret) return `new Config().requireSecret(${textLiteral(value.key)})`;
  if (value instanceof SharedMap || value instanceof ValueMap) {
    const [shared, { entries }] =
      value instanceof SharedMap ? [[value.shared.identifier], value.own] : [[], value];
    if (value instanceof SharedMap && entries.length === 0) return value.shared.identifier;
    const parts = [
      ...shared.map((name) => `...${name}`),
      ...entries.map(([name, one]) => `${propertyName(name)}: ${code(one, 0)}`),
    ];
    return bracketed("{", parts, "}", { indent, width: 75 - used, pad: " " });
  }
  if (typeof value === "string") return textLiteral(value);
  if (typeof value !== "object") return String(value);
  const parts = value.map((part) => code(part, 0));
  return bracketed("[", parts, "]", { indent, width: 75 - used });
}

/** Returns texts with the parameter `name` between them: \`…\${name}…\`. */
function patternLiteral(parts: readonly string[]): string {
  if (parts.every((part) => part === "") && parts.length === 2) return "name";
  const texts = parts.map((part) =>
    textLiteral(part).slice(1, -1).replaceAll('\\"', '"').replaceAll("`", "\\`").replaceAll("${", "\\${"),
  );
  // biome-ignore lint/suspicious/noTemplateCurlyInString: it is code.
  return `\`${texts.join("${name}")}\``;
}

export function propertyName(name: string): string {
  return /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u.test(name) ? name : textLiteral(name);
}

export function textLiteral(text: string): string {
  return quoted(text, (hex) => `\\u{${hex}}`);
}

function manifests({ name, dependency }: NewProject): Record<string, string> {
  const manifest = {
    name: name.toLowerCase(),
    private: true,
    main: "index.ts",
    dependencies: { "@pulumi/pulumi": "^3.216.0", "pulumi-buildpipeline": dependency },
    devDependencies: { ...LAUNCHER, typescript: ">=5.8 <7" },
  };
  const compiler = {
    compilerOptions: {
      target: "es2022",
      module: "nodenext",
      moduleResolution: "nodenext",
      rootDir: ".",
      strict: true,
      skipLibCheck: true,
      noEmit: true,
    },
  };
  return {
    "package.json": `${JSON.stringify(manifest, undefined, 2)}\n`,
    "tsconfig.json": `${JSON.stringify(compiler, undefined, 2)}\n`,
  };
}
