import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { kinds } from "../../src/provider/for-commands/kinds.js";
import { writeCommand } from "../support/commands-on-path.js";
import { COMMAND, Project } from "./project.js";
import { Repository } from "./workflow-job.js";

/**
 * The recipe of examples/gitops, played with a bare repository as the host's, a developer's clone and a runner's. The
 * jobs run the lines of the workflows, each with the access token that the recipe gives it.
 */
describe("Deploying from Git", () => {
  let project: Project;
  let reader: string;
  let writer: string;
  let repository: Repository;

  beforeAll(async () => {
    project = await Project.start("gitops");
    const scopes = [...kinds.values()].map((kind) => kind.scopes);
    const read = scopes.flatMap((scope) => scope.read.flat());
    reader = project.emulator.createAccessToken({ scopes: read });
    // The least for the kinds of the program, and for what goes with a cluster and what runs in its queues.
    const used = ["Cluster", "PipelineTemplate"].map((name) => kinds.get(name)?.scopes);
    const write = used.flatMap((scope) => [...(scope?.read ?? []), ...(scope?.write ?? [])].flat());
    const content = kinds.get("ClusterSecret")?.scopes.read.flat() ?? [];
    writer = project.emulator.createAccessToken({ scopes: [...write, ...content, "read_builds"] });
    await project.shell("pulumi stack init production --non-interactive");
    project.forgetSettings();
    const { organization, url } = project.emulator;
    project.write(
      "Pulumi.production.yaml",
      `${project.read("Pulumi.production.yaml")}config:\n  buildpipeline:organization: ${organization}\n  buildpipeline:baseUrl: ${url}\n`,
    );
    repository = new Repository(
      project,
      ".",
      (job) => `BUILDPIPELINE_ACCESS_TOKEN=${job === "deploy" ? writer : reader}`,
    );
    await repository.start();
    // What `npm ci` would install.
    const installed = join(project.directory, "..", "runner", "node_modules", ".bin");
    writeCommand(installed, "buildpipeline", `exec ${COMMAND} "$@"`);
  });

  const everything = { all: true };
  const change = (branch: string, edit: (program: string) => string) =>
    repository.change(branch, { "index.ts": edit });

  async function find(path: string, field: string, value: string): Promise<Record<string, unknown>> {
    const found = (await project.colleague.list(path)).find((entity) => entity[field] === value);
    if (found === undefined) throw new Error(`${path} has no ${value}`);
    return found;
  }
  const cluster = async () => `/clusters/${(await find("/clusters", "name", "Linux")).id}`;
  const queue = async (key: string) => {
    const queues = `${await cluster()}/queues`;
    return `${queues}/${(await find(queues, "key", key)).id}`;
  };
  const tokens = async () =>
    (await project.colleague.list(`${await cluster()}/tokens`)).map(({ description }) => description).sort();

  test("the first plan of main is deployed", async () => {
    await repository.ends("plan", { code: "0", writes: [] });
    expect(repository.made("report.md")).toContain("7 to create");
    await repository.ends("deploy", { code: "0" });
    expect(await tokens()).toEqual(["Linux agents"]);
  });

  test("the only unavailable template, deleted by hand, leaves the state by a refresh with the deployment's token", async () => {
    const [template] = await project.colleague.list("/pipeline-templates");
    await project.colleague.sends("DELETE", `/pipeline-templates/${template?.uuid}`);
    await repository.ends("plan", { code: "0", writes: [] }, everything);
    expect(repository.made("report.md")).toMatch(/Refresh with an access token that may read it/);
    const refused = await repository.ends("deploy", { code: "5", writes: [] });
    expect(refused).toContain("The plan no longer fits");

    await project.shell(`
      cd ../runner
      BUILDPIPELINE_ACCESS_TOKEN=${writer} pulumi refresh --yes --non-interactive --stack production`);
    await repository.ends("plan", { code: "0", writes: [] }, everything);
    expect(repository.made("report.md")).toContain("1 to create");
    await repository.ends("deploy", { code: "0", writes: ["pipelineTemplates.create"] });
  });

  test("a pull request is previewed with an access token that can only read, and reported", async () => {
    await change("rotate", (program) =>
      program.replace(
        "new PipelineTemplate(",
        `const next = new AgentToken("linux-agents-2027", { clusterId: linux, description: "Linux agents 2027" });
export const nextToken = next.token;
// Neither what it says nor that it is secret is known before the token is made.
new PipelineTemplate("connect", {
  name: "Connect",
  configuration: next.token.apply((token) => \`steps:\\n  - command: connect \${token}\\n\`),
});

new PipelineTemplate(`,
      ),
    );
    await repository.ends("preview", { code: "0", writes: [] }, { branch: "rotate" });
    expect(repository.made("report.md")).toMatch(/2 to create[\s\S]*agent token[\s\S]*Linux agents 2027/);
    expect(await tokens()).toEqual(["Linux agents"]);
  });

  test("once it is merged, its plan is refused as long as the service is not what it was, and deployed then", async () => {
    await repository.merge("rotate");
    await repository.ends("plan", { code: "0", writes: [] });
    expect(repository.made("buildpipeline-gitops.production", "plan.json")).not.toContain(writer);

    const builds = await queue("builds");
    await project.colleague.sends("PUT", builds, { description: "s3cret by hand" });
    const refused = await repository.ends("deploy", { code: "5", writes: [] });
    expect(refused).toMatch(/The plan no longer fits: urn:\S+::linux-builds\n/);
    expect(refused).toContain("read its report, and deploy the new plan.");
    expect(refused).not.toContain("s3cret");

    await project.colleague.sends("PUT", builds, { description: null });
    await repository.ends("deploy", {
      code: "0",
      writes: ["agentTokens.create", "pipelineTemplates.create"],
    });
    expect(await tokens()).toEqual(["Linux agents", "Linux agents 2027"]);
    const secret = await project.pulumi(
      "stack",
      "output",
      "nextToken",
      "--show-secrets",
      "--stack",
      "production",
    );
    expect(secret.trim()).toMatch(/^\S{20,}$/);
  });

  test("at night, a queue that was paused by hand is nobody's business", async () => {
    await project.colleague.sends("POST", `${await queue("builds")}/pause_dispatch`, { note: "Incident 12" });
    await repository.ends("drift", { code: "0", writes: [] });
    expect(repository.made("report.md")).toContain("No changes");
  });

  test("at night, a change by hand is found, and a token that no stack owns", async () => {
    await project.colleague.sends("PUT", await cluster(), { description: "By hand" });
    await project.colleague.sends("POST", `${await cluster()}/tokens`, { description: "Forgotten" });
    await repository.ends("drift", { code: "1", writes: [] });
    expect(repository.made("report.md")).toMatch(
      /## .* Drift: [\s\S]*1 changed[\s\S]*<code>Linux<\/code>[\s\S]*By hand/,
    );
    expect(repository.made("unmanaged.txt")).toMatch(/AgentToken\s+Forgotten/);
  });

  test("the next deployment says and repairs that, revokes the old token, and leaves the queue paused", async () => {
    await change("revoke", (program) =>
      program
        .replace(/const agents = new AgentToken[^;]*;\n/, "")
        .replace("export const agentToken = agents.token;\n", ""),
    );
    await repository.merge("revoke");
    await repository.ends("plan", { code: "0", writes: [] });
    const report = repository.made("report.md");
    expect(report).toContain("no agent can start or reconnect with it");
    expect(report).toContain("By hand");
    const deployed = await repository.job("deploy");
    expect(deployed, deployed.output).toMatchObject({ code: "0" });
    expect([...deployed.writes].sort()).toEqual(["agentTokens.delete", "clusters.update"]);
    expect(await tokens()).toEqual(["Forgotten", "Linux agents 2027"]);
    const builds = await find(`${await cluster()}/queues`, "key", "builds");
    expect(builds.dispatch_paused).toBe(true);
  });

  test("rules in the folder policies are checked by a preview, a deployment and at night", async () => {
    const pack = join(__dirname, "..", "..", "examples", "policies");
    await project.shell(`
      git checkout --quiet main && cp -R '${pack}' policies && rm -rf policies/node_modules
      git add policies && git commit --quiet --message Policies && git push --quiet origin main`);
    const rule = /agent-token-addresses<\/code> is broken by <code>linux-agents-2027/;
    await repository.ends("plan", { code: "4", writes: [] });
    expect(repository.made("report.md")).toMatch(rule);
    await repository.ends("deploy", { code: "5", writes: [] });
    await repository.ends("drift", { code: "1", writes: [] });
    expect(repository.made("report.md")).toMatch(rule);

    await project.shell(`
      echo '{ "agent-token-addresses": "disabled" }' > policies/config.json
      git commit --quiet --all --message Exception && git push --quiet origin main`);
    await repository.ends("plan", { code: "0" });
    await repository.ends("deploy", { code: "0", writes: [] });
  });

  test("one of several unavailable templates, deleted by hand, is missing for either token", async () => {
    const { uuid } = await find("/pipeline-templates", "name", "Connect");
    await project.colleague.sends("DELETE", `/pipeline-templates/${uuid}`);
    await repository.ends("plan", { code: "0", writes: [] }, everything);
    expect(repository.made("report.md")).toContain("1 to create");
    await repository.ends("deploy", { code: "0", writes: ["pipelineTemplates.create"] });
  });

  test("an emptied program is braked before anything is sent, and is deployed with the key in a commit's message", async () => {
    const { id } = await find(`${await cluster()}/tokens`, "description", "Forgotten");
    await project.colleague.sends("DELETE", `${await cluster()}/tokens/${id}`);
    await change("empty", () => "export {};\n");
    await repository.merge("empty");
    await repository.ends("plan", { code: "0", writes: [] });
    expect(repository.made("report.md")).toMatch(/^.*\n?## .*None of today's \d+ objects remains/);
    await repository.ends("deploy", { code: "4", writes: [] });
    const { code, key } = JSON.parse(repository.made("buildpipeline-gitops.production", "outcome.json"));
    expect(code).toBe("brake");
    expect(key).toMatch(/^\d+-[0-9a-f]{6}$/);

    await project.shell(`
      git commit --quiet --allow-empty --message "Nobody needs it" --message "Allow-deletions: ${key}"
      git push --quiet origin main`);
    await repository.ends("plan", { code: "0", writes: [] });
    const deployed = await repository.job("deploy");
    expect(deployed, deployed.output).toMatchObject({ code: "0" });
    expect(deployed.writes).toContain("clusters.delete");
    expect(await project.colleague.list("/clusters")).toEqual([]);
    expect(await project.colleague.list("/pipeline-templates")).toEqual([]);
    await repository.ends("drift", { code: "0", writes: [] });
  });
});
