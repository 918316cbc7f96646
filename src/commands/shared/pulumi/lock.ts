import { existsSync, readdirSync, readFileSync } from "node:fs";
import { homedir, hostname } from "node:os";
import { join, resolve, sep } from "node:path";
import { parse } from "yaml";
import * as z from "zod";
import { withoutCredentials } from "../../../shared/messages/secrets.js";
import { onStack, type Project, pulumi, SETTINGS_FILES } from "./pulumi.js";

const lockSchema = z
  .object({ username: z.string(), hostname: z.string(), pid: z.number(), timestamp: z.string() })
  .partial();

/** A lock of a stack, as Pulumi writes it. A damaged one has no fields. */
export interface StackLock extends z.output<typeof lockSchema> {
  /** Whether its process runs. `unknown`: it ran on another machine. */
  readonly process: "running" | "ended" | "unknown";
}

/** A deployment holds the lock until it ends, and a killed one for ever. */
export interface Locks {
  readonly backend: string;
  /** Undefined if the backend isn't a directory of this machine, so that nobody knows. */
  readonly locks: readonly StackLock[] | undefined;
}

/** Reads the locks of a stack whose state is in a directory. @throws PulumiError */
export async function locksOf(project: Project): Promise<Locks> {
  const { directory } = project;
  const [account, shown] = await Promise.all([
    pulumi(directory, ["whoami", "--json", "--non-interactive"]),
    onStack(project, ["stack", "--show-name"]),
  ]);
  const { url: backend } = z.object({ url: z.string() }).parse(JSON.parse(account));
  const state = join(directoryOf(backend, directory) ?? "", ".pulumi");
  if (!backend.startsWith("file://") || !existsSync(state)) return { backend, locks: undefined };
  const folder = join(state, "locks");
  const stack = shown.trim().split("/").at(-1) ?? "";
  // Older backends keep stacks without their project.
  const places = [join("organization", nameOf(directory), stack), stack];
  const files = existsSync(folder) ? readdirSync(folder, { recursive: true, encoding: "utf8" }) : [];
  const own = files.filter((file) =>
    places.some((place) => file.endsWith(".json") && file.split(sep).slice(0, -1).join(sep) === place),
  );
  return { backend, locks: own.flatMap((file) => lockIn(join(folder, file)) ?? []) };
}

function directoryOf(backend: string, project: string): string {
  const [path = ""] = backend.slice("file://".length).split("?");
  return path.startsWith("~") ? join(homedir(), path.slice(1)) : resolve(project, path);
}

function nameOf(directory: string): string {
  const file = SETTINGS_FILES.map((name) => join(directory, name)).find((path) => existsSync(path)) ?? "";
  return z.object({ name: z.string() }).parse(parse(readFileSync(file, "utf8"))).name;
}

/** Undefined if the lock was released meanwhile. */
function lockIn(file: string): StackLock | undefined {
  try {
    const lock = lockSchema.parse(JSON.parse(readFileSync(file, "utf8")));
    if (lock.hostname !== hostname() || lock.pid === undefined) return { ...lock, process: "unknown" };
    return { ...lock, process: isRunning(lock.pid) ? "running" : "ended" };
  } catch {
    return existsSync(file) ? { process: "unknown" } : undefined;
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // It belongs to another user.
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

/** Says who holds a lock, since when, and whether that process still runs. */
export function lockInWords({ username, hostname, pid, timestamp, process: runs }: StackLock): string {
  const who = `The stack is locked by ${username ?? "someone"}@${hostname ?? "an unknown machine"} (process ${pid ?? "unknown"}) since ${timestamp ?? "an unknown time"}`;
  const ends = {
    running: "A process with this number runs on this machine.",
    ended: "That process no longer runs on this machine.",
    unknown: "Whether that process still runs can't be seen from this machine.",
  };
  return `${who}. ${ends[runs]}`;
}

/** Says that nobody knows whether a stack is locked. */
export function unknownLockInWords(backend: string): string {
  return `Whether the stack is locked is unknown, because its state isn't in a directory of this machine (${withoutCredentials(backend)}).`;
}
