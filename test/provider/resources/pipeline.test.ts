import { beforeEach, describe, expect, test } from "vitest";
import { colleague, colleagueForEach, emulator, restart, written } from "../../support/colleague.js";
import { UNKNOWN } from "../../support/driver.js";
import { BACKENDS, type InState, ResourceOfProgram } from "../../support/program.js";

colleagueForEach();

const repository = "git@github.com:acme/storefront.git";
const storefront = { name: "Storefront", repository, clusterId: "" };
const configuration = "steps:\n  - command: make test\n";

const live = (slug = "storefront") => colleague.sends("GET", `/pipelines/${slug}`);
const patch = (body: object, slug = "storefront") => colleague.sends("PATCH", `/pipelines/${slug}`, body);
/** Makes a pipeline that the program doesn't know. Returns its id. */
const makes = (name = "Storefront") => colleague.makes("/pipelines", { name, repository, configuration });
const sent = (operation: string) =>
  emulator.requests.filter((one) => one.operation === `pipelines.${operation}`);
const bodyOf = (operation: string): unknown => sent(operation).at(-1)?.body;

describe.each(BACKENDS)("A pipeline, by the backend %s,", (backend) => {
  let it: ResourceOfProgram;
  beforeEach(() => {
    it = new ResourceOfProgram(backend, emulator, "Pipeline");
  });
  const isUnchanged = async (args: object, state: InState) => {
    expect((await it.preview({ ...args }, state)).changes).toBe(false);
    const again = await it.refresh(state);
    expect(again?.inputs).toEqual(state.inputs);
    if (again !== undefined) expect((await it.preview({ ...args }, again)).changes).toBe(false);
  };

  test("without steps runs `buildkite-agent pipeline upload`, and without a cluster is warned of", async () => {
    await it.up({ name: "Storefront", repository });
    expect((await live()).configuration).toContain("buildkite-agent pipeline upload");
    expect(it.said.join()).toContain("Pipeline.clusterId: is left out.");
  });

  test("asks for a webhook when it is created, and again only for another repository", async () => {
    const args = { ...storefront, createWebhook: true };
    const made = await it.up(args);
    await isUnchanged(args, made);
    expect([sent("createWebhook").length, it.said]).toEqual([1, []]);
    const elsewhere = { ...storefront, name: "Shop", repository: "git@github.com:acme/shop.git" };
    const renamed = await it.up({ ...args, name: "Shop" }, made);
    const moved = await it.up({ ...elsewhere, createWebhook: true }, renamed);
    await isUnchanged({ ...elsewhere, createWebhook: true }, moved);
    const without = await it.up(elsewhere, moved);
    expect([without.outs?.createWebhook, it.said.join()]).toEqual([
      undefined,
      expect.not.stringContaining("422"),
    ]);
    await it.up({ ...elsewhere, createWebhook: true }, without);
    expect(it.said.at(-1)).toContain("(422: Webhooks could not be created for your repository)");
    const names = ["create", "createWebhook", "update", "update", "createWebhook", "createWebhook"];
    expect(written()).toEqual(names.map((name) => `pipelines.${name}`));
  });

  test("stays, with a warning in the API's words, where its repository's host has no webhooks", async () => {
    const args = { ...storefront, createWebhook: true, repository: "https://git.example/a/b.git" };
    const made = await it.up(args);
    expect(it.said).toEqual([
      expect.stringContaining("(422: Auto-creating webhooks is not supported for your repository)"),
    ]);
    await isUnchanged(args, made);
    expect(await it.up({ ...args, createWebhook: false }, made).catch(String)).toContain(
      "Pipeline.createWebhook: false is not true; expected true, or leave it out.",
    );
  });

  test("stops builds by GitHub's events, and reads that again at each refresh only while it says so", async () => {
    const stops = { ...storefront, githubWebhooks: false };
    const isOn = async () => (await colleague.sends("GET", "/pipelines/storefront/github-webhooks")).enabled;
    const made = await it.up(storefront);
    await isUnchanged(storefront, made);
    expect(sent("githubWebhooks.get")).toEqual([]);
    const stopped = await it.up(stops, made);
    expect(await isOn()).toBe(false);
    await isUnchanged(stops, stopped);
    await colleague.sends("PUT", "/pipelines/storefront/github-webhooks");
    const drifted = await it.refresh(stopped);
    expect(drifted?.inputs).toMatchObject({ githubWebhooks: true });
    const again = await it.up(stops, drifted);
    expect(await isOn()).toBe(false);
    const read = sent("githubWebhooks.get").length;
    await isUnchanged(storefront, await it.up(storefront, again));
    expect([sent("githubWebhooks.get").length, await isOn()]).toEqual([read, false]);
    const resumed = await it.up({ ...storefront, githubWebhooks: true }, again);
    expect([await isOn(), resumed.outs?.githubWebhooks]).toEqual([true, true]);
  });

  test("explains why a service has no setting for GitHub's events", async () => {
    await restart({ variations: { githubWebhooksAvailable: false } });
    it = new ResourceOfProgram(backend, emulator, "Pipeline");
    const at = (repository: string) =>
      it.up({ ...storefront, name: repository, repository, githubWebhooks: true }).catch(String);
    expect(await at(repository)).toContain("organizations with expanded webhook triggers only");
    expect(await at("https://git.example/a/b.git")).toContain(
      "for repositories on GitHub and GitHub Enterprise only",
    );
  });

  test("keeps its slug when its name changes, because the API would derive another one", async () => {
    const args = { ...storefront, slug: "shop" };
    const made = await it.up(args);
    const renamed = await it.up({ ...args, name: "Shop window" }, made);
    expect(bodyOf("update")).toEqual({ name: "Shop window", slug: "shop" });
    expect(renamed.outs).toMatchObject({ name: "Shop window", slug: "shop" });
    const unstated = await it.up({ ...storefront, name: "Window" }, renamed);
    expect(unstated.outs).toMatchObject({ name: "Window", slug: "shop" });
  });

  test("changes its slug only with a warning of what names the old one", async () => {
    const made = await it.up(storefront);
    await it.up({ ...storefront, slug: "storefront" }, made);
    expect(it.said.join()).not.toContain("slug: changes");
    const moved = await it.up({ ...storefront, slug: "shop" }, made);
    expect(moved.outs).toMatchObject({ slug: "shop", url: expect.stringMatching(/shop$/) });
    expect(it.said.join()).toContain('slug: changes from "storefront" to "shop"');
    await isUnchanged({ ...storefront, slug: "shop" }, moved);
  });

  test("is found in the list after somebody renamed it, and another pipeline at its old slug is untouched", async () => {
    const made = await it.up({ ...storefront, description: "a" });
    await patch({ name: "Mine", slug: "mine" });
    const other = await makes();
    const changed = await it.up({ ...storefront, description: "b" }, made);
    expect(changed.outs).toMatchObject({ slug: "mine", description: "b" });
    expect(await live()).toMatchObject({ id: other, description: null });
    await it.destroy(changed);
    expect(await live()).toMatchObject({ id: other, archived_at: null });
    expect(await live("mine")).toMatchObject({ archived_at: expect.any(String) });
  });

  test("says at a refresh that its slug changed, which is no drift where the program gives none", async () => {
    const made = await it.up(storefront);
    await patch({ slug: "shop" });
    const again = await it.refresh(made);
    expect(again?.outs).toMatchObject({ slug: "shop" });
    expect(it.said.join()).toContain('its slug was "storefront" and is "shop" now');
    if (again) expect((await it.preview(storefront, again)).changes).toBe(false);
  });

  test("is refused where a pipeline has its slug, by an archived one too, before anything is sent", async () => {
    const other = await makes();
    await expect(it.up(storefront)).rejects.toThrow(/slug: is taken by the pipeline .*import: "storefront"/s);
    await colleague.sends("POST", "/pipelines/storefront/archive");
    emulator.clearRequests();
    await expect(it.up(storefront)).rejects.toThrow(`is taken by the pipeline ${other}, which is archived`);
    expect(written()).toEqual([]);
  });

  test("is refused a slug of another pipeline in the preview of an update, and advised to deploy twice", async () => {
    const made = await it.up(storefront);
    await makes("Shop");
    await expect(it.preview({ ...storefront, slug: "shop" }, made)).rejects.toThrow("deploy that first");
  });

  test("may take what only another rule would make of its name, and is warned of what signs in it may become", async () => {
    const taken = ["bazel-head", "bazel-at-head"];
    for (const slug of taken) await makes(slug);
    const { name: _, ...rest } = storefront;
    await it.preview({ ...rest, name: "C++" });
    expect(it.said.join()).not.toContain("slug");
    const { provider } = await it.preview({ ...rest, name: "Bazel@HEAD" });
    expect(provider.messages.join()).toContain(
      'has the slug "bazel-at-head", which the API may make of this as well',
    );
    const named = await it.up({ ...rest, name: "Bazel@HEAD", slug: "bazel" });
    expect(named.outs).toMatchObject({ slug: "bazel" });
  });

  test("moves between its own steps and a template in place, and has no drift by the template's steps", async () => {
    const body = { name: "T", configuration: "steps: [wait]" };
    const template = await colleague.sends("POST", "/pipeline-templates", body);
    const made = await it.up({ ...storefront, configuration });
    const args = { ...storefront, pipelineTemplateUuid: template.uuid };
    const templated = await it.up(args, made);
    expect(bodyOf("update")).toEqual({ pipeline_template_uuid: template.uuid });
    await isUnchanged(args, templated);
    const own = await it.up({ ...storefront, configuration }, templated);
    expect(bodyOf("update")).toEqual({ pipeline_template_uuid: null, configuration });
    await isUnchanged({ ...storefront, configuration }, own);
    await expect(it.preview({ ...args, configuration }, own)).rejects.toThrow(
      "can't be given with pipelineTemplateUuid",
    );
  });

  test('is taken out of its cluster by "", and loses a branch by "" and a timeout by 0', async () => {
    const clusterId = await colleague.makes("/clusters", { name: "Linux" });
    const made = await it.up({
      ...storefront,
      clusterId,
      defaultBranch: "x",
      maximumCommandStepTimeout: 9,
    });
    const cleared = { ...storefront, defaultBranch: "", maximumCommandStepTimeout: 0 };
    const after = await it.up(cleared, made);
    expect(await live()).toMatchObject({
      cluster_id: null,
      default_branch: null,
      maximum_command_step_timeout: null,
    });
    await isUnchanged(cleared, after);
    // A value that the program didn't manage before is cleared as well.
    await patch({ default_branch: "other" });
    const { defaultBranch: _, ...fewer } = cleared;
    const given = await it.up(fewer, after);
    await it.up(cleared, given);
    expect(await live()).toMatchObject({ default_branch: null });
  });

  test("manages the named provider settings only, and warns of those that the source provider lacks", async () => {
    const args = { ...storefront, providerSettings: { buildTags: true, buildPullRequests: false } };
    const made = await it.up(args);
    await patch({ provider_settings: { trigger_mode: "none" } });
    await isUnchanged(args, made);
    expect(it.said).toEqual([]);
    await patch({ provider_settings: { build_tags: false } });
    const drifted = await it.refresh(made);
    expect(drifted?.inputs).toMatchObject({
      providerSettings: { buildTags: false, buildPullRequests: false },
    });
    const fewer = await it.up({ ...args, providerSettings: { buildTags: true } }, drifted);
    expect(it.said.join()).toContain("providerSettings: buildPullRequests is no longer named");
    const unknown = { ...args, providerSettings: { buildTags: true, buildDreams: true } };
    await it.up(unknown, fewer);
    await expect(it.preview({ ...args, providerSettings: { trigger_mode: "code" } }, made)).rejects.toThrow(
      "write triggerMode",
    );
  });

  test("warns of a named provider setting that another repository's provider drops, where the change says nothing of it", async () => {
    const args = { ...storefront, providerSettings: { buildTags: true, triggerMode: "code" } };
    const made = await it.up(args);
    await it.up({ ...args, description: "Shop" }, made);
    expect(it.said.join()).not.toContain("of providerSettings");
    await it.up({ ...args, repository: "git@gitlab.com:acme/storefront.git" }, made);
    expect(it.said.join()).toContain("the API doesn't return triggerMode of providerSettings");
  });

  test("sends a visibility only where it differs, because the API refuses others than admins", async () => {
    const made = await it.up(storefront);
    await it.up({ ...storefront, visibility: "private" }, made);
    expect(sent("update")).toEqual([]);
  });

  test("gets a tag once that the program gives twice, and is unchanged", async () => {
    const args = { ...storefront, tags: ["web", "web", "api"] };
    const made = await it.up(args);
    expect(bodyOf("create")).toMatchObject({ tags: ["web", "api"] });
    await isUnchanged(args, made);
  });

  test.each([false, true])(
    "is archived by its deletion, which says so, and keeps its slug, with the response lost: %s",
    async (isLost) => {
      const made = await it.up(storefront);
      if (isLost) emulator.fault({ operation: "pipelines.archive", when: "after", action: "drop" });
      await it.destroy(made);
      expect(await live()).toMatchObject({ archived_at: expect.any(String) });
      expect(it.said.join()).toContain('archived the pipeline "storefront"');
      expect(it.said.join()).not.toContain("nothing was sent");
      expect(sent("delete")).toEqual([]);
    },
  );

  test.each([
    ["archived", "archive"],
    ["deleted", "delete"],
  ])(
    "is looked at right before it is %s, because others rename, replace and unarchive",
    async (_, onDelete) => {
      const made = await it.up({ ...storefront, onDelete });
      let other: unknown;
      const stop = emulator.onRequest(({ operation }) => {
        if (operation !== "builds.listForPipeline" || other !== undefined) return;
        const { body } = emulator.perform("pipelines.update", {
          params: { pipeline_slug: "storefront" },
          body: { name: "Shop" },
        });
        expect(body).toMatchObject({ slug: "shop" });
        other = emulator.createPipeline({ slug: "storefront" }).id;
      });
      await it.destroy(made);
      stop();
      expect(await live()).toMatchObject({ id: other, archived_at: null });
      expect(emulator.organizationData.pipelines.get(made.id)?.archived_at).not.toBe(null);
    },
  );

  test("is archived again where somebody unarchives it while its builds are read", async () => {
    const made = await it.up({ ...storefront, archived: true });
    const { pipelines } = emulator.organizationData;
    const stop = emulator.onRequest(({ operation }) => {
      if (operation === "builds.listForPipeline") pipelines.update(made.id, { archived_at: null });
    });
    await it.destroy(made);
    stop();
    expect(await live()).toMatchObject({ archived_at: expect.any(String) });
  });

  test("is deleted with its builds only if the program says so", async () => {
    const made = await it.up({ ...storefront, onDelete: "delete" });
    await it.destroy(made);
    expect(await colleague.list("/pipelines")).toEqual([]);
    expect(it.said.join()).toContain('deleted the pipeline "storefront"');
  });

  test("waits five minutes for running builds before a deletion, and names them if they haven't ended", async () => {
    const made = await it.up({ ...storefront, onDelete: "delete" });
    await colleague.sends("POST", "/pipelines/storefront/builds", {
      commit: "HEAD",
      branch: "main",
      message: "x",
    });
    await expect(it.destroy(made)).rejects.toThrow("its builds 1 haven't ended");
    expect(await live()).toMatchObject({ archived_at: null });
    const scopes = ["read_pipelines", "write_pipelines"];
    const blind = { ...emulator, accessToken: emulator.createAccessToken({ scopes }) };
    const waiting = new ResourceOfProgram(backend, blind, "Pipeline").destroy(made);
    await expect(waiting).rejects.toThrow(/DELETE .* failed with 422: .*running/);
    await colleague.sends("PUT", "/pipelines/storefront/builds/1/cancel");
    await it.destroy(made);
    expect(it.said.join()).toContain("its last build is 1 of");
  });

  test("is archived and made active by the program, and other changes wait for that", async () => {
    const archived = { ...storefront, archived: true };
    const made = await it.up(archived);
    expect(made.outs).toMatchObject({ archived: true, archivedAt: expect.any(String) });
    await isUnchanged(archived, made);
    await expect(it.preview({ ...archived, description: "a" }, made)).rejects.toThrow(
      "archived: is true, and the API refuses other changes",
    );
    const active = await it.up({ ...storefront, description: "a" }, made);
    expect(written().slice(-2)).toEqual(["pipelines.unarchive", "pipelines.update"]);
    expect(it.said.join()).toContain("so it gets builds again");
    await isUnchanged({ ...storefront, description: "a" }, active);
    await expect(it.preview({ ...archived, description: "b" }, active)).rejects.toThrow(
      "Deploy the other changes first",
    );
  });

  test("that somebody archived is drift, and the deployment makes it active before any other change", async () => {
    const made = await it.up(storefront);
    await colleague.sends("POST", "/pipelines/storefront/archive");
    const drifted = await it.refresh(made);
    expect(drifted?.inputs).toMatchObject({ archived: true });
    await it.up({ ...storefront, description: "a" }, drifted);
    expect(await live()).toMatchObject({ archived_at: null, description: "a" });
  });

  test("that is neither at its slug nor in the list stays in state while the list shows nothing archived", async () => {
    const made = await it.up(storefront);
    await colleague.sends("DELETE", "/pipelines/storefront");
    await expect(it.up({ ...storefront, description: "a" }, made)).rejects.toThrow(
      "pulumi up --refresh creates it again, or says why it stays in state.",
    );
    expect(await it.refresh(made)).toBeDefined();
    expect(it.said.join()).toContain("stays in state");
    await it.destroy(made);
    expect(it.said.join()).toContain("is removed from state");
  });

  test("keeps the recorded address of its webhook where a token may not read it, encrypted", async () => {
    const made = await it.up(storefront);
    const before = JSON.stringify(made.outs.webhookUrl);
    const accessToken = emulator.createAccessToken({ scopes: ["read_pipelines"] });
    const reader = new ResourceOfProgram(backend, { ...emulator, accessToken }, "Pipeline");
    const again = await reader.refresh(made);
    expect(JSON.stringify(again?.outs.webhookUrl)).toBe(before);
    expect(before).toContain("webhooks");
  });

  test("has no difference between an address that nobody read and the state of before, which lacks it", async () => {
    await restart({ variations: { webhookUrlVisible: false } });
    it = new ResourceOfProgram(backend, emulator, "Pipeline");
    const made = await it.up(storefront);
    expect(JSON.stringify(made.outs.webhookUrl)).toContain('""');
    const { webhookUrl: _, ...outs } = made.outs;
    await isUnchanged(storefront, { ...made, outs });
  });

  test("is refused with the name of an argument elsewhere, which names ours", async () => {
    await expect(it.up({ ...storefront, steps: "x" })).rejects.toThrow(
      "Pipeline.steps: there is no such argument. Here it is configuration.",
    );
    await expect(it.up({ ...storefront, defaultTimeoutInMinutes: 5 })).rejects.toThrow(
      "defaultCommandStepTimeout",
    );
  });

  test("with visual steps can't be imported, because no program can declare them", async () => {
    await colleague.sends("POST", "/pipelines", { name: "Old", repository, steps: [{ type: "waiter" }] });
    await expect(it.imports("old", { ...storefront, name: "Old" })).rejects.toThrow("has visual steps");
  });

  test("is not changed where the response is about another pipeline, which an error names", async () => {
    const made = await it.up(storefront);
    const other = await makes("Other");
    const body = JSON.stringify({ ...(await live("other")), description: "a" });
    emulator.fault({ operation: "pipelines.update", when: "before", action: { status: 200, body } });
    await expect(it.up({ ...storefront, description: "a" }, made)).rejects.toThrow(
      `describes the pipeline ${other} (other), to which somebody probably gave its address meanwhile. Then that one has what was sent: description.`,
    );
  });

  test("names the pipeline that took its slug right before an update, and what that has now", async () => {
    const made = await it.up(storefront);
    const { pipelines } = emulator.organizationData;
    const other = await makes("Other");
    const remove = emulator.onRequest(({ operation }) => {
      if (operation !== "pipelines.update") return;
      remove();
      pipelines.update(made.id, { slug: "moved" });
      pipelines.update(other, { slug: "storefront" });
    });
    await expect(it.up({ ...storefront, description: "a", color: "#ffffff" }, made)).rejects.toThrow(
      `the pipeline ${other} (storefront), to which somebody probably gave its address meanwhile. Then that one has what was sent: description, color.`,
    );
  });

  test("that somebody archived since the preview is not updated, and the error says how to go on", async () => {
    const made = await it.up(storefront);
    await colleague.sends("POST", "/pipelines/storefront/archive");
    const updating = it.up({ ...storefront, description: "a" }, made);
    await expect(updating).rejects.toThrow(
      /somebody changed its archived to true.*up --refresh changes that back first/,
    );
    await expect(updating).rejects.not.toThrow("Correct the fields");
  });

  test.each([".", "..", "/", "日本"])(
    "may have the name %s, from which nobody knows the slug",
    async (name) => {
      const { changes } = await it.preview({ ...storefront, name });
      expect(changes).toBe(true);
    },
  );

  test("that moves to a template while ignoreChanges keeps its steps is refused by that name", async () => {
    const made = await it.up({ ...storefront, configuration });
    const template = "0190f1c4-0000-4000-8000-000000000002";
    const ignoring = new ResourceOfProgram(backend, emulator, "Pipeline", undefined, ["configuration"]);
    await expect(ignoring.preview({ ...storefront, pipelineTemplateUuid: template }, made)).rejects.toThrow(
      "ignoreChanges keeps configuration: remove it there",
    );
    const both = { ...storefront, configuration: "steps: []", pipelineTemplateUuid: template };
    await expect(it.preview(both, made)).rejects.not.toThrow("ignoreChanges");
  });

  test("has the same teams in another order, and with ids in capitals", async () => {
    const ids = [await colleague.makesTeam("Web"), await colleague.makesTeam("Ops")];
    const teams = ids.map((teamId) => ({ teamId, accessLevel: "read_only" }));
    const made = await it.up({ ...storefront, teams });
    const same = teams.toReversed().map((team) => ({ ...team, teamId: team.teamId.toUpperCase() }));
    await isUnchanged({ ...storefront, teams: same }, made);
    const whole = await it.up({ ...storefront, name: "Whole", teams: ids.map((teamId) => ({ teamId })) });
    const spelled = teams.map((team) => ({ ...team, accessLevel: "manage_build_and_read" }));
    await isUnchanged({ ...storefront, name: "Whole", teams: spelled }, whole);
  });

  test("is refused a slug that another one has, although its own name isn't known yet", async () => {
    await makes("Shop");
    await expect(it.preview({ ...storefront, name: UNKNOWN, slug: "shop" })).rejects.toThrow(
      "Pipeline.slug: is taken by the pipeline",
    );
  });

  test("names its teams once, and takes no other teams after its creation", async () => {
    const teamId = "0190f1c4-0000-4000-8000-000000000001";
    const twice = { ...storefront, teams: [{ teamId }, { teamId, accessLevel: "read_only" }] };
    await expect(it.preview(twice)).rejects.toThrow("names a team twice");
    const made = await it.up(storefront);
    await expect(it.preview({ ...storefront, teams: [{ teamId }] }, made)).rejects.toThrow(
      "counts only when the pipeline is created",
    );
  });
});

