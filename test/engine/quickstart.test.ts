import { expect, test } from "vitest";
import { startExample } from "./example-project.js";
import { NOTHING } from "./project.js";

test("The example quickstart: up, then no changes, and a destroy that leaves nothing", async () => {
  const project = await startExample("quickstart");
  await project.pulumi("up", "--yes", "--skip-preview");
  await project.pulumi("preview", "--expect-no-changes");
  await project.pulumi("destroy", "--yes", "--skip-preview");
  expect(await project.inventory()).toEqual(NOTHING);
});
