import { describe, expect, test } from "vitest";
import { failure, serviceForEach } from "./driver.js";

const service = serviceForEach();

const elsewhere = (allowed: boolean) =>
  service.newRun({
    "buildpipeline:organization": "acne",
    ...(allowed && { "buildpipeline:allowOrganizationChange": "true" }),
  });

const paths = () => service.emulator.requests.map(({ method, path }) => `${method} ${path}`);

describe("Where the settings name another organization", () => {
  test("nothing is read, changed or deleted without permission", async () => {
    const made = await service.driver.create("Cluster", { name: "Linux" });
    service.emulator.clearRequests();
    const run = elsewhere(false);
    for (const work of [run.read(made), run.delete(made), run.diff(made, { organization: "acne" })]) {
      expect(await failure(work)).toContain('this cluster is in the organization "acme"');
    }
    expect(paths()).toEqual([]);
  });

  test("and may, a resource is replaced: deleted where it is", async () => {
    const made = await service.driver.create("Team", { name: "Core" });
    const run = elsewhere(true);
    const moved = await run.diff(made, { organization: "acne" });
    expect(moved).toMatchObject({ replaces: ["organization"] });
    service.emulator.clearRequests();
    expect((await run.read(made)).id).toBe(made.id);
    await run.delete(made);
    expect(paths()).toEqual([
      `GET /v2/organizations/acme/teams/${made.id}`,
      `DELETE /v2/organizations/acme/teams/${made.id}`,
    ]);
  });
});

describe("A state of an earlier version, without an organization", () => {
  test("is of the inputs' organization, or of the settings'", async () => {
    const made = await service.driver.create("Team", { name: "Core" });
    const { organization: _, ...outs } = made.outs;
    service.emulator.clearRequests();
    const run = service.newRun();
    await run.update({ ...made, outs }, { description: "d" });
    await run.delete({ ...made, outs });
    for (const path of paths()) expect(path).toContain("/organizations/acme/");
  });
});
