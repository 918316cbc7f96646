import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { emulatorOperations } from "../../src/emulator/index.js";
import { Api, type Entity, team } from "./api.js";

let api: Api;
let description: Entity;
beforeAll(async () => {
  api = await Api.start();
  description = JSON.parse(await (await fetch(`${api.emulator.url}/openapi.json`)).text());
});
afterAll(() => api.emulator.close());

/** What lies at a path of keys inside an answer. */
function at(value: unknown, ...keys: readonly string[]): unknown {
  let current = value;
  for (const key of keys) {
    if (typeof current !== "object" || current === null) return undefined;
    current = Reflect.get(current, key);
  }
  return current;
}

describe("the list of operations", () => {
  test("has one entry for each operation", () => {
    expect(emulatorOperations.map(({ id }) => id)).toMatchInlineSnapshot(`
      [
        "clusters.list",
        "clusters.get",
        "clusters.create",
        "clusters.update",
        "clusters.delete",
        "queues.list",
        "queues.get",
        "queues.create",
        "queues.update",
        "queues.delete",
        "queues.pauseDispatch",
        "queues.resumeDispatch",
        "agentTokens.list",
        "agentTokens.get",
        "agentTokens.create",
        "agentTokens.update",
        "agentTokens.delete",
        "pipelineTemplates.list",
        "pipelineTemplates.get",
        "pipelineTemplates.create",
        "pipelineTemplates.update",
        "pipelineTemplates.delete",
        "teams.list",
        "teams.get",
        "teams.create",
        "teams.update",
        "teams.delete",
        "suites.list",
        "suites.get",
        "suites.create",
        "suites.update",
        "suites.delete",
        "runs.list",
        "runs.get",
        "agents.list",
        "agents.get",
        "agents.stop",
        "organizations.list",
        "organizations.get",
        "members.list",
        "members.get",
        "accessToken.get",
        "accessToken.revoke",
        "builds.listAll",
        "builds.list",
        "builds.listForPipeline",
        "builds.get",
        "builds.create",
        "builds.cancel",
        "builds.rebuild",
      ]
    `);
  });

  test("has ids and addresses of their own", () => {
    expect(new Set(emulatorOperations.map(({ id }) => id)).size).toBe(emulatorOperations.length);
    const addresses = emulatorOperations.map(
      ({ method, path }) => `${method} ${path.replaceAll(/\{\w+\}/g, "{}")}`,
    );
    expect(new Set(addresses).size).toBe(emulatorOperations.length);
  });
});

describe("openapi.json", () => {
  test("describes every operation", () => {
    expect(description).toMatchObject({ openapi: "3.1.0", servers: [{ url: api.emulator.url }] });
    for (const { id, method, path, scope } of emulatorOperations) {
      const operation = at(description, "paths", path, method.toLowerCase());
      expect(operation).toMatchObject({ operationId: id });
      expect(at(operation, "description")).toContain(scope ?? "No scope");
    }
  });

  test("has an id of its own for each operation, and every reference leads somewhere", () => {
    const text = JSON.stringify(description);
    const ids = [...text.matchAll(/"operationId":"([^"]+)"/g)].map(([, id]) => id);
    expect(new Set(ids).size).toBe(ids.length);
    const references = [...text.matchAll(/"\$ref":"#\/([^"]+)"/g)].map(([, path]) => path ?? "");
    expect(references.length).toBeGreaterThan(50);
    for (const reference of references) expect(at(description, ...reference.split("/"))).toBeTypeOf("object");
  });

  test("names all parameters of a path", () => {
    for (const { path, method } of emulatorOperations) {
      const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      const parameters = at(description, "paths", path, method.toLowerCase(), "parameters");
      if (!Array.isArray(parameters)) throw new Error(`${path} has no parameters`);
      expect(parameters.filter((parameter) => parameter.in === "path").map(({ name }) => name)).toEqual(
        names,
      );
    }
  });

  test("says what the answers look like: each has the fields the description has", async () => {
    const cluster = await api.cluster({ name: "x", description: "y", emoji: ":z:", color: "#fff" });
    const queue = await api.queue(cluster.id);
    const answers: Record<string, Entity> = {
      Cluster: cluster,
      Queue: queue,
      CreatedAgentToken: await api.entity("POST", `/clusters/${cluster.id}/tokens`, { description: "x" }),
      PipelineTemplate: await api.entity("POST", "/pipeline-templates", {
        name: "x",
        configuration: "steps: []",
      }),
      Team: await api.entity("POST", "/teams", team()),
      Suite: await api.entity("POST", "/suites", { name: "x", default_branch: "main", show_api_token: true }),
      Build: await api.entity("GET", "/pipelines/storefront/builds/5"),
    };
    for (const [name, answer] of Object.entries(answers)) {
      const schema = at(description, "components", "schemas", name);
      const required = at(schema, "required");
      if (!Array.isArray(required)) throw new Error(`${name} requires nothing`);
      expect([name, Object.keys(answer)]).toEqual([name, expect.arrayContaining(required)]);
      expect(Object.keys(at(schema, "properties") ?? {})).toEqual(
        expect.arrayContaining(Object.keys(answer)),
      );
    }
  });
});

