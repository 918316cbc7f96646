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
    const { id, inputs, outs } = await service.driver.create("Cluster", { name: "Linux" });
    service.emulator.clearRequests();
    const provider = await elsewhere(false).kind("Cluster");
    const other = { ...inputs, organization: "acne" };
    for (const work of [provider.read(id, outs), provider.delete(id, outs), provider.diff(id, outs, other)]) {
      expect(await failure(work)).toContain('this cluster is in the organization "acme"');
    }
    expect(paths()).toEqual([]);
  });

  test("and may, a resource is replaced: deleted where it is", async () => {
    const { id, inputs, outs } = await service.driver.create("Team", { name: "Core" });
    const provider = await elsewhere(true).kind("Team");
    const other = { ...inputs, organization: "acne" };
    expect(await provider.diff(id, outs, other)).toMatchObject({ replaces: ["organization"] });
    service.emulator.clearRequests();
    expect((await provider.read(id, outs)).id).toBe(id);
    await provider.delete(id, outs);
    expect(paths()).toEqual([
      `GET /v2/organizations/acme/teams/${id}`,
      `DELETE /v2/organizations/acme/teams/${id}`,
    ]);
  });
});

describe("A state of an earlier version, without an organization", () => {
  test("is of the inputs' organization, or of the settings'", async () => {
    const { id, inputs, outs } = await service.driver.create("Team", { name: "Core" });
    const { organization: _, ...rest } = outs;
    service.emulator.clearRequests();
    const provider = await service.newRun().kind("Team");
    await provider.update(id, rest, { ...inputs, description: "d" });
    await provider.delete(id, rest);
    for (const path of paths()) expect(path).toContain("/organizations/acme/");
  });
});
