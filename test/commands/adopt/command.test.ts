import { execFile } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { LARGE, makeAwkwardOrganization } from "../../support/awkward-organization.js";
import { isWhole } from "../../support/cases.js";
import { CHECKOUT } from "../../support/checkout.js";
import { Colleague } from "../../support/colleague.js";
import { buildpipeline, settingsOf } from "../../support/command.js";
import { client, emulator, restart, scratch, serviceForEach } from "../../support/command-service.js";
import { Driver } from "../../support/driver.js";
import { exported, stackExport } from "../../support/recording.js";
import { putting } from "../../support/unexpected-values.js";
import { createCluster, createTeam } from "../organization.js";
import { adopt, adoptWith, namesIn, problems, programs, read, refusal, remarks, write } from "./adopting.js";

const VERSION: string = JSON.parse(readFileSync(join(CHECKOUT, "package.json"), "utf8")).version;

serviceForEach();

const linux = () =>
  createCluster("Linux", {
    cluster: { emoji: ":penguin:" },
    queue: { description: "2 cores" },
    token: { allowed_ip_addresses: "10.0.0.0/8" },
  });

/** What the engine records of the imported resources of import.json. */
const statesOfImports = () =>
  JSON.parse(read("import.json")).resources.map(
    ({ type, name, id, inputs, outputs }: Record<string, string>) => {
      const urn = `urn:pulumi:production::ci::${type}::${name}`;
      return { urn, type, id, inputs, outputs, custom: true };
    },
  );

const NO_STACK = "echo 'error: no stack selected' >&2; exit 255";

