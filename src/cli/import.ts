import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Command } from "commander";
import { type Declared, type DeclaredResource, MASKED } from "../adoption/declared-resources.js";
import type { ImportedResource } from "../adoption/import-file.js";
import type { ImportPair } from "../adoption/import-pairs.js";
import { ENVIRONMENT, resolveSettings, type SettingKey } from "../configuration/settings.js";
import type { ImportableObjects } from "../inventory/kinds.js";
import { counted } from "../messages/nouns.js";
import { secretNames } from "../protocol/properties.js";
import { backendOfType } from "../protocol/type-token.js";
import { commandWithVerdict, EXIT, SETTINGS_HELP, verdict } from "./command.js";
import { readText } from "./files.js";
import { importResources, onStack, type Project, PulumiError } from "./pulumi.js";
import { findSettings, SETTING_NAMES, type SettingName } from "./settings.js";
import { json, note, progress } from "./terminal.js";

interface Flags {
  file?: string;
  stack?: string;
  dryRun: boolean;
  yes: boolean;
  json: boolean;
}

/** A resource that was found. */
interface Found {
  readonly type: string;
  readonly name: string;
  readonly id: string;
  readonly differences: readonly string[];
}

/** `buildpipeline import`: makes declared resources own what exists. */
export function importCommand(): Command {
  return commandWithVerdict("import")
    .description("Import existing objects as resources that the program declares.")
    .argument("[kind]", "the class, such as Queue")
    .argument("[name]", "the resource's name in the program")
    .argument("[import name]", "the object, in the form of the import option, such as Linux/small")
    .option(
      "--file <pairs>",
      "several at once: a line <Kind> <name> <import name> for each; - for standard input",
    )
    .option("--stack <name>", "the stack (default: the selected one)")
    .option("--dry-run", "print what would be imported, and import nothing", false)
    .option("--yes", "ask nothing", false)
    .option("--json", "print JSON: { imported: [{ type, name, id, differences }] }", false)
    .addHelpText(
      "after",
      `
Runs in the project's directory. A preview lists what the program declares, with parents and explicit providers; the
objects are looked up in the lists; \`pulumi import\` writes them into the state. Nothing is changed on the service.
If the program differs from the object, the next preview shows an update.
${SETTINGS_HELP}

Examples:
  buildpipeline import Cluster linux Linux
  buildpipeline import Queue linux-small Linux/small --dry-run
  buildpipeline import --file pairs.txt --yes

Exit codes:
  0  imported
  2  the command failed, or its arguments were wrong`,
    )
    .action(verdict(run));
}

async function run(
  kind: string | undefined,
  name: string | undefined,
  importName: string | undefined,
  flags: Flags,
): Promise<number> {
  const pairs = await pairsOf(kind, name, importName, flags.file);
  const { values, project } = await findSettings(flags.stack);
  if (project === undefined) {
    throw new Error("Run this in the directory of a Pulumi project (one with Pulumi.yaml).");
  }
  const declared = await readProgram(project);
  const stackSettings = (setting: SettingKey) => (isConnection(setting) ? values[setting]?.value : undefined);
  const lookups = new Lookups(stackSettings);
  const found: Found[] = [];
  const imported = new Map<ImportedResource, ImportedResource>();
  try {
    for (const [index, pair] of pairs.entries()) {
      progress(`Objects found: ${index} of ${pairs.length}`);
      // An import that was interrupted goes on where it ended.
      const known = flags.file === undefined ? undefined : inState(declared, pair);
      const resource = known ?? resourceOf(declared, pair);
      const { id, entry, differences } = await lookups.find(resource, pair);
      if (known !== undefined) {
        requireSame(pair, known, id);
        continue;
      }
      imported.set(resource.entry, entry);
      found.push({ type: entry.type, name: pair.name, id, differences });
    }
  } finally {
    await lookups.close();
  }
  for (const one of found) printFound(one);
  const before = pairs.length - found.length;
  if (before > 0)
    note(`${counted(before, "resource")} of the file ${before === 1 ? "is" : "are"} in state already.`);
  if (!flags.dryRun && found.length > 0) await importAll(declared, imported, project, flags.yes);
  if (flags.json) process.stdout.write(json({ imported: found }));
  return EXIT.clean;
}

async function pairsOf(
  kind: string | undefined,
  name: string | undefined,
  importName: string | undefined,
  file: string | undefined,
): Promise<ImportPair[]> {
  const { importPair, parsePairs } = await import("../adoption/import-pairs.js");
  if (file !== undefined && kind === undefined) return parsePairs(await readText(file));
  if (file !== undefined || kind === undefined || name === undefined || importName === undefined) {
    throw new Error("Give <kind> <name> <import name>, or --file with lines of them.");
  }
  return [importPair(kind, name, importName)];
}

/** What the program declares and the stack does not have, as a preview tells it. */
async function readProgram(project: Project): Promise<Declared> {
  const { readDeclared } = await import("../adoption/declared-resources.js");
  return inPrivate(async (directory) => {
    const file = join(directory, "import.json");
    const args = ["preview", "--json", "--show-sames", "--import-file", file];
    let printed: string;
    try {
      // What is about to be imported is in the way of no creation.
      printed = await onStack(project, args, { [ENVIRONMENT.offline]: "true" });
    } catch (error) {
      throw error instanceof PulumiError ? new Error(await reasonOf(error)) : error;
    }
    return readDeclared(JSON.parse(printed), JSON.parse(readFileSync(file, "utf8")));
  });
}

