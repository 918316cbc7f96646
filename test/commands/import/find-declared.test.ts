import { describe, expect, onTestFinished, test } from "vitest";
import { type DeclaredResource, readDeclared } from "../../../src/commands/import/declared-resources.js";
import { findDeclared } from "../../../src/commands/import/find-declared.js";
import { parsePairs } from "../../../src/commands/import/pairs.js";
import { startEmulator } from "../../../src/emulator/index.js";
import { kinds } from "../../../src/provider/for-commands/kinds.js";
import { isSecret, MASKED, UNKNOWN } from "../../../src/shared/protocol/encoded-values.js";
import { someOf } from "../../support/cases.js";
import { client, emulator, serviceForEach } from "../../support/command-service.js";
import { Driver } from "../../support/driver.js";
import { argumentsOf, EACH_KIND } from "../../support/each-kind.js";
import { createCluster, createTeam } from "../organization.js";
import { pairsOf } from "./pairs-of.js";

serviceForEach();

const type = "pulumi-nodejs:dynamic/buildpipeline:Queue";

const urnOf = (kind: string, name: string) =>
  `urn:pulumi:production::ci::pulumi-nodejs:dynamic/buildpipeline:${kind}::${name}`;

/** A resource of a program that the stack doesn't have yet. */
function declaredOf(kind: string, name: string, inputs: object, entryType?: string): DeclaredResource {
  return {
    kind,
    name,
    id: undefined,
    urn: urnOf(kind, name),
    propertyDependencies: {},
    inputs: { organization: emulator.organization, ...inputs },
    entry: { type: entryType ?? `pulumi-nodejs:dynamic/buildpipeline:${kind}`, name },
    providerInputs: undefined,
  };
}

const queue = (name: string, inputs: object) => declaredOf("Queue", name, { __secrets: [], ...inputs });

/** What a program declares, and which resources its stack has. */
const declaredWith = (resources: readonly DeclaredResource[], inState: readonly DeclaredResource[] = []) => ({
  resources: [...resources],
  inState: [...inState],
  owners: new Map(inState.map(({ kind, id, name }) => [`${kind} ${id}`, name])),
  importFile: { resources: resources.map(({ entry }) => entry) },
});

/** Finds the objects that these lines name, for resources of a program. An import goes on if the stack has any. */
function find(
  resources: readonly DeclaredResource[],
  lines: string,
  inState: readonly DeclaredResource[] = [],
) {
  const { accessToken, organization, url: baseUrl } = emulator;
  const settings: Partial<Record<string, string>> = { accessToken, organization, baseUrl };
  return findDeclared(declaredWith(resources, inState), parsePairs(lines), {
    stack: (name) => settings[name],
    goesOn: inState.length > 0,
    onFound: () => {},
  });
}

test("finds the object of each resource, its state, and what the program says otherwise", async () => {
  const { id: clusterId } = await client.clusters.create({ name: "Linux" });
  const { id } = await client.queues.create(clusterId, { key: "small", description: "2 cores" });
  const declared = queue("small", { clusterId, key: "small", description: "4 cores" });
  const { found, imported } = await find([declared], "Queue small Linux/small");
  const differences = [expect.stringMatching(/description.*2 cores.*4 cores|4 cores.*2 cores/)];
  expect(found).toEqual([{ type, name: "small", id, differences }]);
  expect(imported.get(declared.entry)).toMatchObject({
    id,
    inputs: { clusterId, key: "small", __provider: expect.any(String) },
    outputs: { key: "small", __provider: expect.any(String) },
  });
});

