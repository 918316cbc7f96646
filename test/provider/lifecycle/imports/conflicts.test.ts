import { describe, expect, onTestFinished, test, vi } from "vitest";
import { minimal, serviceForEach, UNKNOWN } from "../../../support/driver.js";

const service = serviceForEach();
const NOWHERE = "11111111-2222-4333-8444-555555555555";

const kindsInClusters = ["Queue", "ClusterDefaultQueue", "AgentToken"];

describe("A preview of a creation fails", () => {
  test.each(["Cluster", ...kindsInClusters, "PipelineTemplate", "Team", "Suite"])(
    "in a misspelt organization: %s",
    async (kind) => {
      const run = service.newRun({ "buildpipeline:organization": "acne" });
      const [reason, ...others] = await run.failures(kind, minimal(NOWHERE, NOWHERE)[kind] ?? {});
      expect(others).toEqual([]);
      expect(reason).toContain('the organization "acne" does not exist');
      expect(reason).toContain("buildpipeline:organization (or BUILDPIPELINE_ORGANIZATION)");
    },
  );

  test.each(kindsInClusters)("in a cluster that does not exist any more: %s", async (kind) => {
    const { id } = await service.colleague.sends("POST", "/clusters", { name: "Gone" });
    await service.colleague.sends("DELETE", `/clusters/${id}`);
    const run = service.newRun();
    const [reason, ...others] = await run.failures(kind, minimal(String(id), NOWHERE)[kind] ?? {});
    expect(others).toEqual([]);
    expect(reason).toContain(`${kind}.clusterId: there is no cluster ${id} in the organization "acme"`);
  });

  test("but not for an object that a list shows only seconds after another stack made it", async () => {
    const { id } = await service.colleague.sends("POST", "/clusters", { name: "Linux" });
    const shows = service.clock.now() + 10_000;
    const change = (all: unknown) => (service.clock.now() < shows ? [] : all);
    service.emulator.fault({ operation: "clusters.list", times: 9, action: { change } });
    const pipeline = (name: string) => ({ ...minimal(NOWHERE, NOWHERE).Pipeline, name, clusterId: id });
    const run = service.newRun();
    const all = await Promise.all(["One", "Two"].map((name) => run.failures("Pipeline", pipeline(name))));
    expect(all).toEqual([[], []]);
    // One wait, and one list more, serve all that name it.
    expect(service.operations.filter((operation) => operation === "clusters.list")).toHaveLength(2);
  });

  test("in an archived pipeline, which its list may not show: PipelineSchedule", async () => {
    const pipeline = { name: "Shop", repository: "git@github.com:acme/shop.git", configuration: "steps: []" };
    const { id: pipelineId } = await service.colleague.sends("POST", "/pipelines", pipeline);
    await service.colleague.sends("POST", "/pipelines/shop/archive");
    const reasons = await service.newRun().failures("PipelineSchedule", { pipelineId, cronline: "@daily" });
    expect(reasons).toEqual([expect.stringContaining("If the pipeline is, unarchive it first")]);
  });

  test.each(["Platform", "platform", "Plátform"])("of a team whose name is taken: %s", async (name) => {
    const team = await service.driver.create("Team", { name: "Platform" });
    const [reason] = await service.newRun().failures("Team", { name });
    expect(reason).toContain(`Team.name: is taken by the team ${team.id}.`);
    expect(reason).toContain(`{ import: "${team.id}" }`);
    expect(await service.newRun().failures("Team", { name: `${name} 2` })).toEqual([]);
  });

  test("but warns, where it may be a replacement by --replace that deletes first: a queue and a team", async () => {
    const cluster = await service.driver.create("Cluster", { name: "Linux" });
    const queue = { clusterId: cluster.id, key: "small" };
    await service.driver.create("Queue", queue);
    await service.driver.create("Team", { name: "Platform" });
    for (const [kind, args] of [
      ["Queue", queue],
      ["Team", { name: "Platform" }],
    ] as const) {
      expect((await service.newRun().failures(kind, args)).join()).toContain("{ deleteBeforeReplace: true }");
      const run = service.newRun();
      expect(await run.failures(kind, { ...args, deletesBeforeReplace: true })).toEqual([]);
      expect(run.warnings).toEqual([expect.stringContaining("is taken by the ")]);
    }
  });

  test("except of a team whose name another one gives up in this deployment", async () => {
    const old = await service.driver.create("Team", { name: "Platform" });
    const run = service.newRun();
    await run.plan(old, { name: "Core" });
    expect(await run.failures("Team", { name: "Platform" })).toEqual([]);
  });

  test.each(["Cluster", "Queue", "ClusterDefaultQueue", "Team"])(
    "when the list of what is there fails: %s",
    async (kind) => {
      const { id } = await service.colleague.sends("POST", "/clusters", { name: "Other" });
      const run = service.newRun();
      const lists = { method: "GET", path: /clusters|queues|teams/, times: 100 };
      service.emulator.fault({ ...lists, action: { status: 503 } });
      const [reason] = await run.failures(kind, minimal(String(id), NOWHERE)[kind] ?? {});
      const type = kind === "ClusterDefaultQueue" ? "Cluster" : kind;
      expect(reason).toContain(`${type}: the API can't be reached`);
    },
  );
});

