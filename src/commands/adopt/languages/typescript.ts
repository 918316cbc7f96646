import { bracketed, quoted } from "./layout.js";
import {
  type Declaration,
  FileText,
  type ProgramFile,
  Reference,
  Secret,
  type Value,
  ValueMap,
} from "./program-file.js";
import { LAUNCHER, type NewProject } from "./project-files.js";

export const typescript = {
  title: "TypeScript",
  file: undefined,
  program,
  runtime: "nodejs",
  ignored: ["node_modules/"],
  manifests,
};

function program(file: ProgramFile): string {
  const classes = new Set(file.declarations.map(({ className }) => className));
  const imports = [
    ...(file.readsFiles ? ['import { readFileSync } from "node:fs";'] : []),
    ...(file.readsSecrets ? ['import { Config } from "@pulumi/pulumi";'] : []),
    importStatement([...classes].sort(), file.entry),
    ...importStatements(file),
  ];
  return `${[imports.join("\n"), ...file.constants, ...file.declarations.map(statement)].join("\n\n")}\n`;
}

export function importStatements({ imports }: ProgramFile): string[] {
  return [...imports].map(([module, names]) => {
    const clauses = [...names].map(([name, local]) => (local === name ? name : `${name} as ${local}`));
    return importStatement(clauses, module);
  });
}

function importStatement(clauses: readonly string[], module: string): string {
  return bracketed("import {", clauses, `} from "${module}";`, { pad: " " });
}

function statement(declaration: Declaration): string {
  const { identifier, className, logicalName, args, ignoreChanges, comments } = declaration;
  const constant = identifier === undefined ? "" : `export const ${identifier} = `;
  const head = `${constant}new ${className}(${textLiteral(logicalName)}, `;
  const objects = [args, ...(ignoreChanges.length === 0 ? [] : [{ ignoreChanges }])].map(propertiesOf);
  const line = `${head}${objects.map((parts) => `{ ${parts.join(", ")} }`).join(", ")});`;
  const lines = () => objects.map((parts) => bracketed("{", parts, "}", { width: 0 })).join(", ");
  const fits = line.length <= 80 && !line.includes("\n");
  return [...comments.map((comment) => `// ${comment}`), fits ? line : `${head}${lines()});`].join("\n");
}

function propertiesOf(values: Readonly<Record<string, Value>>): string[] {
  return Object.entries(values).map(([name, value]) => `${propertyName(name)}: ${code(value, name.length)}`);
}

/** @param used characters of the line before it */
function code(value: Value, used: number): string {
  if (value instanceof Reference) return value.isId ? `${value.identifier}.id` : value.identifier;
  if (value instanceof FileText) return `readFileSync(${textLiteral(value.path)}, "utf8")`;
  if (value instanceof Secret) return `new Config().requireSecret(${textLiteral(value.key)})`;
  if (value instanceof ValueMap) {
    const entries = value.entries.map(([name, one]) => `${propertyName(name)}: ${code(one, 0)}`);
    return bracketed("{", entries, "}", { indent: "  ", width: 75 - used, pad: " " });
  }
  if (typeof value === "string") return textLiteral(value);
  if (typeof value !== "object") return String(value);
  const parts = value.map((part) => code(part, 0));
  return bracketed("[", parts, "]", { indent: "  ", width: 75 - used });
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
