// How much memory the processes of a command take, as Linux has it.
import { readdirSync, readFileSync } from "node:fs";

/** Often enough for a process that lives a second. */
const EVERY_MS = 20;

/** The processes of a deployment, by a part of their command lines. @type {Record<string, string>} */
const names = {
  "/cmd/run": "program",
  "/cmd/dynamic-provider": "provider",
  "pulumi-resource-buildpipeline": "provider",
  "/dist/commands/main.js": "command",
};

/**
 * Watches the processes whose environment has a line, until the end. Empty where the system has no /proc.
 *
 * @param {string} line
 */
export function peakMemory(line) {
  /** @type {Record<string, number>} */
  const megabytes = {};
  const look = () => {
    for (const id of processes()) {
      const found = peakOf(id, line);
      if (found !== undefined) megabytes[found.name] = Math.max(found.megabytes, megabytes[found.name] ?? 0);
    }
  };
  const timer = setInterval(look, EVERY_MS);
  return {
    end() {
      clearInterval(timer);
      return Object.fromEntries(Object.entries(megabytes).map(([name, most]) => [name, Math.round(most)]));
    },
  };
}

/** Processes that are known not to belong to the command. @type {Set<string>} */
const others = new Set();

/** @param {string} id @param {string} line */
function peakOf(id, line) {
  if (others.has(`${id} ${line}`)) return undefined;
  try {
    const command = readFileSync(`/proc/${id}/cmdline`, "utf8");
    const part = Object.keys(names).find((each) => command.includes(each));
    if (part === undefined) return undefined;
    if (!readFileSync(`/proc/${id}/environ`, "utf8").includes(line)) {
      others.add(`${id} ${line}`);
      return undefined;
    }
    const [, kilobytes] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${id}/status`, "utf8")) ?? [];
    return kilobytes === undefined
      ? undefined
      : { name: names[part] ?? part, megabytes: Number(kilobytes) / 1024 };
  } catch {
    return undefined; // It has ended, or is another user's.
  }
}

function processes() {
  try {
    return readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  } catch {
    return [];
  }
}
