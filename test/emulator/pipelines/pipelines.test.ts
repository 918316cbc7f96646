import { describe, expect, test } from "vitest";
import { scopes } from "../../../src/emulator/index.js";
import { SLUGS } from "../../support/slugs.js";
import { Api, team } from "../api.js";

const api = Api.forEach();
const web = {
  name: "Web Shop",
  repository: "https://github.com/acme/web.git",
  configuration: "steps:\n  - command: make",
};

describe("a pipeline", () => {
  test.each(SLUGS)(
    "has a slug of its name %j, which a new name changes and a given slug keeps",
    async (name, slug) => {
      expect((await api.entity("POST", "/pipelines", { ...web, name })).slug).toBe(slug);
      const renamed = await api.entity("PATCH", `/pipelines/${slug}`, { name: "Other" });
      expect([renamed.slug, (await api.send("GET", `/pipelines/${slug}`)).status]).toEqual(["other", 404]);
      expect(await api.entity("PUT", "/pipelines/other", { name: "Third", slug: "own" })).toMatchObject({
        slug: "own",
      });
      expect(await api.entity("PATCH", "/pipelines/own", { name: "Third" })).toMatchObject({ slug: "third" });
    },
  );

  test("has its YAML as it was sent, but for carriage returns, and builds with the steps of it", async () => {
    const configuration =
      "\uFEFF# ours\r\nsteps:\r\n- {label: Unit, command: [a, b], agents: {os: linux}}\r\n- wait";
    const { slug, ...shown } = await api.entity("POST", "/pipelines", { ...web, configuration });
    expect(shown.configuration).toBe(configuration.replaceAll("\r\n", "\n"));
    const build = { commit: "HEAD", branch: "main" };
    const { jobs } = await api.entity("POST", `/pipelines/${slug}/builds`, build);
    expect(jobs).toMatchObject([{ name: "Unit", command: "a\nb", agent_query_rules: ["os=linux"] }]);
  });

  test("keeps what an update leaves out, and clears what it empties", async () => {
    const set = { description: "x", tags: ["a"], emoji: ":cart:", default_command_step_timeout: 5 };
    const before = await api.entity("POST", "/pipelines", { ...web, ...set });
    expect(before).toMatchObject({
      ...set,
      default_branch: "main",
      allow_rebuilds: true,
      visibility: "private",
    });
    expect(await api.entity("PATCH", "/pipelines/web-shop", { description: "y" })).toEqual({
      ...before,
      description: "y",
    });
    const empty = {
      description: "",
      tags: [],
      emoji: "",
      default_command_step_timeout: 0,
      default_branch: "",
    };
    const cleared = {
      description: null,
      tags: null,
      emoji: null,
      default_command_step_timeout: null,
      default_branch: null,
    };
    expect(await api.entity("PATCH", "/pipelines/web-shop", empty)).toMatchObject(cleared);
  });

  test.each([
    ["https://github.com/a/b.git", "github", "code"],
    ["git@github.acme.example:a/b.git", "github_enterprise", "code"],
    ["https://bitbucket.org/a/b", "bitbucket", undefined],
    ["ssh://git@gitlab.com/a/b.git", "gitlab", undefined],
    ["https://git.acme.example/a/b.git", "unknown", undefined],
  ])("of %s has the provider %s and only its settings", async (repository, id, trigger_mode) => {
    const provider_settings = { trigger_mode: "code", build_tags: true, no_such_setting: 1 };
    const { provider } = await api.entity("POST", "/pipelines", { ...web, repository, provider_settings });
    const { settings } = Object(provider);
    expect([Object(provider).id, settings.trigger_mode]).toEqual([id, trigger_mode]);
    expect(settings.build_tags).toBe(id === "unknown" ? undefined : true);
    expect(settings).toMatchObject({ repository: "a/b", filter_enabled: false });
    expect(settings).not.toHaveProperty("no_such_setting");
  });

  test("merges its provider's settings key by key", async () => {
    await api.entity("PATCH", "/pipelines/storefront", { provider_settings: { trigger_mode: "none" } });
    const { provider } = await api.entity("PATCH", "/pipelines/storefront", {
      provider_settings: { build_tags: true },
    });
    expect(Object(provider).settings).toMatchObject({
      trigger_mode: "none",
      build_tags: true,
      build_branches: true,
    });
    const build = { commit: "HEAD", branch: "main" };
    const refused = await api.send("POST", "/pipelines/storefront/builds", build);
    expect(refused.body).toEqual({ message: "Branches have been disabled for this pipeline" });
    const forced = { ...build, ignore_pipeline_branch_filters: true };
    expect((await api.send("POST", "/pipelines/storefront/builds", forced)).status).toBe(201);
  });

  test("has its template's YAML, and keeps it when the template goes", async () => {
    const template = { name: "T", configuration: "steps:\n  - command: from-template\n", available: true };
    const { uuid } = await api.entity("POST", "/pipeline-templates", template);
    const made = await api.entity("POST", "/pipelines", { ...web, pipeline_template_uuid: uuid });
    expect(made).toMatchObject({ pipeline_template_uuid: uuid, configuration: template.configuration });
    const freed = await api.entity("PATCH", "/pipelines/web-shop", { pipeline_template_uuid: null });
    expect(freed).toMatchObject({ pipeline_template_uuid: null, configuration: template.configuration });
    const both = { pipeline_template_uuid: null, configuration: web.configuration };
    expect(await api.entity("PATCH", "/pipelines/web-shop", both)).toMatchObject({
      configuration: web.configuration,
    });
  });

  test("of visual steps shows them and no YAML", async () => {
    const { configuration: _, ...visual } = {
      ...web,
      steps: [{ type: "script", command: "make" }],
      env: { A: "b" },
    };
    const made = await api.entity("POST", "/pipelines", visual);
    expect(made).toMatchObject({ steps: visual.steps, env: { A: "b" } });
    expect(made).not.toHaveProperty("configuration");
  });

  test("is found in the list by parts of its name and repository, in any case", async () => {
    await api.entity("POST", "/pipelines", web);
    const slugs = async (query: string) => (await api.list(`/pipelines?${query}`)).map(({ slug }) => slug);
    expect(await slugs("name=SHOP")).toEqual(["web-shop"]);
    expect(await slugs("repository=ACME/store")).toEqual(["storefront"]);
    expect(await slugs("name=shop&repository=store")).toEqual([]);
  });

  test("takes its builds, schedules and pairs with it", async () => {
    const { id } = await api.entity("POST", "/teams", team());
    await api.entity("POST", "/pipelines", { ...web, teams: { [String(id)]: "read_only" } });
    await api.entity("POST", "/pipelines/web-shop/schedules", { cronline: "@daily" });
    const { pipelineSchedules, teamPipelines } = api.emulator.organizationData;
    expect([pipelineSchedules.size, teamPipelines.size]).toEqual([1, 1]);
    expect((await api.send("DELETE", "/pipelines/web-shop")).status).toBe(204);
    expect([pipelineSchedules.size, teamPipelines.size]).toEqual([0, 0]);
  });
});

