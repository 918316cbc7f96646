// What the processes of a command take of the memory and the processor, as Linux has it.
import { readdirSync, readFileSync } from "node:fs";

/** The clock ticks in which Linux counts a processor's time. */
const TICK_MS = 10;

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
export function watchedProcesses(line) {
  /** @type {Record<string, number>} */
  const megabytes = {};
  /** @type {Map<string, { name: string, ms: number }>} */
  const processor = new Map();
  const look = () => {
    for (const id of processes()) {
      const found = usageOf(id, line);
      if (found === undefined) continue;
      megabytes[found.name] = Math.max(found.megabytes, megabytes[found.name] ?? 0);
      processor.set(id, found);
    }
  };
  const timer = setInterval(look, EVERY_MS);
  const before = endedMs();
  return {
    end() {
      clearInterval(timer);
      /** @type {Record<string, number>} */
      const processorMs = { all: endedMs() - before };
      for (const { name, ms } of processor.values()) processorMs[name] = (processorMs[name] ?? 0) + ms;
      return {
        megabytes: Object.fromEntries(
          Object.entries(megabytes).map(([name, most]) => [name, Math.round(most)]),
        ),
        processorMs,
      };
    },
  };
}

/** The processor's time of all processes that this one started, and that have ended. */
function endedMs() {
  return timesOf("self").ofChildren;
}

/** The processor's time of a process, and of its children that have ended. @param {string} id */
function timesOf(id) {
  try {
    const stat = readFileSync(`/proc/${id}/stat`, "utf8");
    // The name may have blanks. After it, the 12th to the 15th fields are the times: user and system, own and of children.
    const fields = stat
      .slice(stat.lastIndexOf(")") + 2)
      .split(" ")
      .map(Number);
    const [user = 0, system = 0, ofChildren = 0, systemOfChildren = 0] = fields.slice(11, 15);
    return { own: (user + system) * TICK_MS, ofChildren: (ofChildren + systemOfChildren) * TICK_MS };
  } catch {
    return { own: 0, ofChildren: 0 }; // It has ended, or the system has no /proc.
  }
}

/** Processes that are known not to belong to the command. @type {Set<string>} */
const others = new Set();

/** @param {string} id @param {string} line */
function usageOf(id, line) {
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
      : { name: names[part] ?? part, megabytes: Number(kilobytes) / 1024, ms: timesOf(id).own };
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