test("the state of a secret team names the token that read it, and no permission that the API didn't return", async () => {
  const { id } = await createTeam("Core", { privacy: "secret" });
  // The preview of a creation completes the inputs with defaults, which nobody decided.
  const defaults = { defaultMemberRole: "member", membersCanCreatePipelines: false };
  const declared = declaredOf("Team", "core", { name: "Core", privacy: "secret", ...defaults });
  const { imported } = await find([declared], `Team core ${id}`);
  for (const name of Object.keys(defaults))
    expect(imported.get(declared.entry)?.inputs).not.toHaveProperty(name);
  const { uuid } = await client.accessToken.get();
  expect(imported.get(declared.entry)?.outputs).toMatchObject({
    __origin: new URL(emulator.url).origin,
    __tokenId: uuid,
  });
});

test("skips what an earlier import has brought into the state, unless that is another object", async () => {
  const { id: clusterId } = await client.clusters.create({ name: "Linux" });
  const { id } = await client.queues.create(clusterId, { key: "small" });
  const known = queue("small", { clusterId, key: "small" });
  const line = "Queue small Linux/small";
  expect((await find([], line, [{ ...known, id }])).found).toEqual([]);
  await expect(find([], line, [{ ...known, id: clusterId }])).rejects.toThrow("in state, and Linux/small is");
  await expect(find([], line)).rejects.toThrow('The program declares no Queue "small"');
});

test.each([
  ["two lines that name one resource", ["a Linux/small", "a Linux/large"], 'Several lines name Queue "a"'],
  ["two resources for one object", ["a Linux/small", "b Linux/small"], 'which is Queue "a" already'],
  ["an object that another resource has", ["a Linux/state"], 'which is Queue "old" already'],
])("refuses %s, because its deletion would delete what the other one has", async (_, lines, message) => {
  const { id: clusterId } = await client.clusters.create({ name: "Linux" });
  const keys = ["small", "large", "state"];
  const [, , state] = await Promise.all(keys.map((key) => client.queues.create(clusterId, { key })));
  const inState = { ...queue("old", { clusterId, key: "state" }), id: state?.id };
  const declared = ["a", "b"].map((name) => queue(name, { clusterId, key: UNKNOWN }));
  const text = lines.map((line) => `Queue ${line}\n`).join("");
  await expect(find(declared, text, [inState])).rejects.toThrow(message);
});

describe("an import that the next deployment would replace is refused", () => {
  test("because of another key", async () => {
    const { id: clusterId } = await client.clusters.create({ name: "Linux" });
    await client.queues.create(clusterId, { key: "small" });
    await expect(find([queue("q", { clusterId, key: "large" })], "Queue q Linux/small")).rejects.toThrow(
      /^Linux\/small is \S+, which the next deployment would replace, .*\n {2}key: the program has "large", the service has "small"\n/,
    );
  });

  test.each(["Cluster c Linux\nQueue q Mac/small", "Queue q Mac/small\nCluster c Linux"])(
    "because of another cluster, which the same file imports: %j",
    async (lines) => {
      const { id: linux } = await client.clusters.create({ name: "Linux" });
      const { id: mac } = await client.clusters.create({ name: "Mac" });
      await client.queues.create(mac, { key: "small" });
      const cluster = declaredOf("Cluster", "c", { name: "Linux", __secrets: [] });
      const declared = {
        ...queue("q", { clusterId: UNKNOWN, key: "small" }),
        propertyDependencies: { clusterId: [cluster.urn] },
      };
      await expect(find([cluster, declared], lines)).rejects.toThrow(
        `clusterId: the program has ${linux}, the service has ${mac}`,
      );
      await client.queues.create(linux, { key: "small" });
      const { found } = await find([cluster, declared], lines.replace("Mac", "Linux"));
      expect(found.map(({ name, differences }) => [name, differences])).toEqual([
        ["c", []],
        ["q", []],
      ]);
    },
  );
});

