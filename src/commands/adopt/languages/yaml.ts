import { typeToken } from "../../../shared/protocol/type-token.js";
import { quoted } from "./layout.js";
import { ProgramNames } from "./names.js";
import {
  type Declaration,
  FileText,
  type ProgramFile,
  Reference,
  Secret,
  type Value,
  ValueMap,
} from "./program-file.js";
import { type Parts, valuesIn } from "./regular.js";

export const yaml = {
  title: "YAML",
  file: "Main.yaml",
  comment: "#",
  program,
  runtime: "yaml",
  ignored: ["sdks/"],
};

/** Names that need no quotes as a key, and none in a reference. `pulumi` is Pulumi's own. */
const KEY = /^(?!pulumi$)[a-z][a-z0-9-]*$/;

/** Text that no parser of YAML takes for anything else. */
const PLAIN = /^(?!(?:y|n|yes|no|on|off|true|false|null)$)[a-z][a-z0-9_/-]*(?: [a-z0-9_/-]+)*$/i;

function program(_file: ProgramFile, parts: Parts): string {
  const { declarations } = parts;
  const secrets = valuesIn(parts).filter((value) => value instanceof Secret);
  const names = new ProgramNames(secrets.map(({ key }) => key));
  const keys = new Map<string, string>();
  const resources = declarations.map((declaration) => {
    const { identifier, logicalName } = declaration;
    const key = isKey(logicalName)
      ? names.take(logicalName, `${logicalName}-${declaration.className.toLowerCase()}`)
      : names.take(identifier ?? "resource");
    if (identifier !== undefined) keys.set(identifier, key);
    return resource(key, declaration, keys);
  });
  const config = secrets.map(({ key }) => `  ${key}:\n    type: string\n    secret: true\n`);
  return `${config.length > 0 ? `config:\n${config.join("")}` : ""}resources:\n${resources.join("")}`;
}

function isKey(logicalName: string): boolean {
  return KEY.test(logicalName) && PLAIN.test(logicalName);
}

/** @param keys of resources by their identifiers, in any order of the declarations */
function resource(key: string, declaration: Declaration, keys: ReadonlyMap<string, string>): string {
  const { className, logicalName, args, ignoreChanges, protect, comments } = declaration;
  const properties = Object.entries(args).map(([name, value]) => `      ${name}:${code(value, keys)}\n`);
  return [
    ...comments.map((comment) => `  # ${comment}\n`),
    `  ${key}:\n    type: ${typeToken(className, "plugin")}\n`,
    ...(key === logicalName ? [] : [`    name: ${text(logicalName)}\n`]),
    `    properties:\n${properties.join("")}`,
    ...(ignoreChanges.length > 0 || protect ? ["    options:\n"] : []),
    ...(ignoreChanges.length === 0 ? [] : [`      ignoreChanges: [${ignoreChanges.join(", ")}]\n`]),
    ...(protect ? ["      protect: true\n"] : []),
  ].join("");
}

function code(value: Value, keys: ReadonlyMap<string, string>): string {
  if (value instanceof FileText) return `\n        fn::readFile: ${text(value.path)}`;
  if (value instanceof Secret) return ` \${${value.key}}`;
  if (value instanceof ValueMap)
    return value.entries.map(([name, entry]) => `\n        ${quoted(name)}:${code(entry, keys)}`).join("");
  if (typeof value !== "object") return ` ${typeof value === "string" ? text(value) : value}`;
  if (value instanceof Reference) return ` \${${keys.get(value.identifier)}.id}`;
  return (Array.isArray(value) ? value : []).map((part) => `\n        -${code(part, keys)}`).join("");
}

/** In YAML programs of Pulumi, `$` begins a reference. */
function text(value: string): string {
  return PLAIN.test(value) ? value : quoted(value.replaceAll("$", "$$$$"));
}
