import { spawn, spawnSync } from "node:child_process";
import { text } from "node:stream/consumers";
import { command, type Surroundings } from "./command.js";
import { environment } from "./environment.mjs";

/** Whether this machine has `script` of util-linux, which gives a command a terminal. */
export const hasPseudoTerminal = (() => {
  const version = spawnSync("script", ["--version"], { encoding: "utf8" }).stdout;
  const found = version?.includes("util-linux") === true;
  if (!found) console.warn("Skipped: tests on a terminal need `script` of util-linux.");
  return found;
})();

interface Shown {
  readonly code: number | null;
  /** All characters, colors included. */
  readonly written: string;
  /** The lines that a person sees in the end. */
  readonly lines: readonly string[];
}

interface Terminal extends Pick<Surroundings, "cwd" | "env"> {
  /** Its width; default: unknown. */
  readonly columns?: number;
  /** File that receives standard error in its place. */
  readonly stderr?: string;
  /** Keys that are typed once the command has written a text. */
  readonly typed?: { readonly after: string; readonly keys: string };
}

/** Runs `buildpipeline` on a terminal of its own. */
export async function onTerminal(
  args: readonly string[],
  { cwd, env, columns, stderr, typed }: Terminal = {},
): Promise<Shown> {
  const words = [process.execPath, command, ...args].map((word) => `'${word.replaceAll("'", "'\\''")}'`);
  if (stderr !== undefined) words.push(`2>${stderr}`);
  const size = columns === undefined ? "" : `stty columns ${columns}; `;
  const child = spawn("script", ["--quiet", "--return", "--command", size + words.join(" "), "/dev/null"], {
    ...(cwd === undefined ? {} : { cwd }),
    env: { ...environment(env), TERM: "xterm-256color", SHELL: "/bin/sh" },
    stdio: ["pipe", "pipe", "inherit"],
  });
  if (typed === undefined) child.stdin.end();
  child.stdout.on("data", (data) => {
    if (typed !== undefined && String(data).includes(typed.after)) child.stdin.write(typed.keys);
  });
  const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
  const written = await text(child.stdout);
  return { code: await ended, written, lines: shown(written) };
}

/** Returns lines as a terminal shows them after a return to the start of a line and the removal of its rest. */
function shown(written: string): string[] {
  return written.split("\n").map((line) => {
    let text = "";
    let at = 0;
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what a terminal obeys
    for (const [part] of line.matchAll(/\r|\u001b\[[\d;]*[A-Za-z]|[^\r\u001b]+/gu)) {
      if (part === "\r") at = 0;
      else if (part === "\u001b[K") text = text.slice(0, at);
      else if (!part.startsWith("\u001b")) {
        text = text.slice(0, at).padEnd(at) + part + text.slice(at + part.length);
        at += part.length;
      }
    }
    return text;
  });
}
