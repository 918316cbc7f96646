import { expect, onTestFinished, test } from "vitest";
import { type Emulator, startEmulator } from "../../src/emulator/index.js";
import { Simulation } from "../client/simulation.js";
import { isWhole } from "../support/cases.js";
import { Driver } from "../support/driver.js";

/** How many resources the engine works on at once on a machine with two cores. */
const AT_ONCE = 8;
const CLUSTERS = 40;
const LIMIT = 200;

/** A resource of the program, and its id once the state has it. */
interface Resource {
  readonly kind: "Cluster" | "Queue" | "AgentToken";
  readonly args: Readonly<Record<string, unknown>>;
  readonly parent?: Resource;
  id?: string;
}

function program(): Resource[] {
  return Array.from({ length: CLUSTERS }, (_, index) => {
    const parent: Resource = { kind: "Cluster", args: { name: `Cluster ${index}` } };
    const queues = Array.from(
      { length: 45 },
      (_, n): Resource => ({ kind: "Queue", args: { key: `q-${n}` }, parent }),
    );
    const tokens = Array.from(
      { length: 4 },
      (_, n): Resource => ({ kind: "AgentToken", args: { description: `Token ${n}` }, parent }),
    );
    return [parent, ...queues, ...tokens];
  }).flat();
}

async function deploy(
  driver: Driver,
  resources: readonly Resource[],
  most = Number.POSITIVE_INFINITY,
): Promise<void> {
  const rest = resources.filter(({ id }) => id === undefined).values();
  const parents = new Map<Resource, Promise<unknown>>();
  let begun = 0;
  const worker = async () => {
    for (const resource of rest) {
      begun += 1;
      if (begun > most) return;
      const creating = (async () => {
        await parents.get(resource.parent ?? resource);
        const clusterId = resource.parent?.id;
        const { id } = await driver.create(resource.kind, {
          ...resource.args,
          ...(clusterId && { clusterId }),
        });
        resource.id = id;
      })();
      parents.set(resource, creating);
      await creating;
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}

function countsOf({ organizationData: data }: Emulator): number[] {
  return [data.clusters, data.queues, data.agentTokens].map((collection) => collection.list().length);
}

test.runIf(isWhole)(
  "A first deployment of 2,000 objects goes on after an interruption, within the limits",
  async () => {
    const time = new Simulation();
    const limits = { userPerMinute: LIMIT, organizationPerMinute: LIMIT };
    const emulator = await startEmulator({ seed: false, limits, clock: time.date });
    onTestFinished(async () => {
      await time.close();
      await emulator.close();
    });
    const network = { dispatcher: time.dispatcher, timeoutMs: 30_000 };
    const resources = program();
    const begun = time.now();

    const interrupted = Driver.for(emulator, {}, time, network);
    await deploy(interrupted, resources, 900);
    expect(resources.filter(({ id }) => id !== undefined)).toHaveLength(900);
    const again = Driver.for(emulator, {}, time, network);
    await deploy(again, resources);

    expect(countsOf(emulator)).toEqual([CLUSTERS, CLUSTERS * 45, CLUSTERS * 4]);
    expect(new Set(resources.map(({ id }) => id)).size).toBe(2_000);
    expect(emulator.requests.filter(({ status }) => status === 429)).toEqual([]);
    const writes = emulator.requests.filter(({ method }) => method !== "GET");
    expect(writes).toHaveLength(2_000);
    const minutes = (time.now() - begun) / 60_000;
    expect(minutes).toBeLessThan((1.1 * emulator.requests.length) / LIMIT);
  },
);
