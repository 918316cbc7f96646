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

  const shared =
    "common: &common\n  agents: { queue: small }\nlimit: &limit\n  timeout_in_minutes: 5\nsteps:\n";
  test.each([
    ["two merge keys in a step", `${shared}  - <<: *common\n    <<: *limit\n    command: make\n`, 1],
    ["an anchor that 300 steps use", `${shared}${"  - <<: *common\n    command: make\n".repeat(300)}`, 300],
  ])("takes %s, and so does a pipeline, which shows its steps", async (_, configuration, count) => {
    await api.entity("POST", path, { name: "Shared", configuration });
    const body = { name: "Shop", repository: "git@example.com:shop.git", configuration };
    const { steps } = await api.entity("POST", "/pipelines", body);
    expect(steps).toHaveLength(count);
    expect(steps).toContainEqual(
      expect.objectContaining({ command: "make", agent_query_rules: ["queue=small"] }),
    );
  });
});
