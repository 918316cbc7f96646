import { resolveSettings } from "../../../src/configuration/settings.js";
import { scopes, startEmulator } from "../../../src/emulator/index.js";
import { CancelledError } from "../../../src/plugin/engine-call.js";
import type { Surroundings } from "../../../src/provider/run/session.js";
import { Driver, SimulatedClock } from "../driver.js";
import { end } from "./ending.js";
import type { Backend } from "./engine/backend.js";
import { DynamicBackend } from "./engine/dynamic-backend.js";
import { PluginBackend } from "./engine/plugin-backend.js";
import { GATEWAY, Gate } from "./gate.js";
import { type History, hasVariedTokens, type Settings, usual } from "./history.js";
import { Inspection } from "./inspection.js";
import { type Count, Life, type World } from "./life.js";
import { ModelEngine } from "./model-engine.js";
import type { Program } from "./program.js";
import { remoteObjects } from "./service-state.js";

/** A command that takes longer in real time hangs: all waits are simulated. */
const PATIENCE_MS = 30_000;

/** Real time: a service that never answers is given up. When nothing goes wrong any more, a busy machine may be slow. */
const TIMEOUT_MS = 3_000;

/** The outcome of a history. */
export interface Played {
  readonly wrong: readonly string[];
  readonly count: Count;
}

/** Plays a history on the model engine, against an emulator. */
export async function play(history: History): Promise<Played> {
  const { chapters, page, suiteSlug, teamResponse, order } = history;
  const clock = new SimulatedClock();
  let offset = 0;
  const now = () => clock.now() + offset;
  const options = {
    seed: false,
    clock: () => new Date(now()),
    variations: { largestPage: page, suiteSlugOnRename: suiteSlug, teamWriteResponse: teamResponse },
  };
  const emulator = await startEmulator(options);
  const elsewhere = chapters.some(({ settings }) => settings.service === "wrong")
    ? await startEmulator(options)
    : undefined;
  const gate = new Gate(order, { dates: history.dates, target: emulator.url });
  const rotated = emulator.createAccessToken({ scopes });
  const another = emulator.addMember({ name: "Deployer", email: "deployer@example.com" });
  const limited = emulator.createAccessToken({
    scopes,
    userId: another.id,
    admin: false,
    seesSecretTeams: false,
  });
  const secrets = () => [
    ...[emulator.accessToken, rotated, limited],
    ...(elsewhere === undefined ? [] : [elsewhere.accessToken]),
    ...remoteObjects(emulator).flatMap(({ secret }) => (secret == null ? [] : [secret])),
  ];
  const inspection = new Inspection(secrets);
  const inspect = (value: unknown) => inspection.properties(value);
  const tokens = { usual: emulator.accessToken, rotated, "of another user": limited };

  let settings: Settings = usual;
  let isEnding = false;
  const newRun = (): Backend => {
    const { service, token, canceled } = settings;
    const isElsewhere = service === "wrong" && elsewhere !== undefined;
    const config = {
      "buildpipeline:accessToken": isElsewhere ? elsewhere.accessToken : tokens[token],
      "buildpipeline:organization": emulator.organization,
      "buildpipeline:baseUrl": isElsewhere ? elsewhere.url : history.gateway ? GATEWAY : emulator.url,
    };
    const timeoutMs = isEnding ? PATIENCE_MS : TIMEOUT_MS;
    const onCancel = () => {
      life.count.canceled += 1;
    };
    const user = canceled ? { onCancel } : {};
    const surroundings = surroundingsOf({ clock, now, gate, timeoutMs, ...user });
    if (history.backend === "dynamic")
      return new DynamicBackend(new Driver(config, surroundings.clock, surroundings), inspect);
    const given = (name: string) => Reflect.get(config, `buildpipeline:${name}`);
    return new PluginBackend(resolveSettings(given, process.env), surroundings, inspect);
  };
  const engine = new ModelEngine(newRun);
  const world: World = {
    emulator,
    isTerse: teamResponse === "submitted",
    engine,
    inspection,
    patienceMs: PATIENCE_MS,
    isElsewhere: (id) =>
      elsewhere !== undefined && remoteObjects(elsewhere).some((object) => object.id === id),
    now,
    pass: (milliseconds) => {
      offset += milliseconds;
    },
    use: (next) => {
      settings = next;
      if (next.readOnly) process.env.BUILDPIPELINE_READ_ONLY = "true";
      else delete process.env.BUILDPIPELINE_READ_ONLY;
    },
  };
  const life = new Life(world);
  try {
    const wrong = await life.playAll(chapters);
    if (wrong.length > 0) return { wrong, count: life.count };
    const last = chapters.at(-1);
    const program = (): Program =>
      last === undefined ? [] : life.casting.programOf({ ...last, bridge: "aliases" });
    isEnding = true;
    const varied = hasVariedTokens(history);
    return { wrong: await end(life, world, program, { varied }), count: life.count };
  } finally {
    delete process.env.BUILDPIPELINE_READ_ONLY;
    await gate.close();
    await emulator.close();
    await elsewhere?.close();
  }
}

/** A wait for the request limit takes longer than any other. */
const LONG_WAIT_MS = 10_000;

/** The provider's surroundings: simulated time, one request at a time, and the user's interruption in a long wait. */
function surroundingsOf({
  clock,
  now,
  gate,
  onCancel,
  timeoutMs,
}: {
  clock: SimulatedClock;
  now: () => number;
  gate: Gate;
  /** Called when the user interrupts the command, who does so if this is given. */
  onCancel?: () => void;
  timeoutMs: number;
}): Surroundings & { clock: NonNullable<Surroundings["clock"]> } {
  let interrupted = false;
  return {
    now,
    pause: (milliseconds) => clock.sleep(milliseconds),
    clock: {
      now,
      sleep: async (milliseconds) => {
        if (onCancel !== undefined && milliseconds >= LONG_WAIT_MS) {
          if (!interrupted) onCancel();
          interrupted = true;
          throw new CancelledError();
        }
        await clock.sleep(milliseconds);
      },
    },
    beforeWrite: async () => {
      if (interrupted) throw new CancelledError();
    },
    timeoutMs,
    dispatcher: gate.dispatcher,
  };
}
