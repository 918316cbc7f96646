import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { kinds } from "../../../src/provider/for-commands/kinds.js";
import { isAlive } from "../../engine/processes.js";
import { CHECKOUT } from "../../support/checkout.js";
import { EACH_KIND } from "../../support/each-kind.js";
import { withEachKind } from "./each-kind.js";
import { type Properties, Served, urnInNoStack as urnOf } from "./served.js";

/** Patches an object as the command does: it passes the name that was typed to each call but the deletion. */
async function patch(engine: Served, kind: string, name: string, changes: Properties) {
  const urn = urnOf(kind);
  const read = await engine.read(urn, name);
  const { inputs, failures } = await engine.check(urn, { ...read.inputs, ...changes }, read.inputs);
  if (failures.length > 0) throw new Error(failures.map(({ reason }) => reason).join("\n"));
  const planned = await engine.diff(urn, name, read.outs, inputs, read.inputs);
  const outs = await engine.update(urn, name, read.outs, inputs, { oldInputs: read.inputs });
  return { id: read.id, planned, outs };
}

const CHANGES: Readonly<Record<string, Properties>> = {
  AgentToken: { allowedIpAddresses: ["10.0.0.0/8"] },
  Team: { description: "new", defaultMemberRole: "maintainer", membersCanCreatePipelines: true },
  Suite: { defaultBranch: "trunk" },
  PipelineSchedule: { message: "new" },
  TeamMember: { role: "member" },
  TeamPipeline: { accessLevel: "read_only" },
  TeamSuite: { accessLevel: ["read"] },
  ClusterSecret: { description: "new", value: "an0ther-of-test" },
  NotificationService: { branchConfiguration: "new" },
  PipelineSettings: { defaultBranch: "new" },
  ApiSettings: { revokeInactiveTokensAfterDays: 90 },
};

/** An assignment of a maintainer can only be replaced. */
const CHANGING = Object.entries(EACH_KIND).filter(([kind]) =>
  Object.values(kinds.get(kind)?.arguments ?? {}).some(({ replaces }) => !replaces),
);

test("there is a name for every kind", () => {
  expect(Object.keys(EACH_KIND)).toEqual([...kinds.keys()]);
});

test.each(CHANGING)("pulumi do patches a %s by its name", async (kind, [name, args]) => {
  const { engine } = await withEachKind("Cluster", "Queue", kind);
  const [main] = (await engine.list("Cluster")).items;
  const inMain = await engine.colleague.sends("POST", `/clusters/${main?.id}/queues`, { key: "small" });
  const change = CHANGES[kind] ?? { description: "new" };
  const changes = kind === "ClusterDefaultQueue" ? { queueId: inMain.id } : change;
  const { outs, planned } = await patch(engine, kind, name, changes);
  expect(planned).toMatchObject({ changed: true, replaces: [] });
  const { value: ____, ...shown } = changes;
  expect(outs).toMatchObject(shown);
  // Nothing else changes: what was not given stays as it was.
  const read = await (await Served.beside(engine)).read(urnOf(kind), name);
  const {
    defaultMemberRole: _,
    membersCanCreatePipelines: __,
    value: ___,
    ...returned
  } = {
    ...args,
    ...changes,
  };
  expect(read.outs).toMatchObject(returned);
  expect(engine.warnings().join()).not.toMatch(/import/);
});

test("the schema has no defaults, which pulumi do patch would write over what is there", () => {
  const schema = readFileSync(join(CHECKOUT, "plugin", "schema.json"), "utf8");
  const names = new Set<string>();
  JSON.parse(schema, (name, value) => {
    names.add(name);
    return value;
  });
  expect(names).toContain("listInputs");
  expect(names).not.toContain("default");
});

test("a patch of what only a replacement changes is refused before anything is sent", async () => {
  const { engine } = await withEachKind();
  engine.emulator.clearRequests();
  for (const [kind, name, changes] of [
    ["Queue", "Main/linux", { key: "other" }],
    ["AgentToken", "Main/farm", { triggers: { month: "May" } }],
  ] as const)
    await expect(patch(engine, kind, name, changes)).rejects.toThrow(
      `${kind}.${Object.keys(changes)}: changing it replaces the`,
    );
  expect(engine.emulator.requests.filter(({ method }) => method !== "GET")).toEqual([]);
});

test("a patch of a team asks for what every update sends and the API doesn't return", async () => {
  const { engine } = await withEachKind("Team");
  await expect(patch(engine, "Team", "Platform", { description: "new" })).rejects.toThrow(
    "Team.defaultMemberRole: must be given when a team is changed",
  );
});

test("the plugin ends with the process that started it, also if another one listens at the engine's port", async () => {
  const engine = createServer((socket) => socket.destroy());
  await once(engine.listen(0, "127.0.0.1"), "listening");
  const address = engine.address();
  const port = address !== null && typeof address === "object" ? address.port : 0;
  const plugin = join(CHECKOUT, "plugin", "pulumi-resource-buildpipeline");
  const script = `"${process.execPath}" "${plugin}" 127.0.0.1:${port} & echo $! >&2; wait`;
  const starter = spawn("sh", ["-c", script], { stdio: ["ignore", "pipe", "pipe"] });
  const [pid] = await once(starter.stderr, "data");
  await once(starter.stdout, "data");
  starter.kill("SIGKILL");
  await vi.waitUntil(() => !isAlive(Number(pid)), { timeout: 120_000 });
  engine.close();
});
