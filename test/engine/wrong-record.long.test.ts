import { beforeAll, expect, test } from "vitest";
import { Project } from "./project.js";

let project: Project;
beforeAll(async () => {
  project = await Project.start("cluster");
  await project.newStack("production");
});

const declare = (options = "") =>
  project.write(
    "index.ts",
    `import { Cluster, Queue } from "pulumi-buildpipeline";
const linux = new Cluster("linux", { name: "Linux" }${options});
new Queue("small", { clusterId: linux, key: "small" });
`,
  );

test("After a lost response, the wrong object is replaced in state with the commands that the warning names", async () => {
  project.emulator.fault({ operation: "clusters.create", when: "after", action: "drop" });
  declare();
  const output = await project.up();
  expect(output).toMatch(
    /The one match in the list is recorded: .*pulumi state delete <urn>.*{ import: "<id>" }/,
  );
  const [wrong] = await project.colleague.list("/clusters");
  const right = await project.colleague.sends("POST", "/clusters", { name: "Linux" });

  declare(`, { import: "${right.id}" }`);
  await expect(project.pulumi("preview")).rejects.toThrow("this resource is already");
  const [urn = ""] = /urn:\S+::linux\b/.exec(await project.pulumi("stack", "--show-urns")) ?? [];
  await expect(project.pulumi("state", "delete", urn, "--yes")).rejects.toThrow("--target-dependents");
  project.emulator.clearRequests();
  await project.pulumi("state", "delete", urn, "--target-dependents", "--yes");
  expect(project.emulator.requests).toEqual([]);
  await project.pulumi("up", "--yes");

  const recorded = (await project.resources()).map(({ id }) => id);
  expect(recorded).toContain(right.id);
  expect(recorded).not.toContain(wrong?.id);
  const left = await project.colleague.list("/clusters");
  expect(left.map(({ id }) => id).sort()).toEqual([wrong?.id, right.id].sort());
});