test("a plugin's resource is imported by ids, which mean one object only", async () => {
  const { id: clusterId } = await client.clusters.create({ name: "A" });
  const other = await client.clusters.create({ name: "A/B" });
  const { id } = await client.agentTokens.create(clusterId, { description: "B/C" });
  await client.agentTokens.create(other.id, { description: "C" });
  const inputs = { clusterId, description: "B/C", __secrets: [] };
  const declared = declaredOf("AgentToken", "t", inputs, "buildpipeline:index:AgentToken");
  const { imported } = await find([declared], "AgentToken t A/B/C");
  expect(imported.get(declared.entry)?.id).toBe(`${clusterId}/${id}`);
});

test("the resources of a preview that own objects in state are those that it deletes, too", () => {
  const urn = (name: string) => `urn:pulumi:production::ci::${type}::${name}`;
  const step = (op: string, name: string, oldState: object, isDeclared = true) => ({
    op,
    urn: urn(name),
    oldState: { urn: urn(name), ...oldState },
    newState: isDeclared ? { urn: urn(name), type, id: "" } : null,
  });
  const steps = [
    step("same", "same", { id: "1" }),
    step("delete", "renamed", { id: "2" }, false),
    step("delete", "retained", { id: "3", retainOnDelete: true }, false),
    step("read", "read", { id: "4", external: true }),
  ];
  const { owners } = readDeclared({ steps }, { resources: [] });
  expect([...owners]).toEqual([
    ["Queue 1", "same"],
    ["Queue 2", "renamed"],
  ]);
});

/** Objects of each kind, the named ones with a value for every returned argument that occurs nowhere else. */
async function objectsWithWords(): Promise<Readonly<Record<string, string>>> {
  const description = "words-description";
  const { cluster, queue } = await createCluster("words-name", {
    cluster: { description, emoji: ":words-emoji:", color: "#ab01cd" },
    queue: { key: "words-key", description },
    token: { description, allowed_ip_addresses: "192.0.2.77/32" },
  });
  await client.queues.pauseDispatch(cluster.id, queue.id, { note: "words-dispatchPausedNote" });
  const template = { name: "words-name", configuration: "words-configuration: []\n", available: true };
  const { uuid } = await client.pipelineTemplates.create({ ...template, description });
  await client.pipelines.create({
    name: "words-of-a-template",
    repository: "words-repository",
    pipeline_template_uuid: uuid,
    cluster_id: cluster.id,
  });
  const { id: teamId } = await createTeam("words-name", {
    description,
    privacy: "secret",
    is_default_team: true,
    default_member_role: "maintainer",
    members_can_create_pipelines: true,
  });
  const suite = await client.suites.create({
    name: "words-name",
    default_branch: "words-defaultBranch",
    application_name: "words-applicationName",
    color: "#ab01cd",
    emoji: ":words-emoji:",
  });
  const pipeline = await client.pipelines.create({
    name: "words-name",
    repository: "words-repository",
    configuration: "words-configuration: []\n",
    cluster_id: cluster.id,
    slug: "words-slug",
    description,
    default_branch: "words-defaultBranch",
    branch_configuration: "words-branchConfiguration",
    skip_queued_branch_builds: true,
    skip_queued_branch_builds_filter: "words-skipQueuedBranchBuildsFilter",
    cancel_running_branch_builds: true,
    cancel_running_branch_builds_filter: "words-cancelRunningBranchBuildsFilter",
    tags: ["words-tags"],
    emoji: ":words-emoji:",
    color: "#ab01cd",
  });
  const schedule = await client.pipelineSchedules.create(pipeline.slug, {
    label: "words-label",
    cronline: "@daily",
    branch: "words-branch",
    commit: "words-commit",
    message: "words-message",
    env: { WORDS: "words-env" },
  });
  const [member] = await client.teamMembers.list(teamId).all();
  const userId = member?.user_id ?? "";
  await client.pipelines.update(pipeline.slug, {
    clone_mirror_url: "https://example.com/words-cloneMirrorUrl",
  });
  await client.clusterMaintainers.create(cluster.id, { team: teamId });
  const { id: maintainer } = emulator.addMember({ name: "Ben", email: "ben@acme.example" });
  await client.clusterMaintainers.create(cluster.id, { user: maintainer });
  const secret = { key: "words_key", value: "words-value", description };
  const filter = "words-branchConfiguration";
  await client.notificationServices.create({
    ...{ provider: "webhook", scope: "all", description, branch_configuration: filter },
    settings: { url: "https://example.com" },
  });
  await client.pipelineSettings.update({
    default_cluster_id: cluster.id,
    default_timeout_in_minutes: 31,
    maximum_timeout_in_minutes: 62,
    scheduled_job_expiry_in_minutes: 93,
  });
  await client.apiSettings.update({
    allowed_ip_addresses: "0.0.0.0/0",
    revoke_inactive_tokens_after_days: 90,
  });
  await client.clusterSecrets.create(cluster.id, { ...secret, policy: "- pipeline_slug: words-policy\n" });
  const around = {
    Cluster: cluster.id,
    Queue: queue.id,
    Team: teamId,
    Suite: suite.id,
    Pipeline: pipeline.id,
  };
  const names = {
    Pipeline: pipeline.id,
    PipelineSchedule: `${pipeline.slug}/${schedule.id}`,
    TeamMember: `${teamId}/${userId}`,
    ClusterMaintainer: `words-name/${teamId}`,
    ClusterSecret: "words-name/words_key",
    NotificationService: "webhook/words-description",
    Cluster: "words-name",
    Queue: "words-name/words-key",
    ClusterDefaultQueue: "words-name",
    AgentToken: "words-name/words-description",
    PipelineTemplate: "words-name",
    Team: "words-name",
    Suite: "words-name",
    // Which are instead of other arguments.
    "Pipeline.pipelineTemplateUuid": "words-of-a-template",
    "ClusterMaintainer.userId": `words-name/${maintainer}`,
    PipelineSettings: "settings",
    ApiSettings: "settings",
  };
  return { ...(await idsOfOthers(names, new Map(Object.entries(around)))), ...names };
}

