import { expect, test } from "vitest";
import { serviceForEach, UNKNOWN } from "./driver.js";

const service = serviceForEach();
const OTHER = "11111111-2222-4333-8444-555555555555";

async function suite() {
  const team = await service.driver.create("Team", { name: "t" });
  const inputs = { name: "s", defaultBranch: "main", teamIds: [team.id] };
  return service.driver.create("Suite", inputs);
}

test("teams that are unknown at preview are a warning and no replacement", async () => {
  const { id, inputs, outs } = await suite();
  const driver = service.newRun();
  const provider = await driver.kind("Suite");
  for (const teamIds of [UNKNOWN, [UNKNOWN]]) {
    const difference = await provider.diff(id, outs, { ...inputs, teamIds });
    expect(difference).toMatchObject({ replaces: [] });
    expect(difference.changes).not.toBe(false);
  }
  expect(driver.warnings.join("\n")).toContain("teamIds");
});

test("teams that came out different are recorded, not sent, with a warning that says what to do", async () => {
  const { id, inputs, outs } = await suite();
  const driver = service.newRun();
  const provider = await driver.kind("Suite");
  await provider.diff(id, outs, { ...inputs, teamIds: UNKNOWN });
  service.emulator.clearRequests();
  const { outs: updated = {} } = await provider.update(id, outs, { ...inputs, teamIds: [OTHER] });
  expect(service.emulator.requests.filter(({ method }) => method !== "GET")).toEqual([]);
  expect(updated.teamIds).toEqual([OTHER]);
  expect(updated.slug).toBe(outs.slug);
  const warned = driver.warnings.join("\n");
  expect(warned).toContain(id);
  expect(warned).toMatch(/web interface/);
});

test("teams that are left out later stay as they are, and giving them again is a change, which is refused", async () => {
  const { id, inputs, outs } = await suite();
  const { teamIds, ...without } = inputs;
  const provider = await service.newRun().kind("Suite");
  service.emulator.clearRequests();
  expect(await provider.diff(id, outs, without)).toMatchObject({ replaces: [] });
  const { outs: updated = {} } = await provider.update(id, outs, without);
  expect(service.emulator.requests.filter(({ method }) => method !== "GET")).toEqual([]);
  await expect(provider.diff(id, updated, { ...without, teamIds })).rejects.toThrow(
    /teamIds: counts only when the suite is created/,
  );
});
