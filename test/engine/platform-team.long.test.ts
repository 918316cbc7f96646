import { cpSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { documentAt } from "../examples/documents.js";
import { objectsOf } from "./every-kind.js";
import { Project } from "./project.js";
import { follow } from "./reader.js";

const PAGE = "docs/start/platform-team.md";
const POLICIES = join(__dirname, "..", "..", "examples", "policies");

test("The tutorial of the platform team works by the page alone", async () => {
  const project = await Project.start("organization");
  cpSync(POLICIES, join(project.directory, "policies"), { recursive: true });
  const { organizationData } = project.emulator;
  const keys = () => organizationData.queues.list().map(({ key }) => key);
  const seen: Record<string, readonly string[]> = {};

  const printed = await follow(project, PAGE, "platform-team", async (command) => {
    seen[command] = keys();
  });

  const policies = "--policy-pack ../policies --policy-pack-config ../policies/config.json";
  const [count = "no count"] = documentAt(PAGE).text.match(/\+ \d+ created/) ?? [];
  const deployed = printed.get(`pulumi -C platform up ${policies}`) ?? "";
  expect(deployed.slice(deployed.indexOf("✅ buildpipeline@"))).toContain(count);
  expect(printed.get("pulumi -C mobile preview")).toMatch(/Queue mobile-devices create[\s\S]*\+ 1 to create/);
  expect(seen["pulumi -C payments up"]).toEqual(
    expect.arrayContaining(["mobile-devices", "payments-build", "payments-devices"]),
  );
  expect(printed.get("npx pulumi-buildpipeline unmanaged --all-stacks")).toContain(
    "Everything is owned by a stack",
  );
  expect(objectsOf(project.emulator)).toEqual([]);
});