async function warns(args: object, ...says: readonly string[]): Promise<void> {
  const { provider } = await new ResourceOfProgram("dynamic", emulator, "Pipeline").preview({
    ...storefront,
    ...args,
  });
  expect(provider.messages).toEqual(says.map((words) => expect.stringContaining(words)));
}

describe("A preview warns of what can have no effect:", () => {
  test.each([
    [
      "branchConfiguration",
      "build.branch == 'main'",
      'is a condition, and branches are given by patterns such as "main',
    ],
    ["branchConfiguration", "main ^release$", "is a regular expression, and branches are given by patterns"],
    ["skipQueuedBranchBuildsFilter", "/x/", "is a regular expression, and branches are given by patterns"],
  ])("%s %j", (argument, value, says) => warns({ [argument]: value }, says));

  test.each([
    [
      { buildTag: true },
      "has buildTag, which is no setting that Buildkite documents. Did you mean buildTags?",
    ],
    [
      { triggerMode: "none", filterCondition: "true" },
      'has no effect with triggerMode "none", but with "code".',
    ],
    [{ filterEnabled: false, filterCondition: "true" }, "has no effect while filterEnabled is false."],
    [
      { pullRequestBranchFilterEnabled: false, pullRequestBranchFilterConfiguration: "x" },
      "has no effect while pullRequestBranchFilterEnabled is false.",
    ],
    [{ filterCondition: "build.branch !~ foo" }, "with a regular expression that isn't between slashes"],
  ])("%o", (providerSettings, says) => warns({ providerSettings }, says));

  test("patterns, settings and conditions that Buildkite documents are none", () => {
    const filter = { filterEnabled: true, filterCondition: "build.branch =~ /^main$/" };
    const providerSettings = { triggerMode: "code", ...filter, own: 1 };
    return warns({ branchConfiguration: "main release/* !wip/* v1.*", providerSettings });
  });

  test.each([
    [
      "- branch: main\n",
      "names the claims branch, which Buildkite doesn't document. They are pipeline_id, pipeline_slug",
    ],
    ["- {}\n", "has a rule without claims, which may give access to every build."],
    ["pipeline_slug: x\n", "is no list of rules."],
  ])("a secret's policy %j", async (policy, says) => {
    const { id } = await colleague.sends("POST", "/clusters", { name: "Linux" });
    const it = new ResourceOfProgram("dynamic", emulator, "ClusterSecret");
    const { provider } = await it.preview({ clusterId: id, key: "KEY", value: "x", policy });
    expect(provider.messages).toEqual([expect.stringContaining(says)]);
  });
});
