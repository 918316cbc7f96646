import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Command } from "commander";
import { ENVIRONMENT, type SettingKey } from "../configuration/settings.js";
import type { Declared } from "../import/declared-resources.js";
import type { FoundResource } from "../import/find-declared.js";
import type { ImportedResource } from "../import/import-file.js";
import type { ImportPair } from "../import/pairs.js";
import { counted } from "../messages/nouns.js";
import { importResources, onStack, type Project, PulumiError } from "../project/pulumi.js";
import type { Found } from "../project/settings.js";
import { commandWithVerdict, EXIT, SETTINGS_HELP, verdict } from "./command.js";
import { readText } from "./files.js";
import { json, note, progress } from "./terminal.js";

interface Flags {
  file?: string;
  stack?: string;
  dryRun: boolean;
  yes: boolean;
  json: boolean;
}

/** `buildpipeline import`: imports existing objects into declared resources. */
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
  const { findSettings } = await import("../project/settings.js");
  const { values, project } = await findSettings(flags.stack);
  if (project === undefined) {
    throw new Error("Run this in the directory of a Pulumi project (one with Pulumi.yaml).");
  }
  const declared = await readProgram(project);
  const { findDeclared } = await import("../import/find-declared.js");
  const stackSettings: Partial<Record<SettingKey, Found>> = values;
  const { found, imported } = await findDeclared(declared, pairs, {
    stack: (setting) => stackSettings[setting]?.value,
    // An import that was interrupted goes on where it ended.
    goesOn: flags.file !== undefined,
    onFound: (count) => progress(`Objects found: ${count} of ${pairs.length}`),
  });
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
  const { importPair, parsePairs } = await import("../import/pairs.js");
  if (file !== undefined && kind === undefined) return parsePairs(await readText(file));
  if (file !== undefined || kind === undefined || name === undefined || importName === undefined) {
    throw new Error("Give <kind> <name> <import name>, or --file with lines of them.");
  }
  return [importPair(kind, name, importName)];
}

/** Returns the declared resources that the stack lacks, from a preview. */
async function readProgram(project: Project): Promise<Declared> {
  const { readDeclared } = await import("../import/declared-resources.js");
  return inPrivate(async (directory) => {
    const file = join(directory, "import.json");
    const args = ["preview", "--json", "--show-sames", "--import-file", file];
    let printed: string;
    try {
      // Offline: objects that are about to be imported don't conflict with a creation.
      printed = await onStack(project, args, { [ENVIRONMENT.offline]: "true" });
    } catch (error) {
      throw error instanceof PulumiError ? new Error(await reasonOf(error)) : error;
    }
    return readDeclared(JSON.parse(printed), JSON.parse(readFileSync(file, "utf8")));
  });
}

/** Returns the reason for a failed preview. */
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

async function importAll(
  declared: Declared,
  imported: ReadonlyMap<ImportedResource, ImportedResource>,
  project: Project,
  yes: boolean,
): Promise<void> {
  const { importFileFor } = await import("../import/declared-resources.js");
  const { importFileText } = await import("../import/import-file.js");
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

function printFound({ type, name, id, differences }: FoundResource): void {
  note(`${type.slice(type.lastIndexOf(":") + 1)} ${JSON.stringify(name)} is ${id}.`);
  for (const difference of differences) note(`  ${difference}`);
}
