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

describe("openapi.json", () => {
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
