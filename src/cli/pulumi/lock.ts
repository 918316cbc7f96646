import { existsSync, readdirSync, readFileSync } from "node:fs";
import { homedir, hostname } from "node:os";
import { dirname, join, resolve } from "node:path";
import * as z from "zod";
import { withoutCredentials } from "../../shared/messages/secrets.js";
import { startOf } from "../process/running.js";
import { settingsIn } from "./project-folder.js";
import { onStack, type Project, pulumi } from "./pulumi.js";

const lockSchema = z
  .object({ username: z.string(), hostname: z.string(), pid: z.number(), timestamp: z.string() })
  .partial();

/** A lock of a stack, as Pulumi writes it. A damaged one has no fields. */
interface StackLock extends z.output<typeof lockSchema> {
  /** Whether its process runs. `unknown`: it ran on another machine. */
  readonly process: "running" | "ended" | "unknown";
}

/** A deployment holds the lock until it ends, and a killed one for ever. */
export interface Locks {
  readonly backend: string;
  /** The name of the stack, without its organization. */
  readonly stack: string;
  /** Undefined: the backend isn't a directory of this machine, so that nobody knows. */
  readonly locks: readonly StackLock[] | undefined;
}

/** Where a stack's state is. */
export interface StateStore {
  readonly backend: string;
  /** The name of the stack, without its organization. */
  readonly stack: string;
  /** Undefined: it isn't in a directory of this machine. */
  readonly folder: string | undefined;
  /** What the stack's files may be called in the folder's parts. Older backends keep stacks without their project. */
  readonly names: readonly string[];
}

/** @throws PulumiError */
export async function storeOf(project: Project): Promise<StateStore> {
  const { directory } = project;
  const [account, shown] = await Promise.all([
    pulumi(directory, ["whoami", "--json", "--non-interactive"]),
    onStack(project, ["stack", "--show-name"]),
  ]);
  const { url: backend } = z.object({ url: z.string() }).parse(JSON.parse(account));
  const stack = shown.trim().split("/").at(-1) ?? "";
  const folder = join(directoryOf(backend, directory), ".pulumi");
  const names = [join(settingsIn(directory)?.name ?? "", stack), stack];
  const isHere = backend.startsWith("file://") && existsSync(folder);
  return { backend, stack, names, folder: isHere ? folder : undefined };
}

/** @throws PulumiError */
export async function locksOf(project: Project): Promise<Locks> {
  const { backend, stack, folder: state, names } = await storeOf(project);
  if (state === undefined) return { backend, stack, locks: undefined };
  const folder = join(state, "locks");
  const [name = "", ...older] = names;
  const places = [join("organization", name), ...older];
  const files = existsSync(folder) ? readdirSync(folder, { recursive: true, encoding: "utf8" }) : [];
  const own = files.filter((file) => file.endsWith(".json") && places.includes(dirname(file)));
  return { backend, stack, locks: own.flatMap((file) => lockIn(join(folder, file)) ?? []) };
}

function directoryOf(backend: string, project: string): string {
  const [path = ""] = backend.slice("file://".length).split("?");
  return path.startsWith("~") ? join(homedir(), path.slice(1)) : resolve(project, path);
}

/** Undefined if the lock was released meanwhile. */
function lockIn(file: string): StackLock | undefined {
  try {
    const lock = lockSchema.parse(JSON.parse(readFileSync(file, "utf8")));
    if (lock.hostname !== hostname() || lock.pid === undefined) return { ...lock, process: "unknown" };
    return { ...lock, process: startOf(lock.pid) === undefined ? "ended" : "running" };
  } catch {
    return existsSync(file) ? { process: "unknown" } : undefined;
  }
}

export function lockInWords({ username, hostname, pid, timestamp, process: runs }: StackLock): string {
  const who = `The stack is locked by ${username ?? "someone"}@${hostname ?? "an unknown machine"} (process ${pid ?? "unknown"}) since ${timestamp ?? "an unknown time"}`;
  const ends = {
    running: "A process with this number runs on this machine.",
    ended: "That process no longer runs on this machine.",
    unknown: "Whether that process still runs can't be seen from this machine.",
  };
  return `${who}. ${ends[runs]}`;
}

export function unknownLockInWords(backend: string): string {
  return `Whether the stack is locked is unknown, because its state isn't in a directory of this machine (${withoutCredentials(backend)}).`;
}