/** Makes the object that tests have of each kind without a name here. Returns the names of these objects, by ids. */
async function idsOfOthers(named: object, around: ReadonlyMap<string, string>) {
  const driver = Driver.for(emulator);
  const others = Object.keys(EACH_KIND).filter((kind) => !(kind in named));
  const made = others.map(async (kind) => {
    const { id } = await driver.create(
      kind,
      argumentsOf(kind, (of) => around.get(of)),
    );
    const place = around.get(kinds.get(kind)?.parent?.kind ?? "");
    return [kind, place === undefined || place === id || id.includes("/") ? id : `${place}/${id}`] as const;
  });
  return Object.fromEntries(await Promise.all(made));
}

const unknownArguments = (kind: string) =>
  Object.fromEntries(Object.keys(kinds.get(kind)?.arguments ?? {}).map((name) => [name, UNKNOWN]));

test("the lines that examples/import-pairs writes for a state name its objects, of every kind", async () => {
  const names = await objectsWithWords();
  const all = [...kinds.keys()];
  const declared = all.map((kind) => declaredOf(kind, kind, unknownArguments(kind)));
  const findAll = (lines: string) => find(declared, lines);
  const { found, imported } = await findAll(all.map((kind) => `${kind} ${kind} ${names[kind]}\n`).join(""));
  const resources = [...imported.values()].map((entry) => ({
    ...entry,
    urn: urnOf(entry.name, entry.name),
    custom: true,
  }));
  const { lines, errors, code } = pairsOf(resources);
  expect({ errors, code }).toEqual({ errors: "", code: 0 });
  expect((await findAll(lines)).found).toEqual(found);
});

const references = [...kinds.values()].flatMap(({ name, parent, arguments: fields }) =>
  Object.entries(fields).flatMap(([argument, { refersTo, returnedAs }]) => {
    const of = argument === parent?.argument ? parent.kind : returnedAs && refersTo;
    return of === undefined ? [] : [[name, argument, of] as const];
  }),
);

