import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { kinds } from "../../../src/provider/for-commands/kinds.js";
import { isUuid } from "../../../src/shared/protocol/identity.js";
import { Colleague } from "../../support/colleague.js";
import { buildpipeline, OBEYED, settingsOf } from "../../support/command.js";
import { client, emulator, restart, scratch, serviceForEach } from "../../support/command-service.js";
import { writeCommand } from "../../support/commands-on-path.js";
import { Driver, type Made } from "../../support/driver.js";
import { argumentsOf, EACH_KIND, USER } from "../../support/each-kind.js";
import { GitRepository } from "../../support/git-repository.js";
import { type ExportedResource, exported, stackExport } from "../../support/recording.js";
import { putting, VALUES } from "../../support/unexpected-values.js";
import { createCluster, createTeam } from "../organization.js";

serviceForEach();

function file(name: string, content: string | Buffer): string {
  writeFileSync(scratch.path(name), content);
  return scratch.path(name);
}

/** Runs the command with these files. */
function unmanagedIn(files: readonly string[], args: readonly string[] = [], env = {}) {
  return buildpipeline(["unmanaged", "--stack-export", ...files, ...args], {
    env: { ...settingsOf(emulator), ...env },
  });
}

/** Runs the command with one export of these resources. */
async function unmanaged(resources: readonly ExportedResource[] = [], ...args: readonly string[]) {
  const ended = await inWords(resources, ["--json", ...args]);
  return { ...ended, said: ended.code === 2 ? undefined : JSON.parse(ended.stdout) };
}

/** Runs the command without JSON, with one export of these resources. */
const inWords = (
  resources: readonly ExportedResource[],
  args: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
) => unmanagedIn([file("export.json", stackExport(...resources))], args, env);

/** A resource in state whose object isn't there. */
const lost = (kind: string, number: number, properties: Record<string, unknown>, fields = {}) =>
  exported(kind, `4a3f9b6e-0000-4000-8000-00000000000${number}`, { properties, ...fields });

const importsIn = (said: { unmanaged: { import: string }[] }) =>
  said.unmanaged.map((one) => one.import).sort();
const dynamic = (kind: string) => `pulumi-nodejs:dynamic/buildpipeline:${kind}`;

/** A Pulumi CLI that knows the stacks of projects, each by the export in `<project>/<stack>.json`. */
function pulumiOn(folder: string): Record<string, string> {
  writeCommand(
    join(folder, "bin"),
    "pulumi",
    `case "$*" in
      "stack ls --json --non-interactive")
        printf '['; comma=
        for file in *.json; do
          [ -e "$file" ] && { printf '%s{"name":"%s","current":false}' "$comma" "\${file%.json}"; comma=,; }
        done
        printf ']' ;;
      "stack export --stack "*) shift 3; cat "$1.json" ;;
      config*) cat config ;;
      *) exit 9 ;;
    esac`,
  );
  return { PATH: `${join(folder, "bin")}:${process.env.PATH}` };
}

/** One of each kind that the API always had, in the service and in the form of an export. */
async function oneOfEach(): Promise<ExportedResource[]> {
  const { cluster, queue, token } = await createCluster("Linux");
  const template = await client.pipelineTemplates.create({ name: "Release", configuration: "steps: []" });
  const team = await createTeam("Platform");
  const suite = await client.suites.create({ name: "Tests", default_branch: "main" });
  const clusterId = cluster.id;
  return [
    exported("Cluster", cluster.id),
    exported("Queue", queue.id, { properties: { clusterId } }),
    exported("ClusterDefaultQueue", cluster.id, { properties: { clusterId, queueId: queue.id } }),
    exported("AgentToken", token.id, { properties: { clusterId } }),
    exported("PipelineTemplate", template.uuid),
    exported("Team", team.id ?? ""),
    exported("Suite", suite.id),
  ];
}

/** One of each kind there is, as a deployment makes it. */
async function oneOfEveryKind(): Promise<ExportedResource[]> {
  const { users } = emulator.organizationData;
  users.insert(USER);
  const driver = Driver.for(emulator);
  const deployed = new Map<string, Made>();
  for (const kind of Object.keys(EACH_KIND))
    deployed.set(
      kind,
      await driver.create(
        kind,
        argumentsOf(kind, (of) => deployed.get(of)?.id),
      ),
    );
  // Who makes a team is in it.
  const teamId = deployed.get("Team")?.id ?? "";
  const members = await client.teamMembers.list(teamId).all();
  for (const { user_id = "" } of members.filter((member) => member.user_id !== USER.id))
    await client.teamMembers.delete(teamId, user_id);
  return [...deployed].map(([kind, { id, outs }]) => exported(kind, id, { properties: outs }));
}

