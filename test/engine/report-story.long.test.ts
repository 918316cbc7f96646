import { describe, expect, test } from "vitest";
import { KillableProject } from "./killable-project.js";
import { COMMAND } from "./project.js";

interface Told {
  title: string;
  summary: string[];
  unchecked: string[];
  interrupted: { operation: string; name: string }[] | null;
  dangers: { level: string; message: string }[];
  changes: { kind: string; label: string; action: string; pending?: boolean; movesTo?: string }[];
  outOfBand: { label: string; fate: string; gone: boolean }[];
}

const SECTIONS: Readonly<Record<string, string>> = { Cluster: "clusters", Queue: "queues" };
const WRITES: Readonly<Record<string, readonly string[]>> = {
  create: ["create"],
  update: ["update"],
  replace: ["create", "delete"],
  delete: ["delete"],
};

const promised = ({ changes }: Told) =>
  changes
    .flatMap(({ kind, action }) => (WRITES[action] ?? []).map((verb) => `${SECTIONS[kind]}.${verb}`))
    .sort();

describe("A report's claims, compared with what the next deployment does", () => {
  let killable: KillableProject;

  /** Makes a report as the kit's script does. */
  async function report(): Promise<Told> {
    const text = await killable.project.shell(`
      pulumi stack export > state.json
      pulumi preview --json --refresh --show-replacement-steps --show-sames > preview.json 2> /dev/null || true
      ${COMMAND} report preview.json --stack-export state.json --json`);
    return JSON.parse(text);
  }

  async function deployed(): Promise<string[]> {
    killable.project.emulator.clearRequests();
    await killable.project.up("--refresh");
    return killable.project.writes().sort();
  }

  const program = (small: string, home: "linux" | "gpu", ...more: readonly string[]) =>
    killable.program(
      'const linux = new Cluster("linux", { name: "Linux" });',
      'const gpu = new Cluster("gpu", { name: "GPU" });',
      `new Queue("small", { clusterId: linux, key: "${small}" });`,
      `new Queue("arm", { clusterId: ${home}, key: "arm" });`,
      ...more,
    );
  const clusters = () => killable.project.emulator.organizationData.clusters.list();
  const queues = () => killable.project.emulator.organizationData.queues.list();
  const queue = (key: string) => queues().find((one) => one.key === key);

  test("hold in a night of drift, a move, an interruption, its recovery, and a pending deletion", async () => {
    killable = await KillableProject.start("dynamic");
    const { project } = killable;
    program("small", "linux");
    const first = await report();
    expect(await deployed()).toEqual(promised(first));
    expect((await report()).summary).toEqual(["No changes"]);

    // A colleague describes a cluster, which the program doesn't, and pauses a queue.
    const linux = clusters().find(({ name }) => name === "Linux")?.id;
    await project.colleague.sends("PUT", `/clusters/${linux}`, { description: "By hand" });
    await project.colleague.sends("POST", `/clusters/${linux}/queues/${queue("arm")?.id}/pause_dispatch`);
    const drift = await report();
    expect(drift.outOfBand.map(({ label, fate }) => [label, fate]).sort()).toEqual([
      ["Linux", "undone"],
      ["arm", "kept"],
    ]);
    expect(await deployed()).toEqual(promised(drift));
    expect(queue("arm")?.dispatch_paused).toBe(true);
    expect(clusters().find(({ name }) => name === "Linux")?.description).toBeFalsy();

    program("small", "gpu");
    const move = await report();
    expect(move.changes).toMatchObject([{ label: "arm", action: "replace", movesTo: "GPU" }]);
    expect(move.dangers[0]?.message).toContain("moves to GPU (a new queue; jobs that wait in the old one");
    expect(await deployed()).toEqual(promised(move));
    expect(clusters().find(({ id }) => id === queue("arm")?.cluster_id)?.name).toBe("GPU");

    program("small", "gpu", 'new Queue("extra", { clusterId: linux, key: "extra" });');
    await killable.killedAt("queues.create");
    const interrupted = await report();
    expect(interrupted).toMatchObject({ interrupted: [{ operation: "creating", name: "extra" }] });
    expect(interrupted.summary).not.toContain("No changes");

    await project.shell(`${COMMAND} import Queue extra Linux/extra`);
    expect((await report()).summary).not.toContain("No changes");
    await project.pulumi("refresh", "--yes", "--skip-preview", "--clear-pending-creates");
    const recovered = await report();
    expect(recovered).toMatchObject({ summary: ["No changes"], interrupted: null, unchecked: [] });
    expect(await deployed()).toEqual([]);

    const id = queue("small")?.id ?? "";
    const agent = project.emulator.connectAgent({ queueId: id });
    program("tiny", "gpu", 'new Queue("extra", { clusterId: linux, key: "extra" });');
    await expect(deployed()).rejects.toThrow(/connected agents/);
    const pending = await report();
    expect(pending.changes).toMatchObject([{ label: "small", action: "delete", pending: true }]);
    expect(pending.dangers[0]?.message).toContain("Queue small of Linux is deleted.");
    project.emulator.disconnectAgent(agent.id);
    expect(await deployed()).toEqual(promised(pending));
    expect(queue("small")).toBeUndefined();
    expect((await report()).summary).toEqual(["No changes"]);
  });
});