test.each(references)("%s.%s is the id of the %s that the same lines import", async (kind, argument, of) => {
  const names = await objectsWithWords();
  const other = declaredOf(of, "other", unknownArguments(of));
  const one = {
    ...declaredOf(kind, "one", unknownArguments(kind)),
    propertyDependencies: { [argument]: [other.urn] },
  };
  const name = names[`${kind}.${argument}`] ?? names[kind];
  const { found, imported } = await find([one, other], `${kind} one ${name}\n${of} other ${names[of]}`);
  const { id } = found.find((each) => each.name === "other") ?? {};
  expect(imported.get(one.entry)).toMatchObject({ inputs: { [argument]: id }, outputs: { [argument]: id } });
});

test("the steps of a template that the same lines import aren't taken for the pipeline's own", async () => {
  await objectsWithWords();
  const template = declaredOf("PipelineTemplate", "template", unknownArguments("PipelineTemplate"));
  const inputs = {
    name: "words-of-a-template",
    repository: "words-repository",
    pipelineTemplateUuid: UNKNOWN,
  };
  const pipeline = {
    ...declaredOf("Pipeline", "one", inputs),
    propertyDependencies: { pipelineTemplateUuid: [template.urn] },
  };
  const lines = "Pipeline one words-of-a-template\nPipelineTemplate template words-name";
  const { imported } = await find([pipeline, template], lines);
  expect(imported.get(pipeline.entry)?.inputs).not.toHaveProperty("configuration");
});

/** The texts in a value. */
function textsIn(value: unknown): string[] {
  if (typeof value === "object" && value !== null) return Object.values(value).flatMap(textsIn);
  return typeof value === "string" ? [value] : [];
}

/** What of some properties an import file has in plain text. */
function plainText(properties: object = {}): string {
  const shown = JSON.stringify(properties, (_, value: unknown) => (isSecret(value) ? undefined : value));
  return textsIn(JSON.parse(shown)).join("\n");
}

const MASKED_FORMS = {
  "a text": MASKED,
  "part of a list": [MASKED, "x"],
  "part of a map": { a: { b: MASKED } },
};

const secretCases = [...kinds.values()].flatMap((kind) =>
  Object.entries(kind.arguments)
    .filter(([name, field]) => field.returnedAs !== undefined && name !== kind.parent?.argument)
    // The emulator leaves these out. Then the command refuses to write the state.
    .filter(([, field]) => !field.mayBeLeftOut)
    .map(([name]) => [kind.name, name] as const),
);

test.each(someOf(secretCases))(
  "%s.%s: the preview masked it, another argument is unknown, and no file has it in plain text",
  async (kindName, argument) => {
    const names = await objectsWithWords();
    const line = `${kindName} one ${names[`${kindName}.${argument}`] ?? names[kindName]}`;
    const others = Object.keys(kinds.get(kindName)?.arguments ?? {}).filter((name) => name !== argument);
    const whole = declaredOf(kindName, "one", unknownArguments(kindName));
    const { outputs: known = {} } = (await find([whole], line)).imported.get(whole.entry) ?? {};
    const elsewhere = textsIn(others.map((name) => known[name])).join("\n");
    const words = textsIn(known[argument]).filter((text) => !elsewhere.includes(text));
    for (const [form, masked] of Object.entries(MASKED_FORMS)) {
      const declared = declaredOf(kindName, "one", {
        ...Object.fromEntries(others.map((name) => [name, UNKNOWN])),
        [argument]: masked,
        __secrets: UNKNOWN,
      });
      const { found, imported } = await find([declared], line);
      const { inputs, outputs } = imported.get(declared.entry) ?? {};
      for (const properties of [inputs, outputs]) {
        const value = properties?.[argument];
        expect(isSecret(value) || value === undefined, form).toBe(true);
        for (const word of words) expect(plainText(properties), form).not.toContain(word);
      }
      expect(JSON.stringify(found)).not.toContain(MASKED);
    }
  },
);

