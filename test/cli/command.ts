import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { vi } from "vitest";
import type { Emulator } from "../../src/emulator/index.js";

const COMMAND = join(__dirname, "..", "..", "dist", "cli", "main.js");

// Each command is a process of its own; on a busy machine some of them take their time.
vi.setConfig({ testTimeout: 90_000 });

/** How a command ended. */
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

/** Runs `buildpipeline` as a user does: the built command in a process of its own, with nothing of this one's settings. */
export async function buildpipeline(
  args: readonly string[],
  surroundings: Surroundings = {},
): Promise<Ended> {
  const child = spawn(process.execPath, [COMMAND, ...args], {
    cwd: surroundings.cwd ?? tmpdir(),
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
      ...surroundings.env,
    },
  });
  const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
  child.stdin.on("error", () => undefined); // It may end without reading everything.
  child.stdin.end(surroundings.input ?? "");
  const [stdout, stderr, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  return { code, stdout, stderr };
}

/** The settings that lead to an emulator, as a shell would have them. */
export function settingsOf(emulator: Emulator, accessToken = emulator.accessToken): Record<string, string> {
  return {
    BUILDPIPELINE_BASE_URL: emulator.url,
    BUILDPIPELINE_ACCESS_TOKEN: accessToken,
    BUILDPIPELINE_ORGANIZATION: emulator.organization,
  };
}

/** A directory for the files of one test. */
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
