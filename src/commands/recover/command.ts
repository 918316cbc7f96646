import { setTimeout } from "node:timers/promises";
import type { Command } from "commander";
import { commandWithVerdict, EXIT, EXIT_CODES, SETTINGS_HELP, verdict } from "../../cli/terminal/command.js";
import { connected } from "../../cli/terminal/connection.js";
import { readResources, readStateOf } from "../../cli/terminal/files.js";
import { json, note, result } from "../../cli/terminal/terminal.js";
import type { Recovered } from "./recover.js";

interface Flags {
  stackExport?: string;
  others?: string[];
  stack?: string;
  yes: boolean;
  json: boolean;
}

export function recoverCommand(): Command {
  return commandWithVerdict("recover")
    .description("Say what an interrupted deployment left unfinished, and recover it.")
    .option("--yes", "import the objects, and clear the interrupted creations that are settled", false)
    .option(
      "--stack-export <file>",
      "the state to read (default: the selected stack's, in a project's directory); without --yes only",
    )
    .option("--others <files...>", "states of other stacks in the organization: their objects are left alone")
    .option("--stack <name>", "the stack (default: the selected one)")
    .option(
      "--json",
      "print JSON: { creations: [{ urn, outcome, objects, … }], deletions, repeated, imported, cleared, paused, resumed, locks }",
      false,
    )
    .addHelpText(
      "after",
      `
Reads the state: creations that began and didn't end (pending_operations), and deletions that are due (delete: true).
Then it looks for their objects in the lists of the API, which may lack what is younger than 15 seconds: it waits that long
after the state was written. Without --yes it changes nothing, and prints the commands.
With --yes it imports each object that no state has, if it is the only one of its name and equals the program. When each
interrupted creation is in state or confirmed absent, and only then, it runs pulumi refresh --clear-pending-creates,
which also refreshes the stack. An equal object of a colleague looks the same: compare its time and creator before --yes.
Agent tokens are never imported, because their secrets are lost: revoke them, then deploy.
If state is in a directory, a lock of the stack is shown with its process, and nothing is recovered while it exists.
Queues that a killed \`buildpipeline ci deploy\` left paused are found by its record in the folder review, beside the
project or above it, and --yes resumes them.
${SETTINGS_HELP}

Examples:
  buildpipeline recover
  buildpipeline recover --yes && pulumi up
  buildpipeline recover --stack-export state.json --json
${EXIT_CODES("something is left to do; the output says what", "nothing was interrupted, or all of it is recovered")}`,
    )
    .action(verdict(run));
}

async function run(flags: Flags): Promise<number> {
  if (flags.yes && flags.stackExport !== undefined) {
    throw new Error("--yes changes the state of a project's stack, so leave --stack-export out.");
  }
  const { locksOf } = await import("../../cli/pulumi/lock.js");
  const { readInterruption } = await import("./interruption.js");
  const { readPauses } = await import("./pauses.js");
  const { recover, recoveryText } = await import("./recover.js");
  return connected(flags, async ({ client, origin, settings, onProgress }) => {
    const { project } = settings;
    const locked =
      project === undefined || flags.stackExport !== undefined ? undefined : await locksOf(project);
    const locks = locked?.locks ?? [];
    const pauses = await readPauses(
      project && locked && { directory: project.directory, stack: locked.stack },
      { client, origin },
      flags.yes && locks.length === 0,
    );
    const others = await readResources(flags.others ?? []);
    const state = await readStateOf(flags.stackExport, project);
    if (state.interrupted.some(({ operation }) => operation === "creating"))
      await untilListed(state.writtenAt);
    const options = { client, origin, others, onProgress };
    const found = await readInterruption(state, options);
    const recovered: Recovered =
      flags.yes && project !== undefined && locks.length === 0
        ? await recover(state, found, project, options)
        : { left: found, imported: [], cleared: false };
    const { left, imported, cleared } = recovered;
    result(
      flags.json
        ? json({ ...left, imported, cleared, ...pauses, ...(locked && { locks: locked.locks ?? null }) })
        : recoveryText(recovered, locked, pauses),
    );
    const findings = left.creations.length + left.deletions.length + locks.length + pauses.paused.length;
    return findings > 0 ? EXIT.found : EXIT.clean;
  });
}

/** Waits until the lists have what Pulumi created just before it was killed: they lag behind, so an absence means nothing yet. */
async function untilListed(writtenAt = ""): Promise<void> {
  const { SETTLED_MS } = await import("../../provider/for-commands/objects.js");
  const left = SETTLED_MS - (Date.now() - Date.parse(writtenAt));
  if (!(left > 0 && left <= SETTLED_MS)) return;
  const seconds = Math.ceil(left / 1_000);
  note(`The state was written a moment ago, and lists may lack what was created then: waiting ${seconds} s.`);
  await setTimeout(left);
}
