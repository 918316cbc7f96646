import { expect, test } from "vitest";
import { blockMarked } from "../examples/documents.js";
import { missingHost, missingPluginHost } from "./language-hosts.js";
import { Project } from "./project.js";
import { follow } from "./reader.js";

test.skipIf(missingHost("yaml") || missingPluginHost())(
  "docs/guides/pulumi-do.md, by the page alone",
  async () => {
    const project = await Project.start();
    project.installPackage();
    project.write("Pulumi.yaml", blockMarked("file", "pulumi-do/Pulumi.yaml").text);
    const { id } = await project.colleague.sends("POST", "/clusters", { name: "Linux" });
    const queue = await project.colleague.sends("POST", `/clusters/${id}/queues`, { key: "small" });
    const printed = await follow(project, "docs/guides/pulumi-do.md", "pulumi-do", async (command) => {
      const clusters = project.emulator.organizationData.clusters.list();
      if (command.includes("patch Scratch")) expect(clusters.at(-1)?.description).toBe("For experiments");
      if (command.includes("create --input-file"))
        expect(project.emulator.organizationData.teams.list()[0]?.privacy).toBe("secret");
      if (command.includes("upsert arm"))
        expect(clusters.at(-1)).toMatchObject({ name: "Arm64", description: null });
    });
    const list = printed.get("pulumi do buildpipeline:Queue list --cluster-id Linux") ?? "";
    expect(list).toContain(`"id": "${id}/${queue.id}"`);
    expect(list).toContain('"name": "small"');
    expect(await project.inventory()).toMatchObject({ "/clusters": ["Linux"], "/teams": [] });
    const executable = "node_modules/pulumi-buildpipeline/plugin/pulumi-resource-buildpipeline";
    const token = await project.shell(
      `pulumi do --package ${executable} --stateless buildpipeline:AgentToken create --cluster-id ${id} --description x --yes`,
    );
    expect(token).toContain("[secret]");
    for (const { token: secret } of project.emulator.organizationData.agentTokens.list())
      expect(token).not.toContain(secret);
    const refused = project.shell("pulumi do --stateless buildpipeline:Cluster delete Linux --yes");
    await expect(refused).rejects.toThrow("nothing was sent for the cluster");
  },
);
