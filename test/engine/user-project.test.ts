import { join } from "node:path";
import { rolldown } from "rolldown";
import { beforeAll, describe, expect, test } from "vitest";
import { isWhole, someOf } from "../support/cases.js";
import { CHECKOUT } from "../support/checkout.js";
import { objectsOf } from "./every-kind.js";
import { COMMAND, Project } from "./project.js";

/** Mistakes that the program can see, one in a secret and one in an output, and some that only the service knows. */
const MISTAKES = `
import * as pulumi from "@pulumi/pulumi";
import { AgentToken, Cluster, Queue, Team } from "pulumi-buildpipeline";
const linux = new Cluster("green", { name: "Green", color: "green-value" as string });
new Queue("spaced", { clusterId: linux, key: pulumi.secret("key value") });
const allowedIpAddresses = ["10.0.0.0/8", pulumi.output("network-value")];
new AgentToken("network", { clusterId: linux, description: "d", allowedIpAddresses });
const clusterId = "22222222-2222-4333-8444-555555555555";
new Cluster("good", { name: "Good" }).name.apply(async () => {
  for (let turn = 0; turn < 10; turn++) await new Promise(setImmediate);
  new Queue("late", { clusterId, key: "late" });
});
for (const key of ["gone", "gone-as-well"]) new Queue(key, { clusterId, key });
new Cluster("nothing", { name: "Sharde" }, { import: "Sharde" });
`;

/** The tests follow each other: each begins where the one before it ended. */
describe("The example quickstart, as a user's project", () => {
  let project: Project;
  let program: string;
  beforeAll(async () => {
    project = await Project.start("quickstart");
    program = project.read("index.ts");
    await project.pulumi("stack", "init", "test");
    await project.useStackConfiguration();
  });

  /** What a command prints, and how it ends. */
  const ended = (line: string) => project.shell(`${line} && echo "exit code 0" || echo "exit code $?"`);

  test("has all mistakes reported by one preview, each once, without a stack trace", async () => {
    project.write("index.ts", MISTAKES);
    const printed = await project.refused("pulumi preview --config buildpipeline:organisation=acme");
    // Without a terminal, the CLI prints each message as it comes, and once more in the end.
    const output = printed.slice(printed.indexOf("Diagnostics:"));
    for (const text of [
      'error: "green": Cluster.color: "green-value" is not a hex color code such as "#14cc80".',
      'error: "spaced": Queue.key: has characters that a key cannot have; ',
      'error: "network": AgentToken.allowedIpAddresses[1]: "network-value" is not an IPv4 network in CIDR',
      'error: "nothing": Cluster.import: the organization "acme" has no cluster "Sharde"',
      "buildpipeline:organisation isn't a setting and has no effect.",
    ])
      expect(output.split(text), text).toHaveLength(2);
    // Equal ones are one. The object is looked for again once, after seconds.
    const [, named = ""] = /error: (.*): Queue\.clusterId: there is no cluster/.exec(output) ?? [];
    expect(named.split(", ").sort()).toEqual(['"gone"', '"gone-as-well"', '"late"']);
    expect(output.split("error: ")).toHaveLength(6);
    // Everything is previewed all the same.
    expect(output).toContain("+ 9 to create");
    expect(output).not.toMatch(/key value|\n\s+at /);
    expect(project.writes()).toEqual([]);
  });

  test.runIf(isWhole)(
    "has a lookup that fails with an error of one clean line, and finds what exists then",
    async () => {
      const lookups = `
import { getCluster, getClusterOutput } from "pulumi-buildpipeline";
const found = getCluster({ name: "Linux" });
export const [id, same] = [found.then((one) => one.id), getClusterOutput({ id: found.then((one) => one.id) }).name];
`;
      project.write("index.ts", program + lookups);
      const failure = await project.refused("pulumi preview");
      expect(failure).toContain('getCluster({ name: "Linux" }): none of the 0 clusters');
      expect(failure).not.toMatch(/\n\s+at /);

      project.write("index.ts", program);
      await project.up();
      project.write("index.ts", program + lookups);
      const [linux] = project.emulator.organizationData.clusters.list("name", "Linux");
      const printed = await project.unchanged();
      expect(printed).toMatch(new RegExp(`id +: "${linux?.id}"`));
      expect(printed).toMatch(/same +: "Linux"/);
    },
  );

  test("has commands that take settings from the selected stack first, and never print the access token", async () => {
    const output = await ended(`BUILDPIPELINE_ORGANIZATION=another ${COMMAND} unmanaged`);
    expect(output).toContain("Everything is owned by a stack");
    expect(output).toContain("exit code 0");
    expect(output).not.toContain(project.emulator.accessToken);
    for (const [line, reason] of someOf([
      [`PULUMI_CONFIG_PASSPHRASE=wrong ${COMMAND} unmanaged`, "incorrect passphrase"],
      [`${COMMAND} unmanaged --stack nowhere`, "nowhere"],
    ])) {
      const wrong = await ended(`${line} 2>&1`);
      expect(wrong).toContain(reason);
      expect(wrong).toContain("exit code 2");
    }
  });

  test.runIf(isWhole)("has a credential found that nobody owns, and what was deleted", async () => {
    const [cluster] = await project.colleague.list("/clusters");
    const tokens = `/clusters/${cluster?.id}/tokens`;
    const { id } = await project.colleague.sends("POST", tokens, { description: "forgotten" });
    const found = await ended(`${COMMAND} unmanaged --json --only AgentToken`);
    expect(found).toContain(String(id));
    expect(found).toContain("exit code 1");
    await project.colleague.sends("DELETE", `${tokens}/${id}`);
    await project.shell("pulumi stack export --file state.json");
    await project.destroy();
    expect(objectsOf(project.emulator)).toEqual([]);
    const gone = await ended(`${COMMAND} unmanaged --stack-export - < state.json`);
    expect(gone).toContain("gone from the service");
    expect(gone).toMatch(/^Cluster +\S+ +\S+\/\S+ +[\w-]{36}$/m);
    expect(gone).toContain("exit code 1");
  });

  test.runIf(isWhole)("is deployed from one file that a bundler has made of it", async () => {
    const input = join(project.directory, "index.ts");
    const lookup = 'import { getOrganization } from "pulumi-buildpipeline";\nvoid getOrganization();\n';
    project.write("index.ts", lookup + program);
    const bundle = await rolldown({ input, platform: "node", external: /^@pulumi\// });
    const { output } = await bundle.write({
      file: join(project.directory, "bundle.js"),
      format: "cjs",
      codeSplitting: false,
    });
    await bundle.close();
    expect(output.flatMap((part) => (part.type === "chunk" ? part.moduleIds : []))).toContain(
      join(CHECKOUT, "main.cjs"),
    );
    project.write("Pulumi.yaml", `${project.read("Pulumi.yaml")}main: bundle.js\n`);
    await project.up();
    expect((await project.inventory())["/clusters"]).toEqual(["Linux", "Production"]);
    await project.destroy();
  });
});
