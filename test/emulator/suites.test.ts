import { describe, expect, test } from "vitest";
import { Api } from "./api.js";

const api = Api.forEach({ seed: false });

describe("a suite", () => {
  test("shows its API token when it is asked to, a read only where the service does", async () => {
    const body = { name: "Web", default_branch: "main" };
    const { api_token } = await api.entity("POST", "/suites", { ...body, show_api_token: true });
    expect(await api.entity("GET", "/suites/web?show_api_token=true")).toMatchObject({ api_token });
    expect(await api.entity("GET", "/suites/web")).not.toHaveProperty("api_token");
    expect(await api.entity("POST", "/suites", body)).not.toHaveProperty("api_token");
    const strict = await Api.start({ variations: { showApiTokenOnRead: false } });
    await strict.entity("POST", "/suites", body);
    expect(await strict.entity("GET", "/suites/web?show_api_token=true")).not.toHaveProperty("api_token");
  });

  test("has a slug that is not taken, and keeps it under another name", async () => {
    await api.entity("POST", "/suites", { name: "Web", default_branch: "main" });
    const second = await api.entity("POST", "/suites", { name: "Web", default_branch: "main" });
    expect(second.slug).toBe("web-2");
    expect(await api.entity("PATCH", "/suites/web-2", { name: "Site" })).toMatchObject({
      name: "Site",
      slug: "web-2",
    });
  });

  test("takes its runs along", async () => {
    await api.entity("POST", "/suites", { name: "Web", default_branch: "main" });
    api.emulator.createRun("web");
    expect((await api.send("DELETE", "/suites/web")).status).toBe(204);
    expect(api.emulator.organizationData.runs.size).toBe(0);
  });
});