describe("the page", () => {
  const page = async () => {
    const response = await fetch(api.emulator.pageUrl);
    expect(response.headers.get("content-type")).toBe("text/html; charset=utf-8");
    return response.text();
  };

  test("shows the organization, and escapes everything", async () => {
    const nasty = `<script>alert("x")</script>`;
    const { id } = await api.cluster({ name: nasty, description: nasty, color: "#f00" });
    const queue = await api.queue(id, "macs");
    await api.entity("PUT", `/clusters/${id}`, { default_queue_id: queue.id });
    const paused = { dispatch_paused_note: "Disk <full>" };
    await api.entity("POST", `/clusters/${id}/queues/${queue.id}/pause_dispatch`, paused);
    const token = await api.entity("POST", `/clusters/${id}/tokens`, { description: "Token of macs" });
    await api.entity("POST", "/pipeline-templates", { name: "Base", configuration: `steps: # ${nasty}` });
    await api.entity("POST", "/teams", team({ name: "Night shift" }));
    await api.send("GET", `/clusters/${encodeURIComponent(nasty)}?q=${nasty}`);
    const text = await page();
    for (const expected of ["macs", "default", "Disk &lt;full&gt;", "Token of macs", "Base", "Night shift"]) {
      expect(text).toContain(expected);
    }
    for (const expected of ["storefront #5", "builder-3", "Storefront tests", "Ben Baker", "queues.create"]) {
      expect(text).toContain(expected);
    }
    expect(text).not.toContain("<script");
    for (const secret of [token.token, api.token, api.emulator.readOnlyAccessToken]) {
      expect(text).not.toContain(secret);
    }
    const suiteSecrets = api.emulator.organizationData.suites.list().map(({ api_token }) => api_token);
    for (const secret of suiteSecrets) expect(text).not.toContain(secret);
  });

  test("has a place for what entities name as theirs in the web interface", async () => {
    const cluster = await api.cluster();
    const queue = await api.queue(cluster.id);
    const [agent] = await api.list("/agents");
    const [suite] = await api.list("/suites");
    const [build] = await api.list("/builds");
    const text = await page();
    for (const entity of [cluster, queue, agent, suite, build]) {
      const response = await fetch(String(entity?.web_url), { redirect: "manual" });
      expect(response.status).toBe(302);
      const anchor = response.headers.get("location")?.slice("/#".length);
      expect(text).toContain(`id="${anchor}"`);
    }
  });

  test("is shown for an organization with nothing in it", async () => {
    const other = await Api.start({ seed: false });
    expect(await (await fetch(other.emulator.pageUrl)).text()).toContain("None yet.");
    await other.emulator.close();
  });
});
