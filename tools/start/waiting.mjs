// Whether `npm start` keeps the emulator running after the deployment.
import { Problem } from "../problem.mjs";

/**
 * Where somebody sits at a terminal it does; in CI and in a pipe, nobody would end it.
 *
 * @param {readonly string[]} flags
 * @param {{ env: NodeJS.ProcessEnv, stdin: { isTTY?: boolean }, stdout: { isTTY?: boolean } }} process
 */
export function waitsAfterwards(flags, { env, stdin, stdout }) {
  const unknown = flags.find((flag) => flag !== "--wait" && flag !== "--no-wait");
  if (unknown !== undefined) throw new Problem(`Unknown argument ${unknown}. Known: --wait, --no-wait.`);
  if (flags.includes("--wait")) return true;
  if (flags.includes("--no-wait") || env.CI) return false;
  return Boolean(stdin.isTTY && stdout.isTTY);
}
