import { startEmulator } from "../../../src/emulator/index.js";
import { CancelledError } from "../../../src/provider/plugin/engine-call.js";
import { SimulatedClock } from "../../support/driver.js";
import { live } from "./ending.js";
import type { Backend } from "./engine/backend.js";
import { startProvider } from "./engine/start-provider.js";
import { GATEWAY, Gate } from "./gate.js";
import { type History, type Settings, usual } from "./history.js";
import { Inspection } from "./inspection.js";
import { Life, type Played, tokensOf } from "./life.js";
import { ModelEngine } from "./model-engine.js";
import { remoteObjects } from "./sections.js";

/** A command that takes longer in real time hangs: all waits are simulated. */
const PATIENCE_MS = 30_000;

/** Real time: where requests hang on purpose, they are given up soon. Elsewhere, a busy machine may be slow. */
const TIMEOUT_MS = 3_000;

/** A wait for the request limit takes longer than any other. */
const LONG_WAIT_MS = 10_000;

export async function play(history: History): Promise<Played> {
  const { chapters, backend, page, suiteSlug, teamResponse, order } = history;
  const clock = new SimulatedClock();
  const options = {
    seed: false,
    clock: () => new Date(clock.now()),
    variations: { largestPage: page, suiteSlugOnRename: suiteSlug, teamWriteResponse: teamResponse },
  };
  const emulator = await startEmulator(options);
  const elsewhere = chapters.some(({ settings }) => settings.service === "wrong")
    ? await startEmulator(options)
    : undefined;
  const gate = new Gate(order, { dates: history.dates, target: emulator.url });
  const tokens = tokensOf(emulator);
  const inspection = new Inspection(() => [
    ...Object.values(tokens),
    ...(elsewhere === undefined ? [] : [elsewhere.accessToken]),
    ...remoteObjects(emulator).flatMap(({ secret }) => secret ?? []),
  ]);

  let settings: Settings = usual;
  const newRun = (): Backend => {
    const { organization, url } = emulator;
    const wrong = settings.service === "wrong" ? elsewhere : undefined;
    const right = { accessToken: tokens[settings.token], url: history.gateway ? GATEWAY : url };
    const { canceled } = settings;
    let interrupted = false;
    return startProvider(
      { backend, service: { organization, ...(wrong ?? right) }, clock, gate },
      {
        timeoutMs: life.hangs ? TIMEOUT_MS : PATIENCE_MS,
        clock: {
          now: () => clock.now(),
          sleep: async (milliseconds) => {
            if (!canceled || milliseconds < LONG_WAIT_MS) return clock.sleep(milliseconds);
            if (!interrupted) life.count.canceled += 1;
            interrupted = true;
            throw new CancelledError();
          },
        },
        beforeWrite: async () => {
          if (interrupted) throw new CancelledError();
        },
      },
      (value) => inspection.properties(value),
    );
  };
  const life = new Life({
    emulator,
    isTerse: teamResponse === "submitted",
    engine: new ModelEngine(newRun),
    inspection,
    patienceMs: PATIENCE_MS,
    isElsewhere: (id) =>
      elsewhere !== undefined && remoteObjects(elsewhere).some((object) => object.id === id),
    now: () => clock.now(),
    pass: (milliseconds) => void clock.sleep(milliseconds),
    use: (next) => {
      settings = next;
      if (next.readOnly) process.env.BUILDPIPELINE_READ_ONLY = "true";
      else delete process.env.BUILDPIPELINE_READ_ONLY;
    },
  });
  try {
    return await live(life, history);
  } finally {
    delete process.env.BUILDPIPELINE_READ_ONLY;
    await gate.close();
    await emulator.close();
    await elsewhere?.close();
  }
}
