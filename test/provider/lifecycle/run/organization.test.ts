import { describe, expect, test } from "vitest";
import { failure, serviceForEach } from "../../../support/driver.js";

const service = serviceForEach();

const elsewhere = (allowed: boolean) => {
  const settings = { "buildpipeline:organization": "acne" };
  return service.newRun(
    allowed ? { ...settings, "buildpipeline:allowOrganizationChange": "true" } : settings,
  );
};

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
});

describe("A team that moves to another organization, which has one of the same name,", () => {
  const permissions = { defaultMemberRole: "member", membersCanCreatePipelines: false };
  const ID = "0d7a5f4e-1b2c-4d3e-8f90-a1b2c3d4e5f6";

  async function moving() {
    const made = await service.driver.create("Team", { name: "Core", ...permissions });
    const named = { id: ID, name: "Core", slug: "core", description: "", privacy: "visible" };
    const body = [{ ...named, default: false, graphql_id: "x", created_at: "", created_by: null }];
    service.emulator.fault({ path: /acne\/teams$/, times: 9, action: { status: 200, body } });
    return { made, run: elsewhere(true) };
  }

  test("imports that one, and is deleted where it was", async () => {
    const { made, run } = await moving();
    const change = { organization: "acne", import: "core" };
    expect(await run.diff(made, change)).toMatchObject({ replaces: ["organization"] });
    const moved = await run.create("Team", { name: "Core", ...permissions, import: "core" });
    expect(moved).toMatchObject({ id: ID, outs: { organization: "acne" } });
    await run.delete(made);
    expect(service.writes).toEqual(["teams.create", "teams.delete"]);
  });

  test("without an import finds the name taken, and not by the replaced team", async () => {
    const { made, run } = await moving();
    expect(await run.failures("Team", { name: "Core" }, made.inputs)).toEqual([]);
    const [reason, ...others] = await run.failures("Team", { name: "Core", ...permissions });
    expect(others).toEqual([]);
    expect(reason).toContain(`is taken by the team ${ID}`);
    expect(reason).toContain("add { import: ");
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
