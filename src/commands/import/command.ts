import type { Command } from "commander";
import { commandWithVerdict, EXIT, SETTINGS_HELP, verdict } from "../../cli/terminal/command.js";
import { readText } from "../../cli/terminal/files.js";
import { json, note, progress, result } from "../../cli/terminal/terminal.js";
import { counted } from "../../shared/messages/nouns.js";
import type { FoundResource } from "./find-declared.js";

interface Flags {
  file?: string;
  stack?: string;
  dryRun: boolean;
  yes: boolean;
  json: boolean;
}

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
    .option("--json", "print JSON: { imported: [{ type, name, id, differences, sends? }] }", false)
    .addHelpText(
      "after",
      `
Run it in the project's directory. It reads the program by a preview, with parents and explicit providers, finds the
objects in the API's lists, and runs \`pulumi import\`, which writes them into the state. It changes nothing on Buildkite.
If the program differs from the object, the next preview shows an update. An object that would be replaced is refused.
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
  const { importPair, parsePairs } = await import("./pairs.js");
  const { file } = flags;
  const readPairs = async () => {
    if (file !== undefined && kind === undefined) return parsePairs(await readText(file));
    if (file !== undefined || kind === undefined || name === undefined || importName === undefined)
      throw new Error("Give <kind> <name> <import name>, or --file with lines of them.");
    return [importPair(kind, name, importName)];
  };
  const pairs = await readPairs();
  const { importObjects } = await import("./import-objects.js");
  const imported = await importObjects(pairs, {
    ...flags,
    // An import that was interrupted goes on where it ended.
    goesOn: file !== undefined,
    onProgress: (found) => progress(`Objects found: ${found} of ${pairs.length}`),
    onFound: printFound,
  });
  if (flags.json) result(json({ imported }));
  return EXIT.clean;
}

function printFound(found: readonly FoundResource[], inState: number): void {
  for (const { type, name, id, differences, sends = [] } of found) {
    note(`${type.slice(type.lastIndexOf(":") + 1)} ${JSON.stringify(name)} is ${id}.`);
    for (const difference of differences) note(`  ${difference}`);
    // Error secret-unread: `import` or `recover` wrote a secret into the state, whose value nobody can read.
    // Fix: Check that the program has the value that jobs need, and deploy.
    for (const argument of sends)
      note(`  ${argument}: the API doesn't return it, so the next deployment sends what the program has.`);
  }
  if (inState > 0)
    note(`${counted(inState, "resource")} of the file ${inState === 1 ? "is" : "are"} in state already.`);
}
