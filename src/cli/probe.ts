import type { Command } from "commander";
import type { Answers } from "../probe/answers.js";
import type { LeftBehind } from "../probe/clean.js";
import { commandWithVerdict, EXIT, EXIT_CODES, SETTINGS_HELP, verdict } from "./command.js";
import { agreed, json, note, paint, printable, progress } from "./terminal.js";

interface Flags {
  write: boolean;
  yes: boolean;
  clean: boolean;
  stack?: string;
  json: boolean;
}

/** `buildpipeline probe`: sends requests to find out API behavior that the documentation leaves open. */
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
    .option("--stack <name>", "the stack whose configuration to use (default: the selected one)")
    .option("--json", "print JSON for `emulator --like`: { answers, reasons }", false)
    .addHelpText(
      "after",
      `
Without --write, the probe only reads. With --write, it creates a cluster, a pipeline template, two secret teams and up to
three test suites, whose names begin with "buildpipeline-probe-" and a random number. The probe removes all of them when it
ends, also after an error or Ctrl-C. It changes no object that it didn't create, creates no default team, starts and cancels
no builds, and stops no agents. It neither prints nor stores secrets.
${SETTINGS_HELP}

Examples:
  buildpipeline probe
  buildpipeline probe --write --json > probe.json
  buildpipeline emulator --like probe.json
  buildpipeline probe --clean
${EXIT_CODES("objects that the probe created remain; the output names them", "the probe ended, and removed all its objects")}`,
    )
    .action(verdict(run));
}

async function run(flags: Flags): Promise<number> {
  const { findSettings } = await import("../project/settings.js");
  const { parseConnection } = await import("../configuration/settings.js");
  const { values } = await findSettings(flags.stack);
  const { connection, problems } = parseConnection((name) => values[name]?.value, process.env);
  const [problem] = problems;
  if (problem !== undefined) throw new Error(`${problem.setting} ${problem.words}.`);

  const directory = process.cwd();
  const { cleanUp, plan, probe } = await import("../probe/probe.js");
  const onWait = (seconds: number) => progress(`Waiting for the rate limit; resuming in ${seconds}s`);
  if (flags.clean) {
    const { ledgers, left, marked } = await cleanUp(connection, { directory, onWait });
    note(ledgers === 0 ? "No file of a probe is in this directory." : `Probes cleaned up: ${ledgers}.`);
    for (const object of marked)
      note(`Left alone, because no file here proves that a probe made it: ${object}`);
    return reportLeft(left);
  }

  const { makes, requests } = plan(flags.write);
  const { organization, baseUrl } = connection;
  note(`Asks ${organization} at ${baseUrl}, with at most ${requests} requests. ${scopeOf(makes)}`);
  if (flags.write && !flags.yes && !(process.stdin.isTTY && (await agreed("Go on?")))) {
    throw new Error("Nothing was sent. To probe with --write without a terminal, add --yes.");
  }
  const stopping = new AbortController();
  const stop = () => stopping.abort();
  process.once("SIGINT", stop).once("SIGTERM", stop);
  let part = "";
  const result = await probe(connection, {
    writes: flags.write,
    directory,
    signal: stopping.signal,
    onWait,
    onPart: (text) => {
      part = text;
    },
    onRequest: (sent) => progress(`${part} (request ${sent} of at most ${requests})`),
  });
  process.off("SIGINT", stop).off("SIGTERM", stop);
  const { asFile } = await import("../probe/probe.js");
  process.stdout.write(flags.json ? json(asFile(result.answers)) : await asText(result.answers));
  if (result.wasStopped) note("The probe was stopped before its end.");
  note(`${result.requests} requests were sent.`);
  return reportLeft(result.left);
}

function scopeOf(makes: readonly string[]): string {
  if (makes.length === 0) return "It only reads.";
  return `It makes and removes ${makes.slice(0, -1).join(", ")} and ${makes.at(-1)}.`;
}

function reportLeft(left: readonly LeftBehind[]): number {
  for (const { kind, name, id, why } of left) {
    note(
      `The ${kind} ${name} (${id ?? "id unknown"}) is left: ${why}. Run \`buildpipeline probe --clean\` here.`,
    );
  }
  return left.length === 0 ? EXIT.clean : EXIT.found;
}

async function asText({ values, reasons }: Answers): Promise<string> {
  const { questions } = await import("../probe/questions.js");
  const { questionNames } = await import("../probe/probe.js");
  const lines = questionNames.flatMap((name) => {
    const { asks, document, copes } = questions[name];
    const reason = reasons[name];
    const answer =
      reason === undefined
        ? paint("green", JSON.stringify(values[name]))
        : paint("dim", `unknown: ${reason}`);
    return [
      paint("bold", asks),
      `  ${name}: ${answer}`,
      `  The documentation: ${printable(document)}. The provider ${copes}.`,
      "",
    ];
  });
  const count = questionNames.filter((name) => reasons[name] === undefined).length;
  return `${lines.join("\n")}\n${count} of ${questionNames.length} questions have an answer.\n`;
}
