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
import { mapType, pluginSchema } from "./project-files.js";

export const python = {
  title: "Python",
  file: "__main__.py",
  program,
  runtime: { name: "python", options: { toolchain: "pip", virtualenv: "venv" } },
  ignored: ["venv/", "sdks/", "__pycache__/"],
  manifests,
};

const LAYOUT = { step: "    ", width: 88 };

function program(file: ProgramFile): string {
  const options =
    file.readsSecrets || file.declarations.some(({ ignoreChanges }) => ignoreChanges.length > 0);
  return `import signal
${file.readsFiles ? "from pathlib import Path\n" : ""}
${options ? "import pulumi\n" : ""}import pulumi_buildpipeline as buildpipeline

# Pulumi interrupts the program after an error. Without this line, Python prints a traceback for that.
signal.signal(signal.SIGINT, signal.SIG_DFL)

${file.declarations.map(statement).join("\n\n")}
`;
}

function statement(declaration: Declaration): string {
  const { identifier, className, logicalName, args, ignoreChanges, comments } = declaration;
  const variable = identifier === undefined ? "" : `${snakeCase(identifier)} = `;
  const ignored = code(ignoreChanges.map(snakeCase), "ignore_changes=");
  const parts = [
    quoted(logicalName),
    ...Object.entries(args).map(([name, value]) =>
      code(value, `${snakeCase(name)}=`, mapType(className, name).own !== undefined),
    ),
    ...(ignoreChanges.length === 0 ? [] : [`opts=pulumi.ResourceOptions(${ignored})`]),
  ];
  return [
    ...comments.map((comment) => `# ${comment}`),
    bracketed(`${variable}buildpipeline.${className}(`, parts, ")", LAYOUT),
  ].join("\n");
}

/** @param isOwn true for a map of the package's own type, whose keys are arguments */
function code(value: Value, before = "", isOwn = false): string {
  if (value instanceof Reference) return `${before}${snakeCase(value.identifier)}.id`;
  if (value instanceof FileText) return `${before}Path(${quoted(value.path)}).read_bytes().decode()`;
  if (value instanceof Secret) return `${before}pulumi.Config().require_secret(${quoted(value.key)})`;
  if (value instanceof ValueMap) {
    const entries = value.entries.map(([name, one]) =>
      code(one, `${quoted(isOwn ? snakeCase(name) : name)}: `),
    );
    return bracketed(`${before}{`, entries, "}", { ...LAYOUT, indent: "    " });
  }
  if (typeof value === "string") return before + quoted(value);
  if (typeof value === "boolean") return before + (value ? "True" : "False");
  if (typeof value === "number") return before + String(value);
  const parts = value.map((part) => code(part));
  return bracketed(`${before}[`, parts, "]", { ...LAYOUT, indent: "    " });
}

/** Returns the name of an argument as Python writes it: `clusterId` becomes `cluster_id`. */
function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

function manifests(): Record<string, string> {
  const { name, language } = pluginSchema();
  return { "requirements.txt": `pulumi${language.python.requires.pulumi}\nsdks/${name}\n` };
}
