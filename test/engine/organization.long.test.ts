import { cpSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { documentAt } from "../documentation/documents.js";
import { COMMAND } from "./importing.js";
import { Project } from "./project.js";

vi.setConfig({ testTimeout: 600_000, hookTimeout: 600_000 });

const TEAMS = ["platform", "mobile", "web"];

/** The tests follow each other: each begins where the one before it ended. */
describe("The layout for a platform team with product teams", () => {
  let project: Project;

  beforeAll(async () => {
    project = await Project.start("organization", { seed: false });
    const policies = join(__dirname, "..", "..", "examples", "policies");
    cpSync(policies, join(project.directory, "policies"), { recursive: true });
  });
  afterAll(() => project?.close());

  const within = (folder: string, line: string) => project.shell(`cd ${folder}\n${line}`);
  const writes = () => project.emulator.requests.filter(({ method }) => method !== "GET");
  const edit = (file: string, change: (text: string) => string) =>
    project.write(file, change(project.read(file)));

  test("deploys by the commands of its README, with the policies", async () => {
    const { blocks } = documentAt("examples/organization/README.md");
    const commands = blocks.find(({ object }) => object === "organization")?.text.split("\n") ?? [];
    // The packages are found in the checkout.
    const [stacks = "", deployments = "", ...others] = commands.filter((line) => line.startsWith("for "));
    expect(others).toEqual([]);
    await project.shell(stacks);
    console.log(await project.shell(deployments.replace("pulumi up", "pulumi up --yes --skip-preview")));
    for (const team of TEAMS) console.log(await within(team, "pulumi preview --expect-no-changes"));
    console.log(await project.inventory());
  });

  const report = async (folder: string) =>
    within(
      folder,
      `pulumi stack export > state.json
       BUILDPIPELINE_READ_ONLY=true pulumi preview --json --refresh --show-replacement-steps --show-sames > preview.json || echo "exit $?"
       ${COMMAND} report preview.json --stack-export state.json`,
    );

  test("a cluster moves", async () => {
    project.emulator.clearRequests();
    edit("platform/index.ts", (text) =>
      text
        .replace(/\nconst mac = [\s\S]*?\n\n/, "\n")
        .replace("{ linux, mac }", "{ linux }")
        .replace(", mac: mac.id", ""),
    );
    project.write(
      "mobile/index.ts",
      `import { AgentToken, Cluster, ClusterDefaultQueue, Queue } from "pulumi-buildpipeline";
import { NETWORKS } from "../components/networks";
import { ProductTeam } from "../components/product-team";

const mac = new Cluster("mac", { name: "Mac", description: "Mac minis" }, { protect: true });
const macSmall = new Queue("mac-small", { clusterId: mac, key: "small", description: "One Mac mini" });
new ClusterDefaultQueue("mac-default", { clusterId: mac, queueId: macSmall.id });
new AgentToken("mac-machines", { clusterId: mac, description: "Shared machines", allowedIpAddresses: NETWORKS });

const team = new ProductTeam("mobile", { name: "Mobile", clusterId: mac, queues: ["build", "release"] });
export const agentToken = team.agentToken;
`,
    );
    console.log(await report("platform"));
    console.log(await report("mobile"));
    const urn = (type: string, name: string) =>
      `'urn:pulumi:production::platform::pulumi-nodejs:dynamic/buildpipeline:${type}::${name}'`;
    console.log(
      await project.shell(`pulumi state move --yes --source organization/platform/production --dest organization/mobile/production \
      ${urn("Cluster", "mac")} ${urn("Queue", "mac-small")} ${urn("ClusterDefaultQueue", "mac-default")} ${urn("AgentToken", "mac-machines")}`),
    );
    console.log(await report("platform"));
    console.log(await report("mobile"));
    console.log(await within("mobile", "pulumi up --yes --skip-preview"));
    console.log(await within("platform", "pulumi up --yes --skip-preview"));
    for (const team of TEAMS) console.log(await within(team, "pulumi preview --expect-no-changes"));
    console.log(writes());
  });
});
