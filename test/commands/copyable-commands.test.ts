import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { describe, expect, test } from "vitest";
import { someOf } from "../support/cases.js";
import { buildpipeline, type Ended, settingsOf } from "../support/command.js";
import { client, emulator, scratch, serviceForEach } from "../support/command-service.js";
import { writeCommand } from "../support/commands-on-path.js";
import { recorded } from "../support/recording.js";

serviceForEach();

/** Names from the service, a state or a disk that a shell would run, expand, or take for an option. */
const HOSTILE = [
  "$(touch x)",
  "`touch x`",
  "'; touch x; '",
  '"; touch x; "',
  "a & touch x",
  "a | touch x",
  "a > x",
  "$HOME ~ * ? [a] {b,c} !! #",
  "back\\slash",
  "=ls",
  "--resume",
  "-n",
  "a\ntouch x\n",
  "größe",
];

const COMMANDS = ["buildpipeline", "npx", "npm", "pulumi", "curl"];

/** Runs what an output offers to copy in a real shell. Returns the arguments of each command. */
function ran({ stdout, stderr }: Pick<Ended, "stdout" | "stderr">, cwd = scratch.directory): string[][] {
  const own = scratch.path("bin");
  const log = scratch.path("log");
  for (const name of COMMANDS)
    writeCommand(
      own,
      name,
      `{ printf '%s\\0' ${name} "$@"; printf '\\n\\0'; } >> '${log}'\npwd >> '${log}.places'`,
    );
  rmSync(log, { force: true });
  const word = `(?:${COMMANDS.join("|")})`;
  const lines = `${stdout}${stderr}`.split("\n");
  const offered = lines.flatMap((line) => {
    const [, command] =
      new RegExp(`^\\s+((?:cd|for|${word}) .*)$`).exec(line) ??
      new RegExp(`\`(${word} .*)\``).exec(line) ??
      [];
    return command ?? [];
  });
  expect(offered.length).toBeGreaterThan(0);
  const { status, stderr: said } = spawnSync("sh", ["-c", offered.join("\n")], {
    cwd,
    env: { PATH: `${own}:${process.env.PATH}`, HOME: "/home/ada", BUILDPIPELINE_ACCESS_TOKEN: "token" },
    encoding: "utf8",
  });
  expect({ status, said }).toEqual({ status: 0, said: "" });
  for (const folder of [cwd, scratch.directory]) expect(existsSync(join(folder, "x"))).toBe(false);
  const printed = readFileSync(log, "utf8").split("\n\0").slice(0, -1);
  return printed.map((one) => one.split("\0").slice(0, -1));
}

/** Where these commands ran. */
const places = () => readFileSync(scratch.path("log.places"), "utf8").trim().split("\n");

const isOneLine = (name: string) => !name.includes("\n");

/** A state with an interrupted creation. */
function interrupted(type: string, name: string, inputs: Record<string, unknown>): string {
  const state = JSON.parse(readFileSync(recorded("interrupted-creation"), "utf8"));
  const [{ resource }] = state.deployment.pending_operations;
  const kind = `pulumi-nodejs:dynamic/buildpipeline:${type}`;
  Object.assign(resource, {
    urn: `urn:pulumi:test::killed::${kind}::${name}`,
    type: kind,
    inputs: { organization: "acme", ...inputs },
  });
  state.deployment.resources = state.deployment.resources.slice(0, 2);
  writeFileSync(scratch.path("state.json"), JSON.stringify(state));
  return scratch.path("state.json");
}

const recover = (file: string) =>
  buildpipeline(["recover", "--stack-export", file], { env: settingsOf(emulator) });

