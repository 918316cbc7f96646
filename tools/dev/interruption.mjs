// When to stop: Ctrl-C, a signal, or the end of the npm that started this process. npm passes signals on to the shell it
// started, and no further: without the last one, `kill` would leave everything running.
const SIGNALS = /** @type {const} */ (["SIGINT", "SIGTERM", "SIGHUP"]);
const LOOK_EVERY_MS = 300;

/**
 * @param {(signal: "SIGINT" | "SIGTERM" | "SIGHUP") => void} stop Called each time. Several calls may come from one Ctrl-C: the
 *   terminal sends the signal to every process, and npm once more.
 * @returns {() => void} Ends the watch; signals then do again what they do by default.
 */
export function onInterruption(stop) {
  for (const signal of SIGNALS) process.on(signal, stop);
  const parent = process.ppid;
  const byNpm = process.env.npm_lifecycle_event !== undefined;
  const timer = setInterval(() => {
    if (!byNpm || process.ppid === parent) return;
    clearInterval(timer);
    stop("SIGTERM");
  }, LOOK_EVERY_MS).unref();
  return () => {
    clearInterval(timer);
    for (const signal of SIGNALS) process.off(signal, stop);
  };
}
