import { describe, expect, test } from "vitest";
import { Api } from "./api.js";

const api = Api.forEach();

const idOf = (name: string) => api.emulator.organizationData.agents.find("name", name)?.id;

describe("agents", () => {
  test("are listed while they are connected, and found at any time", async () => {
    expect((await api.list("/agents")).map(({ name }) => name)).toEqual(["builder-1", "builder-2"]);
    expect(await api.entity("GET", `/agents/${idOf("builder-3")}`)).toMatchObject({
      connection_state: "disconnected",
      job: null,
      priority: null,
    });
    api.emulator.connectAgent({ id: idOf("builder-3") ?? "" });
    expect(await api.list("/agents")).toHaveLength(3);
  });

  test("are not filtered by nothing", async () => {
    expect(await api.list("/agents?name=&hostname=&version=")).toHaveLength(2);
  });

  test("are stopped once", async () => {
    const path = `/agents/${idOf("builder-2")}`;
    expect(await api.send("PUT", `${path}/stop`)).toMatchObject({ status: 204, body: "" });
    expect(await api.entity("GET", path)).toMatchObject({ connection_state: "stopping" });
    expect(await api.send("PUT", `${path}/stop`, { force: false })).toMatchObject({
      status: 400,
      body: { message: "Can only stop connected agents" },
    });
  });

  test("take their job and its build down when they are forced", async () => {
    const path = `/agents/${idOf("builder-1")}/stop`;
    expect((await api.send("PUT", path, { force: true })).status).toBe(204);
    expect(await api.entity("GET", "/pipelines/storefront/builds/5")).toMatchObject({ state: "canceled" });
  });

  test("finish their job when they are not forced", async () => {
    const path = `/agents/${idOf("builder-1")}/stop`;
    expect((await api.send("PUT", path, { force: false })).status).toBe(204);
    expect(await api.entity("GET", "/pipelines/storefront/builds/5")).toMatchObject({ state: "running" });
  });

  test("are stopped by admins", async () => {
    const colleague = api.as(api.emulator.createAccessToken({ scopes: ["write_agents"], admin: false }));
    expect((await colleague.send("PUT", `/agents/${idOf("builder-2")}/stop`)).status).toBe(403);
  });
});
