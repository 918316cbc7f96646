import { expect, test } from "vitest";
import { isWhole } from "../support/cases.js";
import { PAIRS, startImporting } from "./importing.js";
import { COMMAND } from "./project.js";

test.runIf(isWhole)(
  "What a program declares is imported by names, with its parents, its provider and its secrets",
  async () => {
    const project = await startImporting();
    // An import sends reads, so an access token for reads is enough.
    const scopes = [
      "read_clusters",
      "read_pipeline_templates",
      "read_suites",
      "read_teams",
      "view_teams",
      "read_secrets_details",
    ];
    const reader = project.emulator.createAccessToken({ scopes });
    const command = `BUILDPIPELINE_READ_ONLY=true BUILDPIPELINE_ACCESS_TOKEN=${reader} ${COMMAND} import`;
    const { id: other } = await project.colleague.sends("POST", "/clusters", { name: "Mac" });
    await project.colleague.sends("POST", `/clusters/${other}/queues`, { key: "small" });
    project.emulator.clearRequests();
    project.write("pairs.txt", "Cluster linux Linux\nQueue linux-small Mac/small\n");
    await expect(project.shell(`${command} --file pairs.txt --yes`)).rejects.toThrow(
      /Mac\/small is \S+, which the next deployment would replace[\s\S]+clusterId: the program has/,
    );
    const [secret = ""] = PAIRS.split("\n").filter((line) => line.startsWith("ClusterSecret"));
    project.write("pairs.txt", PAIRS.replace(secret, ""));
    const output = await project.shell(`${command} --file pairs.txt --yes --json`);
    expect(output).not.toContain("Hidden words");
    expect(output).toMatch(/\+ 2 created\s+= 8 imported/);
    const alone = await project.shell(`${command} ${secret} --yes 2>&1`);
    expect(alone).toContain(
      "  value: the API doesn't return it, so the next deployment sends what the program has.",
    );
    expect(alone).toContain("= 1 imported");
    expect(alone).not.toContain("Hidden words");
    expect(project.writes()).toEqual([]);

    const exported = await project.pulumi("stack", "export");
    expect(exported).not.toContain("Hidden words");
    // The checkpoint, its history and its backups.
    expect(await project.shell("grep -rl 'Hidden words' ../state || true")).toBe("\n");
    const { resources } = JSON.parse(exported).deployment;
    const found = Object.fromEntries(
      resources.map((one: Record<string, string>) => [one.urn?.split("::").at(-1), one]),
    );
    expect(Object.keys(found).sort()).toEqual([
      "build machines",
      "ci-test",
      "default",
      "deploy key",
      "linux",
      "linux-default",
      "linux-large",
      "linux-small",
      "mine",
      "platform",
      "unit",
    ]);
    expect(found["linux-small"].urn).toContain(
      "acme:index:Farm$pulumi-nodejs:dynamic/buildpipeline:Cluster$",
    );
    expect(found["linux-small"].provider).toContain("::mine::");
    expect(found.platform.provider).toContain("::default::");

    const preview = await project.pulumi("preview", "--diff");
    // The API doesn't return the permissions of the team, so what the program says of them is sent.
    expect(preview).toMatch(/\+ 1 to create\s+~ 3 to update\s+4 changes. 8 unchanged/);
    expect(preview).toMatch(/\+ value *: \[secret\]/);
    expect(preview).toMatch(/\+ defaultMemberRole +: "maintainer"/);
    expect(preview).toContain('- description: "By hand"');
    expect(preview).not.toContain("Hidden words");
  },
);