describe("a user who is no administrator", () => {
  const asBen = (fields: object = {}) => {
    const userId = String(api.emulator.organizationData.users.find("name", "Ben Baker")?.id);
    const token = { scopes: [...scopes], userId, admin: false, ...fields };
    return { userId, ben: api.as(api.emulator.createAccessToken(token)) };
  };
  const ownTeam = async (userId: string, name: string) => {
    const { id } = await api.entity("POST", "/teams", team({ name }));
    await api.entity("POST", `/teams/${id}/members`, { user_id: userId, role: "member" });
    return String(id);
  };

  test("creates pipelines for the only team, and names one of several", async () => {
    const { ben, userId } = asBen();
    await api.entity("POST", "/teams", team({ name: "Others" }));
    expect((await ben.send("POST", "/pipelines", web)).status).toBe(403);
    const own = await ownTeam(userId, "Own");
    await ben.entity("POST", "/pipelines", web);
    const [pair] = await api.list(`/teams/${own}/pipelines`);
    expect(pair).toMatchObject({ access_level: "manage_build_and_read" });
    await ownTeam(userId, "Second");
    const refused = await ben.send("POST", "/pipelines", { ...web, name: "Next" });
    const code = "Please ensure at least one team is added to this pipeline";
    expect(refused.body).toEqual({
      message: "Validation Failed",
      errors: [{ field: "teams", code, value: [] }],
    });
    const named = { ...web, name: "Next", teams: { [own]: "build_and_read" } };
    expect((await ben.send("POST", "/pipelines", named)).status).toBe(201);
  });

  test("may be unable to see pipelines of other teams, their builds and schedules", async () => {
    const { ben, userId } = asBen({ seesAllPipelines: false });
    const paths = ["", "/builds", "/builds/1", "/schedules"].map((path) => `/pipelines/storefront${path}`);
    for (const path of paths) expect([path, (await ben.send("GET", path)).status]).toEqual([path, 404]);
    expect([await ben.list("/pipelines"), await ben.list("/builds")]).toEqual([[], []]);
    const own = await ownTeam(userId, "Own");
    const pipeline_id = api.emulator.organizationData.pipelines.find("slug", "storefront")?.id;
    await api.entity("POST", `/teams/${own}/pipelines`, { pipeline_id, access_level: "read_only" });
    for (const path of paths) expect([path, (await ben.send("GET", path)).status]).toEqual([path, 200]);
    expect(Object((await ben.entity("GET", "/pipelines/storefront")).provider).webhook_url).toBe("");
    expect(Object((await api.entity("GET", "/pipelines/storefront")).provider).webhook_url).not.toBe("");
  });
});

test("A suite that is created with teams has a pair for each", async () => {
  const { id } = await api.entity("POST", "/teams", team());
  const suite = await api.entity("POST", "/suites", { name: "S", default_branch: "main", team_ids: [id] });
  expect(await api.list(`/teams/${id}/suites`)).toMatchObject([
    { suite_id: suite.id, access_level: ["read", "edit"] },
  ]);
  const oidc_policy = [{ iss: "https://agent.buildkite.com", claims: { a: "b" } }];
  const changed = await api.entity("PATCH", `/suites/${suite.slug}`, { oidc_policy });
  expect(changed.oidc_policy).toContain("iss: https://agent.buildkite.com");
  expect(await api.entity("PATCH", `/suites/${suite.slug}`, { oidc_policy: null })).toMatchObject({
    oidc_policy: null,
  });
});
