import { mkdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { dirname } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { isWhole } from "../../support/cases.js";
import { buildpipeline, type Ended, OBEYED, settingsOf } from "../../support/command.js";
import { client, emulator, scratch, serviceForEach } from "../../support/command-service.js";
import { writeCommand } from "../../support/commands-on-path.js";
import { type ExportedResource, recorded } from "../../support/recording.js";

interface Exported {
  deployment: {
    resources: ExportedResource[];
    pending_operations?: { type: string; resource: ExportedResource }[];
  };
}

/** Ids of the recordings. */
const RECORDED = {
  cluster: "a6695980-8479-49bc-9084-5a8d448b3157",
  large: "11d0a4c1-0cc8-4e31-9239-5c9d84dc6043",
  tiny: "30e0ce0c-a71a-4ec8-b37f-6bc6d8b59092",
} as const;

let cluster: string;

serviceForEach();
beforeEach(async () => {
  cluster = (await client.clusters.create({ name: "Linux" })).id;
});

/** A state that the real engine exported, with ids of this test's service. */
function state(
  name: "interrupted-creation" | "refused-deletion",
  ids: Partial<Record<keyof typeof RECORDED, string>> = {},
  edit: (state: Exported["deployment"]) => void = () => {},
): string {
  let text = readFileSync(recorded(name), "utf8").replace(/http:\/\/127\.0\.0\.1:\d+/g, emulator.url);
  for (const [key, id] of Object.entries({ cluster, ...ids }))
    text = text.replaceAll(RECORDED[key as keyof typeof RECORDED], id);
  const value: Exported = JSON.parse(text);
  edit(value.deployment);
  const file = scratch.path(`${crypto.randomUUID()}.json`);
  writeFileSync(file, JSON.stringify(value));
  return file;
}

/** A state with the interrupted creation of a queue. */
const interrupted = (edit?: Parameters<typeof state>[2]) => state("interrupted-creation", {}, edit);

/** The recorded creation of a queue, as one of another type. */
function creating(type: string, inputs: Record<string, unknown>, fields: object = {}) {
  return ({ pending_operations: [pending] = [] }: Exported["deployment"]) => {
    if (pending === undefined) throw new Error("The recording has no pending operation.");
    const { resource } = pending;
    const as = (text: string) => text.replace("buildpipeline:Queue", `buildpipeline:${type}`);
    const common = { __provider: resource.inputs?.__provider, organization: "acme" };
    const own = { urn: as(resource.urn), type: as(resource.type), inputs: { ...common, ...inputs } };
    Object.assign(resource, own, fields);
  };
}

function recover(file: string, ...args: readonly string[]): Promise<Ended> {
  emulator.clearRequests();
  return buildpipeline(["recover", "--stack-export", file, ...args], { env: settingsOf(emulator) });
}

const URN = "urn:pulumi:test::killed::pulumi-nodejs:dynamic/buildpipeline:Queue::queue";
const sent = () => emulator.requests.filter(({ method }) => method !== "GET");

/** The only creation in the JSON of a state. */
async function creation(file: string, ...args: readonly string[]) {
  const { code, stdout, stderr } = await recover(file, "--json", ...args);
  expect({ code, stderr }).toEqual({ code: 1, stderr: "" });
  const { creations } = JSON.parse(stdout);
  expect(creations).toHaveLength(1);
  return creations[0];
}

test.runIf(isWhole)(
  "buildpipeline recover looks for a creation once lists can't lag behind the state any more",
  async () => {
    const writtenAt = Date.now() - 8_000;
    const file = interrupted((deployment) =>
      Object.assign(deployment, { manifest: { time: new Date(writtenAt).toISOString() } }),
    );
    const { stderr } = await recover(file);
    expect(stderr).toMatch(/lists may lack what was created then: waiting \d s\./);
    const [first] = emulator.requests;
    expect(Date.parse(first?.at ?? "")).toBeGreaterThanOrEqual(writtenAt + 15_000);
  },
);

describe("buildpipeline recover, for a creation that was interrupted", () => {
  test("names the object that no state has, and the command that imports it without a change of the program", async () => {
    const queue = await client.queues.create(cluster, { key: "large" });
    const file = interrupted();
    const { code, stdout } = await recover(file);
    expect(code).toBe(1);
    expect(stdout).toContain(`Creation interrupted ${URN}`);
    expect(stdout).toContain(
      `No state has Linux/large (${queue.id}, created ${queue.created_at} by Ada Archer).`,
    );
    expect(stdout).toContain("npx pulumi-buildpipeline import Queue queue Linux/large\n");
    expect(stdout).toContain("Don't run pulumi refresh --clear-pending-creates before");
    expect(stdout).not.toMatch(OBEYED);
    expect(sent()).toEqual([]);
    expect(await creation(file)).toMatchObject({
      urn: URN,
      kind: "Queue",
      name: "queue",
      outcome: "unrecorded",
      objects: [{ id: queue.id, import: "Linux/large", createdBy: { name: "Ada Archer" } }],
    });
  });

  test("says that an object is absent, and only then names the command that clears it", async () => {
    await client.queues.create(cluster, { key: "larger" });
    const file = interrupted();
    expect(await creation(file)).toMatchObject({ outcome: "absent", objects: [] });
    const { stdout } = await recover(file);
    expect(stdout).toContain("The API doesn't list it. The next `pulumi up` creates it.");
    expect(stdout).toContain(
      "Next: npx pulumi-buildpipeline recover --yes, or pulumi refresh --clear-pending-creates.",
    );
  });

  test("offers no import of an agent token: it is to be revoked, because its secret is lost", async () => {
    const token = await client.agentTokens.create(cluster, { description: "Farm" });
    const file = interrupted(creating("AgentToken", { clusterId: cluster, description: "Farm" }));
    expect(await creation(file)).toMatchObject({ secretIsLost: true, objects: [{ id: token.id }] });
    const { stdout } = await recover(file);
    expect(stdout).toContain("Its secret is lost.");
    expect(stdout).toMatch(new RegExp(`curl .*--request DELETE .*/clusters/${cluster}/tokens/${token.id}\n`));
    expect(stdout).not.toMatch(/npx pulumi-buildpipeline (?:import|recover)/);
    await client.agentTokens.delete(cluster, token.id);
    expect(await creation(file)).toMatchObject({ outcome: "absent" });
  });

  test("lists all objects of a name, and offers to import none by itself", async () => {
    await client.clusters.create({ name: "Linux" });
    const file = state("interrupted-creation", { cluster: crypto.randomUUID() }, (deployment) => {
      creating("Cluster", { name: "Linux" })(deployment);
      deployment.resources = deployment.resources.filter(({ type }) => !type.includes("Cluster"));
    });
    const { objects } = await creation(file);
    expect(objects).toHaveLength(2);
    expect((await recover(file)).stdout).toContain("Next: do what is said above");
  });

  test("leaves an object of another stack alone", async () => {
    const queue = await client.queues.create(cluster, { key: "large" });
    const other = state("refused-deletion", { tiny: queue.id, large: crypto.randomUUID() });
    const file = interrupted();
    expect(await creation(file, "--others", other)).toMatchObject({ outcome: "absent" });
  });

  test("finds the object also if the program writes the cluster's id in upper case", async () => {
    const token = await client.agentTokens.create(cluster, { description: "Farm" });
    const inputs = { clusterId: cluster.toUpperCase(), description: "Farm" };
    expect(await creation(interrupted(creating("AgentToken", inputs)))).toMatchObject({
      outcome: "unrecorded",
      objects: [{ id: token.id }],
    });
  });

  /** A state that has a queue beside the interrupted creation. */
  function stateWith({ id }: { readonly id: string }): string {
    const from: Exported = JSON.parse(readFileSync(state("refused-deletion", { tiny: id }), "utf8"));
    const own = from.deployment.resources.find((resource) => resource.id === id);
    return interrupted(({ resources }) => own && resources.push(own));
  }

  test("says that the state has the object already, so that nobody imports it twice", async () => {
    const file = stateWith(await client.queues.create(cluster, { key: "large" }));
    expect(await creation(file)).toMatchObject({ outcome: "recorded", inState: true });
  });

  test("says so of a pipeline as well, although its list may hide others", async () => {
    const inputs = { name: "Shop", repository: "git@git.example:acme/shop.git", configuration: "steps: []" };
    const pipeline = await client.pipelines.create({ ...inputs, cluster_id: cluster });
    const file = (id: string | undefined) =>
      interrupted((deployment) => {
        creating("Pipeline", inputs)(deployment);
        const [pending] = deployment.pending_operations ?? [];
        if (pending !== undefined && id !== undefined)
          deployment.resources.push({ ...pending.resource, id, outputs: pending.resource.inputs ?? {} });
      });
    expect(await creation(file(pipeline.id))).toMatchObject({ outcome: "recorded", objects: [] });
    await client.pipelines.delete(pipeline.slug);
    for (const id of [pipeline.id, undefined]) {
      expect(await creation(file(id))).toMatchObject({ outcome: "unknown" });
      expect((await recover(file(id))).stdout).toMatch(
        /If it exists, import it .* If nothing .* exists, `pulumi refresh/,
      );
    }
  });

  test("advises the option `import` for the new half of a replacement, which a command can't import", async () => {
    const large = await client.queues.create(cluster, { key: "large" });
    const file = stateWith(await client.queues.create(cluster, { key: "small" }));
    const expected = { outcome: "unrecorded", inState: true, objects: [{ id: large.id }] };
    expect(await creation(file)).toMatchObject(expected);
    const { stdout } = await recover(file);
    expect(stdout).toContain('set the option `import` to "Linux/large"');
    expect(stdout).not.toContain("recover --yes");
  });

  const OTHER_PROVIDER = "urn:pulumi:test::killed::pulumi:providers:pulumi-nodejs::other::1";
  const encrypted = { ciphertext: "AAAA" };
  test.each<[string, string, type: string, inputs: Record<string, unknown>, fields?: object]>([
    ["a default queue, which the next deployment sets again", "repeated", "ClusterDefaultQueue", {}],
    ["another package's", "unknown", "Queue", {}, { type: "aws:s3/bucket:Bucket" }],
    ["a resource of another organization", "unknown", "Queue", { key: "large", organization: "other" }],
    ["a token in a secret cluster", "unknown", "AgentToken", { clusterId: encrypted, description: "Farm" }],
    ["a resource with a secret name", "unknown", "Team", { name: encrypted }],
    ["a secret team that is hidden from others", "unknown", "Team", { name: "Security", privacy: "secret" }],
    ["a resource with an explicit provider", "unknown", "Team", { name: "A" }, { provider: OTHER_PROVIDER }],
  ])("%s is %s", async (_, outcome, type, inputs, fields) => {
    const file = interrupted(creating(type, inputs, fields));
    expect(await creation(file)).toMatchObject({ outcome, objects: [] });
  });

  test("calls nothing absent that the access token can't list", async () => {
    const token = emulator.createAccessToken({ scopes: ["read_teams"] });
    const file = interrupted();
    const { code, stdout } = await buildpipeline(["recover", "--stack-export", file, "--json"], {
      env: settingsOf(emulator, token),
    });
    expect(code).toBe(1);
    expect(JSON.parse(stdout).creations).toMatchObject([
      { outcome: "unknown", reason: expect.stringContaining("403") },
    ]);
  });
});

describe("buildpipeline recover, for a deletion that was refused", () => {
  test("says whether the old object still exists, and that the next deployment deletes it", async () => {
    const { id: large } = await client.queues.create(cluster, { key: "large" });
    const { id: tiny } = await client.queues.create(cluster, { key: "tiny" });
    const file = state("refused-deletion", { large, tiny });
    const { code, stdout } = await recover(file);
    expect(code).toBe(1);
    expect(stdout).toContain(`Deletion due ${URN}`);
    expect(stdout).toContain(`The old Queue ${large} still exists.`);
    await client.queues.delete(cluster, large);
    expect(JSON.parse((await recover(file, "--json")).stdout)).toMatchObject({
      creations: [],
      deletions: [{ urn: URN, id: large, exists: false }],
    });
  });
});

const nothingInterrupted = () =>
  interrupted((deployment) => {
    delete deployment.pending_operations;
  });

const NOTHING = { code: 0, stdout: "Nothing was interrupted.\n", stderr: "" };

test("buildpipeline recover without anything interrupted sends nothing, and ends with 0", async () => {
  expect(await recover(nothingInterrupted())).toEqual(NOTHING);
  expect(emulator.requests).toEqual([]);
});

test("buildpipeline recover needs a state, and changes only that of a project", async () => {
  const nowhere = await buildpipeline(["recover"], { env: settingsOf(emulator) });
  expect(nowhere).toMatchObject({ code: 2, stderr: expect.stringContaining("Give --stack-export <file>") });
  writeFileSync(scratch.path("other.json"), "{}");
  expect(await recover(scratch.path("other.json"))).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/other\.json is not what `pulumi stack export` prints/),
  });
  const both = await recover(interrupted(), "--yes");
  expect(both).toMatchObject({ code: 2, stderr: expect.stringContaining("leave --stack-export out") });
});

describe("In a project, buildpipeline recover", () => {
  /** A project whose Pulumi CLI exports these states one after the other, the last one again and again. */
  function project(backend: string, ...states: readonly string[]): void {
    writeFileSync(scratch.path("Pulumi.yaml"), "name: farm\nruntime: nodejs\n");
    const count = scratch.path("count");
    const exports = states.map((file, index) => `${index + 1}) cat '${file}' ;;`);
    exports.push(`*) cat '${states.at(-1)}' ;;`);
    writeCommand(
      scratch.path("bin"),
      "pulumi",
      [
        `echo "$*" >>'${scratch.path("calls")}'`,
        'case "$*" in',
        `whoami*) echo '{"user":"ada","url":"${backend}"}' ;;`,
        '"stack --show-name"*) echo production ;;',
        '"stack export"*) [ ! -f broken ] || { cat broken >&2; exit 255; }',
        `echo x >>'${count}'; case $(wc -l <'${count}') in ${exports.join(" ")} esac ;;`,
        '"config --json"*) echo {} ;;',
        "refresh*) [ ! -f refused ] || { cat refused >&2; exit 255; } ;;",
        "esac",
      ].join("\n"),
    );
  }

  const inProject = (...args: readonly string[]) =>
    buildpipeline(args, {
      cwd: scratch.directory,
      env: { ...settingsOf(emulator), PATH: `${scratch.path("bin")}:${process.env.PATH}` },
    });
  const calls = () => readFileSync(scratch.path("calls"), "utf8");
  const directory = () => `file://${scratch.directory}`;

  function lock(content: string, place = "organization/farm/production"): void {
    const folder = scratch.path(`.pulumi/locks/${place}`);
    mkdirSync(folder, { recursive: true });
    writeFileSync(`${folder}/0a1b.json`, content);
  }

  const HOLDER = { username: "ada", timestamp: "2026-11-24T06:00:00Z" };

  test.each([
    [{ pid: process.pid, hostname: hostname() }, "A process with this number runs on this machine."],
    [{ pid: 2 ** 22 + 1, hostname: hostname() }, "That process no longer runs on this machine."],
    [{ pid: 1, hostname: "elsewhere" }, "Whether that process still runs can't be seen from this machine."],
    [undefined, "locked by someone@an unknown machine"],
  ])("shows a lock, and recovers nothing: %j", async (holder, words) => {
    project(directory(), interrupted());
    lock(holder === undefined ? "{" : JSON.stringify({ ...HOLDER, ...holder }));
    const { code, stdout } = await inProject("recover", "--yes");
    expect(code).toBe(1);
    expect(stdout).toMatch(/^Locked The stack is locked by /);
    if (holder)
      expect(stdout).toContain(`ada@${holder.hostname} (process ${holder.pid}) since ${HOLDER.timestamp}. `);
    expect(stdout).toContain(words);
    expect(stdout).toMatch(/it ends no deployment: .* then run `pulumi cancel`\./);
    expect(calls()).not.toContain("refresh");
    const doctor = await inProject("doctor", "--json");
    expect(doctor.code).toBe(1);
    expect(JSON.parse(doctor.stdout).checks).toContainEqual(
      expect.objectContaining({ name: "lock", status: "problem", message: expect.stringContaining(words) }),
    );
  });

  const WHOLE = '{"version":3,"checkpoint":{}}';
  test.each<[string, Record<string, string>, string | undefined]>([
    ["its backup", { "stacks/farm/production.json.bak": WHOLE }, "stacks/farm/production.json.bak"],
    [
      "its newest copy that is whole",
      {
        "history/farm/production/production-1.checkpoint.json": WHOLE,
        "history/farm/production/production-2.checkpoint.json": WHOLE,
        "history/farm/production/production-2.history.json": WHOLE,
        "history/farm/staging/staging-3.checkpoint.json": WHOLE,
        "stacks/farm/production.json.bak": WHOLE.slice(0, 20),
      },
      "history/farm/production/production-2.checkpoint.json",
    ],
    ["that it has no whole copy", { "stacks/farm/production.json.bak": "" }, undefined],
  ])("says of a state that Pulumi can't read %s", async (_, files, copy) => {
    project(directory(), nothingInterrupted());
    const path = (file: string) => scratch.path(`.pulumi/${file}`);
    const broken = { "stacks/farm/production.json": "{" };
    for (const [index, [file, text]] of Object.entries({ ...broken, ...files }).entries()) {
      mkdirSync(dirname(path(file)), { recursive: true });
      writeFileSync(path(file), text);
      utimesSync(path(file), index, index);
    }
    const reason = "failed to load checkpoint: place 1: unexpected end of JSON input";
    writeFileSync(scratch.path("broken"), `error: ${reason}\n`);
    const { code, stderr } = await inProject("recover");
    expect(code).toBe(2);
    expect(stderr).toContain(`${reason}. ${path("stacks/farm/production.json")} is damaged`);
    expect(stderr).toContain('Follow "The state is lost" of `');
    if (copy === undefined) expect(stderr).not.toContain("cp ");
    else expect(stderr).toContain(`\`cp ${path(copy)} ${path("stacks/farm/production.json")}\`.`);
  });

  test("says of a state in a bucket that Pulumi can't read where copies may be", async () => {
    project("s3://state", nothingInterrupted());
    writeFileSync(
      scratch.path("broken"),
      "error: failed to load checkpoint: place 1: invalid character '<'\n",
    );
    const { code, stderr } = await inProject("recover");
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: expect.stringMatching(
        /production\.json\.bak` may be whole, .* copy one in its place\. Follow /,
      ),
    });
  });

  test("finds a lock also if nothing was interrupted, and no other stack's", async () => {
    project(directory(), nothingInterrupted());
    lock("{}", "organization/farm/staging");
    lock("{}", "organization/other/production");
    expect(await inProject("recover")).toEqual(NOTHING);
    lock("{}", "production");
    const { code, stdout } = await inProject("recover");
    expect(code).toBe(1);
    expect(stdout).not.toContain("Nothing was interrupted");
    expect(JSON.parse((await inProject("recover", "--json")).stdout).locks).toHaveLength(1);
  });

  test.each(["https://api.pulumi.com", "s3://state", "file:///nowhere-at-all"])(
    "doesn't know whether a stack in %s is locked",
    async (backend) => {
      project(backend, nothingInterrupted());
      const { code, stdout } = await inProject("recover");
      expect(code).toBe(0);
      expect(stdout).toContain("Nothing was interrupted.\nWhether the stack is locked is unknown");
      expect(JSON.parse((await inProject("recover", "--json")).stdout).locks).toBeNull();
      expect(JSON.parse((await inProject("doctor", "--json")).stdout).checks).toContainEqual(
        expect.objectContaining({ name: "lock", status: "skipped" }),
      );
    },
  );

  test("explains Pulumi's error about a lock", async () => {
    project("s3://state", interrupted());
    const error =
      "error: the stack is currently locked by 1 lock(s). Either wait or delete it with `pulumi cancel`.";
    const holder = "  s3://state/a.json: created by ada@laptop (pid 7) at 2026-11-24T06:00:00Z";
    writeFileSync(scratch.path("refused"), `${error}\n${holder}\n`);
    const { code, stderr } = await inProject("recover", "--yes");
    expect(code).toBe(2);
    expect(stderr).toMatch(/created by ada@laptop \(pid 7\) at \S+Z\. `pulumi cancel` releases the lock\. /);
  });

  test("doesn't name itself as the next step where it could not import an object", async () => {
    await client.queues.create(cluster, { key: "large" });
    project(directory(), interrupted());
    mkdirSync(scratch.path(".pulumi"));
    expect((await inProject("recover")).stdout).toContain(
      "Next: npx pulumi-buildpipeline recover --yes imports",
    );
    const { code, stdout } = await inProject("recover", "--yes");
    expect(code).toBe(1);
    expect(stdout).toContain("It was not imported: ");
    expect(stdout).not.toContain("recover --yes");
    expect(stdout).toContain("Next: remove the reason that is said above, and run this again.");
  });

  test("forgets nothing that was interrupted between its read and its refresh", async () => {
    const settled = interrupted();
    const again = interrupted((deployment) =>
      Object.assign(deployment, { manifest: { time: "2030-01-01T00:00:00Z" } }),
    );
    project(directory(), settled, again);
    mkdirSync(scratch.path(".pulumi"));
    const { code, stdout } = await inProject("recover", "--yes");
    expect(code).toBe(1);
    expect(stdout).not.toContain("cleared");
    expect(calls()).not.toContain("refresh");
    await inProject("recover", "--yes");
    expect(calls()).toContain("refresh --clear-pending-creates");
  });
});
