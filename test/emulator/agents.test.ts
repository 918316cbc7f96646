import { describe, expect, test } from "vitest";
import { Api } from "./api.js";

const api = Api.forEach();

const idOf = (name: string) => api.emulator.organizationData.agents.find("name", name)?.id;

describe("agents", () => {
  test("are listed while they are connected, and found at any time", async () => {
    for (const path of ["/agents", "/agents?name=&hostname=&version="])
      expect((await api.list(path)).map(({ name }) => name)).toEqual(["builder-1", "builder-2"]);
    const found = await api.entity("GET", `/agents/${idOf("builder-3")}`);
    expect(found).toMatchObject({ connection_state: "disconnected", job: null, priority: null });
    api.emulator.connectAgent({ id: idOf("builder-3") ?? "" });
    expect(await api.list("/agents")).toHaveLength(3);
  });

  test("are stopped once", async () => {
    const path = `/agents/${idOf("builder-2")}`;
    expect(await api.send("PUT", `${path}/stop`)).toMatchObject({ status: 204, body: "" });
    expect(await api.entity("GET", path)).toMatchObject({ connection_state: "stopping" });
    const body = { message: "Can only stop connected agents" };
    expect(await api.send("PUT", `${path}/stop`, { force: false })).toMatchObject({ status: 400, body });
  });

  test.each([
    ["take their job and its build down", true, "canceled"],
    ["finish their job", false, "running"],
  ])("%s when they are stopped with force %j", async (_, force, state) => {
    expect((await api.send("PUT", `/agents/${idOf("builder-1")}/stop`, { force })).status).toBe(204);
    expect(await api.entity("GET", "/pipelines/storefront/builds/5")).toMatchObject({ state });
  });

  test("are stopped by admins", async () => {
    const colleague = api.as(api.emulator.createAccessToken({ scopes: ["write_agents"], admin: false }));
    expect((await colleague.send("PUT", `/agents/${idOf("builder-2")}/stop`)).status).toBe(403);
  });
});
