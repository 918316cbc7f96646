import { readFileSync, writeFileSync } from "node:fs";
import { beforeEach, describe, expect, test } from "vitest";
import { buildpipeline, type Ended, OBEYED, settingsOf } from "../../support/command.js";
import { client, emulator, restart, scratch, serviceForEach } from "../../support/command-service.js";
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

/** The recorded creation of a queue, as one of another type. */
function creating(type: string, inputs: Record<string, unknown>, fields: object = {}) {
  return ({ pending_operations: [pending] = [] }: Exported["deployment"]) => {
    if (pending === undefined) throw new Error("The recording has no pending operation.");
    const { resource } = pending;
    const as = (text: string) => text.replace("buildpipeline:Queue", `buildpipeline:${type}`);
    const common = { __provider: resource.inputs?.__provider, organization: "acme" };
    Object.assign(resource, {
      urn: as(resource.urn),
      type: as(resource.type),
      inputs: { ...common, ...inputs },
      ...fields,
    });
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

describe("buildpipeline recover, for a creation that was interrupted", () => {
  test("names the object that no state has, and the command that imports it without a change of the program", async () => {
    const queue = await client.queues.create(cluster, { key: "large" });
    const file = state("interrupted-creation");
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
    const file = state("interrupted-creation");
    expect(await creation(file)).toMatchObject({ outcome: "absent", objects: [] });
    const { stdout } = await recover(file);
    expect(stdout).toContain("The API doesn't list it. The next `pulumi up` creates it.");
    expect(stdout).toContain(
      "Next: npx pulumi-buildpipeline recover --yes, or pulumi refresh --clear-pending-creates.",
    );
  });

  test("finds an object that moved to a page that was read already", async () => {
    await restart({ variations: { largestPage: 2 } });
    cluster = (await client.clusters.create({ name: "Linux" })).id;
    const [first] = await Promise.all(["a", "b"].map((key) => client.queues.create(cluster, { key })));
    await client.queues.create(cluster, { key: "large" });
    let pages = 0;
    emulator.onRequest(({ operation }) => {
      if (operation === "queues.list" && ++pages === 2)
        emulator.organizationData.queues.delete(first?.id ?? "");
    });
    expect(await creation(state("interrupted-creation"))).toMatchObject({ outcome: "unrecorded" });
  });

  test("offers no import of an agent token: it is to be revoked, because its secret is lost", async () => {
    const token = await client.agentTokens.create(cluster, { description: "Farm" });
    const file = state(
      "interrupted-creation",
      {},
      creating("AgentToken", { clusterId: cluster, description: "Farm" }),
    );
    expect(await creation(file)).toMatchObject({ secretIsLost: true, objects: [{ id: token.id }] });
    const { stdout } = await recover(file);
    expect(stdout).toContain("Its secret is lost.");
    expect(stdout).toMatch(new RegExp(`curl .*--request DELETE .*/clusters/${cluster}/tokens/${token.id}\n`));
    expect(stdout).not.toMatch(/ import AgentToken|recover --yes/);
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
    const file = state("interrupted-creation");
    expect(await creation(file, "--others", other)).toMatchObject({ outcome: "absent" });
  });

  test("finds the object also if the program writes the cluster's id in upper case", async () => {
    const token = await client.agentTokens.create(cluster, { description: "Farm" });
    const inputs = { clusterId: cluster.toUpperCase(), description: "Farm" };
    expect(await creation(state("interrupted-creation", {}, creating("AgentToken", inputs)))).toMatchObject({
      outcome: "unrecorded",
      objects: [{ id: token.id }],
    });
  });

  test("says that the state has the object", async () => {
    const queue = await client.queues.create(cluster, { key: "large" });
    const from: Exported = JSON.parse(readFileSync(state("refused-deletion", { tiny: queue.id }), "utf8"));
    const own = from.deployment.resources.find(({ id }) => id === queue.id);
    const file = state("interrupted-creation", {}, ({ resources }) => own && resources.push(own));
    expect(await creation(file)).toMatchObject({ outcome: "recorded", inState: true });
  });

  test("advises the option `import` for the new half of a replacement, which a command can't import", async () => {
    const [small, large] = await Promise.all(
      ["small", "large"].map((key) => client.queues.create(cluster, { key })),
    );
    const from: Exported = JSON.parse(
      readFileSync(state("refused-deletion", { tiny: small?.id ?? "" }), "utf8"),
    );
    const old = from.deployment.resources.find(({ id }) => id === small?.id);
    const file = state("interrupted-creation", {}, ({ resources }) => old && resources.push(old));
    expect(await creation(file)).toMatchObject({
      outcome: "unrecorded",
      inState: true,
      objects: [{ id: large?.id }],
    });
    const { stdout } = await recover(file);
    expect(stdout).toContain('set the option `import` to "Linux/large"');
    expect(stdout).not.toContain("recover --yes");
  });

  test.each([
    [
      "a default queue, which the next deployment sets again",
      "repeated",
      creating("ClusterDefaultQueue", {}),
    ],
    ["another package's", "unknown", creating("Queue", {}, { type: "aws:s3/bucket:Bucket" })],
    [
      "a resource of another organization",
      "unknown",
      creating("Queue", { key: "large", organization: "other" }),
    ],
    [
      "a token in a cluster with a secret id",
      "unknown",
      creating("AgentToken", { clusterId: { ciphertext: "AAAA" }, description: "Farm" }),
    ],
    ["a resource with a secret name", "unknown", creating("Team", { name: { ciphertext: "AAAA" } })],
    [
      "a secret team that is hidden from others",
      "unknown",
      creating("Team", { name: "Security", privacy: "secret" }),
    ],
    [
      "a resource with an explicit provider",
      "unknown",
      creating(
        "Team",
        { name: "A" },
        { provider: "urn:pulumi:test::killed::pulumi:providers:pulumi-nodejs::other::1" },
      ),
    ],
  ])("%s is %s", async (_, outcome, edit) => {
    expect(await creation(state("interrupted-creation", {}, edit))).toMatchObject({ outcome, objects: [] });
  });

  test("calls nothing absent that the access token can't list", async () => {
    const token = emulator.createAccessToken({ scopes: ["read_teams"] });
    const file = state("interrupted-creation");
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
    const [large, tiny] = await Promise.all(
      ["large", "tiny"].map((key) => client.queues.create(cluster, { key })),
    );
    const file = state("refused-deletion", { large: large?.id ?? "", tiny: tiny?.id ?? "" });
    const { code, stdout } = await recover(file);
    expect(code).toBe(1);
    expect(stdout).toContain(`Deletion due ${URN}`);
    expect(stdout).toContain(`The old Queue ${large?.id} still exists.`);
    await client.queues.delete(cluster, large?.id ?? "");
    expect(JSON.parse((await recover(file, "--json")).stdout)).toMatchObject({
      creations: [],
      deletions: [{ urn: URN, id: large?.id, exists: false }],
    });
  });
});

test("buildpipeline recover without anything interrupted sends nothing, and ends with 0", async () => {
  const file = state("interrupted-creation", {}, (deployment) => {
    delete deployment.pending_operations;
  });
  expect(await recover(file)).toEqual({ code: 0, stdout: "Nothing was interrupted.\n", stderr: "" });
  expect(emulator.requests).toEqual([]);
});

test("buildpipeline recover needs a state, and changes only that of a project", async () => {
  const nowhere = await buildpipeline(["recover"], { env: settingsOf(emulator) });
  expect(nowhere.code).toBe(2);
  expect(nowhere.stderr).toContain("Give --stack-export <file>");
  writeFileSync(scratch.path("other.json"), "{}");
  expect(await recover(scratch.path("other.json"))).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/other\.json is not what `pulumi stack export` prints/),
  });
  const both = await recover(state("interrupted-creation"), "--yes");
  expect(both.code).toBe(2);
  expect(both.stderr).toContain("leave --stack-export out");
});
