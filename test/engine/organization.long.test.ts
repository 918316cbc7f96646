import { cpSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { documentAt } from "../examples/documents.js";
import { COMMAND, Project } from "./project.js";

const projects = ["platform", "mobile", "web"];

/** The tests follow each other: each begins where the one before it ended. */
describe("The layout for a platform team with product teams", () => {
  let project: Project;

  beforeAll(async () => {
    project = await Project.start("organization");
    const policies = join(__dirname, "..", "..", "examples", "policies");
    cpSync(policies, join(project.directory, "policies"), { recursive: true });
  });

  const within = (folder: string, line: string) => project.shell(`cd ${folder}\n${line}`);
  const edit = (file: string, change: (text: string) => string) =>
    project.write(file, change(project.read(file)));
  const noChanges = () =>
    Promise.all(projects.map((folder) => within(folder, "pulumi preview --expect-no-changes")));
  /** The block of commands in a document that begins with a text. */
  const commands = (path: string, start: string) => {
    const [, block] = new RegExp(`\`\`\`sh\\n *(${start}[^\`]*)\`\`\``).exec(documentAt(path).text) ?? [];
    if (block === undefined) throw new Error(`${path} has no commands that start with ${start}.`);
    return block.trimEnd();
  };

  test("is deployed by the commands of its README, with the policies", async () => {
    const lines = commands("examples/organization/README.md", "cp -R").split("\n");
    // The packages are found in the checkout.
    const [stacks = "", deployments = ""] = lines.filter((line) => line.startsWith("for "));
    await project.shell(stacks);
    const output = await project.shell(deployments.replace("pulumi up", "pulumi up --yes --skip-preview"));
    expect(output.match(/\+ \d+ created/g)).toEqual(["+ 11 created", "+ 7 created", "+ 6 created"]);
    expect(output.match(/✅ buildpipeline@/g)).toHaveLength(3);
    await noChanges();
  });

  /** The report of a pull request's preview, as the scripts of examples/gitops make it. */
  const report = (folder: string) =>
    within(
      folder,
      `pulumi stack export > state.json
       pulumi preview --refresh --show-replacement-steps --show-sames --json > preview.json || true
       ${COMMAND} report preview.json --stack-export state.json`,
    );

  test("loses no object and rotates no token when a cluster moves by the steps of the guide", async () => {
    const [move, check] = ["pulumi state move", "npx pulumi-buildpipeline unmanaged --all-stacks"].map(
      (start) => commands("docs/guides/move-a-cluster.md", start),
    );
    const token = async (folder: string) => {
      const resources = await project.resources("--show-secrets", "--cwd", folder);
      const found = resources.find(({ urn }) => urn.endsWith("::mac-machines"))?.outputs?.token;
      return found && Reflect.get(Object(found), "plaintext");
    };
    // Stacks with different settings have different providers, which Pulumi doesn't merge.
    const deploy = "pulumi up --yes --skip-preview";
    await within("mobile", `pulumi config set buildpipeline:organization acme\n${deploy}`);
    expect(await project.shell(`! { ${move} --yes 2>&1; }`)).toMatch(
      /provider .* already exists in destination stack/,
    );
    await within("mobile", `pulumi config rm buildpipeline:organization\n${deploy}`);
    const secret = await token("platform");
    expect(secret).toMatch(/\w{20}/);
    project.emulator.clearRequests();

    // The declarations move.
    const [declarations = ""] = /const mac = [\s\S]*?\n\n/.exec(project.read("platform/index.ts")) ?? [];
    edit("platform/index.ts", (text) =>
      text.replace(declarations, "").replace("{ linux, mac }", "{ linux }").replace(", mac: mac.id", ""),
    );
    edit("mobile/index.ts", (text) =>
      [
        'import { AgentToken, Cluster, ClusterDefaultQueue, Queue } from "pulumi-buildpipeline";',
        'import { NETWORKS } from "../components/networks";',
        text
          .replace(/^import .*shared-cluster.*\n/m, "")
          .replace(/^const clusterId = .*\n/m, declarations)
          .replace(" clusterId,", " clusterId: mac,"),
        'new AgentToken("mac-machines", { clusterId: mac, description: "Shared machines", allowedIpAddresses: NETWORKS });',
        "",
      ].join("\n"),
    );
    expect(await report("platform")).toMatch(
      /The preview failed[\s\S]*Cluster <code>Mac<\/code> is deleted with its queues .*Shared machines/,
    );
    const before = await report("mobile");
    expect(before).toContain("**3 to replace** · 4 to create");
    expect(before).toMatch(/a cluster with the same name already exists.*if another stack manages it/);

    await project.shell(`${move} --yes`);
    for (const folder of ["platform", "mobile"]) expect(await report(folder)).toContain("No changes");

    for (const folder of ["mobile", "platform"]) await within(folder, deploy);
    await noChanges();
    expect(project.writes()).toEqual([]);
    expect(await token("mobile")).toBe(secret);
    expect(await token("platform")).toBeUndefined();
    const owners = await project.shell(
      `${check?.replace("npx pulumi-buildpipeline", COMMAND)} --json 2>/dev/null`,
    );
    expect(JSON.parse(owners)).toEqual({ unmanaged: [], gone: [] });
  });
});
