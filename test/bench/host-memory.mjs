// How much memory the provider's host takes, as Linux tells it.
import { readdirSync, readFileSync } from "node:fs";

/** Often enough for a process that lives a second. */
const EVERY_MS = 20;

/**
 * The most memory that a host of dynamic providers had while something ran, in MB. Not a number where the system has no
 * /proc.
 *
 * @param {() => Promise<unknown>} run
 */
export async function hostMemory(run) {
  let most = Number.NaN;
  const timer = setInterval(() => {
    for (const megabytes of hosts()) most = Math.max(megabytes, Number.isNaN(most) ? 0 : most);
  }, EVERY_MS);
  await run();
  clearInterval(timer);
  return most;
}

/** What each host has had at most so far. */
function hosts() {
  return processes().flatMap((id) => {
    try {
      if (!readFileSync(`/proc/${id}/cmdline`, "utf8").includes("cmd/dynamic-provider/")) return [];
      const [, kilobytes] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${id}/status`, "utf8")) ?? [];
      return kilobytes === undefined ? [] : [Number(kilobytes) / 1024];
    } catch {
      return []; // It has ended.
    }
  });
}

function processes() {
  try {
    return readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  } catch {
    return [];
  }
}
