import { describe, expect, test } from "vitest";
import { failure, LOGIN_PAGE, serviceForEach } from "./driver.js";

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

describe("An update with an unusable response", () => {
  test("is done if a read shows it", async () => {
    const { update } = await made("Cluster", { name: "Linux" });
    service.emulator.fault({ operation: "clusters.update", when: "after", action: LOGIN_PAGE });
    expect((await update({ name: "Mac" })).outs).toMatchObject({ name: "Mac" });
    expect(operations()).toEqual(["clusters.update", "clusters.get"]);
  });

  test("is an error if a read shows the object as it was", async () => {
    const { update } = await made("Cluster", { name: "Linux" });
    service.emulator.fault({ operation: "clusters.update", times: 9, action: LOGIN_PAGE });
    expect(await failure(update({ name: "Mac" }))).toContain("but body is not JSON");
  });

  test("is that error if the read fails", async () => {
    const { update } = await made("Cluster", { name: "Linux" });
    service.emulator.fault({ operation: "clusters.update", when: "after", action: LOGIN_PAGE });
    service.emulator.fault({ operation: "clusters.get", times: 9, action: { status: 403, body: {} } });
    expect(await failure(update({ name: "Mac" }))).toContain("but body is not JSON");
  });

  test("that describes another object is done if a read shows it", async () => {
    const other = await service.colleague.sends("POST", "/clusters", { name: "Other" });
    const { update, id } = await made("Cluster", { name: "Linux" });
    service.emulator.fault({ operation: "clusters.update", action: { body: other } });
    const { outs = {} } = await update({ name: "Mac" });
    expect(outs).toMatchObject({ name: "Mac" });
    expect(String(outs.url)).toContain(id);
  });
});

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

  test("with a read that returns another object is refused before anything is sent", async () => {
    const { update } = await made("Team", { name: "Core" });
    const other = await service.driver.create("Team", { name: "Other" });
    const body = await service.colleague.sends("GET", `/teams/${other.id}`);
    service.emulator.clearRequests();
    service.emulator.fault({ operation: "teams.get", times: 9, action: { status: 200, body } });
    expect(await failure(update({ name: "Infra" }))).toContain("in its place, so nothing was changed");
    expect(operations()).not.toContain("teams.update");
  });
});
