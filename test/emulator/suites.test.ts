import { describe, expect, test } from "vitest";
import { Api } from "./api.js";

const api = Api.forEach({ seed: false });

describe("a suite", () => {
  test("shows its API token and the fields of create only when it is created", async () => {
    const created = await api.entity("POST", "/suites", {
      name: "Web tests",
      default_branch: "main",
      show_api_token: true,
      application_name: "Web",
      color: "#fff",
      emoji: "🧪",
    });
    expect(created).toMatchObject({
      slug: "web-tests",
      api_token: expect.any(String),
      application_name: "Web",
      color: "#fff",
      emoji: "🧪",
      url: `${api.emulator.url}/v2/analytics/organizations/acme/suites/web-tests`,
    });
    const read = await api.entity("GET", "/suites/web-tests");
    expect(Object.keys(read)).toEqual([
      "id",
      "graphql_id",
      "slug",
      "name",
      "url",
      "web_url",
      "default_branch",
    ]);
    const again = await api.entity("GET", "/suites/web-tests?show_api_token=true");
    expect(again.api_token).toBe(created.api_token);
  });

  test("keeps its API token to itself unless asked", async () => {
    const created = await api.entity("POST", "/suites", { name: "x", default_branch: "main" });
    expect(created).not.toHaveProperty("api_token");
    const strict = await Api.start({ variations: { showApiTokenOnRead: false } });
    await strict.entity("POST", "/suites", { name: "x", default_branch: "main" });
    expect(await strict.entity("GET", "/suites/x?show_api_token=true")).not.toHaveProperty("api_token");
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
