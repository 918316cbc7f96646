import { visible } from "../../shared/messages/foreign-text.js";

/** A terminal that is closed, or a connection that breaks, sends SIGHUP. */
const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** npm passes on the Ctrl-C that a terminal has sent to both: within this time it is the same one. */
const SAME_SIGNAL_MS = 700;

interface Work {
  readonly controller: AbortController;
  readonly lastWords: () => readonly string[];
}

/** What runs now; each was started by the one before it, or beside it. */
const works = new Set<Work>();
let first: NodeJS.Signals | undefined;
let firstInterrupt = Number.POSITIVE_INFINITY;
let watch: NodeJS.Timeout | undefined;

/**
 * Runs work with a signal that the first SIGINT, SIGTERM or SIGHUP aborts. A host that cancels a job sends several of
 * these, which is one cancellation. Only a second Ctrl-C ends the process while the work goes on.
 *
 * @param lastWords what to print then
 */
export async function untilInterrupted<Result>(
  work: (interrupted: AbortSignal) => Promise<Result>,
  lastWords: Work["lastWords"] = () => [],
  isDelivered = false,
): Promise<Result> {
  const one: Work = { controller: new AbortController(), lastWords };
  if (works.size === 0) listen();
  works.add(one);
  try {
    return await work(one.controller.signal);
  } finally {
    // A signal that arrived meanwhile is seen now.
    await new Promise((resolve) => setImmediate(resolve));
    works.delete(one);
    const received = first;
    if (works.size === 0) stopListening();
    if (works.size === 0 && isDelivered && received !== undefined) process.kill(process.pid, received);
  }
}

/** Runs work that a signal must not cut off. If nobody else waits for signals, the signal ends the process after it. */
export function uninterrupted<Result>(
  work: (interrupted: AbortSignal) => Promise<Result>,
  lastWords?: Work["lastWords"],
): Promise<Result> {
  return untilInterrupted(work, lastWords, true);
}

function receive(signal: NodeJS.Signals): void {
  first ??= signal;
  for (const { controller } of works) controller.abort();
  if (signal !== "SIGINT") return;
  const now = performance.now();
  firstInterrupt = Math.min(firstInterrupt, now);
  if (now - firstInterrupt < SAME_SIGNAL_MS) return;
  // What was started last comes first, because the last words are those of the command.
  for (const line of [...works].reverse().flatMap(({ lastWords }) => lastWords()))
    process.stderr.write(`${visible(line)}\n`);
  process.exit(130);
}

function listen(): void {
  for (const signal of SIGNALS) process.on(signal, receive);
  if (process.env.npm_lifecycle_event === undefined) return;
  // npm hands a signal to its shell and no further, and ends.
  const parent = process.ppid;
  watch = setInterval(() => process.ppid === parent || receive("SIGTERM"), 300).unref();
}

function stopListening(): void {
  for (const signal of SIGNALS) process.off(signal, receive);
  clearInterval(watch);
  first = undefined;
  firstInterrupt = Number.POSITIVE_INFINITY;
}
