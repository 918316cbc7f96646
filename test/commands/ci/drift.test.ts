import { describe, expect, test } from "vitest";
import { repository, repositoryForEach, stateOf } from "./repository.js";

repositoryForEach(["clusters", "queues"]);

const drift = async () => {
  const { code, outcomes, unmanaged } = await repository.outcomes("drift");
  return { code, ends: outcomes.map(({ end }) => end), unmanaged: unmanaged?.map(({ name }) => name) };
};

const REFUSED = { diagnostics: [{ severity: "error", message: "401" }] };

describe("buildpipeline ci drift", () => {
  test("finds none in any stack, and reads only", async () => {
    expect(await drift()).toEqual({ code: 0, ends: ["unchanged", "unchanged"], unmanaged: [] });
    expect(repository.read("report.md")).toMatch(/^## Drift of 2 stacks$/m);
    expect(repository.calls()).toContain("queues: refresh (reads)");
  });

  test.each([
    ["a change outside of a program", { "queues refresh": { code: 7 } }, 1, "changed"],
    ["a refresh that fails", { "queues refresh": { code: 255, stdout: REFUSED } }, 2, "failed"],
    ["a state that can't be read", { "queues stack export": { code: 1 } }, 2, "failed"],
  ])("ends with %s by its worst stack", async (_, scenario, code, end) => {
    repository.plays(scenario);
    expect(await drift()).toMatchObject({ code, ends: ["unchanged", end] });
  });

  test("finds none if another stack that this one reads has other outputs by now", async () => {
    const oldState = { urn: "urn:pulumi:p::s::pulumi:pulumi:StackReference::a", external: true };
    const type = "pulumi:pulumi:StackReference";
    const read = { op: "refresh", urn: oldState.urn, oldState: { ...oldState, type } };
    // What the engine prints: an update in the counts, and none in the steps.
    const stdout = { steps: [read], changeSummary: { update: 1 } };
    repository.plays({ "queues refresh": { code: 7, stdout, stderr: "error: changes were proposed" } });
    expect(await drift()).toMatchObject({ code: 0, ends: ["unchanged", "unchanged"] });
  });

  test.each([
    ["mandatory", 1, 1, ["changed", "changed"]],
    ["advisory", 0, 0, ["unchanged", "unchanged"]],
  ])("finds a broken %s policy in what is deployed", async (enforcementLevel, policyCode, code, ends) => {
    repository.write({ "policies/PulumiPolicy.yaml": "runtime: nodejs\n" });
    const resourceUrn = "urn:pulumi:p::s::t::linux";
    const policyEvent = { policyName: "age", message: "Old", resourceUrn, enforcementLevel };
    repository.plays({ "policy analyze": { code: policyCode, stdout: { sequence: 0, policyEvent } } });
    expect(await drift()).toMatchObject({ code, ends });
  });

  test("finds what no stack owns, and names stacks of other repositories", async () => {
    await repository.client.clusters.create({ name: "Forgotten" });
    expect(await drift()).toEqual({ code: 1, ends: ["unchanged", "unchanged"], unmanaged: ["Forgotten"] });
    expect(repository.read("unmanaged.txt")).toContain("Forgotten");
    repository.plays({ "repository stack export": { stdout: stateOf("t") } });
    await repository.ci("drift --other-stacks acme/other/production");
    expect(repository.calls().some((line) => line.startsWith("repository: stack export"))).toBe(true);
  });
});
