// Progress of long steps, on stderr: an updating line on a terminal, plain lines elsewhere.
const SECONDS_BETWEEN_PLAIN_LINES = 20;

const updating = Boolean(process.stderr.isTTY) && !process.env.CI;

/**
 * Runs one long step and shows its name, the seconds it takes and, while it runs, what it last reported.
 *
 * @template T
 * @param {string} name What is being done, e.g. "Installing dependencies".
 * @param {(report: (detail: string) => void) => Promise<T>} work
 * @returns {Promise<T>} What the work returned.
 */
export async function step(name, work) {
  const started = Date.now();
  const seconds = () => Math.round((Date.now() - started) / 1000);
  let detail = "";
  const line = () => `${name} … ${seconds()} s${detail === "" ? "" : ` (${detail})`}`;
  let shown = 0;
  const show = () => {
    if (updating) {
      // One line only: a wrapped line could not be erased.
      process.stderr.write(`\r\u001b[2K${line().slice(0, (process.stderr.columns || 80) - 1)}`);
    } else if (seconds() - shown >= SECONDS_BETWEEN_PLAIN_LINES) {
      shown = seconds();
      process.stderr.write(`${line()}\n`);
    }
  };
  if (updating) show();
  else process.stderr.write(`${name} …\n`);
  const timer = setInterval(show, 250);
  const finish = (/** @type {string} */ outcome) => {
    clearInterval(timer);
    process.stderr.write(`${updating ? "\r\u001b[2K" : ""}${name}: ${outcome} after ${seconds()} s\n`);
  };
  try {
    const result = await work((text) => {
      detail = text;
    });
    finish("done");
    return result;
  } catch (error) {
    finish("failed");
    throw error;
  }
}

/** Says one line, without a step. @param {string} text */
export function say(text) {
  process.stderr.write(`${text}\n`);
}