describe.each(someOf(HOSTILE))("A command to copy with the name %j", (name) => {
  test.each([1, 2])(
    "of %i clusters finds the queue that was drained, and runs nothing else",
    async (count) => {
      for (let others = 1; others < count; others++)
        await client.queues.create((await client.clusters.create({ name })).id, { key: "small" });
      const { id } = await client.clusters.create({ name });
      const queue = await client.queues.create(id, { key: "small" });
      const drained = await buildpipeline(["drain", queue.id], { env: settingsOf(emulator) });
      expect(drained.code).toBe(0);
      const [[command, verb, argument = "", ...rest] = []] = ran(drained);
      expect([command, verb, rest]).toEqual(["buildpipeline", "drain", ["--resume"]]);
      expect(count === 1 ? [`${name}/small`, queue.id] : [queue.id]).toContain(argument);
      // Without a record, --resume first shows who paused the queue.
      const resumed = await buildpipeline(["drain", argument, ...rest, "--yes"], {
        env: settingsOf(emulator),
      });
      expect(resumed.code).toBe(0);
      expect(resumed.stderr.match(/\n/g)).toHaveLength(1);
      expect(await client.queues.get(id, queue.id)).toMatchObject({ dispatch_paused: false });
    },
  );

  test("of a resource and a cluster is imported as it is", async () => {
    const { id } = await client.clusters.create({ name });
    const ended = await recover(interrupted("Cluster", name, { name }));
    const [command = []] = ran(ended);
    const given = command.filter((word) => word !== "--");
    expect(given.slice(0, 4)).toEqual(["npx", "pulumi-buildpipeline", "import", "Cluster"]);
    if (isOneLine(name)) expect(given[4]).toBe(name);
    // The id stands for a name that reads as an option or a quotation.
    expect([name, id]).toContain(given[5]);
    if (name.startsWith("-")) expect(command[4]).toBe("--");
  });

  test("of a token revokes this token", async () => {
    const cluster = await client.clusters.create({ name });
    const token = await client.agentTokens.create(cluster.id, { description: name });
    const inputs = { clusterId: cluster.id, description: name };
    const [command = []] = ran(await recover(interrupted("AgentToken", name, inputs)));
    const path = `/v2/organizations/acme/clusters/${cluster.id}/tokens/${token.id}`;
    expect(command.at(-1)).toBe(`${emulator.url}${path}`);
  });

  // Output has no names of several lines.
  test.skipIf(!isOneLine(name))("of a folder enters this folder", async () => {
    await client.clusters.create({ name: "Linux" });
    const cwd = scratch.path("work");
    mkdirSync(cwd);
    const env = { ...settingsOf(emulator), PATH: "" };
    const ended = await buildpipeline(["adopt", "--", name], { cwd, env });
    expect(ended.code).toBe(0);
    expect(ran(ended, cwd)).toContainEqual(["npm", "install"]);
    expect(new Set(places().map((place) => basename(place)))).toEqual(new Set([name]));
  });

  test.skipIf(!isOneLine(name))("of a setting removes this setting", async () => {
    const key = `buildpipeline:${name}`;
    mkdirSync(scratch.path("project"));
    writeFileSync(scratch.path("project/Pulumi.yaml"), "name: acme\nruntime: yaml\n");
    writeFileSync(scratch.path("config.json"), JSON.stringify({ [key]: { value: "1" } }));
    const configured = join(scratch.directory, "pulumi");
    writeCommand(configured, "pulumi", `cat '${scratch.path("config.json")}'`);
    const env = { ...settingsOf(emulator), PATH: `${configured}:${process.env.PATH}` };
    const { stdout } = await buildpipeline(["doctor", "--json"], { cwd: scratch.path("project"), env });
    const { checks }: { checks: { name: string; action?: string }[] } = JSON.parse(stdout);
    const action = checks.find((check) => check.name === `settings.${name}`)?.action ?? "";
    expect(ran({ stdout: action, stderr: "" })).toEqual([["pulumi", "config", "rm", key]]);
  });
});

describe("The address that a token is revoked at", () => {
  test.each([
    "https://evil.example/v2/organizations/acme/clusters/1/tokens/2",
    "http://gateway.example/v2",
    "/v2/organizations/acme",
    "$(touch x)",
    null,
  ])("is below the settings' address, whatever the response says: %j", async (url) => {
    const cluster = await client.clusters.create({ name: "Linux" });
    const token = await client.agentTokens.create(cluster.id, { description: "Farm" });
    const lying = (body: unknown) => (Array.isArray(body) ? body.map((one) => ({ ...one, url })) : body);
    emulator.fault({ operation: "agentTokens.list", times: 9, action: { change: lying } });
    const file = interrupted("AgentToken", "farm", { clusterId: cluster.id, description: "Farm" });
    const [command = []] = ran(await recover(file));
    expect(command.at(-1)).toBe(
      `${emulator.url}/v2/organizations/acme/clusters/${cluster.id}/tokens/${token.id}`,
    );
  });
});
