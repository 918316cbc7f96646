// Commands on several stacks in turns, so that what else the machine does meets all of them.
import { makeStack, openScene } from "./stack.mjs";

/**
 * @typedef {import("@pulumi/pulumi/automation/index.js").Stack} Stack
 * @typedef {{ requests: number, reads: number, writes: number, seconds: number }} CommandFigures
 */

/**
 * @template {string} Name
 * @typedef {{ name: Name, scene: import("./stack.mjs").Scene, stack: Stack }} Subject A stack and what tells it from the others.
 */

/**
 * @template {string} Name
 * @typedef {Record<string, Record<Name, CommandFigures>>} Figures Those of each command, by the name of the stack.
 */

/**
 * Opens a stack in a scene of its own, which `inTurns` closes.
 *
 * @template {string} Name
 * @param {Name} name
 * @param {(emulator: import("../../src/emulator/index.js").Emulator) => void} program
 * @param {Readonly<Record<string, string>>} [environment] for the Pulumi CLI
 * @returns {Promise<Subject<Name>>}
 */
export async function openStack(name, program, environment) {
  const scene = await openScene();
  return { name, scene, stack: await makeStack(scene, async () => program(scene.emulator), environment) };
}

/** Lets each response of the services take so long. @param {readonly Pick<Subject<string>, "scene">[]} subjects @param {number} delayMs */
export function delayResponses(subjects, delayMs) {
  if (delayMs === 0) return;
  for (const { scene } of subjects)
    scene.emulator.fault({ times: Number.POSITIVE_INFINITY, action: { delayMs } });
}

/**
 * Runs each command on each stack. The fastest of all rounds counts, because other work on the machine only adds time.
 *
 * @template {string} Name
 * @param {readonly Subject<Name>[]} subjects
 * @param {Readonly<Record<string, (stack: Stack) => Promise<unknown>>>} commands in their order
 * @param {number} rounds
 * @param {(command: string, subject: Subject<Name>, round: number) => unknown} [after] what else is measured after a command
 * @returns {Promise<Figures<Name>>}
 */
export async function inTurns(subjects, commands, rounds, after) {
  /** @type {Record<string, Record<string, CommandFigures>>} */
  const fastest = Object.fromEntries(Object.keys(commands).map((command) => [command, {}]));
  try {
    for (let round = 0; round < rounds; round++) {
      for (const [command, run] of Object.entries(commands)) {
        const figures = fastest[command] ?? {};
        for (const subject of round % 2 === 0 ? subjects : subjects.toReversed()) {
          const { name, scene, stack } = subject;
          scene.emulator.clearRequests();
          const start = performance.now();
          await run(stack);
          const seconds = (performance.now() - start) / 1000;
          const requests = scene.emulator.requests.length;
          const reads = scene.emulator.requests.filter(({ method }) => method === "GET").length;
          if (seconds < (figures[name]?.seconds ?? Number.POSITIVE_INFINITY))
            figures[name] = { requests, reads, writes: requests - reads, seconds };
          await after?.(command, subject, round);
        }
      }
    }
  } finally {
    for (const { scene } of subjects) await scene.close();
  }
  return fastest;
}
