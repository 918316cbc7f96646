import { type Emulator, startEmulator } from "../../../src/emulator/index.js";
import { typeToken } from "../../../src/shared/protocol/type-token.js";
import { live } from "../../stories/histories/ending.js";
import type { History, Settings } from "../../stories/histories/history.js";
import { Inspection } from "../../stories/histories/inspection.js";
import { Life, type Played, tokensOf } from "../../stories/histories/life.js";
import { remoteObjects } from "../../stories/histories/sections.js";
import { classesOf } from "../backends.js";
import { closedAtEnd } from "../ending.js";
import { TestStack } from "../stack.js";
import { RealEngine } from "./real-engine.js";

/** A command of the real engine takes seconds. */
const PATIENCE_MS = 180_000;

/** Plays a history with the real CLI: time is real, and requests come in the order in which the engine sends them. */
export async function playOnRealEngine(history: History): Promise<Played> {
  const { backend, page, suiteSlug, teamResponse } = history;
  const variations = { largestPage: page, suiteSlugOnRename: suiteSlug, teamWriteResponse: teamResponse };
  const stack = await TestStack.start({ variations });
  const { emulator } = stack;
  const elsewhere = closedAtEnd(await startEmulator({ seed: false }));
  const engine = new RealEngine(stack, classesOf[backend], (kind) => typeToken(kind, backend));
  const life = new Life({
    emulator,
    isTerse: teamResponse === "submitted",
    engine,
    inspection: new Inspection(() => [
      emulator.accessToken,
      ...remoteObjects(emulator).flatMap(({ secret }) => secret ?? []),
    ]),
    patienceMs: PATIENCE_MS,
    isElsewhere: (id) => remoteObjects(elsewhere).some((object) => object.id === id),
    now: () => Date.now(),
    pass: () => {},
    use: environmentOf(engine, emulator, elsewhere),
  });
  return live(life, history);
}

function environmentOf(
  engine: RealEngine,
  emulator: Emulator,
  elsewhere: Emulator,
): (settings: Settings) => void {
  const tokens = tokensOf(emulator);
  return ({ token, service, readOnly }) => {
    const { url, accessToken } =
      service === "wrong" ? elsewhere : { ...emulator, accessToken: tokens[token] };
    engine.environment = {
      BUILDPIPELINE_BASE_URL: service === "wrong" ? url : emulator.url,
      BUILDPIPELINE_ACCESS_TOKEN: accessToken,
      BUILDPIPELINE_READ_ONLY: readOnly ? "true" : undefined,
    };
  };
}
