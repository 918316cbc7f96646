import type { Emulator } from "../../src/emulator/index.js";
import { minimal, SimulatedClock } from "../support/driver.js";
import { startProvider } from "./histories/engine/start-provider.js";

type Properties = Record<string, unknown>;

const CHANGES: Readonly<Record<string, Properties>> = {
  Cluster: { name: "Unix", description: "Machines" },
  Queue: { description: "Small ones", dispatchPaused: true, dispatchPausedNote: "Freeze" },
  AgentToken: { description: "other farm", allowedIpAddresses: ["192.0.2.7"] },
  PipelineTemplate: { configuration: "steps: [wait]", available: true },
  Team: { name: "People", privacy: "secret", defaultMemberRole: "maintainer" },
  Suite: { name: "Units", defaultBranch: "next" },
};

/**
 * Creates, previews, refreshes, updates, previews again and destroys one resource of each type that an older service has,
 * each step in a new provider process.
 *
 * @returns the requests of each step, with ids in the order in which they appear
 */
export async function lifeOfFirstKinds(
  emulator: Emulator,
  backend: "dynamic" | "plugin",
): Promise<Record<string, string[]>> {
  const clock = new SimulatedClock();
  const start = () => startProvider({ backend, service: emulator, clock }, {});
  const requests: Record<string, string[]> = {};
  const ids = new Map<string, string>();
  const named = (text: string) =>
    text.replaceAll(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, (id) => {
      ids.set(id, ids.get(id) ?? `id ${ids.size + 1}`);
      return String(ids.get(id));
    });
  const step = async <Result>(name: string, work: () => Promise<Result>): Promise<Result> => {
    emulator.clearRequests();
    const result = await work();
    requests[name] = emulator.requests.map(({ method, path, body }) =>
      named(`${method} ${path}${body === undefined ? "" : ` ${JSON.stringify(body)}`}`),
    );
    return result;
  };
  const create = (kind: string, args: Properties) =>
    step(`${kind} is created`, async () => {
      const provider = start();
      const { inputs, failures } = await provider.check({ name: kind, kind }, {}, args);
      if (failures.length > 0) throw new Error(failures.join("\n"));
      return { kind, inputs, ...(await provider.create({ name: kind, kind }, inputs)) };
    });

  const cluster = await create("Cluster", { name: "Linux" });
  const queue = await create("Queue", { clusterId: cluster.id, key: "small" });
  const made = [cluster, queue];
  for (const [kind, args] of Object.entries(minimal(cluster.id, queue.id)))
    if (kind in CHANGES || kind === "ClusterDefaultQueue")
      if (kind !== "Cluster" && kind !== "Queue") made.push(await create(kind, args));
  for (const one of made) {
    const resource = { name: one.kind, kind: one.kind };
    const preview = async (args: Properties) => {
      const provider = start();
      const { inputs } = await provider.check(resource, one.inputs, args);
      await provider.diff(resource, one.id, one.outs, inputs, one.inputs);
      return inputs;
    };
    await step(`${one.kind} is previewed unchanged`, () => preview(one.inputs));
    await step(`${one.kind} is refreshed`, () => start().read(resource, one.id, one.outs, one.inputs));
    if (!(one.kind in CHANGES)) continue;
    await step(`${one.kind} is updated`, async () => {
      const inputs = await preview({ ...one.inputs, ...CHANGES[one.kind] });
      one.outs = await start().update(resource, one.id, one.outs, inputs, one.inputs);
      one.inputs = inputs;
    });
  }
  for (const one of made.reverse())
    await step(`${one.kind} is deleted`, () =>
      start().delete({ name: one.kind, kind: one.kind }, one.id, one.outs, one.inputs),
    );
  return requests;
}