test("a plugin's resource with a secret argument gets its state from the file, with the secret marked", async () => {
  await client.clusters.create({ name: "Linux", description: "Hidden words" });
  const inputs = { name: "Linux", description: MASKED };
  const declared = declaredOf("Cluster", "linux", inputs, "buildpipeline:index:Cluster");
  const { imported } = await find([declared], "Cluster linux Linux");
  const entry = imported.get(declared.entry);
  expect(isSecret(entry?.inputs?.description)).toBe(true);
  expect(entry?.inputs).not.toHaveProperty("__provider");
  expect(plainText(entry)).not.toContain("Hidden words");
});

test.each(["pulumi-nodejs:dynamic/buildpipeline", "buildpipeline:index"])(
  "what the API never returns isn't in the file, so the next deployment sends it: %s",
  async (backend) => {
    const { id } = await client.clusters.create({ name: "Linux" });
    await client.clusterSecrets.create(id, { key: "DEPLOY_KEY", value: "old" });
    const inputs = { clusterId: id, key: "DEPLOY_KEY", value: MASKED, __secrets: ["value"] };
    const declared = declaredOf("ClusterSecret", "deploy-key", inputs, `${backend}:ClusterSecret`);
    const { found, imported } = await find([declared], "ClusterSecret deploy-key Linux/DEPLOY_KEY");
    expect(found).toMatchObject([{ differences: [], sends: ["value"] }]);
    const entry = imported.get(declared.entry);
    for (const properties of [entry?.inputs, entry?.outputs]) {
      expect(properties).toMatchObject({ key: "DEPLOY_KEY" });
      expect(properties).not.toHaveProperty("value");
      expect(properties).not.toHaveProperty("__untold");
    }
  },
);

describe("an explicit provider whose access token the preview doesn't show", () => {
  const elsewhere = async () => {
    const other = await startEmulator({ seed: false, organization: emulator.organization });
    onTestFinished(() => other.close());
    return other;
  };
  const findWith = async (providerInputs: Record<string, unknown>) =>
    find(
      [{ ...queue("small", { clusterId: UNKNOWN, key: "small" }), providerInputs }],
      "Queue small Linux/small",
    );

  test.each([
    ["masked, dynamic backend", "buildpipeline:", MASKED],
    ["masked, plugin", "", MASKED],
    ["unknown, dynamic backend", "buildpipeline:", UNKNOWN],
    ["unknown, plugin", "", UNKNOWN],
  ])("%s: the stack's token goes to its own service only", async (_, prefix, accessToken) => {
    const other = await elsewhere();
    const { organization } = emulator;
    const settings = (baseUrl: string) => ({
      [`${prefix}accessToken`]: accessToken,
      [`${prefix}organization`]: organization,
      [`${prefix}baseUrl`]: baseUrl,
    });
    await expect(findWith(settings(other.url))).rejects.toThrow(
      `Its baseUrl is ${other.url}, and the access token of this command is for ${emulator.url}`,
    );
    expect(other.requests).toEqual([]);

    const { id } = await client.clusters.create({ name: "Linux" });
    await client.queues.create(id, { key: "small" });
    expect((await findWith(settings(`${emulator.url}/v2`))).found).toHaveLength(1);
  });

  test("a token that the preview shows goes where the provider says", async () => {
    const other = await elsewhere();
    const { accessToken, organization, url: baseUrl } = other;
    const failing = findWith({ accessToken, organization, baseUrl });
    await expect(failing).rejects.toThrow('has no cluster "Linux"');
    expect(other.requests).not.toEqual([]);
    expect(emulator.requests).toEqual([]);
  });

  test("an organization that is known only after a deployment is an error, and no request", async () => {
    await expect(findWith({ organization: UNKNOWN })).rejects.toThrow("organization is not known yet");
    expect(emulator.requests).toEqual([]);
  });
});
