import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";
import { command, environment, type Surroundings } from "./command.js";

/** Runs `buildpipeline` on a terminal of its own, and returns the lines that a person sees in the end. */
export async function onTerminal(
  args: readonly string[],
  { cwd, env }: Pick<Surroundings, "cwd" | "env"> = {},
): Promise<string[]> {
  const words = [process.execPath, command, ...args].map((word) => `'${word.replaceAll("'", "'\\''")}'`);
  // script(1) of util-linux: it gives the command a terminal, and copies what the command writes there.
  const child = spawn("script", ["--quiet", "--return", "--command", words.join(" "), "/dev/null"], {
    ...(cwd === undefined ? {} : { cwd }),
    env: { ...environment(env), TERM: "xterm", SHELL: "/bin/sh" },
    stdio: ["ignore", "pipe", "inherit"],
  });
  return shown(await text(child.stdout));
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