/** What a failed preview said was wrong. */
async function reasonOf({ message, printed }: PulumiError): Promise<string> {
  const { readPreview } = await import("../report/preview.js");
  try {
    const { diagnostics } = readPreview(JSON.parse(printed));
    const errors = diagnostics.filter(({ severity }) => severity === "error");
    if (errors.length > 0)
      return `The program has no preview:\n${errors.map((one) => one.message).join("\n")}`;
  } catch {
    // It ended before it had anything to print.
  }
  return message;
}

function resourceOf({ resources }: Declared, { kind, name }: ImportPair): DeclaredResource {
  const matches = resources.filter((one) => one.kind === kind && one.name === name);
  const [only] = matches;
  if (only === undefined) {
    throw new Error(
      `The program declares no ${kind} ${JSON.stringify(name)} that is not in the stack's state yet. Declare it first; ` +
        "resources in state need no import.",
    );
  }
  if (matches.length > 1) {
    throw new Error(`The program declares ${matches.length} resources ${kind} ${JSON.stringify(name)}.`);
  }
  return only;
}

/** A resource of the program that an earlier import has brought into the state. */
function inState({ inState: resources }: Declared, { kind, name }: ImportPair): DeclaredResource | undefined {
  return resources.find((one) => one.kind === kind && one.name === name);
}

function requireSame({ kind, name, importName }: ImportPair, { id }: DeclaredResource, found: string): void {
  if (id?.toLowerCase() === found.toLowerCase()) return;
  throw new Error(
    `${kind} ${JSON.stringify(name)} is ${id} in state, and ${importName} is ${found}. ` +
      "Remove the line, or give the object another name in the program.",
  );
}

/** The objects of each provider's service. */
class Lookups {
  readonly #stack: (name: SettingKey) => string | undefined;
  readonly #objects = new Map<string, ImportableObjects>();

  constructor(stack: (name: SettingKey) => string | undefined) {
    this.#stack = stack;
  }

  async find(
    { inputs, entry, providerInputs }: DeclaredResource,
    { kind, importName }: ImportPair,
  ): Promise<{ id: string; entry: ImportedResource; differences: readonly string[] }> {
    const { withSecrets } = await import("../adoption/import-file.js");
    const objects = await this.#of(providerInputs);
    const { id, state, differences, unknownAtImport } = await objects.find(kind, importName, inputs, MASKED);
    const isNative = backendOfType(entry.type) === "plugin";
    if (unknownAtImport.length > 0 && !isNative) {
      throw new Error(
        `${kind}.${unknownAtImport.join(", ")}: is secret, and the API doesn't return it, so the state cannot be written. ` +
          "Remove the argument for the import, and add it back in a separate deployment.",
      );
    }
    // A plugin reads what it is to import.
    if (isNative) return { id, differences, entry: { ...entry, id: importName } };
    const secrets = secretNames(inputs);
    return {
      id,
      differences,
      entry: {
        ...entry,
        id,
        inputs: withSecrets(state.inputs, secrets),
        outputs: withSecrets(state.outputs, secrets),
      },
    };
  }

  async #of(provider: Readonly<Record<string, unknown>> | undefined): Promise<ImportableObjects> {
    const { ImportableObjects } = await import("../inventory/kinds.js");
    // A preview masks the access token of a provider: then it is the environment's or the stack's.
    const own = (name: SettingKey) => {
      const value = provider?.[`buildpipeline:${name}`] ?? provider?.[name];
      if (typeof value === "string" && value !== MASKED) return value;
      return (isConnection(name) && process.env[ENVIRONMENT[name]]) || this.#stack(name);
    };
    const settings = resolveSettings(provider === undefined ? this.#stack : own, process.env);
    const key = JSON.stringify(settings);
    const objects = this.#objects.get(key) ?? new ImportableObjects(settings);
    this.#objects.set(key, objects);
    return objects;
  }

  async close(): Promise<void> {
    await Promise.all([...this.#objects.values()].map((objects) => objects.close()));
  }
}

function isConnection(name: SettingKey): name is SettingName {
  return SETTING_NAMES.some((setting) => setting === name);
}

async function importAll(
  declared: Declared,
  imported: ReadonlyMap<ImportedResource, ImportedResource>,
  project: Project,
  yes: boolean,
): Promise<void> {
  const { importFileFor } = await import("../adoption/declared-resources.js");
  const { importFileText } = await import("../adoption/import-file.js");
  await inPrivate(async (directory) => {
    const file = join(directory, "import.json");
    writeFileSync(file, importFileText(importFileFor(declared, imported)), { mode: 0o600 });
    await importResources(project, file, yes);
  });
}

/** Works in a directory that only this user reads, as values of the program may be secret, and removes it. */
async function inPrivate<Result>(work: (directory: string) => Promise<Result>): Promise<Result> {
  const directory = mkdtempSync(join(tmpdir(), "buildpipeline-import-"));
  try {
    return await work(directory);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

function printFound({ type, name, id, differences }: Found): void {
  note(`${type.slice(type.lastIndexOf(":") + 1)} ${JSON.stringify(name)} is ${id}.`);
  for (const difference of differences) note(`  ${difference}`);
}
