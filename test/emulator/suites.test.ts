import { describe, expect, test } from "vitest";
import { Api } from "./api.js";

const api = Api.forEach({ seed: false });

const body = { name: "Web", default_branch: "main" };

describe("a suite", () => {
  test("shows its API token only to who asks for it, and in a read only on a service that does, because pages disagree", async () => {
    const { api_token } = await api.entity("POST", "/suites", { ...body, show_api_token: true });
    expect(await api.entity("GET", "/suites/web?show_api_token=true")).toMatchObject({ api_token });
    expect(await api.entity("GET", "/suites/web")).not.toHaveProperty("api_token");
    expect(await api.entity("POST", "/suites", body)).not.toHaveProperty("api_token");
    const strict = await Api.start({ variations: { showApiTokenOnRead: false } });
    await strict.entity("POST", "/suites", body);
    expect(await strict.entity("GET", "/suites/web?show_api_token=true")).not.toHaveProperty("api_token");
  });

  test("gets a numbered slug if its name's is taken, because its slug is its address", async () => {
    for (const slug of ["web", "web-2"])
      expect(await api.entity("POST", "/suites", body)).toMatchObject({ slug });
  });

  test("takes its runs along when it is deleted, so that none is left without a suite", async () => {
    await api.entity("POST", "/suites", body);
    api.emulator.createRun("web");
    expect((await api.send("DELETE", "/suites/web")).status).toBe(204);
    expect(api.emulator.organizationData.runs.size).toBe(0);
  });
});