describe("buildpipeline unmanaged", () => {
  test("covers every kind there is, and says nothing, with exit code 0, where a stack owns everything", async () => {
    const resources = await oneOfEveryKind();
    expect(resources.map(({ type }) => type)).toEqual([...kinds.keys()].map(dynamic));
    const { said } = await unmanaged([], "--only", ...kinds.keys());
    const listed = [...kinds].flatMap(([name, { isSetting }]) => (isSetting ? [] : [dynamic(name)]));
    expect(said.unmanaged.map(({ type }: { type: string }) => type).sort()).toEqual(listed.sort());
    const names = said.unmanaged.map(({ name }: { name: string }) => name);
    expect(names.filter(isUuid)).toEqual([]);
    expect(names).toContain("Shop triggers Shop");
    emulator.clearRequests();
    const owned = await unmanaged(resources);
    expect(owned.said).toEqual({ unmanaged: [], gone: [] });
    const [objects, requests] = [resources.length, emulator.requests.length];
    const stderr = `${objects} objects in acme, read with ${requests} requests.\n`;
    expect(owned).toMatchObject({ code: 0, stderr });
    expect(requests).toBeLessThan(objects);
  });

  test("lists the second of two equal objects, as a gateway that repeats a creation leaves them", async () => {
    const owned = await oneOfEach();
    const [cluster] = await client.clusters.list().all();
    const { id = "" } = cluster ?? {};
    const [token] = await client.agentTokens.list(id).all();
    const body = { provider: "webhook", scope: "all", settings: { url: "https://ci.example.com" } } as const;
    const service = await client.notificationServices.create(body);
    const doubled = [
      (await client.agentTokens.create(id, { description: token?.description ?? "" })).id,
      (await client.notificationServices.create(body)).id,
    ];
    const { said } = await unmanaged([...owned, exported("NotificationService", service.id)]);
    expect(said.unmanaged.map((one: { id: string }) => one.id).sort()).toEqual(doubled.sort());
  });

  test("lists what no stack owns, with its creator and the value of import that adopts it", async () => {
    const owned = await oneOfEach();
    const [cluster] = await client.clusters.list().all();
    const queue = await client.queues.create(cluster?.id ?? "", { key: "by-hand" });
    const { code, said } = await unmanaged(owned);
    expect(code).toBe(1);
    expect(said).toEqual({
      unmanaged: [
        {
          type: dynamic("Queue"),
          id: queue.id,
          name: "by-hand",
          createdAt: queue.created_at,
          createdBy: { id: expect.any(String), name: "Ada Archer", email: "ada@acme.example" },
          import: "Linux/by-hand",
        },
      ],
      gone: [],
    });
  });

  test.each(VALUES)("shows no creator and no time of the type that %j has", async (value) => {
    await client.clusters.create({ name: "Linux" });
    const change = (body: unknown) => putting(["created_at"], 7)(putting(["created_by"], value)(body));
    emulator.fault({ operation: "clusters.list", when: "after", action: { change } });
    const { said } = await unmanaged();
    expect(said.unmanaged).toMatchObject([{ name: "Linux", createdAt: null, createdBy: null }]);
  });

  test("says how many stacks it compared", async () => {
    await client.clusters.create({ name: "Linux" });
    const files = [file("one.json", stackExport()), file("two.json", stackExport())];
    expect((await unmanagedIn(files)).stdout).toMatch(/^None of the 2 stacks given owns 1:$/m);
    const { stdout, stderr } = await unmanagedIn(files.slice(1));
    expect(stdout).toMatch(/^The stack doesn't own 1:$/m);
    expect(stdout).toMatch(/^Declared: 0 of 1 object \(0 %\)\.$/m);
    expect(stderr).toMatch(
      /^1 object in acme, read with \d+ requests?\. Not read, because the stack has none \(--only reads them\): Pipeline, .*\.$/m,
    );
  });

  test("names by ids what has no name of its own", async () => {
    const one = await client.clusters.create({ name: "Same" });
    const other = await client.clusters.create({ name: "Same" });
    const slashed = await client.clusters.create({ name: "a/b" });
    const inOther = await client.queues.create(other.id, { key: "same" });
    await client.queues.create(slashed.id, { key: "same" });
    const { said } = await unmanaged();
    expect(importsIn(said)).toEqual(
      [one.id, other.id, slashed.id, `${other.id}/same`, `${slashed.id}/same`].sort(),
    );
    expect(said.unmanaged.find(({ id }: { id: string }) => id === inOther.id).name).toBe("same");
  });

  test("lists what a stack owns that is gone, and what was in a cluster that is gone", async () => {
    const resources = await oneOfEach();
    const [cluster] = await client.clusters.list().all();
    await client.clusters.delete(cluster?.id ?? "");
    const { code, said } = await unmanaged(resources);
    expect(code).toBe(1);
    const expected = resources.slice(0, 4).map(({ type, id, urn }) => ({ type, id, urn }));
    expect(said).toEqual({ unmanaged: [], gone: expected });
  });

  test("reassures about what it compared, and is wrong to call where that is nothing", async () => {
    const resources = await oneOfEach();
    const { code, stdout } = await inWords(resources, ["--only", "Team", "Queue"]);
    const words =
      "Every object of the types compared (Team, Queue) is owned by a stack, and nothing is gone.\n";
    expect({ code, stdout }).toEqual({ code: 0, stdout: words });
    emulator.fault({ operation: "pipelines.list", times: 9, action: { status: 403 } });
    const refused = await inWords([], ["--only", "Pipeline"]);
    expect(refused.stdout).toBe(
      "Every object that could be read is owned by a stack, and nothing is gone.\n",
    );
    expect((await unmanaged([], "--only", "Pipeline")).said).toMatchObject({
      unread: ["Not all read: Pipeline, because the API refuses a list of pipelines to this access token."],
    });
    emulator.clearRequests();
    const none = await inWords(resources, ["--only", "Queue", "--except", "queue"]);
    const stderr = "buildpipeline: --only and --except leave no resource type.\n";
    expect(none).toMatchObject({ code: 2, stdout: "", stderr });
    expect(emulator.requests).toEqual([]);
  });

  test("calls nothing gone that the access token may be unable to see", async () => {
    const hidden = lost("PipelineTemplate", 1, { available: false });
    const shown = lost("PipelineTemplate", 2, { available: true });
    const secret = lost("Team", 3, { privacy: "secret" });
    const first = await unmanaged([hidden, secret]);
    expect(first.said).toMatchObject({ gone: [], unproven: [{ id: hidden.id }, { id: secret.id }] });
    expect(first.stderr).toContain(`PipelineTemplate ${hidden.id} of `);
    expect(first.stderr).toContain("admin");
    expect(first.code).toBe(0);
    const everything = "Everything is owned by a stack. 1 resource may be gone.\n";
    expect((await inWords([secret])).stdout).toBe(everything);
    expect((await unmanaged([hidden, shown])).said.gone).toMatchObject([{ id: shown.id }]);

    // Whoever is shown one template that is not available is shown all.
    const other = await client.pipelineTemplates.create({ name: "Other", configuration: "steps: []" });
    const { said } = await unmanaged([hidden, exported("PipelineTemplate", other.uuid)]);
    expect(said.gone).toMatchObject([{ id: hidden.id }]);
  });

  test("counts as owned what is still to be deleted, and not what a program only reads", async () => {
    const cluster = await client.clusters.create({ name: "Read" });
    const replaced = await client.clusters.create({ name: "Replaced" });
    const { said } = await unmanaged([
      exported("Cluster", cluster.id, { external: true }),
      exported("Cluster", replaced.id, { delete: true }),
      lost("Cluster", 4, {}, { external: true }),
      lost("Cluster", 5, {}, { delete: true }),
    ]);
    expect(importsIn(said)).toEqual(["Read"]);
    expect(said.gone).toEqual([]);
  });

  test("names the cluster of an object where several have its name and the import needs ids", async () => {
    const one = await client.clusters.create({ name: "Linux" });
    const two = await client.clusters.create({ name: "Linux" });
    await client.queues.create(one.id, { key: "small" });
    const { stdout } = await inWords([], ["--only", "queue"]);
    expect(stdout).toMatch(new RegExp(`Queue +small .* ${one.id}/small +Linux$`, "m"));
    expect(stdout).not.toContain(two.id);
  });

  test("takes several stacks together, and leaves other organizations alone", async () => {
    const elsewhere = lost("Cluster", 6, { organization: "another" });
    const files = [file("elsewhere.json", stackExport(elsewhere))];
    for (const name of ["One", "Two"]) {
      const { id } = await client.clusters.create({ name });
      files.push(file(`${name}.json`, stackExport(exported("Cluster", id))));
    }
    const { code, stdout, stderr } = await unmanagedIn(files);
    expect(stdout).toBe("Everything is owned by a stack, and nothing is gone.\n");
    expect(stderr).toContain("Not compared: 1 resource in other organizations (another).");
    expect(code).toBe(0);
  });

  test("reads list pages only, because the rate limit is for each request", async () => {
    for (let index = 0; index < 4; index++) {
      const { id } = await client.clusters.create({ name: `Cluster ${index}` });
      for (let queue = 0; queue < 3; queue++) await client.queues.create(id, { key: `queue-${queue}` });
    }
    emulator.clearRequests();
    await unmanaged();
    const operations = emulator.requests.map(({ operation }) => operation);
    expect(operations.filter((operation) => !operation?.endsWith(".list"))).toEqual([]);
    expect(operations).toHaveLength(1 + 2 * 4 + 3);
    emulator.clearRequests();
    await unmanaged([], "--only", "team", "--only", "Suite", "--except", "Suite");
    expect(emulator.requests.map(({ operation }) => operation)).toEqual(["teams.list"]);
  });

  test("refuses to judge by a list that the access token may not read, unless it is left out", async () => {
    const accessToken = emulator.createAccessToken({ scopes: ["read_clusters", "read_suites"] });
    const run = (...args: string[]) => inWords([], args, settingsOf(emulator, accessToken));
    const refused = await run();
    expect(refused).toMatchObject({ code: 2, stdout: "" });
    expect(refused.stderr).toContain("read_pipeline_templates");
    expect(refused.stderr).toContain("--except PipelineTemplate");
    expect((await run("--except", "PipelineTemplate")).stderr).toContain("read_teams or view_teams");
    expect((await run("--except", "PipelineTemplate", "Team")).code).toBe(0);
  });

  test("shows values of import whole, because they are to be copied", async () => {
    const name = "Builds of the mobile applications, on machines";
    const [one] = await Promise.all([name, name].map((name) => client.clusters.create({ name })));
    const queue = await client.queues.create(one?.id ?? "", { key: "machines-with-much-memory" });
    await client.queues.create(one?.id ?? "", { key: queue.id });
    const { stdout } = await inWords([]);
    expect(stdout).toContain(`${one?.id}/machines-with-much-memory`);
    expect(stdout).not.toContain("…");
  });

  test("goes on without templates on a plan that has none", async () => {
    await restart({ variations: { enterprisePlan: false } });
    const { code, stderr, said } = await unmanaged([lost("PipelineTemplate", 7, {})]);
    expect(said.unproven).toHaveLength(1);
    expect(stderr).toContain("Enterprise plan");
    expect(code).toBe(0);
  });

  test("refuses settings that lead to another service than the one the stacks are of", async () => {
    const url = "https://api.example.com/v2/organizations/acme/clusters/1";
    const { code, stderr } = await unmanaged([lost("Cluster", 8, { url })]);
    expect(code).toBe(2);
    expect(stderr).toContain("https://api.example.com");
    expect(stderr).toContain(emulator.url);
    expect(stderr).toContain("BUILDPIPELINE_BASE_URL");
  });

  test.each([
    [
      "an organization that is not there",
      { BUILDPIPELINE_ORGANIZATION: "nowhere" },
      /404.*nowhere|nowhere.*404/,
    ],
    ["a refused access token", { BUILDPIPELINE_ACCESS_TOKEN: "mistyped" }, /401/],
    ["a missing setting", { BUILDPIPELINE_BASE_URL: "" }, /BUILDPIPELINE_BASE_URL/],
  ])("ends with exit code 2 and a line for %s", async (_, env, message) => {
    const { code, stdout, stderr } = await inWords([], [], env);
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toMatch(message);
    expect(stderr.trim().split("\n")).toHaveLength(1);
  });

  test.each([
    ["no file", "missing.json", undefined, /missing\.json cannot be read/],
    ["no JSON", "export.json", "hunter2", /export\.json is not JSON/],
    ["another JSON", "export.json", '{"steps":[]}', /export\.json is not what `pulumi stack export` prints/],
  ])("says what is wrong with %s, before it asks the service", async (_, name, content, message) => {
    if (content !== undefined) file(name, content);
    const { code, stderr } = await unmanagedIn([scratch.path(name)]);
    expect(code).toBe(2);
    expect(stderr).toMatch(message);
    expect(stderr).not.toContain("hunter2");
    expect(emulator.requests).toEqual([]);
  });

  // PowerShell's `>` writes UTF-16, and its `Set-Content` UTF-8 with a byte order mark.
  test.each([
    ["UTF-8", (text: string) => Buffer.from(text)],
    ["UTF-8 with a byte order mark", (text: string) => Buffer.from(`\ufeff${text}`)],
    ["UTF-16", (text: string) => Buffer.from(`\ufeff${text}`, "utf16le")],
    ["UTF-16 with the high byte first", (text: string) => Buffer.from(`\ufeff${text}`, "utf16le").swap16()],
  ])("reads %s from a file and from standard input alike", async (_, encoded) => {
    const { id } = await client.clusters.create({ name: "Größe 🍏" });
    const input = encoded(stackExport(exported("Cluster", id)));
    for (const stacks of [[file("encoded.json", input)], ["-"], ["-", "-"]]) {
      const args = ["unmanaged", "--stack-export", ...stacks];
      expect(await buildpipeline(args, { env: settingsOf(emulator), input })).toMatchObject({ code: 0 });
    }
  });

  test("shows names of the service as text that no terminal obeys", async () => {
    await client.clusters.create({ name: "red \u001b[31m\u009b2J \u202egpj.exe 🍏" });
    for (const args of [[], ["--json"]]) {
      const { stdout } = await inWords([], args);
      expect(stdout).not.toMatch(OBEYED);
      expect(stdout).toContain("🍏");
    }
  });

  test("colors only where it is asked to, as nothing here is a terminal", async () => {
    await client.clusters.create({ name: "Linux" });
    const run = async (env: Record<string, string>) => (await inWords([], [], env)).stdout;
    expect(await run({})).not.toContain("\u001b");
    expect(await run({ FORCE_COLOR: "1" })).toContain("\u001b[1m");
    expect(await run({ FORCE_COLOR: "0" })).not.toContain("\u001b");
    expect(await run({ NO_COLOR: "1" })).not.toContain("\u001b");
  });

  test("reports a wait for the rate limit once, however many requests wait", async () => {
    await restart({ limits: { userPerMinute: 8, organizationPerMinute: 1000, windowSeconds: 2 } });
    const colleague = new Colleague(emulator);
    for (const number of [1, 2, 3, 4])
      await colleague.sends("POST", "/clusters", { name: `Cluster ${number}` });
    emulator.clearRequests();
    const { stderr } = await unmanaged();
    // 12 requests, 8 of them in each window.
    expect(stderr.match(/^Rate limit reached\. Resuming in \d+s\.$/gm)).toHaveLength(1);
  });
});

describe("--all-stacks", () => {
  /** Projects in folders, with an export for each stack. */
  function projects(folders: Readonly<Record<string, Readonly<Record<string, string>>>>) {
    for (const [folder, stacks] of Object.entries(folders)) {
      mkdirSync(scratch.path(folder), { recursive: true });
      file(join(folder, "Pulumi.yaml"), "name: any\nruntime: nodejs\n");
      for (const [stack, text] of Object.entries(stacks)) file(join(folder, `${stack}.json`), text);
    }
    const env = { ...settingsOf(emulator), ...pulumiOn(scratch.path(".")) };
    return (...args: readonly string[]) =>
      buildpipeline(["unmanaged", "--json", "--all-stacks", ...args], { env, cwd: scratch.path(".") });
  }

  test("owns what any stack of any project in the folder owns, at any depth, without installed packages", async () => {
    const [cluster, queue, defaultQueue, token, template, team, suite] = await oneOfEach();
    if (!cluster || !queue || !defaultQueue || !token || !template || !team || !suite)
      throw new Error("too few");
    const run = projects({
      "infrastructure/clusters": {
        production: stackExport(cluster),
        staging: stackExport(queue, defaultQueue),
      },
      "infrastructure/deep/er/tokens": { production: stackExport(token, template) },
      "node_modules/some-package": { production: stackExport(suite) },
      teams: { production: stackExport(team) },
    });
    const { code, stdout } = await run();
    expect(code).toBe(1);
    expect(JSON.parse(stdout).unmanaged).toMatchObject([{ name: "Tests" }]);
  });

  test("adds stacks of other repositories by their names", async () => {
    const [cluster] = await oneOfEach();
    const run = projects({ mine: { production: stackExport() } });
    mkdirSync(scratch.path("acme/other"), { recursive: true });
    file("acme/other/production.json", stackExport(cluster as ExportedResource));
    const kinds = ["--only", "Cluster"];
    expect((await run(...kinds)).code).toBe(1);
    expect((await run("acme/other/production", ...kinds)).code).toBe(0);
  });

  test("takes the settings from the first project's stack if the folder is no project", async () => {
    const { accessToken, organization, url } = emulator;
    projects({ a: { production: stackExport() }, b: {} });
    const values = { "buildpipeline:organization": organization, "buildpipeline:baseUrl": url };
    const configuration = Object.entries(values).map(([name, value]) => [name, { value }]);
    file("a/config", JSON.stringify(Object.fromEntries(configuration)));
    const env = { ...pulumiOn(scratch.path(".")), BUILDPIPELINE_ACCESS_TOKEN: accessToken };
    const cwd = scratch.directory;
    const { code, stderr } = await buildpipeline(["unmanaged", "--all-stacks"], { env, cwd });
    expect(code, stderr).toBe(0);
  });

  test("names projects that are skipped, because nobody looked at what they own", async () => {
    const repository = new GitRepository();
    const projects = { "a/Pulumi.yaml": "name: a\n", "b/Pulumi.yaml": "name: b\n" };
    repository.begin({ ...projects, "a/production.json": stackExport() });
    repository.git("sparse-checkout", "set", "a");
    const env = { ...settingsOf(emulator), ...pulumiOn(scratch.path(".")) };
    const { stderr } = await buildpipeline(["unmanaged", "--all-stacks"], { env, cwd: repository.root });
    repository.scratch.remove();
    expect(stderr).toContain(
      "Projects that are left out: b (isn't checked out). Nothing is known of their stacks.",
    );
  });

  test("says that a project has no stack, and refuses a folder without projects", async () => {
    const run = projects({ empty: {} });
    expect((await run()).stderr).toContain("empty has no stack, so nothing counts as its own.");
    const cwd = scratch.path("empty-too");
    mkdirSync(cwd);
    const none = await buildpipeline(["unmanaged", "--all-stacks"], { env: settingsOf(emulator), cwd });
    expect(none).toMatchObject({ code: 2, stderr: expect.stringContaining("have no Pulumi project") });
  });
});

test("A pipeline that no list has and that the API refuses to show is named, is not gone, and hides no other one", async () => {
  const own: ExportedResource[] = [];
  const ids: string[][] = [];
  for (const name of ["Old", "Secret", "Older"]) {
    const configuration = "steps: []";
    const { slug, id } = await client.pipelines.create({ name, repository: "git@x:y.git", configuration });
    const schedule = await client.pipelineSchedules.create(slug, { cronline: "@daily", label: name });
    await client.pipelines.archive(slug);
    own.push(exported("Pipeline", id, { properties: { name, slug, archived: true } }));
    own.push(exported("PipelineSchedule", schedule.id, { properties: { pipelineId: id, label: name } }));
    ids.push([id, schedule.id]);
  }
  emulator.fault({
    operation: "pipelines.get",
    times: Number.POSITIVE_INFINITY,
    matches: ({ path }) => path.endsWith("/pipelines/secret"),
    action: { status: 403, body: { message: "Forbidden" } },
  });
  const { said, stderr } = await unmanaged(own);
  expect(said).toMatchObject({ unmanaged: [], gone: [] });
  const unproven = stderr.split("\n").filter((line) => line.includes("deletion not confirmed"));
  expect(unproven).toHaveLength(2);
  for (const id of ids[1] ?? []) expect(unproven.join()).toContain(`(${id}): the API refuses to show `);
});
