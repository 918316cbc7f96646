import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { Api } from "./api.js";

let api: Api;
beforeEach(async () => {
  api = await Api.start({ seed: false });
});
afterEach(() => api.emulator.close());

const yaml = "steps:\n  - command: make\n";

describe("a pipeline template", () => {
  const path = "/pipeline-templates";

  test("is created, changed and deleted", async () => {
    const created = await api.entity("POST", path, { name: "Base", configuration: yaml });
    expect(created).toMatchObject({ name: "Base", configuration: yaml, available: false, description: null });
    expect(created).not.toHaveProperty("id");
    const changed = await api.entity("PATCH", `${path}/${created.uuid}`, { available: true });
    expect(changed).toMatchObject({ name: "Base", configuration: yaml, available: true });
    expect((await api.send("DELETE", `${path}/${created.uuid}`)).status).toBe(204);
    expect((await api.send("GET", `${path}/${created.uuid}`)).status).toBe(404);
  });

  test.each([
    [{ name: "x" }, /Configuration can't be blank/],
    [{ configuration: yaml }, /Name can't be blank/],
    [{ name: "x", configuration: "steps: [" }, /Configuration is not valid YAML/],
    [{ name: "x", configuration: { steps: [] } }, /Configuration must be a string/],
    [{ name: "x", configuration: yaml, available: "yes" }, /Available must be true or false/],
  ])("is refused with %j", async (body, message) => {
    const answer = await api.send("POST", path, body);
    expect(answer).toMatchObject({ status: 422, body: { message: expect.stringMatching(message) } });
  });

  test("is not deleted while a pipeline uses it", async () => {
    const { uuid } = await api.entity("POST", path, { name: "Base", configuration: yaml });
    const pipeline = api.emulator.createPipeline({ slug: "web", pipelineTemplateId: String(uuid) });
    expect((await api.send("DELETE", `${path}/${uuid}`)).status).toBe(422);
    api.emulator.organizationData.pipelines.delete(pipeline.id);
    expect((await api.send("DELETE", `${path}/${uuid}`)).status).toBe(204);
  });

  test("is seen by non-admins only when it is available, and managed by admins only", async () => {
    const hidden = await api.entity("POST", path, { name: "Hidden", configuration: yaml });
    await api.entity("POST", path, { name: "Shown", configuration: yaml, available: true });
    const scopes = ["read_pipeline_templates", "write_pipeline_templates"];
    const colleague = api.as(api.emulator.createAccessToken({ scopes, admin: false }));
    expect((await colleague.list(path)).map(({ name }) => name)).toEqual(["Shown"]);
    expect((await colleague.send("GET", `${path}/${hidden.uuid}`)).status).toBe(404);
    expect((await colleague.send("POST", path, { name: "x", configuration: yaml })).status).toBe(403);
  });

  test.each([
    ["trimmed", "steps:\n  - command: make"],
    ["final-newline", yaml],
    ["reformatted", yaml],
  ] as const)("is kept %s where the service does that", async (yamlText, expected) => {
    const other = await Api.start({ variations: { yamlText } });
    const sent = { name: "x", configuration: yamlText === "final-newline" ? yaml.trimEnd() : yaml };
    expect((await other.entity("POST", path, sent)).configuration).toBe(expected);
    await other.emulator.close();
  });

  test("needs the plan", async () => {
    const other = await Api.start({ variations: { enterprisePlan: false } });
    expect((await other.send("GET", path)).status).toBe(403);
    await other.emulator.close();
  });
});
