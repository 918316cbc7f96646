import { once } from "node:events";
import { type Command, InvalidArgumentError } from "commander";
import { commandWithVerdict, EXIT, verdict } from "../../cli/terminal/command.js";
import { seconds } from "../../cli/terminal/options.js";
import { result } from "../../cli/terminal/terminal.js";
import type { Emulator, EmulatorOptions, FaultRule } from "../../emulator/index.js";
import { shellWord } from "../../shared/messages/quoted.js";
import { faultHelp, parseFault } from "./faults.js";

interface Flags {
  port: number;
  host: string;
  data?: string;
  empty: boolean;
  organization?: string;
  limits: NonNullable<EmulatorOptions["limits"]>;
  jobSeconds?: number;
  like?: string;
  fault?: FaultRule[];
  json: boolean;
}

/** It finds nothing, so that the code of other commands for what was found is free. */
const FAILED = 1;

export function emulatorCommand(): Command {
  return commandWithVerdict("emulator", FAILED)
    .description("Run an emulator of the API on this machine, and print settings that connect to it.")
    .option("--port <number>", "port to listen on; 0 selects any free port", parsePort, 0)
    .option("--host <address>", "loopback address to listen on", "127.0.0.1")
    .option("--data <file>", "file to keep the state in (default: memory only)")
    .option(
      "--empty",
      "start a new organization without example pipelines, builds, agents, suites or other members",
      false,
    )
    .option("--organization <slug>", "slug of the organization (default: the slug in the data file, or acme)")
    .option(
      "--limits <limits>",
      "rate limits: off, real, or scaled:<factor> to make their windows shorter by this factor",
      parseLimits,
      "off",
    )
    .option(
      "--job-seconds <seconds>",
      "let agents run the jobs of their queues, so that each job passes after this time (default: jobs don't change)",
      seconds,
    )
    .option("--like <file>", "behave like the API that `buildpipeline probe --json` described in this file")
    .option(
      "--fault <fault>",
      "inject faults into requests; see below (default: none)",
      (text, faults: readonly FaultRule[] = []) => [...faults, parseFault(text)],
    )
    .option("--json", "print the settings and the web page's address as one line of JSON", false)
    .addHelpText(
      "after",
      `
The command prints its settings to standard output, as lines that a shell can evaluate:
  export BUILDPIPELINE_BASE_URL=http://127.0.0.1:4567
  export BUILDPIPELINE_ACCESS_TOKEN=bpua_…
  export BUILDPIPELINE_ORGANIZATION=acme
${faultHelp}

Examples:
  buildpipeline emulator --port 4567 --data acme.db
  umask 077; buildpipeline emulator --empty --limits scaled:60 > settings.sh &
  buildpipeline emulator --fault "agentTokens.create after drop" --fault "GET 503 times=3"

Exit codes:
  0  the emulator was stopped by Ctrl-C or SIGTERM
  1  the emulator could not start, or its arguments were wrong`,
    )
    .action(verdict(run, FAILED));
}

async function run(flags: Flags): Promise<number> {
  const { emulatorOperations, startEmulator } = await import("../../emulator/index.js");
  const { fault: faults = [] } = flags;
  for (const { operation } of faults) {
    if (operation === undefined || emulatorOperations.some(({ id }) => id === operation)) continue;
    throw new Error(`--fault names ${operation}, but there is no such operation.`);
  }
  const { host, port, empty, limits, jobSeconds, like, data, organization } = flags;
  const starting = startEmulator({
    host,
    port,
    seed: !empty,
    limits,
    ...(jobSeconds !== undefined && { jobSeconds }),
    ...(like !== undefined && { like: await readProbe(like) }),
    ...(data !== undefined && { data }),
    ...(organization !== undefined && { organization }),
  });
  const emulator = await starting.catch((error: unknown) => {
    const taken = error instanceof Error && "code" in error && error.code === "EADDRINUSE";
    if (!taken) throw error;
    throw new Error(
      `Port ${port} is in use, perhaps by another emulator. Choose another with --port, or 0 for any.`,
      { cause: error },
    );
  });
  for (const rule of faults) emulator.fault(rule);
  const interrupted = Promise.race([once(process, "SIGINT"), once(process, "SIGTERM")]);
  result(flags.json ? `${JSON.stringify(settingsOf(emulator, data ?? null))}\n` : exportLines(emulator));
  if (process.stderr.isTTY) {
    process.stderr.write(
      `\nThe organization ${emulator.organization} as a page: ${emulator.pageUrl}\n` +
        "Copy the lines above into another terminal. Ctrl-C ends the emulator.\n",
    );
  }
  await interrupted;
  await emulator.close();
  return EXIT.clean;
}

function exportLines({ url, accessToken, organization }: Emulator): string {
  return (
    `export BUILDPIPELINE_BASE_URL=${shellWord(url)}\n` +
    `export BUILDPIPELINE_ACCESS_TOKEN=${shellWord(accessToken)}\n` +
    `export BUILDPIPELINE_ORGANIZATION=${shellWord(organization)}\n`
  );
}

function settingsOf(emulator: Emulator, data: string | null): Record<string, string | number | null> {
  const { url, pageUrl, accessToken, readOnlyAccessToken, spareAccessToken, organization } = emulator;
  const tokens = { accessToken, readOnlyAccessToken, spareAccessToken };
  return { baseUrl: url, page: pageUrl, ...tokens, organization, data, pid: process.pid };
}

async function readProbe(file: string): Promise<NonNullable<EmulatorOptions["like"]>> {
  const [{ readJson }, z] = await Promise.all([import("../../cli/terminal/files.js"), import("zod")]);
  const probed = z.object({ answers: z.record(z.string(), z.unknown()) });
  try {
    return probed.parse(await readJson(file));
  } catch (cause) {
    // Error probe-unknown: `emulator --like` was given another file, or one of another version of this package.
    // Fix: Run `buildpipeline probe --json` with this version, and pass its output.
    throw new Error(`--like ${file} is not a file that \`buildpipeline probe --json\` wrote.`, { cause });
  }
}

function parsePort(text: string): number {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65_535)
    throw new InvalidArgumentError("It must be a number from 0 to 65535.");
  return port;
}

function parseLimits(text: string): Flags["limits"] {
  if (text === "off" || text === "real") return text;
  const factor = Number(/^scaled:(\d+(?:\.\d+)?)$/.exec(text)?.[1]);
  if (!(factor > 0))
    throw new InvalidArgumentError("It must be off, real or scaled:<factor>, as in scaled:60.");
  return { windowSeconds: 60 / factor };
}