describe("buildpipeline adopt", () => {
  test("writes a program as a person would, its project, and what imports it", async () => {
    await linux();
    await createTeam("Platform", { privacy: "secret" });
    emulator.clearRequests();
    const { code, stdout, stderr } = await adopt();
    expect(code).toBe(0);
    expect(stdout).toBe("");
    expect(
      read("index.ts"),
    ).toBe(`// \`buildpipeline adopt\` wrote this program from the organization acme. It doesn't manage:
// - Queue: dispatchPaused, dispatchPausedNote (operators change it); hostedAgents (not returned)
// - AgentToken: expiresAt (not returned)
// - Team: defaultMemberRole, membersCanCreatePipelines, membersCanCreateSuites,
//   membersCanCreateRegistries, membersCanDestroyRegistries, membersCanDestroyPackages (not
//   returned)
// - ClusterSecret: not read, because the API has no values of it

import "./clusters/linux";
import "./teams";
`);
    expect(read("clusters/linux.ts")).toBe(`import {
  AgentToken,
  Cluster,
  ClusterDefaultQueue,
  Queue,
} from "pulumi-buildpipeline";

export const linux = new Cluster("linux", {
  name: "Linux",
  emoji: ":penguin:",
});

export const small = new Queue("linux-small", {
  clusterId: linux,
  key: "small",
  description: "2 cores",
  retryAgentAffinity: "prefer-warmest",
});

new ClusterDefaultQueue("linux-default-queue", {
  clusterId: linux,
  queueId: small.id,
});

export const buildMachines = new AgentToken("linux-build-machines", {
  clusterId: linux,
  description: "Build machines",
  allowedIpAddresses: ["10.0.0.0/8"],
});
`);
    expect(read("teams.ts")).toContain('  privacy: "secret",\n});');
    expect(read("teams.ts")).toContain(
      "// The API doesn't return defaultMemberRole and membersCanCreatePipelines.",
    );
    expect(read("Pulumi.yaml")).toMatch(/^name: ci\n/);
    const { resources } = JSON.parse(read("import.json"));
    // With its creator, who is a member of the team.
    expect(resources).toHaveLength(6);
    for (const { type, name, id, inputs, outputs } of resources) {
      expect(type).toMatch(/^pulumi-nodejs:dynamic\/buildpipeline:/);
      expect([typeof name, typeof id]).toEqual(["string", "string"]);
      expect(inputs.__provider).toContain("pulumi-buildpipeline/provider");
      expect(outputs).toMatchObject(inputs);
    }
    const operations = emulator.requests.map(({ operation }) => operation);
    // The state of the secret team names the API access token that read it.
    expect(operations.filter((operation) => !operation?.endsWith(".list"))).toEqual(["accessToken.get"]);
    // Clusters, and three lists in one; six lists of the organization, and three in a team; the token.
    expect(operations).toHaveLength(1 + 3 + 6 + 3 + 1);
    expect(stderr).toContain("The secrets of 1 agent token cannot be read back");
    // Whoever can read the repository reads the names in it.
    expect(stderr).toContain(
      "The program names 1 team that not everybody may see: a secret team is hidden from",
    );
    expect(stderr).toContain('use --except "Team:<name>"');
    expect(stderr).toContain("`defaultMemberRole` and `membersCanCreatePipelines`");
    expect(stderr).toContain("pulumi import --file import.json --generate-code=false --protect=false");
  });

  test("names credentials with their places, and leaves them to the configuration with --secrets-to-config", async () => {
    const colleague = new Colleague(emulator);
    const passwords = ["s3cr3t", "hunter2", "swordfish"];
    const address = "https://ci:s3cr3t@git.example/acme/b.git";
    const [open, plain] = ["git@github.com:acme/shop.git", "steps: []"];
    const steps = "env:\n  DEPLOY_TOKEN: hunter2\n  REGION: eu\nsteps:\n  - env: { API_KEY: $API_KEY }\n";
    const made = [
      await colleague.sends("POST", "/pipelines", { name: "Shop", repository: open, configuration: steps }),
      await colleague.sends("POST", "/pipelines", {
        name: "Books",
        repository: address,
        configuration: plain,
      }),
    ];
    const env = { PASSWORD: "swordfish", FULL: "1" };
    await colleague.sends("POST", "/pipelines/shop/schedules", { label: "Night", cronline: "@daily", env });
    const shown = await remarks();
    expect(shown).toContain(
      'pipeline "Books" (pipelines.ts): an address in `repository`; pipeline "Shop" (pipelines.ts): DEPLOY_TOKEN in ' +
        '`configuration`; pipeline schedule "Night" (pipelines.ts): PASSWORD in `env`.',
    );
    expect(shown).toContain("run adopt again with --secrets-to-config");
    expect(read("import.json")).not.toContain("plaintext");

    rmSync(scratch.path("ci"), { recursive: true });
    const { stderr } = await adopt("--secrets-to-config");
    expect(stderr).toContain("  pulumi config set --secret books-repository\n");
    const files = readdirSync(scratch.path("ci"), { recursive: true, encoding: "utf8" })
      .filter((file) => statSync(scratch.path(`ci/${file}`)).isFile())
      .map(read);
    for (const text of passwords) expect(files.join("") + stderr).not.toContain(text);
    expect(read("pipelines.ts")).toContain('repository: new Config().requireSecret("books-repository")');
    expect(read("pipelines.ts")).toContain('PASSWORD: new Config().requireSecret("shop-night-PASSWORD")');
    expect(problems()).toEqual([]);

    // The first deployment records what the service has, and sends nothing.
    for (const [index, secret] of [{ configuration: steps }, { repository: address }].entries()) {
      const id = String(made[index]?.id);
      const imported = JSON.parse(read("import.json")).resources;
      const { outputs, inputs } = imported.find((resource: { id: string }) => resource.id === id);
      const pipelines = await Driver.for(emulator).kind("Pipeline");
      const refreshed = JSON.stringify(await pipelines.read(id, outputs));
      for (const text of passwords) expect(refreshed).not.toContain(text);
      emulator.clearRequests();
      const { inputs: wanted = {} } = await pipelines.check(inputs, { ...inputs, ...secret });
      const { outs = {} } = await pipelines.update(id, outputs, wanted);
      expect(outs).toMatchObject(secret);
      expect(emulator.requests.filter(({ method }) => method !== "GET")).toEqual([]);
      const later = await Driver.for(emulator).kind("Pipeline");
      expect((await later.diff(id, outs, wanted)).changes).toBe(false);
    }
  });

  test("sets secrets of a selected stack through the standard input of the Pulumi CLI", async () => {
    const repository = "https://ci:s3cr3t@git.example/acme/b.git";
    const books = { name: "Books", repository, configuration: "steps: []" };
    await new Colleague(emulator).sends("POST", "/pipelines", books);
    write("Pulumi.yaml", "name: mine\nruntime: nodejs\n");
    writeFileSync(scratch.path("export.json"), stackExport());
    const config = 'if [ "$2" = set ]; then { echo "$@"; cat; } > config.txt; else echo "{}"; fi';
    const { code, stderr } = await adoptWith({ config }, "--secrets-to-config");
    expect(code, stderr).toBe(0);
    expect(readFileSync(scratch.path("config.txt"), "utf8")).toBe(
      `config set --secret books-repository --non-interactive\n${repository}`,
    );
    expect(stderr).not.toContain("pulumi config set");
    expect(stderr).not.toContain("s3cr3t");
    // The import has no secrets, which the preview shows.
    expect(stderr.split("Next:\n")[1]).toMatch(/^ {2}pulumi preview\n {2}pulumi up$/m);
  });

  test("says of how many schedules the program has variables, which may be secret, and how many are disabled", async () => {
    const colleague = new Colleague(emulator);
    const steps = { repository: "git@github.com:acme/shop.git", configuration: "steps: []" };
    await colleague.sends("POST", "/pipelines", { name: "Shop", ...steps });
    const schedule = async (label: string, more: object) =>
      colleague.sends("POST", "/pipelines/shop/schedules", { label, cronline: "@daily", ...more });
    await schedule("Plain", {});
    await schedule("Night", { env: { DEPLOY_PASSWORD: "hunter2" } });
    await schedule("Off", { enabled: false });
    const stderr = await remarks();
    expect(stderr).toContain("has the variables (`env`) of 1 pipeline schedule as plain text");
    expect(stderr).toContain("Disabled now: 1 pipeline schedule.");
    expect(stderr).not.toContain("hunter2");
  });

  test.each([
    ["--except", "Team:Vault"],
    ["--only", "Team:Open"],
  ])("writes no name of a secret team that %s leaves out", async (flag, filter) => {
    await createTeam("Vault", { privacy: "secret" });
    await createTeam("Open");
    const { stderr } = await adopt(flag, filter);
    const written = JSON.stringify(programs()) + read("import.json");
    expect(written).toContain("Open");
    expect(`${written}${stderr}`).not.toMatch(/vault|not everybody may see/i);
  });

  test.runIf(isWhole)("of an organization with every awkward name compiles", async () => {
    await makeAwkwardOrganization(client, LARGE);
    emulator.clearRequests();
    expect(await remarks()).toMatch(/^635 resources in 49 files/m);
    expect(emulator.requests).toHaveLength(1 + 3 * 30 + 6 + 3 * 40 + 1);
    expect(problems()).toEqual([]);
  });

  test("gives the same names to the same objects, in whatever order they are listed", async () => {
    for (const name of ["Linux", "linux", "LINUX"]) await client.clusters.create({ name });
    await adopt();
    const first = programs();
    expect(Object.keys(first).sort()).toEqual([
      "clusters/linux-cluster-2.ts",
      "clusters/linux-cluster.ts",
      "clusters/linux.ts",
      "index.ts",
    ]);
    // Objects that were created in the same millisecond are ordered by their ids.
    const declared = Object.values(first).flatMap((text) => /name: "(\w+)"/.exec(text)?.[1] ?? []);
    expect(declared.sort()).toEqual(["LINUX", "Linux", "linux"]);
    scratch.remove();
    mkdirSync(scratch.directory);
    await adopt();
    expect(programs()).toEqual(first);
  });

  test("adds what is new, shows it, and leaves alone what people edited", async () => {
    const { cluster } = await linux();
    await adopt();
    const edited = read("clusters/linux.ts")
      .replace("export const linux =", "// The old ones.\nexport const machines =")
      .replaceAll("clusterId: linux", "clusterId: machines");
    write("clusters/linux.ts", edited);
    write("Pulumi.yaml", "name: mine\nruntime: nodejs\n");
    expect(await remarks()).toContain("Nothing is new.");
    const before = programs();
    // It stays with its backend.
    expect(await refusal("--native")).toContain("Omit --native");

    await client.queues.create(cluster.id, { key: "large" });
    await client.suites.create({ name: "Unit", default_branch: "main" });
    // With the project's TypeScript the new file refers to the constant that a person has renamed.
    mkdirSync(scratch.path("node_modules"));
    symlinkSync(join(CHECKOUT, "node_modules", "typescript"), scratch.path("node_modules/typescript"));
    expect((await adopt("--dry-run")).stdout).toBe(
      ["clusters/linux-2.ts", "suites.ts"].map((path) => `added    ${path}\n`).join("") +
        ["index.ts", "import.json"].map((path) => `changed  ${path}\n`).join(""),
    );
    const dry = await adopt("--dry-run", "--diff");
    expect(dry.stdout).toContain('+export const large = new Queue("linux-large", {');
    expect(dry.stdout).toMatch(/^# import\.json: 2 resources added$/m);
    expect(programs()).toEqual(before);

    const { stdout, stderr } = await adopt();
    expect(stdout).toBe(dry.stdout);
    expect(stdout.split("\n").filter((line) => line.startsWith("-") && !line.startsWith("---"))).toEqual([]);
    expect(stderr).toMatch(/^2 resources in 4 files/m);
    expect(programs()).toMatchObject({ ...before, "index.ts": expect.any(String) });
    expect(read("clusters/linux-2.ts")).toBe(`import { Queue } from "pulumi-buildpipeline";
import { machines } from "./linux";

export const large = new Queue("linux-large", {
  clusterId: machines,
  key: "large",
  retryAgentAffinity: "prefer-warmest",
});
`);
    expect(read("index.ts")).toBe(`${before["index.ts"]}import "./clusters/linux-2";\nimport "./suites";\n`);
    expect(read("Pulumi.yaml")).toBe("name: mine\nruntime: nodejs\n");
    expect(JSON.parse(read("import.json")).resources).toHaveLength(6);
    expect(await remarks()).toContain("Nothing is new.");
  });

  test("run again, says what was changed and deleted outside the program, by the state of its stack", async () => {
    const { cluster, queue } = await linux();
    const gone = await client.queues.create(cluster.id, { key: "large", description: "8 cores" });
    const repository = "git@github.com:acme/shop.git";
    const { slug } = await client.pipelines.create({ name: "Shop", repository, configuration: "steps: []" });
    await adopt();
    writeFileSync(scratch.path("export.json"), stackExport(...statesOfImports()));
    write("import.json", '{ "resources": [] }');
    expect((await adoptWith({})).stderr).not.toContain("differs");

    await client.queues.update(cluster.id, queue.id, { description: "4 cores" });
    await client.queues.pauseDispatch(cluster.id, queue.id, {});
    await client.queues.delete(cluster.id, gone.id);
    await client.pipelines.update(slug, { provider_settings: { build_pull_request_forks: true } });
    const before = programs();
    const { code, stderr } = await adoptWith({});
    expect(code, stderr).toBe(0);
    expect(stderr).toContain(`1. What exists differs from what the program declared at its last deployment:
  Queue "linux-small": description: the program has "2 cores", the service has "4 cores"
  Queue "linux-large": is gone
  Pipeline "shop": providerSettings: the program has {"buildPullRequestForks":false}, the service has {"buildPullRequestForks":true}
\`pulumi up --refresh\` changes it back. To keep it, change the program.
`);
    expect(programs()).toEqual(before);
    const { remarks: said } = JSON.parse((await adoptWith({}, "--json")).stdout);
    expect(said[0]).toContain('the service has "4 cores"');
  });

  test("names a cluster by its id where the project has no TypeScript to find its constant", async () => {
    const { id } = await client.clusters.create({ name: "Mac" });
    await adopt();
    await client.agentTokens.create(id, { description: "stack" });
    await adopt();
    expect(read("clusters/mac-2.ts")).toBe(`import { AgentToken } from "pulumi-buildpipeline";

/** The id of a cluster that another file declares. */
const clusterId = "${id}";

export const stack = new AgentToken("mac-stack", {
  clusterId,
  description: "stack",
});
`);
  });

  test("writes a program for the plugin, which reads by ids what it is to import", async () => {
    const { cluster, queue: small } = await linux();
    const stderr = await remarks("--native");
    expect(stderr).not.toContain("where the plugin is");
    expect(read("clusters/linux.ts")).toContain('} from "pulumi-buildpipeline/native";\n');
    expect(read("Pulumi.yaml")).toContain(
      "plugins:\n  providers:\n    - name: buildpipeline\n      path: node_modules/pulumi-buildpipeline/plugin\n",
    );
    const { resources } = JSON.parse(read("import.json"));
    expect(resources).toHaveLength(4);
    expect(resources).toEqual(
      expect.arrayContaining([
        { type: "buildpipeline:index:Cluster", name: "linux", id: cluster.id },
        { type: "buildpipeline:index:Queue", name: "linux-small", id: `${cluster.id}/${small.id}` },
        { type: "buildpipeline:index:ClusterDefaultQueue", name: "linux-default-queue", id: cluster.id },
      ]),
    );

    // The program stays with its backend, and what waits to be imported is known by its own id.
    expect(await remarks()).toContain("Nothing is new.");
    write("Pulumi.yaml", "name: mine\nruntime: nodejs\n");
    await client.queues.create(cluster.id, { key: "large" });
    const again = await adopt();
    expect(read("clusters/linux.ts").match(/pulumi-buildpipeline/g)).toHaveLength(1);
    expect(JSON.parse(read("import.json")).resources.at(-1)).toEqual({
      type: "buildpipeline:index:Queue",
      name: "linux-large",
      id: expect.stringMatching(`^${cluster.id}/.{36}$`),
    });
    expect(again.stderr).toContain("Pulumi.yaml does not say where the plugin is.");
  });

  test.each([
    ["python", "__main__.py", "requirements.txt", "linux_small_queue = buildpipeline.Queue("],
    ["go", "main.go", "go.mod", "linuxSmallQueue, err := buildpipeline.NewQueue("],
    ["yaml", "Main.yaml", "Pulumi.yaml", "  linux-small:\n    type: buildpipeline:index:Queue\n"],
  ])("writes a program in %s for the plugin", async (language, program, settings, declaration) => {
    const { cluster, queue: small } = await linux();
    await client.pipelineTemplates.create({ name: "Node", configuration: "steps: []\r\n" });
    const stderr = await remarks("--language", language);
    expect(readdirSync(scratch.path("ci")).sort()).toEqual(
      [...new Set([".gitignore", "Pulumi.yaml", "import.json", "templates", program, settings])].sort(),
    );
    expect(read(program)).toContain(declaration);
    expect(read("templates/node.yml")).toBe("steps: []\r\n");
    expect(read("Pulumi.yaml")).toMatch(/options:\n {2}refresh: always\npackages:\n {2}buildpipeline:\n/);
    expect(read(".gitignore")).toMatch(/^sdks\/\n(?:.+\n)*import\.json\n$/m);
    const { resources } = JSON.parse(read("import.json"));
    expect(resources).toContainEqual({
      type: "buildpipeline:index:Queue",
      name: "linux-small",
      id: `${cluster.id}/${small.id}`,
    });
    expect(stderr).toContain("  pulumi install\n  pulumi stack init production\n");

    expect(await refusal("--language", language)).toContain(
      `has a project in ${language}, and adopt adds to projects in TypeScript only`,
    );
    expect((await adopt()).stderr).toContain("--stack-export stack.json into another folder");
    rmSync(scratch.path("ci"), { recursive: true });
    const importing = await adopt("--language", language, "--import");
    expect(importing.stderr).toContain("run `pulumi install` there");
  });

  test("refuses --split, unknown languages and a folder of no name, before it reads the organization", async () => {
    emulator.clearRequests();
    const unnamed = await buildpipeline(["adopt", ""], { cwd: scratch.directory, env: settingsOf(emulator) });
    expect(unnamed).toMatchObject({ code: 2, stderr: expect.stringContaining("The folder is empty text.") });
    const split = await refusal("--language", "python", "--split", "cluster");
    expect(split).toContain("--split writes TypeScript only");
    expect(await refusal("--language", "java")).toContain("but not java");
    expect(emulator.requests).toEqual([]);
  });

  test("refers to a cluster that the program doesn't declare by its id, in every language", async () => {
    const { cluster } = await linux();
    await adopt("--only", "Queue", "--language", "go");
    expect(read("main.go")).toContain(`ClusterId:          pulumi.String("${cluster.id}"),`);
  });

  test("declares a cluster with an emoji character, as the web interface stores it", async () => {
    const { id } = await client.clusters.create({ name: "Linux", emoji: "🐧" });
    await client.queues.create(id, { key: "small" });
    await adopt();
    const declared = 'export const linux = new Cluster("linux", { name: "Linux", emoji: "🐧" });';
    expect(read("clusters/linux.ts")).toContain(declared);
    expect(JSON.parse(read("import.json")).resources[0].inputs).toMatchObject({ emoji: "🐧" });
  });

  test("declares archived pipelines, which lists leave out and the access of teams shows, with their schedules", async () => {
    await createTeam("Web");
    const [{ id } = { id: "" }] = await client.teams.list().all();
    for (const name of ["Shop", "Old shop"]) {
      const pipeline = await client.pipelines.create({
        name,
        repository: "git@github.com:acme/shop.git",
        configuration: "steps: []",
      });
      await client.teamPipelines.create(id, { pipeline_id: pipeline.id, access_level: "read_only" });
    }
    await client.pipelineSchedules.create("old-shop", { label: "Nightly", cronline: "@daily" });
    await client.pipelines.archive("old-shop");
    const stderr = await remarks();
    expect(read("pipelines.ts")).toMatch(/"old-shop", \{[^}]*\}?[^}]*archived: true,\n\}\);/);
    expect(read("pipelines.ts")).toContain('new PipelineSchedule("old-shop-nightly", {');
    expect(read("team-pipelines.ts")).toContain("pipelineId: oldShop,");
    expect(read("team-pipelines.ts")).not.toContain("//");
    expect(stderr).toMatch(/^ {2}Pipeline +2 +2 /m);

    rmSync(scratch.path("ci"), { recursive: true });
    // The plugin reads an archived pipeline by its slug only, and a second run knows what waits under that name.
    await adopt("--native");
    const ids = JSON.parse(read("import.json")).resources.map(({ id }: { id: string }) => id);
    expect(ids).toContain("old-shop");
    expect(ids).toContainEqual(expect.stringMatching(/^old-shop\/.{36}$/));
    expect(await remarks()).toContain("Nothing is new.");

    rmSync(scratch.path("ci"), { recursive: true });
    await adopt("--except", "Pipeline");
    expect(read("team-pipelines.ts")).toContain('// pipelineId: "old-shop"\nnew TeamPipeline(');
  });

  test("declares everything that the API returns, and shows in a table what it leaves out", async () => {
    const { cluster } = await linux();
    const hosted = { instanceShape: "LINUX_AMD64_2X4" };
    await client.queues.create(cluster.id, { key: "hosted", hostedAgents: hosted });
    await client.queues.pauseDispatch(cluster.id, (await client.queues.list(cluster.id).all())[0]?.id ?? "");
    await client.pipelines.create({
      name: "Web shop",
      repository: "git@github.com:acme/shop.git",
      configuration: "steps: []",
      visibility: "public",
      default_branch: "develop",
      default_command_step_timeout: 60,
      provider_settings: { trigger_mode: "code", build_pull_request_forks: true },
    });
    const daily = { label: "Daily", cronline: "@daily", branch: "8.4", enabled: false };
    await client.pipelineSchedules.create("web-shop", daily);
    const stderr = await remarks();
    expect(read("clusters/linux.ts")).toContain('hostedAgents: { instanceShape: "LINUX_AMD64_2X4"');
    const pipelines = read("pipelines.ts");
    for (const stated of [
      'visibility: "public"',
      'defaultBranch: "develop"',
      "defaultCommandStepTimeout: 60",
      "buildPullRequestForks: true",
      'branch: "8.4"',
    ])
      expect(pipelines).toContain(stated);
    expect(pipelines).not.toMatch(/enabled|teams|slug/);
    expect(stderr).toMatch(/^ {2}Queue +2 +2 +dispatchPaused, dispatchPausedNote \(operators change it\)$/m);
    expect(stderr).toMatch(/^ {2}Pipeline +1 +1 .*teams \(only the creation takes it\)/m);
    expect(stderr).toMatch(/^ {2}PipelineSchedule +1 +1 +enabled \(operators change it\)$/m);
    expect(read("clusters/linux.ts")).not.toContain("dispatchPaused");
    const again = await adopt("--only", "Queue:hosted");
    expect(again.stderr).toMatch(/^ {2}Queue +2 +0 +1 not selected; 1 declared already$/m);
  });

  test("does not overwrite a template of the project", async () => {
    await client.pipelineTemplates.create({ name: "Node", configuration: "steps: []" });
    write("templates/node.yml", "mine");
    await adopt();
    expect(read("templates/node.yml")).toBe("mine");
    expect(read("templates/node-2.yml")).toBe("steps: []");
    expect(read("pipeline-templates.ts")).toContain('readFileSync("templates/node-2.yml", "utf8")');
  });

  test("writes the organization's settings only if it is asked for them, in files named like all others", async () => {
    await client.apiSettings.update({ restrict_user_api_token_creation: true });
    await adopt("--dry-run");
    const { stdout } = await adopt("--only", "ApiSettings", "PipelineSettings", "--json");
    expect(namesIn({ stdout }).sort()).toEqual(["api-settings", "pipeline-settings"]);
    expect(read("api-settings.ts")).toContain("restrictUserApiTokenCreation: true");
    expect(read("pipeline-settings.ts")).toContain('new PipelineSettings("pipeline-settings"');
  });

  test("leaves out what other stacks own, and names their clusters by id", async () => {
    const { cluster } = await linux();
    const file = scratch.path("other.json");
    writeFileSync(file, stackExport(exported("Cluster", cluster.id)));
    await adopt("--stack-export", file, "--only", "Queue");
    const text = read("clusters/linux.ts");
    expect(text).toContain(`const clusterId = "${cluster.id}";`);
    expect(text).toContain("  clusterId,\n");
    await client.queues.create(cluster.id, { key: "large" });
    await adopt("--stack-export", file, "--only", "Queue");
    expect(read("clusters/linux-2.ts")).toContain('"linux-large"');
  });

  test("leaves out the contents of clusters that other stacks own, unless --only selects them", async () => {
    const { cluster } = await linux();
    await client.clusters.create({ name: "Mac" });
    await client.suites.create({ name: "Unit", default_branch: "main" });
    const file = scratch.path("other.json");
    writeFileSync(file, stackExport(exported("Cluster", cluster.id)));
    const run = (...flags: string[]) => adopt("--stack-export", file, "--dry-run", "--json", ...flags);
    const all = await run();
    expect(namesIn(all)).toEqual(["mac", "unit"]);
    expect(all.stderr).toContain(
      "Left out: 3 objects in clusters that other stacks own. --only imports such objects.",
    );
    expect(namesIn(await run("--only", "Linux/*", "Suite"))).toEqual([
      "linux-small",
      "linux-default-queue",
      "linux-build-machines",
      "unit",
    ]);
  });

  const list = `echo '[{ "name": "production" }, { "name": "staging" }]'`;
  test.each([
    ["no CLI", undefined, "the Pulumi CLI is not on the PATH"],
    ["a stack that cannot be read", { export: NO_STACK, list }, "Select a stack (production, staging)"],
    ["an empty stack", { list }, "has no resources"],
  ])("in a fresh clone, with %s, refuses to write the whole program again", async (_, cli, reason) => {
    await linux();
    await adopt();
    rmSync(scratch.path("ci/import.json"));
    const before = programs();
    writeFileSync(scratch.path("export.json"), stackExport());
    const { code, stderr } = await (cli ? adoptWith(cli) : adopt("--yes"));
    expect(code).toBe(2);
    expect(stderr).toContain("Nothing was written");
    expect(stderr).toContain(reason);
    expect(programs()).toEqual(before);
  });

  test("refuses while none of a project's stacks is selected, although import.json is there", async () => {
    await linux();
    await adopt();
    const list = `echo '[{ "name": "production" }]'`;
    expect((await adoptWith({ export: NO_STACK, list })).stderr).toContain(
      "Select a stack (production): `pulumi stack select production`",
    );
    expect((await adoptWith({ export: NO_STACK })).stderr).toContain("Nothing is new.");
  });

  describe.each([
    ["dynamic provider", []],
    ["plugin", ["--native"]],
  ])("with the %s, writes nothing into a project", (_, flags) => {
    const list = `echo '[{ "name": "production" }, { "name": "staging" }]'`;
    const unchanged = async (lines: Parameters<typeof adoptWith>[0]) => {
      const before = [programs(), read("import.json")];
      const { code, stderr } = await adoptWith(lines, ...flags);
      expect(code, stderr).toBe(2);
      expect([programs(), read("import.json")]).toEqual(before);
      return stderr;
    };

    test("whose stack has resources of another organization", async () => {
      await linux();
      await adopt();
      writeFileSync(scratch.path("export.json"), stackExport(...statesOfImports()));
      rmSync(scratch.path("ci"), { recursive: true });
      await adopt(...flags);
      await restart({ organization: "beta" });
      await client.clusters.create({ name: "Of beta" });
      expect(await unchanged({ list })).toContain(
        "Its stack has resources of acme, and the settings lead to beta.",
      );
    });

    test.each(["acme", "beta"])(
      "whose import.json has what another stack owns, of %s",
      async (organization) => {
        await linux();
        await adopt();
        writeFileSync(scratch.path("owned.json"), stackExport(...statesOfImports()));
        rmSync(scratch.path("ci"), { recursive: true });
        await adopt(...flags);
        await restart({ organization });
        await client.clusters.create({ name: "New" });
        writeFileSync(scratch.path("export.json"), stackExport());
        const exporting = `case "$*" in *production*) cat owned.json ;; *) cat export.json ;; esac`;
        expect(await unchanged({ list, export: exporting })).toContain(
          "import.json has 4 resources that the stack production owns",
        );
      },
    );
  });

  test("names in the program what the API refused to list, because a mirror would otherwise show deletions", async () => {
    await linux();
    emulator.fault({ operation: "pipelines.list", times: 10, action: { status: 403 } });
    const { code, stdout, stderr } = await adopt("--json");
    const reason =
      "Not all read: Pipeline, because the API refuses a list of pipelines to this access token.";
    expect(code, stderr).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ leftOut: [], unread: expect.arrayContaining([reason]) });
    expect(stderr).toContain(reason);
    expect(read("index.ts").replaceAll("\n//  ", "")).toContain(`// - ${reason}\n`);
  });

  test("imports nothing again that the program has replaced since", async () => {
    const { cluster, token } = await linux();
    await adopt();
    const replaced = await client.agentTokens.create(cluster.id, { description: "Build machines" });
    await client.agentTokens.delete(cluster.id, token.id);
    const states = statesOfImports().map((state: { urn: string }) =>
      state.urn.endsWith("::linux-build-machines") ? { ...state, id: replaced.id } : state,
    );
    writeFileSync(scratch.path("export.json"), stackExport(...states));
    await client.queues.create(cluster.id, { key: "large" });
    expect((await adoptWith({})).stdout).toContain("1 resource added, 4 imported resources removed");
    expect(JSON.parse(read("import.json")).resources.map(({ name }: { name: string }) => name)).toEqual([
      "linux-large",
    ]);
  });

  test("imports nothing a second time that was moved to a project beside this one", async () => {
    await linux();
    await adopt();
    writeFileSync(scratch.path("moved.json"), stackExport(...statesOfImports()));
    writeFileSync(scratch.path("export.json"), stackExport());
    write("../mobile/Pulumi.yaml", "name: mobile\nruntime: nodejs\n");
    await promisify(execFile)("git", ["init", "--quiet", scratch.directory]);
    await client.clusters.create({ name: "New" });
    const cli = {
      list: `echo '[{ "name": "production" }]'`,
      export: 'case "$OLDPWD" in */mobile) cat moved.json ;; *) cat export.json ;; esac',
    };
    const before = [programs(), read("import.json")];
    const { code, stderr } = await adoptWith(cli);
    expect(code).toBe(2);
    expect(stderr).toMatch(/4 resources that the stack production of \S*mobile owns, and .* Nothing was /);
    expect([programs(), read("import.json")]).toEqual(before);

    const advice =
      /`(pulumi stack export --cwd \S*mobile --stack production) > other\.json`, .* --stack-export/;
    expect(stderr).toMatch(advice);
    const { stdout } = await adoptWith(cli, "--stack-export", scratch.path("moved.json"));
    expect(stdout).toContain("1 resource added, 4 imported resources removed");
    expect(JSON.parse(read("import.json")).resources.map(({ name }: { name: string }) => name)).toEqual([
      "new",
    ]);
    expect(problems()).toEqual([]);
  });

  test("writes nothing of one organization where import.json waits with objects of another one", async () => {
    await linux();
    await adopt();
    await restart({ organization: "beta" });
    await client.clusters.create({ name: "Of beta" });
    expect(await refusal("--yes")).toContain(
      "import.json has resources of acme, and the settings lead to beta.",
    );
  });

  test("takes kinds, patterns of names, and both", async () => {
    const { cluster } = await linux();
    await client.queues.create(cluster.id, { key: "large" });
    const run = async (...args: string[]) => namesIn(await adopt("--dry-run", "--json", ...args));
    expect(await run("--only", "queue")).toEqual(["linux-small", "linux-large"]);
    expect(await run("--only", "Queue:sm*", "Cluster")).toEqual(["linux", "linux-small"]);
    expect(await run("--only", "Linux/*", "--except", "AgentToken")).toEqual([
      "linux-small",
      "linux-large",
      "linux-default-queue",
    ]);
    expect(await refusal("--only", "Queu")).toContain("The kinds are Cluster, Queue");
  });

  test("says what no program can declare as it is, with exit code 1", async () => {
    const cluster = await client.clusters.create({ name: "Linux" });
    emulator.fault({ operation: "clusters.list", action: { change: putting(["color"], "reddish") } });
    const { code, stdout, stderr } = await adopt("--json");
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({ adopted: [], leftOut: [{ id: cluster.id, label: "Linux" }] });
    expect(stderr).toMatch(/Left out: Cluster "Linux" .*Cluster\.color: .* Change it in Buildkite/);
  });

  test("reads a service that leaves out, empties and rewrites", async () => {
    await restart({
      variations: {
        unsetText: "absent",
        allowedAddressesUnset: "",
        allowedAddressesForm: "array",
        emojiForm: "bare",
        teamReturnsWritableFields: true,
      },
    });
    await linux();
    await createTeam("Platform", { default_member_role: "maintainer" });
    const stderr = await remarks();
    expect(read("clusters/linux.ts")).toContain('  emoji: ":penguin:",\n');
    expect(read("teams.ts")).toContain(
      '{\n  name: "Platform",\n  defaultMemberRole: "maintainer",\n  membersCanCreateSuites: false,\n',
    );
    expect(stderr).not.toContain("defaultMemberRole");
  });

  test("writes the state that a refresh would write, of objects that other tokens may be unable to read too", async () => {
    await restart({ variations: { teamReturnsWritableFields: true } });
    await linux();
    for (const privacy of ["secret", "visible"]) await createTeam(privacy, { privacy });
    for (const available of [true, false]) {
      const name = available ? "available" : "hidden";
      await client.pipelineTemplates.create({ name, configuration: "steps: []", available });
    }
    expect((await adopt()).code).toBe(0);
    const { resources } = JSON.parse(read("import.json"));
    const run = Driver.for(emulator);
    const refreshed = await Promise.all(
      resources.map(async ({ type, id, outputs }: { type: string; id: string; outputs: object }) => {
        const { __provider: _, ...outs }: { __provider?: unknown } = outputs;
        const provider = await run.kind(type.slice(type.lastIndexOf(":") + 1));
        return { outs, refreshed: (await provider.read(id, outs)).props };
      }),
    );
    expect(refreshed).toHaveLength(10);
    for (const { outs, refreshed: props } of refreshed) expect(props).toEqual(outs);
    // The secret team, the hidden template, and who is in a team, which each token that sees the team sees.
    expect(refreshed.filter(({ outs }) => "__tokenId" in outs)).toHaveLength(4);
    expect(refreshed.filter(({ outs }) => "__origin" in outs)).toHaveLength(7);
  });

  test("leaves alone what only a single read tells of a suite, until the program says it", async () => {
    await restart({ variations: { suiteReadReturnsCreateFields: "single" } });
    const made = { name: "Unit", default_branch: "main", emoji: ":dart:", color: "#00AA00" };
    const { id } = await client.suites.create(made);
    expect((await adopt()).code).toBe(0);
    expect(read("suites.ts")).toContain('{ name: "Unit", defaultBranch: "main" }');
    const { __provider: _, ...outputs } = JSON.parse(read("import.json")).resources[0].outputs;
    const suites = await Driver.for(emulator).kind("Suite");
    const refreshed = await suites.read(id, outputs);
    expect(refreshed.props).toEqual(outputs);

    const said = { ...refreshed.inputs, color: "#00BB00" };
    const { outs } = await suites.update(id, outputs, said);
    expect(await client.suites.get("unit")).toMatchObject({ emoji: ":dart:", color: "#00BB00" });
    await client.suites.update("unit", { color: "#00CC00", emoji: ":bow:" });
    const { inputs } = await suites.read(id, outs);
    expect(inputs).toMatchObject({ color: "#00CC00" });
    expect(inputs).not.toHaveProperty("emoji");
  });

  test.each([
    ["dynamic provider", []],
    ["plugin", ["--native"]],
  ])("the new folder gets the package, even if the folder above has it (%s)", async (_, flags) => {
    await linux();
    mkdirSync(scratch.path("node_modules"));
    symlinkSync(CHECKOUT, scratch.path("node_modules/pulumi-buildpipeline"));
    expect((await adopt(...flags)).stderr).toContain("  npm install\n");
    rmSync(scratch.path("ci"), { recursive: true });
    mkdirSync(scratch.path("ci/node_modules"), { recursive: true });
    symlinkSync(CHECKOUT, scratch.path("ci/node_modules/pulumi-buildpipeline"));
    expect((await adopt(...flags)).stderr).not.toContain("npm install");
  });

  test("a project that has a stack gets no other one, and the stack that --stack names is selected", async () => {
    const { cluster } = await linux();
    await adopt();
    await client.queues.create(cluster.id, { key: "large" });
    writeFileSync(scratch.path("export.json"), stackExport());
    const again = async (...flags: readonly string[]) => {
      const before = read("import.json");
      const { stderr } = await adoptWith({}, ...flags);
      write("import.json", before);
      return stderr.split("Next:\n")[1] ?? "";
    };
    expect(await again()).not.toContain("pulumi stack");
    await client.queues.create(cluster.id, { key: "larger" });
    expect(await again("--stack", "staging")).toMatch(/^ {2}pulumi stack select staging$/m);
  });

  test("writes a dependency that npm can install from the folder it is run from", async () => {
    await linux();
    const { stderr } = await adopt();
    const { dependencies } = JSON.parse(read("package.json"));
    const [, path = ""] = /^file:(.+)$/.exec(dependencies["pulumi-buildpipeline"]) ?? [];
    expect(resolve(scratch.path("ci"), path)).toBe(CHECKOUT);
    const steps = stderr.split("Next:\n")[1]?.split("\n").slice(0, 5);
    expect(steps).toEqual([
      expect.stringMatching(/^ {2}cd \S+\/ci$/),
      "  npm install",
      "  pulumi stack init production",
      "  pulumi import --file import.json --generate-code=false --protect=false",
      "  pulumi preview --expect-no-changes",
    ]);
  });

  describe.runIf(isWhole)("installed in another project", () => {
    let other: string;
    beforeAll(() => {
      const parent = join(CHECKOUT, ".buildpipeline", "test");
      mkdirSync(parent, { recursive: true });
      // Inside the checkout, where Node finds what the package needs.
      other = mkdtempSync(join(parent, "installed-"));
      for (const part of ["dist", "package.json", "plugin"]) {
        cpSync(join(CHECKOUT, part), join(other, "node_modules", "pulumi-buildpipeline", part), {
          recursive: true,
        });
      }
    });
    const LOCK = join("node_modules", ".package-lock.json");
    afterEach(() => {
      for (const left of [LOCK, "ci ci", ".git"]) rmSync(join(other, left), { recursive: true, force: true });
    });
    afterAll(() => rmSync(other, { recursive: true }));

    /** Adopts with the command that is installed there, as npm wrote down where it is from. */
    async function adoptThere(resolved: string | undefined, ...flags: readonly string[]) {
      const packages = { "node_modules/pulumi-buildpipeline": { version: VERSION, resolved } };
      if (resolved !== undefined)
        writeFileSync(join(other, LOCK), JSON.stringify({ lockfileVersion: 3, packages }));
      const main = join(other, "node_modules", "pulumi-buildpipeline", "dist", "commands", "main.js");
      const options = { cwd: other, env: { ...settingsOf(emulator), PATH: "" } };
      return promisify(execFile)(process.execPath, [main, "adopt", "ci ci", ...flags], options);
    }
    const dependencies = (...folder: readonly string[]) => {
      const manifest = JSON.parse(readFileSync(join(other, "ci ci", ...folder, "package.json"), "utf8"));
      return { ...manifest.dependencies, ...manifest.devDependencies };
    };

    test.each([
      ["a registry", "https://registry.example/pulumi-buildpipeline-0.1.0.tgz", `^${VERSION}`],
      ["a tarball", "file:../pulumi-buildpipeline-0.1.0.tgz", "file:../../pulumi-buildpipeline-0.1.0.tgz"],
      ["an unknown source", undefined, `^${VERSION}`],
    ])("it names %s as the package's source", async (_, resolved, dependency) => {
      await linux();
      await adoptThere(resolved);
      expect(dependencies()["pulumi-buildpipeline"]).toBe(dependency);
    });

    test("a program in Python gets the plugin of a tarball, which no address has, from npm", async () => {
      await linux();
      const { stderr } = await adoptThere("file:../package.tgz", "--language", "python");
      const settings = readFileSync(join(other, "ci ci", "Pulumi.yaml"), "utf8");
      expect(settings).toMatch(
        /^packages:\n {2}buildpipeline: \.\/node_modules\/pulumi-buildpipeline\/plugin$/m,
      );
      expect(dependencies()).toEqual({ "pulumi-buildpipeline": "file:../../package.tgz" });
      expect(readFileSync(join(other, "ci ci", ".gitignore"), "utf8")).toContain("node_modules/\n");
      expect(stderr).toContain("  npm install\n  pulumi install\n  pulumi stack init production\n");
    });

    test.each([
      ["without it", "ci ci/.git", true],
      ["with it", ".git", false],
    ])(
      "several projects in a repository %s name a tarball that their clones have",
      async (_, repository, isCopied) => {
        await linux();
        mkdirSync(join(other, repository), { recursive: true });
        writeFileSync(join(other, repository, "HEAD"), "ref: refs/heads/main\n");
        writeFileSync(join(other, "package.tgz"), "packed");
        await adoptThere("file:package.tgz", "--split", "cluster");
        const copy = join(other, "ci ci", "package.tgz");
        expect(existsSync(copy)).toBe(isCopied);
        if (isCopied) expect(readFileSync(copy, "utf8")).toBe("packed");
        expect(dependencies()["pulumi-buildpipeline"]).toBe(
          isCopied ? "file:package.tgz" : "file:../package.tgz",
        );
        expect(dependencies("linux")["pulumi-buildpipeline"]).toBe(
          isCopied ? "file:../package.tgz" : "file:../../package.tgz",
        );
        // What `ci init` would miss.
        expect(dependencies().pulumi).toBe(dependencies("linux").pulumi);
      },
    );
  });

  test("writes all of its files, or none", async () => {
    await linux();
    write("clusters", "A file where a folder should be.");
    expect(await refusal()).toContain("clusters");
    expect(readdirSync(scratch.path("ci"))).toEqual(["clusters"]);
    const file = scratch.path("ci/clusters");
    for (const folder of [file, join(file, "below")])
      expect(await buildpipeline(["adopt", folder], { env: settingsOf(emulator) })).toMatchObject({
        code: 2,
        stderr: `buildpipeline: ${file} is a file. Name a folder.\n`,
      });
  });

  test.each([
    ["edits", "index.ts"],
    ["adds", "teams.ts"],
  ])("writes nothing over a file that someone %s meanwhile: %s", async (_, file) => {
    await linux();
    await adopt();
    await createTeam("Platform");
    const before = { ...programs(), "import.json": read("import.json") };
    emulator.onRequest(() => write(file, "mine"));
    const path = scratch.path(`ci/${file}`);
    expect(await refusal("--yes")).toContain(
      `Nothing was written, because ${path} isn't what the command read`,
    );
    const after = { ...programs(), "import.json": read("import.json") };
    expect(after).toEqual({ ...before, [file]: "mine" });
    expect(readdirSync(scratch.path("ci")).filter((file) => file.endsWith(".tmp"))).toEqual([]);
  });

  test.each<[string, (text: string) => Buffer]>([
    ["index.ts in UTF-16", (text) => Buffer.from(`\ufeff${text}`, "utf16le")],
    ["index.ts in Latin-1", (text) => Buffer.from(`// f\u00fcr\n${text}`, "latin1")],
    [
      ".gitignore in Latin-1",
      (text) => Buffer.from(`b\u00fccher\n${text.replace("import.json\n", "")}`, "latin1"),
    ],
  ])("writes nothing where its lines would damage a file: %s", async (name, coded) => {
    await linux();
    await adopt();
    const [file = ""] = name.split(" ");
    const bytes = coded(read(file));
    writeFileSync(scratch.path(join("ci", file)), bytes);
    await createCluster("Mac", {});
    const before = readdirSync(scratch.path("ci"), { recursive: true });
    expect(await refusal()).toContain(`${file} is not in UTF-8, and what is added to it would damage it.`);
    expect(readFileSync(scratch.path(join("ci", file)))).toEqual(bytes);
    expect(readdirSync(scratch.path("ci"), { recursive: true })).toEqual(before);
  });

  test("writes nothing over files in a folder that is a link", async () => {
    await linux();
    mkdirSync(scratch.path("ci"));
    mkdirSync(scratch.path("elsewhere"));
    symlinkSync(scratch.path("elsewhere"), scratch.path("ci/clusters"));
    writeFileSync(scratch.path("elsewhere/linux.ts"), "mine");
    expect(await refusal()).toContain("symbolic link");
    expect(readFileSync(scratch.path("elsewhere/linux.ts"), "utf8")).toBe("mine");
    expect(readdirSync(scratch.path("ci"))).toEqual(["clusters"]);
  });

  test("declares an object once that a list shows on two of its pages", async () => {
    for (const name of ["Linux", "Mac"]) await client.clusters.create({ name });
    const again = { change: (body: unknown) => (Array.isArray(body) ? [...body, body[0]] : body) };
    emulator.fault({ operation: "clusters.list", action: again });
    expect(namesIn(await adopt("--json")).sort()).toEqual(["linux", "mac"]);
  });

  test.each([
    ["JavaScript", { "index.js": "" }, "its program in index.js instead of index.ts"],
    [
      "another folder",
      { "Pulumi.yaml": "name: ci\nruntime: nodejs\nmain: src/\n", "src/index.ts": "" },
      "its program in src/ instead of index.ts",
    ],
    [
      "another file",
      { "package.json": '{ "main": "program.ts" }', "program.ts": "" },
      "its program in program.ts instead of index.ts",
    ],
    ["Python", { "Pulumi.json": '{ "name": "ci", "runtime": "python" }' }, "a project in python"],
  ])("refuses a program in %s, because it would not load new files", async (_, files, found) => {
    await linux();
    const all = {
      ...(!("Pulumi.json" in files) && { "Pulumi.yaml": "name: ci\nruntime: nodejs\n" }),
      ...files,
    };
    for (const [file, text] of Object.entries(all)) write(file, text);
    emulator.clearRequests();
    const refused = await refusal("--yes");
    expect(refused).toContain(found);
    expect(refused).toContain("Nothing was written");
    expect(emulator.requests).toEqual([]);
    expect(existsSync(scratch.path("ci/import.json"))).toBe(false);
  });

  test.each([
    [undefined, "node_modules/\nimport.json\n"],
    ["secrets/", "secrets/\nimport.json\n"],
    ["/import.json\n", "/import.json\n"],
  ])(
    "keeps import.json out of Git, with other lines of .gitignore as they are: %j",
    async (before, after) => {
      await linux();
      if (before !== undefined) write(".gitignore", before);
      await adopt();
      expect(read(".gitignore")).toBe(after);
    },
  );

  test("names the command that installs the package where a package.json lacks it", async () => {
    await linux();
    write("package.json", '{ "private": true }');
    const { stderr } = await adopt();
    expect(stderr).toMatch(/^ {2}npm install (?:file:\S+|'file:.+')$/m);
    expect(read("package.json")).toBe('{ "private": true }');

    // As `npm init` writes it.
    rmSync(scratch.path("ci"), { recursive: true });
    write("package.json", '{ "main": "index.js", "private": true }');
    await adopt();
    expect(read("package.json")).toBe('{ "main": "index.ts", "private": true }');
  });
});
