import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { door, throughEither } from "./doors.js";
import { descendants, isAlive, type Process } from "./processes.js";
import { type Engine, Project } from "./project.js";

let project: Project;
beforeEach(async () => {
  project = await Project.start(undefined, { seed: false });
  const plugin = "plugins: { providers: [{ name: buildpipeline, path: ../../../../plugin }] }";
  project.write("Pulumi.yaml", `name: killed\nruntime: nodejs\n${plugin}\n`);
  project.write("package.json", JSON.stringify({ name: "killed", private: true, main: "index.js" }));
  await project.newStack();
});
afterEach(() => project.close());

const entry = { dynamic: "pulumi-buildpipeline", native: "pulumi-buildpipeline/native" }[door];
/** What the command of a provider's process has in it. */
const host = { dynamic: "dynamic-provider", native: "pulumi-resource-buildpipeline" }[door];

/** Writes the program, in JavaScript: there is nothing to compile. */
function program(...statements: readonly string[]): void {
  const names = "AgentToken, Cluster, PipelineTemplate, Queue, Suite, Team";
  project.write("index.js", [`const { ${names} } = require("${entry}");`, ...statements].join("\n"));
}

const until = (what: () => boolean) => vi.waitUntil(what, { timeout: 60_000, interval: 20 });
const hits = (operation: string) =>
  project.emulator.requests.filter((request) => request.operation === operation).length;

/** Runs `pulumi up` until an operation is under way or was answered. */
async function upUntil(operation: string): Promise<{ engine: Engine; started: readonly Process[] }> {
  const engine = project.engine("up", "--yes", "--skip-preview");
  await until(() => hits(operation) > 0);
  return { engine, started: descendants(engine.pid) };
}

async function kill(...pids: readonly number[]): Promise<void> {
  for (const pid of pids) process.kill(pid, "SIGKILL");
  await until(() => !pids.some(isAlive));
}

describe(throughEither("An engine that is killed while its provider waits for the request limit"), () => {
  test("takes the provider with it, so that nothing is created beside the next run", async () => {
    program('new Cluster("linux", { name: "Linux" });');
    const rateLimited = { scope: "user", resetSeconds: 3 } as const;
    project.emulator.fault({ operation: "clusters.create", action: { rateLimited } });
    const { engine, started } = await upUntil("clusters.create");
    const hosts = started.filter(({ command }) => command.includes(host));
    expect(hosts).not.toEqual([]);

    await kill(engine.pid);
    await engine.ended;
    await until(() => !hosts.some(({ pid }) => isAlive(pid)) || hits("clusters.create") > 1);
    expect(hits("clusters.create")).toBe(1);
    expect(hosts.filter(({ pid }) => isAlive(pid))).toEqual([]);

    await project.pulumi("cancel", "--yes");
    await project.pulumi("up", "--yes", "--skip-preview");
    expect((await project.inventory())["/clusters"]).toEqual(["Linux"]);
  });
});

describe(throughEither("After engine and provider were killed while an object was created"), () => {
  /** Kills everything when the service has done the work and has not answered yet. */
  async function killedAt(operation: string): Promise<void> {
    const fault = project.emulator.fault({ operation, when: "after", action: "hang" });
    const { engine, started } = await upUntil(operation);
    await until(() => fault.hits === 1 && project.emulator.organizationData.clusters.size > 0);
    await kill(engine.pid, ...started.map(({ pid }) => pid).filter(isAlive));
    await engine.ended;
    await project.pulumi("cancel", "--yes");
  }

  const CLUSTER = 'const linux = new Cluster("linux", { name: "Linux" });';

  test("a queue is brought in by the import that the preview names", async () => {
    program(CLUSTER, 'new Queue("queue", { clusterId: linux, key: "large" });');
    await killedAt("queues.create");
    const [queue] = project.emulator.organizationData.queues.list();
    // The preview fails, and says how to go on.
    const preview = await project.shell("! pulumi preview");
    expect(preview).toContain(`/${queue?.id}`);
    const [, form] = /import: "([^"]+)"/.exec(preview) ?? [];

    program(CLUSTER, `new Queue("queue", { clusterId: linux, key: "large" }, { import: "${form}" });`);
    await repaired();
    expect(project.emulator.organizationData.queues.list().map(({ id }) => id)).toEqual([queue?.id]);
  });

  test("an agent token, whose secret nobody has, is told by the preview and replaced", async () => {
    program(CLUSTER, 'new AgentToken("token", { clusterId: linux, description: "farm" });');
    await killedAt("agentTokens.create");
    const [orphan] = project.emulator.organizationData.agentTokens.list();
    const preview = await project.pulumi("preview");
    expect(preview).toMatch(new RegExp(`warning:[^\\n]*${orphan?.id}`));

    // The secret went with the answer: the orphan is revoked by hand, and the next run makes another.
    await project.colleague.sends("DELETE", `/clusters/${orphan?.cluster_id}/tokens/${orphan?.id}`);
    await repaired();
    const [token, ...others] = project.emulator.organizationData.agentTokens.list();
    expect(others).toEqual([]);
    expect(token?.id).not.toBe(orphan?.id);
  });

  test("a cluster is told by the preview and brought in by the import that it names", async () => {
    program(CLUSTER);
    await killedAt("clusters.create");
    const [cluster] = project.emulator.organizationData.clusters.list();
    const preview = await project.pulumi("preview");
    expect(preview).toMatch(new RegExp(`warning:[^\\n]*${cluster?.id}`));
    const [, form] = /import: "([^"]+)"/.exec(preview) ?? [];

    program(`new Cluster("linux", { name: "Linux" }, { import: "${form}" });`);
    await repaired();
    expect(project.emulator.organizationData.clusters.list().map(({ id }) => id)).toEqual([cluster?.id]);
  });

  /** The last steps: an update, in which Pulumi still warns of the interrupted creation, and the end of the warning. */
  async function repaired(): Promise<void> {
    expect(await project.pulumi("up", "--yes", "--skip-preview")).toMatch(/warning:.* pending operations/);
    await project.pulumi("refresh", "--yes", "--skip-preview", "--clear-pending-creates");
    const quiet = await project.pulumi("up", "--yes", "--skip-preview", "--expect-no-changes");
    expect(quiet).not.toMatch(/warning:/);
  }
});
