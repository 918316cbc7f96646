import type { Command } from "commander";
import { untilInterrupted } from "../../cli/process/interruption.js";
import { commandWithVerdict, EXIT, EXIT_CODES, SETTINGS_HELP, verdict } from "../../cli/terminal/command.js";
import { agreed, json, note, paint, progress, result } from "../../cli/terminal/terminal.js";
import { parseConnection } from "../../shared/configuration/settings.js";
import { visible } from "../../shared/messages/foreign-text.js";
import { counted } from "../../shared/messages/nouns.js";
import type { LeftBehind } from "./clean.js";
import type { Answered } from "./probe.js";

const MAKES =
  "It makes and removes a cluster with three queues and an agent token, a pipeline template, two secret teams and up to " +
  "three test suites.";

export function probeCommand(): Command {
  return commandWithVerdict("probe")
    .description("Test a live API for behavior that its documentation leaves open.")
    .option("--write", "also create objects for the test, and remove them afterwards", false)
    .option("--yes", "don't ask for confirmation", false)
    .option(
      "--clean",
      "remove objects that a killed probe created, according to its file in this directory",
      false,
    )
    .option(
      "--record <folder>",
      "also write the requests and responses there, without names, ids and secrets",
    )
    .option("--stack <name>", "the stack whose configuration to use (default: the selected one)")
    .option("--json", "print JSON for `emulator --like`: { answers, reasons }", false)
    .addHelpText(
      "after",
      `
Without --write, the probe only reads. With --write, it creates a cluster, a pipeline template, two secret teams and up to
three test suites, whose names begin with "buildpipeline-probe-" and a random number. The probe removes all of them when it
ends, also after an error or Ctrl-C. It changes no object that it didn't create, creates no default team, starts and cancels
no builds, and stops no agents. It neither prints nor stores secrets. With --record, read the file before you give it away.
${SETTINGS_HELP}

Examples:
  buildpipeline probe
  buildpipeline probe --write --json > probe.json
  buildpipeline emulator --like probe.json
  buildpipeline probe --write --record evidence
  buildpipeline probe --clean
${EXIT_CODES("the probe was stopped, or objects that it created remain; the output names them", "the probe ended, and removed all its objects")}`,
    )
    .action(verdict(run));
}

async function run(flags: {
  write: boolean;
  yes: boolean;
  clean: boolean;
  record?: string;
  stack?: string;
  json: boolean;
}): Promise<number> {
  const { findSettings } = await import("../../cli/pulumi/project-settings.js");
  const { values } = await findSettings(flags.stack);
  const { connection, problems } = parseConnection((name) => values[name]?.value, process.env);
  const [problem] = problems;
  if (problem !== undefined) throw new Error(`${problem.setting} ${problem.words}.`);

  const directory = process.cwd();
  const { asFile, cleanUp, mostRequests, probe } = await import("./probe.js");
  const onWait = (seconds: number) => progress(`Waiting for the rate limit; resuming in ${seconds}s`);
  if (flags.clean) {
    const { ledgers, left, marked } = await cleanUp(connection, directory, { onWait });
    note(ledgers === 0 ? "No file of a probe is in this directory." : `Probes cleaned up: ${ledgers}.`);
    // Warning not-of-a-probe: The object's name begins like those of a probe, but no file in this directory has its
    // random number.
    // Fix: Run the command where the probe ran, or delete the object yourself if it is yours.
    for (const object of marked)
      note(`Left alone, because no file here proves that a probe made it: ${object}`);
    return reportLeft(left);
  }

  const requests = mostRequests(flags.write);
  const { organization, baseUrl } = connection;
  const scope = flags.write ? MAKES : "It only reads.";
  note(`Asks ${organization} at ${baseUrl}, with at most ${requests} requests. ${scope}`);
  const canAsk = process.stdin.isTTY && process.stderr.isTTY;
  if (flags.write && !flags.yes && !(canAsk && (await agreed("Go on?")))) {
    throw new Error("Nothing was sent. To probe with --write without a terminal, add --yes.");
  }
  const onRequest = (sent: number, purpose: string) =>
    progress(`${purpose} (request ${sent} of at most ${requests})`);
  const recording = flags.record && new (await import("./recording.js")).Recording(flags.record);
  const options = {
    writes: flags.write,
    directory,
    onWait,
    onRequest,
    ...(recording && { onExchange: recording.add }),
  };
  const { answers, wasStopped, ...probed } = await untilInterrupted((signal) =>
    probe(connection, { ...options, signal }),
  ).finally(() => recording && note(`Requests and responses: ${recording.write()}`));
  result(flags.json ? json(asFile(answers)) : asText(answers));
  if (wasStopped) note("The probe was stopped before its end.");
  note(`Sent: ${counted(probed.requests, "request")}.`);
  return Math.max(reportLeft(probed.left), wasStopped ? EXIT.found : EXIT.clean);
}

function reportLeft(left: readonly LeftBehind[]): number {
  for (const { kind, name, id, why } of left) {
    note(
      `The ${kind} ${name} (${id ?? "id unknown"}) is left: ${why}. Run \`buildpipeline probe --clean\` here.`,
    );
  }
  return left.length === 0 ? EXIT.clean : EXIT.found;
}

function asText(answers: readonly Answered[]): string {
  const lines = answers.flatMap(
    ({ name, question: { asks, document = "doesn't say", copes }, value, reason }) => {
      const answer =
        reason === undefined ? paint("green", JSON.stringify(value)) : paint("dim", `unknown: ${reason}`);
      return [
        paint("bold", asks),
        `  ${name}: ${answer}`,
        `  The documentation: ${visible(document)}. The provider ${copes}.`,
        "",
      ];
    },
  );
  const count = answers.filter(({ reason }) => reason === undefined).length;
  return `${lines.join("\n")}\n${count} of ${answers.length} questions have an answer.\n`;
}
