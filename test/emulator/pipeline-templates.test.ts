import { describe, expect, test } from "vitest";
import { Api } from "./api.js";

const api = Api.forEach({ seed: false });

const yaml = "steps:\n  - command: make\n";

describe("a pipeline template", () => {
  const path = "/pipeline-templates";

  test("is seen by non-admins only when it is available, and managed by admins only", async () => {
    const hidden = await api.entity("POST", path, { name: "Hidden", configuration: yaml });
    await api.entity("POST", path, { name: "Shown", configuration: yaml, available: true });
    const scopes = ["read_pipeline_templates", "write_pipeline_templates"];
    const colleague = api.as(api.emulator.createAccessToken({ scopes, admin: false }));
    expect((await colleague.list(path)).map(({ name }) => name)).toEqual(["Shown"]);
    expect((await colleague.send("GET", `${path}/${hidden.uuid}`)).status).toBe(404);
    expect((await colleague.send("POST", path, { name: "x", configuration: yaml })).status).toBe(403);
  });
});