describe("A conflict", () => {
  const changeNext = (operation: string, changed: (entity: object) => object) => {
    const change = (list: unknown) => (Array.isArray(list) ? list.map(changed) : list);
    service.emulator.fault({ operation, action: { change } });
  };

  test("is no object of the same name if another resource of the program has it", async () => {
    const cluster = await service.driver.create("Cluster", { name: "Linux" });
    const run = service.newRun();
    await run.plan(cluster);
    expect(await run.failures("Cluster", { name: "Linux" })).toEqual([]);
    expect(run.warnings).toEqual([]);
  });

  test("says nothing of a time and a creator that the API doesn't return", async () => {
    await service.driver.create("Team", { name: "Platform" });
    changeNext("teams.list", (team) => ({ ...team, created_at: undefined }));
    const [reason] = await service.newRun().failures("Team", { name: "Platform" });
    expect(reason).toMatch(/^Team\.name: is taken by the team [0-9a-f-]{36}\. If this resource/);
  });

  test("says nothing of a creator without a name", async () => {
    const { id } = await service.driver.create("Cluster", { name: "Linux" });
    changeNext("clusters.list", (cluster) => ({ ...cluster, created_by: { id: NOWHERE } }));
    const run = service.newRun();
    await run.failures("Cluster", { name: "Linux" });
    expect(run.warnings).toEqual([expect.stringContaining(`${id}, created less than a minute ago. Pulumi`)]);
  });

  test("is not reported where the list is refused: a token may create without reading", async () => {
    service.emulator.fault({ operation: "teams.list", action: { status: 403, body: {} } });
    expect(await service.newRun().failures("Team", { name: "Platform" })).toEqual([]);
  });
});

