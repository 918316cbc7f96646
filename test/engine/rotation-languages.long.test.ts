import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { missingHost, missingPluginHost } from "./language-hosts.js";
import { addOptions } from "./language-options.js";
import { Project } from "./project.js";

const POLICIES = join(__dirname, "..", "..", "examples", "policies");
/** A program in TypeScript with the same component, in either backend. */
const program = (entry: string) => `
const { Cluster, RotatingAgentToken } = require("${entry}");
const linux = new Cluster("linux", { name: "Linux" });
const generation = new (require("@pulumi/pulumi").Config)().requireNumber("tokenGeneration");
const farm = new RotatingAgentToken("farm", { clusterId: linux, description: "Agents", generation });
exports.agentToken = farm.token;
`;

describe.each(["yaml", "python", "go"])(
  "The example of a rotation in %s, from the package's folder",
  (language) => {
    const skips = missingHost(language) || missingPluginHost();
    test.skipIf(skips)(
      "overlaps for one generation, and moves to and from the class of TypeScript",
      async () => {
        const project = await Project.start(`rotation-${language}`);
        project.installPackage();
        const name = `buildpipeline-rotation-${language}`;
        const example = project.read("Pulumi.yaml");
        await project.pulumi("install");
        await project.newStack();
        const tokens = () => project.emulator.organizationData.agentTokens.list();
        const secrets = new Set<string>();
        for (const generation of [1, 2, 3]) {
          await project.pulumi("config", "set", "tokenGeneration", String(generation));
          await project.up();
          const expected = [`Agents #${generation - 1}`, `Agents #${generation}`].slice(
            generation === 1 ? 1 : 0,
          );
          expect(
            tokens()
              .map(({ description }) => description.replace(/^Agents$/, "Agents #1"))
              .sort(),
          ).toEqual(expected);
          secrets.add((await project.pulumi("stack", "output", "agentToken", "--show-secrets")).trim());
        }
        expect(secrets.size).toBe(3);
        const state = await project.pulumi("stack", "export");
        for (const { token } of tokens()) expect(state).not.toContain(token);

        const ids = tokens().map(({ id }) => id);
        project.declare(program("pulumi-buildpipeline/native"), name);
        expect(await project.up()).toMatch(/5 unchanged/);
        project.emulator.clearRequests();
        project.declare(program("pulumi-buildpipeline"), name);
        await project.up();
        project.write("Pulumi.yaml", example);
        await project.up();
        expect(tokens().map(({ id }) => id)).toEqual(ids);
        expect(project.writes()).toEqual([]);
        await project.pulumi("config", "set", "tokenGeneration", "5");
        expect(await project.pulumi("preview")).toContain("generation 5 revokes the secret in use");
        await project.pulumi("config", "set", "tokenGeneration", "2");
        await expect(project.pulumi("preview")).rejects.toThrow("generation goes back from 3 to 2");

        await project.pulumi("config", "set", "tokenGeneration", "3");
        addOptions(project, language);
        const printed = await project.up();
        if (language !== "yaml") expect(printed).toContain("hook of guarded");
        const { resources } = JSON.parse(await project.pulumi("stack", "export")).deployment;
        const guarded = resources.filter(({ urn }: { urn: string }) => /::guarded-(?:odd|even)$/.test(urn));
        expect(guarded).toHaveLength(2);
        for (const token of guarded)
          expect(token).toMatchObject({
            protect: true,
            retainOnDelete: true,
            provider: expect.stringContaining("::second::"),
            ...(language !== "yaml" && { inputs: { allowedIpAddresses: ["10.0.0.0/8"] } }),
          });
        const found = await project.pulumi("stack", "output", "found");
        expect(found.trim()).toBe(project.emulator.organizationData.clusters.list()[0]?.id);
        await expect(project.pulumi("preview", "--policy-pack", POLICIES)).rejects.toThrow(
          "agent-token-addresses  (buildpipeline:index:AgentToken: farm-even)",
        );
      },
    );
  },
);
