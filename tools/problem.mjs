/** A failure that the person at the keyboard can do something about: shown as its message alone, without a stack. */
export class Problem extends Error {
  /** @param {string} message What went wrong and what to do. */
  constructor(message) {
    super(message);
    this.name = "Problem";
  }
}

/**
 * Runs a command's main function and turns a failure into a message and an exit code.
 *
 * @param {() => Promise<void>} main
 */
export async function runMain(main) {
  try {
    await main();
  } catch (error) {
    process.stderr.write(
      `\n${error instanceof Problem ? error.message : error instanceof Error ? error.stack : String(error)}\n`,
    );
    process.exitCode = 1;
  }
}
