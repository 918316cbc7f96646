import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { expect, vi } from "vitest";
import { BuildPipelineClient, type Clock } from "../../src/client/index.js";
import type { Emulator } from "../../src/emulator/index.js";
import { environment } from "./environment.mjs";

export const DIST = join(__dirname, "..", "..", "dist");
export const command = join(DIST, "commands", "main.js");
const load = createRequire(__filename);
const { run }: { run(args: readonly string[]): Promise<void> } = load(join(DIST, "commands", "program.js"));
const { systemClock }: { systemClock: Clock } = load(join(DIST, "client", "index.js"));

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Surroundings {
  readonly env?: Readonly<Record<string, string>>;
  /** Standard input. Default: empty. */
  readonly input?: string | Buffer;
  readonly cwd?: string;
}

interface SurroundingsHere extends Surroundings {
  /** The clock of its waits. Default: real time. */
  readonly clock?: Clock;
  /** The width of a terminal without colors, to which it then writes. Default: no terminal. */
  readonly columns?: number;
}

let last: Promise<unknown> = Promise.resolve();

/**
 * Runs the built `buildpipeline` in this process, which takes a tenth of the time of a process of its own. A command
 * has the process's directory, environment and streams while it runs, so one runs after another.
 */
export function buildpipeline(args: readonly string[], surroundings: SurroundingsHere = {}): Promise<Ended> {
  const ended = last.then(() => runHere(args, surroundings));
  last = ended.catch(() => undefined);
  return ended;
}

/** Returns what a command prints that succeeds and says nothing on standard error. */
export async function printed(args: readonly string[], surroundings?: Surroundings): Promise<string> {
  const { code, stdout, stderr } = await buildpipeline(args, surroundings);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  return stdout;
}

async function runHere(
  args: readonly string[],
  { cwd, env, input = "", clock, columns }: SurroundingsHere,
): Promise<Ended> {
  const before = { cwd: process.cwd(), env: process.env, code: process.exitCode, clock: { ...systemClock } };
  const terminal = columns === undefined ? {} : { isTTY: true, columns, getColorDepth: () => 1 };
  const written = { stdout: "", stderr: "" };
  const streams = (["stdout", "stderr"] as const).map((name) => {
    const stream = process[name];
    const { isTTY, columns, getColorDepth } = stream;
    Object.assign(stream, terminal);
    const spy = vi.spyOn(stream, "write").mockImplementation((chunk) => {
      written[name] += typeof chunk === "string" ? chunk : Buffer.from(chunk).toString();
      return true;
    });
    return () => {
      spy.mockRestore();
      Object.assign(stream, { isTTY, columns, getColorDepth });
    };
  });
  const stdin = vi.spyOn(process, "stdin", "get").mockReturnValue(Readable.from([input]) as never);
  process.chdir(cwd ?? tmpdir());
  process.env = environment(env);
  process.exitCode = undefined;
  Object.assign(systemClock, clock);
  try {
    await run(args);
    return { code: Number(process.exitCode ?? 0), ...written };
  } finally {
    process.chdir(before.cwd);
    process.env = before.env;
    process.exitCode = before.code;
    Object.assign(systemClock, before.clock);
    for (const restore of streams) restore();
    stdin.mockRestore();
  }
}

/** Runs `buildpipeline` as a user does: in a process of its own. */
export async function buildpipelineProcess(
  args: readonly string[],
  { cwd, env, input = "" }: Surroundings = {},
): Promise<Ended> {
  const child = spawn(process.execPath, [command, ...args], {
    cwd: cwd ?? tmpdir(),
    env: environment(env),
  });
  const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
  child.stdin.on("error", () => undefined); // It may end without reading everything.
  child.stdin.end(input);
  const [stdout, stderr, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  return { code, stdout, stderr };
}

export type ServiceAddress = Pick<Emulator, "url" | "accessToken" | "organization">;

/** The settings that lead to an emulator, as a shell would have them. */
export function settingsOf(
  emulator: ServiceAddress,
  accessToken = emulator.accessToken,
): Record<string, string> {
  return {
    BUILDPIPELINE_BASE_URL: emulator.url,
    BUILDPIPELINE_ACCESS_TOKEN: accessToken,
    BUILDPIPELINE_ORGANIZATION: emulator.organization,
  };
}

export function clientOf({ url: baseUrl, accessToken, organization }: ServiceAddress): BuildPipelineClient {
  return new BuildPipelineClient({ baseUrl, accessToken, organization });
}

export class Scratch {
  readonly directory = mkdtempSync(join(tmpdir(), "buildpipeline-"));

  path(name: string): string {
    return join(this.directory, name);
  }

  remove(): void {
    rmSync(this.directory, { recursive: true, force: true });
  }
}

/** A pattern of what a terminal would obey. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
export const OBEYED = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/;
