import { describe, expect, test } from "vitest";
import { failure, serviceForEach } from "./driver.js";

const service = serviceForEach();

async function made(kind: string, args: Record<string, unknown>) {
  const { id, inputs, outs } = await service.driver.create(kind, args);
  service.emulator.clearRequests();
  const update = async (change: Record<string, unknown>) => {
    const provider = await service.newRun().kind(kind);
    return provider.update(id, outs, { ...inputs, ...change });
  };
  return { id, inputs, outs, update };
}

const operations = () => service.emulator.requests.map(({ operation }) => operation);
const bodyOf = (operation: string) =>
  service.emulator.requests.find((request) => request.operation === operation)?.body;

describe("An update", () => {
  test("that is refused is an error without a read", async () => {
    const { update } = await made("Cluster", { name: "Linux" });
    service.emulator.fault({ operation: "clusters.update", action: { status: 422, body: {} } });
    expect(await failure(update({ name: "Mac" }))).toContain("422");
    expect(operations()).toEqual(["clusters.update"]);
  });

  test("sends what changed, and clears what is left out", async () => {
    const { update } = await made("Cluster", { name: "Linux", description: "d", color: "#aabbcc" });
    await update({ description: undefined, color: "#000000" });
    expect(bodyOf("clusters.update")).toEqual({ description: "", color: "#000000" });
  });

  test("of a type whose updates send all has the rest as the service has it", async () => {
    const { update, id } = await made("Team", { name: "Core", description: "ours" });
    await service.colleague.sends("PATCH", `/teams/${id}`, { privacy: "secret" });
    service.emulator.clearRequests();
    await update({ name: "Infra" });
    expect(bodyOf("teams.update")).toMatchObject({ name: "Infra", privacy: "secret", description: "ours" });
  });

  test("of the state alone sends nothing, and keeps the marks", async () => {
    await service.colleague.sends("POST", "/clusters", { name: "Linux" });
    const { update, outs } = await made("Cluster", { name: "Linux", import: "Linux" });
    const { outs: updated = {} } = await update({ import: undefined });
    expect(operations()).toEqual([]);
    const { import: _, ...rest } = outs;
    expect(updated).toEqual(rest);
  });
});
