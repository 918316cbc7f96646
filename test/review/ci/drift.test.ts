import { describe, expect, test } from "vitest";
import { TEAM } from "../../support/colleague.js";
import { type Found, refreshes } from "./refreshed.js";
import { repository, repositoryForEach, stateOf } from "./repository.js";

repositoryForEach(["clusters", "queues"]);

const drift = async () => {
  const { code, outcomes, unmanaged } = await repository.outcomes("drift");
  return { code, ends: outcomes.map(({ end }) => end), unmanaged: unmanaged?.map(({ name }) => name) };
};

const REFUSED = { diagnostics: [{ severity: "error", message: "401" }] };

describe("buildpipeline ci drift", () => {
  test("finds none in any stack, and reads only", async () => {
    expect(await drift()).toEqual({ code: 0, ends: ["unchanged", "unchanged"], unmanaged: [] });
    expect(repository.read("report.md")).toMatch(/^Drift of 2 stacks · No changes$/m);
    expect(repository.calls()).toContain("queues: refresh (reads)");
  });

  test.each([
    ["a change outside of a program", { "queues refresh": { code: 7 } }, 1, "changed"],
    ["a refresh that fails", { "queues refresh": { code: 255, stdout: REFUSED } }, 2, "failed"],
    ["a state that can't be read", { "queues stack export": { code: 1 } }, 2, "failed"],
  ])("ends with %s by its worst stack", async (_, scenario, code, end) => {
    repository.plays(scenario);
    expect(await drift()).toMatchObject({ code, ends: ["unchanged", end] });
  });

  test("names up to three resources that were changed, with their properties", async () => {
    const type = "buildpipeline:index:Queue";
    const queue = (key: string, description: string) => {
      const inputs = { clusterId: "c-1", key, description };
      const urn = `urn:pulumi:production::acme-queues::${type}::${key}`;
      return { urn, type, custom: true, id: `q-${key}`, inputs, outputs: inputs };
    };
    const changed = (key: string, diffReasons = ["description"]) => {
      const [oldState, newState] = [queue(key, "Small jobs"), queue(key, "By a colleague")];
      return { op: "update", urn: oldState.urn, oldState, newState, diffReasons };
    };
    const bucket = {
      urn: "urn:pulumi:production::acme-queues::aws:s3:Bucket::logs",
      custom: true,
      id: "logs",
    };
    const gone = queue("gone`s\n::error::", "");
    const steps = [
      { op: "refresh", urn: "urn:pulumi:production::acme-queues::pulumi:pulumi:Stack::s" },
      { op: "delete", urn: gone.urn, oldState: gone },
      changed("small"),
      { op: "update", urn: bucket.urn, oldState: bucket, newState: bucket, diffReasons: ["acl", "tags"] },
    ];
    const found = async (more: readonly object[]) => {
      const stdout = { steps: [...steps, ...more], changeSummary: { same: 1 } };
      repository.plays({
        "stack export": { stdout: stateOf("2027-01-01T00:00:00Z", [gone]) },
        "queues refresh": { code: 7, stdout },
      });
      return (await repository.outcomes("drift")).outcomes[1]?.reason;
    };
    const named = "queue gone`s\\u{a}::error:: of c-1 (deleted), queue small of c-1 (description)";
    expect(await found([])).toBe(
      `Something was changed outside of the program: ${named}, aws:s3:Bucket logs (acl, tags).`,
    );
    expect(await found(["a", "b", "c"].map((key) => changed(key)))).toMatch(
      /: queue gone`s\\u\{a\}::error:: of c-1 \(deleted\), queue a of c-1 \(description\), queue b of c-1 \(description\) and 3 more\.$/,
    );
  });

  test("finds what the program doesn't state, with the same dangers, and shows no error of the engine's own", async () => {
    const shop = (visibility: string, buildPullRequestForks: boolean) => {
      return { visibility, providerSettings: { buildPullRequestForks } };
    };
    const inputs = { name: "Shop", repository: "git@x:y.git" };
    refreshes(
      [{ kind: "Pipeline", id: "p-1", inputs, outputs: [shop("private", false), shop("public", true)] }],
      "error: no changes were expected for refresh but changes were proposed",
    );
    const found = await repository.outcomes("drift");
    expect({ code: found.code, end: found.outcomes[1]?.end }).toEqual({ code: 1, end: "changed" });
    expect(found.outcomes[1]?.reason).toContain("pipeline Shop (visibility, providerSettings)");
    expect(found.outcomes[1]?.next).toBe(
      "Undo it on Buildkite, or state it in the program: no deployment does.",
    );
    const report = repository.read("acme-queues.production", "report.md");
    expect(report).toMatch(/^## 🔴 Drift: .*1 more danger/m);
    expect(report).toContain("becomes public");
    expect(report).toContain("not managed by it (1)");
    expect(report).toContain("**To do:** Undo it on Buildkite, or state it in the program.");
    expect(report).not.toContain("merge");
    // It is said once.
    expect(report).not.toContain("Open to outsiders");
    expect((await repository.ci("drift")).stderr).not.toContain("no changes were expected");
  });

  test("lists what operators change, which is no drift", async () => {
    const clusterId = (await repository.client.clusters.create({ name: "Linux" })).id;
    const { id } = await repository.client.queues.create(clusterId, { key: "small" });
    const sent = { provider: "webhook", scope: "all", settings: { url: "https://a.example" } } as const;
    const { id: serviceId } = await repository.client.notificationServices.create(sent);
    const queue = { kind: "Queue", id, inputs: { clusterId, key: "small" } };
    const note = { dispatchPausedNote: "Incident 12" };
    const paused = [{ dispatchPaused: false }, { dispatchPaused: true, ...note }] as const;
    const service = { kind: "NotificationService", id: serviceId, inputs: sent };
    const cluster: Found = { kind: "Cluster", id: clusterId, inputs: { name: "Linux" }, outputs: [{}, {}] };
    const states = [{ enabled: true }, { enabled: false }] as const;
    refreshes([cluster, { ...queue, outputs: paused }, { ...service, outputs: states }]);
    expect(await drift()).toEqual({ code: 0, ends: ["unchanged", "unchanged"], unmanaged: [] });
    const report = () => repository.read("acme-queues.production", "report.md");
    expect(report()).toMatch(/^## 🟢 Drift: No changes$/m);
    expect(report()).toContain("not managed by it (2)");
    expect(report()).toMatch(/dispatchPaused: <code>false<\/code> → <code>true<\/code>.*Incident 12/);
    expect(report()).toMatch(/enabled: <code>true<\/code> → <code>false<\/code>/);
    expect(report()).not.toContain("Undo it");

    // Beside it, anything else decides.
    const affinity = (retryAgentAffinity: string, index: 0 | 1) => ({ ...paused[index], retryAgentAffinity });
    const outputs = [affinity("prefer-warmest", 0), affinity("prefer-different", 1)] as const;
    refreshes([cluster, { ...queue, outputs }]);
    const { code, outcomes } = await repository.outcomes("drift");
    expect({ code, reason: outcomes[1]?.reason }).toEqual({
      code: 1,
      reason: "Something was changed outside of the program: queue small of Linux (retryAgentAffinity).",
    });
    expect(report()).toMatch(/^## 🟠 Drift: 1 changed, not managed$/m);
    expect(report()).toContain("Incident 12");
  });

  test.each(["organization", "stack"])(
    "knows archived pipelines, which no list shows, by the access of a team that the %s has",
    async (where) => {
      const { client } = repository;
      const made = async (name: string) => {
        const { id, slug } = await client.pipelines.create({
          name,
          repository: "git@x:y.git",
          configuration: "steps: []",
        });
        await client.pipelines.archive(slug);
        return { id, slug, name };
      };
      const [own, left, alone] = [await made("Own"), await made("Left"), await made("Alone")];
      const { id: teamId = "" } = await client.teams.create({ ...TEAM, name: "Web" });
      await client.teamPipelines.create(teamId, { pipeline_id: left.id, access_level: "read_only" });
      const pair = { teamId, pipelineId: left.id, accessLevel: "read_only" };
      const pipeline = ({ id, name, slug }: typeof own, archived: object) => {
        const inputs = { name, repository: "git@x:y.git", ...archived };
        return { kind: "Pipeline", id, inputs, outputs: [{ slug }, { slug }] as const };
      };
      const empty = [{}, {}] as const;
      const shown = [
        pipeline(own, { archived: true }),
        { kind: "Team", id: teamId, inputs: { name: "Web" }, outputs: empty },
        { kind: "TeamPipeline", id: `${teamId}/${left.id}`, inputs: pair, outputs: empty },
      ];
      refreshes(where === "stack" ? [...shown, pipeline(left, { archived: true })] : shown);
      expect(await drift()).toEqual({
        code: where === "stack" ? 0 : 1,
        ends: ["unchanged", "unchanged"],
        unmanaged: where === "stack" ? [] : ["Left"],
      });
      const unmanaged = repository.read("unmanaged.txt");
      expect(unmanaged).not.toContain("not confirmed");
      expect(unmanaged).not.toContain(alone.name);

      // What an operator archived is a change, and said as in a deployment.
      const { id: shopId, slug } = await made("Shop");
      const shop = pipeline({ id: shopId, slug, name: "Shop" }, { archived: false });
      refreshes([...shown, { ...shop, differs: { archived: true } }]);
      const { code, outcomes } = await repository.outcomes("drift");
      expect({ code, reason: outcomes[1]?.reason }).toMatchObject({
        code: 1,
        reason: expect.stringContaining("pipeline Shop (archived)"),
      });
      expect(repository.read("acme-queues.production", "report.md")).toMatch(
        /^## 🔴 Drift: Pipeline <code>Shop<\/code> is archived/m,
      );
    },
  );

  test("says one next step for each finding, and names objects as people do", async () => {
    const pipeline = { kind: "Pipeline", id: "p-1", inputs: { name: "Shop", repository: "git@x:y.git" } };
    const inputs = { name: "Linux" };
    const cluster = { kind: "Cluster", id: crypto.randomUUID(), inputs, outputs: [{}] } as const;
    const outputs = [{ visibility: "public" }, { visibility: "private" }] as const;
    refreshes([cluster, { ...pipeline, outputs, differs: { description: "By hand" } }]);
    const { code, outcomes } = await repository.outcomes("drift");
    expect({ code, ...outcomes[1] }).toMatchObject({
      code: 1,
      reason:
        "Something was changed outside of the program: cluster Linux (deleted), pipeline Shop (description), pipeline Shop (visibility).",
      next:
        "Change the program to match, or deploy it with `buildpipeline ci preview --all` and `ci deploy`. " +
        "Undo what it doesn't state on Buildkite, or state it in the program: no deployment does.",
    });
    const { stdout } = await repository.ci("drift");
    const unmanaged = repository.read("unmanaged.txt");
    for (const text of [stdout, unmanaged]) {
      expect(text).toContain("The report names what is gone.");
      expect(text).not.toMatch(/urn:pulumi|pulumi refresh|pulumi up/);
    }
    // As `unmanaged` does.
    expect(unmanaged).toMatch(/^\d+ objects? in acme, read with .* Not read, because the stacks have none/m);

    // What no report names, because its stack isn't refreshed here.
    refreshes([]);
    const other = { urn: `urn:pulumi:production::others::buildpipeline:index:Cluster::mac`, custom: true };
    const type = "buildpipeline:index:Cluster";
    const state = stateOf("t", [{ ...other, type, id: crypto.randomUUID(), inputs, outputs: inputs }]);
    repository.plays({ "repository stack export": { stdout: state } });
    expect((await repository.ci("drift --other-stacks acme/others/production")).stdout).toMatch(
      /gone from the service: 1\n\nkind +resource +stack +id\nCluster +mac +others\/production +\S+\n\n.*creates them again/,
    );
  });

  test("says what is open to outsiders without being stated, in one line that decides nothing", async () => {
    const shop = { kind: "Pipeline", id: "p-1", inputs: { name: "Shop", repository: "git@x:y.git" } };
    const providerSettings = { buildPullRequestForks: true, publishCommitStatus: true };
    const open = { visibility: "public", providerSettings };
    const report = () => repository.read("acme-queues.production", "report.md");
    refreshes([{ ...shop, outputs: [open, open] }]);
    expect((await drift()).ends).toEqual(["unchanged", "unchanged"]);
    expect(report()).toMatch(/^## 🟢 Drift: No changes$/m);
    expect(report()).toContain(
      "Open to outsiders, without being stated by the program: pipeline <code>Shop</code> " +
        "(<code>providerSettings.buildPullRequestForks</code>, <code>visibility</code>).",
    );
    const inputs = { ...shop.inputs, ...open };
    refreshes([{ ...shop, inputs, outputs: [open, open] }]);
    await drift();
    expect(report()).not.toContain("Open to outsiders");
  });

  test("finds none in values that mean the same", async () => {
    const inputs = { name: "Shop", repository: "git@x:y.git" };
    const [old, now] = [
      { buildTags: true, buildForks: false },
      { buildForks: false, buildTags: true },
    ];
    const outputs = [{ providerSettings: old }, { providerSettings: now }] as const;
    refreshes([{ kind: "Pipeline", id: "p-1", inputs, outputs }]);
    expect(await drift()).toMatchObject({ code: 0, ends: ["unchanged", "unchanged"] });
  });

  test("finds none in a stack that was never deployed, or that was destroyed", async () => {
    const empty = { version: 3, deployment: { manifest: { time: "2027-01-01T00:00:00Z" } } };
    // What Pulumi then prints.
    repository.plays({
      "queues stack export": { stdout: empty },
      "queues refresh": { stdout: { duration: 1 } },
    });
    const { code, outcomes } = await repository.outcomes("drift");
    expect({ code, outcomes }).toMatchObject({
      code: 0,
      outcomes: [
        { end: "unchanged" },
        { end: "unchanged", reason: "Nothing is deployed, so nothing can have changed." },
      ],
    });
    expect(repository.read("acme-queues.production", "report.md")).toMatch(/^## 🟢 Drift: No changes$/m);
    expect(repository.read("report.md")).toMatch(/^## 🟢 No changes$/m);
  });

  test("finds none if another stack that this one reads has other outputs by now", async () => {
    const oldState = { urn: "urn:pulumi:p::s::pulumi:pulumi:StackReference::a", external: true };
    const type = "pulumi:pulumi:StackReference";
    const read = { op: "refresh", urn: oldState.urn, oldState: { ...oldState, type } };
    // What the engine prints: an update in the counts, and none in the steps.
    const stdout = { steps: [read], changeSummary: { update: 1 } };
    repository.plays({ "queues refresh": { code: 7, stdout, stderr: "error: changes were proposed" } });
    expect(await drift()).toMatchObject({ code: 0, ends: ["unchanged", "unchanged"] });
  });

  test.each([
    ["mandatory", 1, 1, ["changed", "changed"]],
    ["advisory", 0, 0, ["unchanged", "unchanged"]],
  ])("finds a broken %s policy in what is deployed", async (enforcementLevel, policyCode, code, ends) => {
    repository.write({ "policies/PulumiPolicy.yaml": "runtime: nodejs\n" });
    const resourceUrn = "urn:pulumi:p::s::t::linux";
    const policyEvent = { policyName: "age", message: "Old", resourceUrn, enforcementLevel };
    repository.plays({ "policy analyze": { code: policyCode, stdout: { sequence: 0, policyEvent } } });
    expect(await drift()).toMatchObject({ code, ends });
  });

  test("looks at the stacks that are named, and uses the settings of the first of them", async () => {
    repository.plays({ "stack ls": { stdout: [{ name: "production" }, { name: "staging" }] } });
    const stacks = async (args: string, env = {}) =>
      (await repository.outcomes(args, env)).outcomes.map(({ folder, stack }) => `${folder}/${stack}`);
    expect(await stacks("drift")).toHaveLength(4);
    const staging = ["clusters/staging", "queues/staging"];
    expect(await stacks("drift --stack staging")).toEqual(staging);
    expect(await stacks("drift", { PULUMI_STACK: "staging" })).toEqual(staging);
    repository.forgetCalls();
    expect(await stacks("drift --only queues --stack staging")).toEqual(["queues/staging"]);
    // To find the settings, nothing else of `clusters` is read.
    expect(repository.calls().filter((line) => /^clusters: (?!stack )/.test(line))).toEqual([]);
  });

  test("reports no unmanaged objects of the types that --except names", async () => {
    await repository.client.clusters.create({ name: "Forgotten" });
    expect(await repository.ci("drift --except Cluster")).toMatchObject({ code: 0 });
    expect(repository.read("unmanaged.txt")).not.toContain("Forgotten");
    const stderr = expect.stringContaining("--except Clutser: there is no such resource type.");
    expect(await repository.ci("drift --except Clutser")).toMatchObject({ code: 2, stderr });
  });

  test("finds what no stack owns, and names stacks of other repositories", async () => {
    await repository.client.clusters.create({ name: "Forgotten" });
    expect(await drift()).toEqual({ code: 1, ends: ["unchanged", "unchanged"], unmanaged: ["Forgotten"] });
    expect(repository.read("unmanaged.txt")).toContain("Forgotten");
    repository.plays({ "repository stack export": { stdout: stateOf("t") } });
    await repository.ci("drift --other-stacks acme/other/production");
    expect(repository.calls().some((line) => line.startsWith("repository: stack export"))).toBe(true);
  });
});
