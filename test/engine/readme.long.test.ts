import { describe, expect, test } from "vitest";
import { blockMarked } from "../examples/documents.js";
import { objectsOf } from "./every-kind.js";
import { COMMAND, Project } from "./project.js";
import { follow, type } from "./reader.js";

test("The README's program prints the preview that the README shows", async () => {
  const project = await Project.start();
  project.write("Pulumi.yaml", "name: ci\nruntime: nodejs\nmain: index.ts\n");
  await project.newStack("production");
  await follow(project, "README.md", "readme");

  const printed = await project.pulumi("preview");
  const shown = blockMarked("printed", "pulumi preview").text;

  // A terminal shows a tree and prints each row once; a pipe shows a list, with a row for each change of status.
  const listed = [...printed.matchAll(/^ \+ +(\S+) (\S+) create\b/gm)];
  const tree = [...shown.matchAll(/^ \+ +(?:[├└]─ )?(\S+) +(\S+) +create$/gm)];
  const rows = (found: RegExpMatchArray[]) => [...new Set(found.map(([, what, name]) => `${what} ${name}`))];
  expect(rows(tree).sort()).toEqual(rows(listed).sort());
  expect(tree.length).toBeGreaterThan(0);
  const summary = shown.slice(shown.indexOf("Outputs:"));
  expect(printed.replaceAll(/ +$/gm, "")).toContain(summary);

  await project.up();
  await project.destroy();
  expect(objectsOf(project.emulator)).toEqual([]);
});

test("The tutorial deploys by the commands that stand there, with nothing set in the environment", async () => {
  const project = await Project.start();
  project.forgetSettings();
  project.forget("PULUMI_BACKEND_URL");
  let state = "";

  const printed = await follow(project, "docs/start/get-started.md", "first-program", async (command) => {
    if (command === "npx pulumi-buildpipeline ci preview --stack production")
      expect(await project.colleague.list("/clusters")).toMatchObject([{ default_queue_id: null }]);
    if (command !== "pulumi up") return;
    expect((await project.inventory())["/clusters"]).toEqual(["Linux"]);
    state = project.read("../state/.pulumi/stacks/ci/production.json");
  });

  expect(printed.get("pulumi preview")).toMatch(/\+ 5 to create/);
  expect(printed.get("pulumi up")).toMatch(/agentToken: +\[secret\]/);
  expect(printed.get("pulumi stack output agentToken --show-secrets")?.trim()).toMatch(/^\S{16,}$/);
  const report = project.read("review/report.md");
  expect(report).toContain("## 🟢 Nothing dangerous: 2 to create\n");
  expect(report).toContain("large");
  expect([...printed.values(), report].join("\n")).not.toContain(project.emulator.accessToken);
  // From stack configuration the access token reaches the state, encrypted.
  expect(state).toMatch(/"buildpipeline:accessToken":/);
  expect(state).not.toContain(project.emulator.accessToken);
  expect(objectsOf(project.emulator)).toEqual([]);
  expect(await project.shell("pulumi stack ls --json")).toMatch(/^\[\]/);
});

describe("The commands for an agent token", () => {
  test("show the secret only when asked", async () => {
    const project = await Project.start("agent-token");
    await project.shell("pulumi stack init test && pulumi up --yes --skip-preview");

    const printed = await follow(project, "docs/guides/secrets.md", "agent-token");

    expect(printed.get("pulumi stack output agentToken")?.trim()).toBe("[secret]");
    // From the environment it does not.
    const state = project.read("../state/.pulumi/stacks/buildpipeline-agent-token/test.json");
    expect(state).toContain('"type":"pulumi:providers:pulumi-nodejs"');
    expect(state).not.toContain("accessToken");
    expect(printed.get("pulumi stack output agentToken --show-secrets")?.trim()).toMatch(/^\S{16,}$/);
  });

  test("rotate it by the page alone, from an AgentToken in use to the third generation", async () => {
    const project = await Project.start("agent-token");
    const secret = async () => (await project.shell("pulumi stack output agentToken --show-secrets")).trim();
    const startsWith = async (token: string) => {
      const headers = { authorization: `Token ${token}` };
      return (await fetch(`${project.emulator.url}/v3/register`, { method: "POST", headers })).ok;
    };
    await project.shell("pulumi stack init test && pulumi up --yes --skip-preview");
    const secrets = [await secret()];
    const valid: boolean[][] = [];

    await follow(project, "docs/guides/secrets.md", "rotation", async (command) => {
      if (command !== "pulumi up") return;
      secrets.push(await secret());
      valid.push(await Promise.all(secrets.map(startsWith)));
    });

    expect(secrets[1]).toBe(secrets[0]);
    expect(new Set(secrets).size).toBe(3);
    expect(valid).toEqual([
      [true, true],
      [true, true, true],
      [false, false, true, true],
    ]);
    await project.unchanged();
  });
});

test("An API access token in stack configuration leaves state with the deployment after it moves to the environment", async () => {
  const project = await Project.start("agent-token");
  const state = () => project.read("../state/.pulumi/stacks/buildpipeline-agent-token/test.json");
  await project.shell("pulumi stack init test");
  await type(project, "pulumi config set --secret buildpipeline:accessToken");
  await project.shell("pulumi up --yes --skip-preview");
  expect(state()).toContain('"buildpipeline:accessToken":');

  await project.shell("pulumi config rm buildpipeline:accessToken && pulumi up --yes --skip-preview");
  expect(state()).not.toContain("accessToken");
});

test("The command for the emulator prints settings, keeps its page to itself, serves a description, and ends on Ctrl-C", async () => {
  const project = await Project.start();
  const command = blockMarked("run", "emulator").text;
  // Another port than a reader's, and the command as npx would find it.
  const line = command.replace("--port 8484", "--port 0").replace(/^npx pulumi-buildpipeline/, COMMAND);
  expect(line).not.toContain("npx");

  const output = await project.shell(
    [
      `${line} > settings & emulator=$!`,
      "until grep -q BUILDPIPELINE_ORGANIZATION settings; do kill -0 $emulator; done",
      ". ./settings",
      `curl --silent --output /dev/null --write-out 'page %{http_code}\\n' "$BUILDPIPELINE_BASE_URL/"`,
      'curl --fail --silent --show-error "$BUILDPIPELINE_BASE_URL/openapi.json" | grep -c openapi',
      "kill -INT $emulator; wait $emulator && echo ended well",
    ].join("\n"),
  );
  expect(output).toContain("page 403");
  expect(output).toContain("ended well");
});