describe("The import that a conflict names", () => {
  const NO_SECRETS = { __secrets: [] };
  const HIDDEN_IN_STATE = { name: "Hidden", organization: "acme", __secrets: ["name"] };

  test("is the unique names: of a queue in a cluster that was listed, of a team by its slug", async () => {
    const { id } = await service.colleague.sends("POST", "/clusters", { name: "Linux" });
    const queue = await service.colleague.sends("POST", `/clusters/${id}/queues`, { key: "small" });
    const team = await service.driver.create("Team", { name: "Core" });
    const run = service.newRun();
    await run.failures("Cluster", { __secrets: ["description"], name: "Mac" });
    const [ofQueue] = await run.failures("Queue", { ...NO_SECRETS, clusterId: id, key: "small" });
    const [ofTeam] = await run.failures("Team", { ...NO_SECRETS, name: "Core" });
    expect(ofQueue).toContain(
      `add { import: "Linux/small" } (or { import: "${id}/${queue.id}" }); if another stack`,
    );
    expect(ofTeam).toContain(`add { import: "core" } (or { import: "${team.id}" }); if another stack`);
  });

  test("costs no request: a cluster that was not listed has its id", async () => {
    const { id } = await service.colleague.sends("POST", "/clusters", { name: "Linux" });
    await service.colleague.sends("POST", `/clusters/${id}/queues`, { key: "small" });
    const run = service.newRun();
    service.emulator.clearRequests();
    const [reason] = await run.failures("Queue", { ...NO_SECRETS, clusterId: id, key: "small" });
    expect(reason).toContain(`{ import: "${id}/small" }`);
    expect(service.operations).toEqual(["accessToken.get", "queues.list"]);
  });

  test("is the ids where two objects have the name, it is written in another way, or it is secret", async () => {
    const names = ["Linux", "Linux", "Mac/arm"];
    for (const name of names) await service.colleague.sends("POST", "/clusters", { name });
    const run = service.newRun();
    for (const name of new Set(names)) await run.failures("Cluster", { ...NO_SECRETS, name });
    expect(run.warnings).toHaveLength(3);
    for (const text of run.warnings)
      expect(text).toMatch(/\{ import: "[0-9a-f-]{36}" \} \(<cluster uuid\|name>\)/);
    await service.colleague.sends("POST", "/clusters", { name: "Hidden" });
    const other = service.newRun();
    await other.failures("Cluster", { __secrets: ["name"], name: "Hidden" });
    expect(other.warnings.join()).toContain("already exists: ");
    expect(other.warnings.join()).not.toContain("Hidden");
  });

  test("is none for a token of a RotatingAgentToken, of which Pulumi ignores the option", async () => {
    const { id: clusterId } = await service.colleague.sends("POST", "/clusters", { name: "Linux" });
    await service.colleague.sends("POST", `/clusters/${clusterId}/tokens`, { description: "Farm" });
    const run = service.newRun();
    const rotation = { __rotation: { of: "farm", generation: 1 } };
    await run.failures("AgentToken", { ...NO_SECRETS, ...rotation, clusterId, description: "Farm" });
    expect(run.warnings).toEqual([expect.stringContaining("Otherwise delete the agent token, unless")]);
    // The token in use has the same description, and nobody says here that it is replaced.
    expect(run.warnings.join()).toContain("If this agent token is being replaced, that is the old one");
    expect(run.warnings.join()).not.toContain("import");
  });

  test("is the id where the name is another object's id", async () => {
    const other = await service.colleague.sends("POST", "/clusters", { name: "Linux" });
    const name = String(other.id).toUpperCase();
    const { id } = await service.colleague.sends("POST", "/clusters", { name });
    const run = service.newRun();
    await run.failures("Cluster", { ...NO_SECRETS, name });
    expect(run.warnings.join()).toContain(`add { import: "${id}" } (<cluster uuid|name>)`);
  });

  test.each([
    ["is secret", [{ __secrets: ["name"], name: "Hidden" }, {}] as const],
    ["may be secret", [{ name: "Hidden" }, {}] as const],
    ["the state has as a secret", [{ ...NO_SECRETS, name: "Hidden" }, HIDDEN_IN_STATE] as const],
  ])("has not the name of the queue's cluster if it %s", async (_, [cluster, old]) => {
    const { id } = await service.colleague.sends("POST", "/clusters", { name: "Hidden" });
    const queue = await service.colleague.sends("POST", `/clusters/${id}/queues`, { key: "small" });
    const run = service.newRun();
    await run.failures("Cluster", { ...NO_SECRETS, name: "Other" });
    await run.failures("Cluster", cluster, old);
    const [reason] = await run.failures("Queue", { ...NO_SECRETS, clusterId: id, key: "small" });
    expect(reason).toContain(`{ import: "${id}/small" } (or { import: "${id}/${queue.id}" })`);
    expect(reason).not.toContain("Hidden");
  });
});

describe("Where the program listens, what is wrong with a creation", () => {
  const mistakes = {
    Queue: [{ clusterId: NOWHERE, key: "small" }, "Queue.clusterId: there is no cluster"],
    Cluster: [{ name: "Linux", import: "Linux" }, 'Cluster.import: the organization "acme" has no cluster'],
    Team: [{ name: "Platform", import: "Platform" }, "Team.defaultMemberRole: must be given"],
  } as const;

  test.each(Object.entries(mistakes))("is answered and refuses nothing: %s", async (kind, [args, text]) => {
    const provider = await service.newRun().kind(kind);
    const { inputs, failures } = await provider.check({}, { ...args, __problems: [] });
    expect(failures).toEqual([]);
    expect(inputs?.__problems).toEqual(expect.arrayContaining([expect.stringContaining(text)]));
  });

  test("and with its values, or with a change of what exists, is refused as ever", async () => {
    const token = service.emulator.readOnlyAccessToken;
    const run = service.newRun({ "buildpipeline:accessToken": token });
    const old = { name: "Linux", organization: "acme" };
    expect(await run.failures("Cluster", { name: "Linux", color: "green", __problems: [] })).toHaveLength(1);
    expect(await run.failures("Cluster", { name: "Mac", __problems: [] }, old)).toEqual([
      expect.stringContaining("lacks the scope write_clusters"),
    ]);
  });

  test("or with values that a transform left, is answered without the values, which may be secret", async () => {
    const provider = await service.newRun().kind("Cluster");
    const left = { name: "Linux", color: "green-value", __secrets: [], __transformed: true };
    const { inputs, failures } = await provider.check({}, { ...left, __problems: [] });
    expect(failures).toEqual([]);
    expect(inputs?.__problems).toEqual([expect.stringMatching(/^Cluster\.color: is not a hex color code/)]);
    expect(inputs).not.toHaveProperty("__transformed");
    expect(JSON.stringify(inputs)).not.toContain("green-value");
    const deployed = await provider.check({}, left);
    expect(deployed.failures).toHaveLength(1);
  });
});

