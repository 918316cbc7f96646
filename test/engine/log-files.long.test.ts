import { readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { gunzipSync } from "node:zlib";
import { expect, test } from "vitest";
import type { Backend } from "./backends.js";
import { CHECKOUT } from "./ending.js";
import { COMMAND, Project } from "./project.js";

/** The first bytes of a log that Pulumi encrypts with the key of a stack, and those of a compressed one. */
const ENCRYPTED = Buffer.from("PLOG");
const GZIP = Buffer.from([0x1f, 0x8b]);

const PACKAGES = { dynamic: "pulumi-buildpipeline", plugin: "pulumi-buildpipeline/native" };
const VALUE = "the-value-of-a-cluster-secret";

function programOf(backend: Backend, color: string): string {
  return `
const { AgentToken, Cluster, ClusterSecret, Suite } = require("${PACKAGES[backend]}");
const linux = new Cluster("linux", { name: "Linux", color: "${color}" });
exports.token = new AgentToken("agents", { clusterId: linux, description: "Machines" }).token;
exports.suite = new Suite("unit", { name: "Unit", defaultBranch: "main" }).apiToken;
new ClusterSecret("deploy", { clusterId: linux, key: "DEPLOY", value: "${VALUE}" });
`;
}

function homeOf(project: Project): string {
  return join(dirname(project.directory), "home");
}

/** Searches the files that Pulumi keeps as a reader of the disk could. */
function search(home: string, secrets: readonly string[]) {
  const shown: string[] = [];
  const read: string[] = [];
  const encrypted: string[] = [];
  for (const file of readdirSync(home, { recursive: true, encoding: "utf8" })) {
    // The CLI itself is below `versions`.
    if (file.startsWith("versions") || !statSync(join(home, file)).isFile()) continue;
    const bytes = readFileSync(join(home, file));
    if (bytes.subarray(0, ENCRYPTED.length).equals(ENCRYPTED)) {
      encrypted.push(file);
      continue;
    }
    const text = (bytes.subarray(0, GZIP.length).equals(GZIP) ? gunzipSync(bytes) : bytes).toString();
    (secrets.some((secret) => text.includes(secret)) ? shown : read).push(file);
  }
  return { shown, read, encrypted };
}

test.each([
  { backend: "dynamic", place: "stack configuration" },
  { backend: "plugin", place: "the environment" },
] as const)(
  "No file below PULUMI_HOME shows a token, with the $backend backend and the settings in $place",
  async ({ backend, place }) => {
    const project = await Project.start();
    project.declare(programOf(backend, "#112233"));
    await project.newStack();
    if (place === "stack configuration") await project.useStackConfiguration();

    await project.up();
    project.declare(programOf(backend, "no color"));
    expect(await project.refused("pulumi preview")).toContain("no color");
    await project.colleague.sends("POST", "/clusters", { name: "Mac" });
    project.declare(`${programOf(backend, "#112233")}new Cluster("mac", { name: "Mac" });`);
    await project.shell(`${COMMAND} import Cluster mac Mac --yes`);
    await project.pulumi("stack", "export", "--show-secrets", "--file", "secrets.json");
    await project.pulumi("stack", "import", "--file", "secrets.json");
    const { token, suite } = JSON.parse(await project.shell("pulumi stack output --json --show-secrets"));

    const secrets = [project.emulator.accessToken, token, suite, VALUE];
    for (const secret of secrets) expect(secret).toMatch(/^[\w-]{16,}$/);
    const { shown, read, encrypted } = search(homeOf(project), secrets);
    expect(shown).toEqual([]);
    expect(read).toContainEqual(expect.stringMatching(/^logs.*-stack_export\.log$/));
    expect(encrypted).toContainEqual(expect.stringMatching(/^logs.*\.log$/));
  },
);

// If this fails because nothing is shown, Pulumi has changed: SECURITY.md and docs/guides/pulumi-do.md warn of it.
test("A secret that `pulumi do --stateless` sends is in its log, because no stack encrypts the log", async () => {
  const project = await Project.start();
  const { id } = await project.colleague.sends("POST", "/clusters", { name: "Mac" });
  const command = `pulumi do --stateless --package ${CHECKOUT}/plugin/pulumi-resource-buildpipeline`;
  const values = `--cluster-id ${id} --key DEPLOY --value ${VALUE}`;
  await project.shell(`${command} buildpipeline:ClusterSecret create ${values} --yes`);
  expect(search(homeOf(project), [VALUE]).shown).toEqual([expect.stringMatching(/^logs.*-do\.log$/)]);
  expect(search(homeOf(project), [project.emulator.accessToken]).shown).toEqual([]);
});