test.each([
  ["Queue", { clusterId: NOWHERE, key: "small", description: "new" }, []],
  [
    "Team",
    { name: "Platform", description: "new" },
    [/is taken by the team .*being replaced, add \{ deleteBefore/],
  ],
  [
    "Pipeline",
    { name: "Shop", repository: "git@example.com:a.git", description: "new" },
    [/is taken by the pipeline .*Remove replaceOnChanges, --replace or whatever/],
  ],
] as const)(
  "The value that a replaced %s has is its own, whatever asks to replace it",
  async (kind, args, refusals) => {
    const { id } = await service.colleague.sends("POST", "/clusters", { name: "Linux" });
    const { description: _, ...old } = { ...args, ...("clusterId" in args && { clusterId: String(id) }) };
    const made = await service.driver.create(kind, old);
    const run = service.newRun();
    const { deleteBeforeReplace } = await run.plan(made, { ...old, description: "new" });
    expect(deleteBeforeReplace).toBe(kind === "Queue");
    expect(await run.failures(kind, { ...old, description: "new" })).toEqual(
      refusals.map((words) => expect.stringMatching(words)),
    );
    // For a tainted resource the engine asks for no diff, which would say what goes first.
    const other = service.newRun();
    await other.failures(kind, old, made.inputs);
    const [text, ...others] = await other.failures(kind, old);
    expect(text).toMatch(/is taken by .*( being replaced, add |Remove replaceOnChanges)/);
    expect([others, /aliases|import|swap/.test(String(text))]).toEqual([[], false]);
    // What retainOnDelete keeps has it for ever, also where Pulumi deletes first.
    const replacing = service.newRun();
    await replacing.plan(made, { ...old, description: "new" });
    const keeps = { deletesBeforeReplace: "never" };
    const retained = await replacing.failures(kind, { ...old, description: "new", ...keeps });
    const asked = await service.newRun().failures(kind, { ...old, ...keeps });
    for (const [reason] of [retained, asked])
      expect(reason).toMatch(
        kind === "Pipeline" ? /Remove|take that back/ : /[Rr]emove retainOnDelete and deploy that first/,
      );
  },
);

describe("A preview asks", () => {
  test("one list of each collection in which something is created", async () => {
    const { id } = await service.colleague.sends("POST", "/clusters", { name: "Other" });
    const queue = await service.colleague.sends("POST", `/clusters/${id}/queues`, { key: "default" });
    const run = service.newRun();
    service.emulator.clearRequests();
    for (const turn of ["_1", "_2"]) {
      for (const [kind, args] of Object.entries(minimal(String(id), String(queue.id)))) {
        const name = ["name", "key", "description"].find((each) => each in args) ?? "clusterId";
        const renamed = name === "clusterId" ? args : { ...args, [name]: `${args[name]}${turn}` };
        expect(await run.failures(kind, renamed), kind).toEqual([]);
      }
    }
    const lists = [
      "agentTokens",
      "clusterSecrets",
      "clusters",
      "pipelineTemplates",
      "pipelines",
      "queues",
      "suites",
      "teams",
    ];
    // A list may not show an archived pipeline that has the slug.
    const slugs = ["pipelines.get", "pipelines.get"];
    const operations = ["accessToken.get", ...slugs, ...lists.map((name) => `${name}.list`)].sort();
    expect(service.operations.toSorted()).toEqual(operations);
  });

  test("nothing about what goes into something that this run creates", async () => {
    const run = service.newRun();
    const made = await run.create("Cluster", { name: "New" });
    service.emulator.clearRequests();
    for (const clusterId of [UNKNOWN, made.id]) {
      expect(await run.failures("Queue", { clusterId, key: "q" })).toEqual([]);
      expect(await run.failures("AgentToken", { clusterId, description: "d" })).toEqual([]);
      expect(await run.failures("ClusterDefaultQueue", { clusterId, queueId: UNKNOWN })).toEqual([]);
    }
    expect(service.emulator.requests).toEqual([]);
  });

  test("nothing but the scopes where nothing changes", async () => {
    const { inputs } = await service.driver.create("Team", { name: "Platform" });
    service.emulator.clearRequests();
    expect(await service.newRun().failures("Team", { name: "Platform" }, inputs)).toEqual([]);
    expect(service.operations).toEqual(["accessToken.get"]);
  });

  test("for a cluster by its id, in capital letters as well", async () => {
    const { id } = await service.colleague.sends("POST", "/clusters", { name: "Linux" });
    const args = { clusterId: String(id).toUpperCase(), queueId: NOWHERE };
    expect(await service.newRun().failures("ClusterDefaultQueue", args)).toEqual([]);
  });

  test("again whether a cluster is there, which another process of the deployment may have made", async () => {
    const run = service.newRun();
    expect(await run.failures("Cluster", { name: "One" })).toEqual([]);
    const { id } = await service.colleague.sends("POST", "/clusters", { name: "Late" });
    expect(await run.failures("ClusterDefaultQueue", { clusterId: id, queueId: NOWHERE })).toEqual([]);
  });
});

describe("Without the service", () => {
  /** A port on which nobody listens. */
  const nobody = { "buildpipeline:baseUrl": "http://127.0.0.1:9" };
  const olds = { name: "Linux", organization: "acme" };

  test("what is to be created, changed or adopted fails, with the way to preview nevertheless", async () => {
    const run = service.newRun(nobody);
    for (const [news, old] of [
      [{ name: "Linux" }, {}],
      [{ name: "Mac" }, olds],
      [{ name: "Linux", import: "Linux" }, {}],
    ] as const) {
      const [reason, ...others] = await run.failures("Cluster", news, old);
      expect(others).toEqual([]);
      expect(reason).toMatch(/^Cluster: the API can't be reached, .*buildpipeline:offline/);
    }
  });

  test("what stays as it is gives one warning", async () => {
    const run = service.newRun(nobody);
    expect(await run.failures("Cluster", { name: "Linux" }, olds)).toEqual([]);
    expect(await run.failures("Cluster", { name: "Linux" }, olds)).toEqual([]);
    expect(run.warnings).toEqual([expect.stringContaining("scopes of the access token could not be read")]);
  });

  test.each([
    ["stack configuration", { "buildpipeline:offline": "true" }, undefined],
    ["the environment", {}, "true"],
  ])(
    "and with `offline` from %s, everything is previewed with one warning and no request",
    async (_, config, env) => {
      vi.stubEnv("BUILDPIPELINE_OFFLINE", env);
      onTestFinished(() => void vi.unstubAllEnvs());
      const run = service.newRun(config);
      service.emulator.clearRequests();
      for (const [kind, args] of Object.entries(minimal(NOWHERE, NOWHERE))) {
        expect(await run.failures(kind, args), kind).toEqual([]);
      }
      expect(await run.failures("Cluster", { name: "Mac" }, olds)).toEqual([]);
      expect(await run.failures("Cluster", { name: "Linux", import: "Linux" })).toEqual([]);
      expect(await run.failures("Cluster", { name: "x", color: "green" })).toHaveLength(1);
      expect(service.emulator.requests).toEqual([]);
      expect(run.warnings).toEqual([expect.stringContaining("buildpipeline:offline is set")]);
    },
  );

  test("`offline` that is neither true nor false is refused with the places to set it", async () => {
    const run = service.newRun({ "buildpipeline:offline": "yes" });
    await expect(run.failures("Cluster", { name: "x" })).rejects.toThrow(
      "buildpipeline:offline (or BUILDPIPELINE_OFFLINE) must be true or false.",
    );
  });
});
