import { describe, expect, test } from "vitest";
import { Api, team } from "./api.js";

const api = Api.forAll();

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
    const shift = await api.entity("POST", "/teams", team({ name: "Night shift" }));
    await api.entity("POST", `/clusters/${id}/secrets`, { key: "API_KEY", value: "value-of-secret" });
    await api.entity("POST", `/clusters/${id}/maintainers`, { team: shift.id });
    await api.entity("POST", "/pipelines/storefront/schedules", { cronline: "@daily", label: "Nightly" });
    await api.send("GET", `/clusters/${encodeURIComponent(nasty)}?q=${nasty}`);
    const text = await page();
    const made = [
      "API_KEY",
      "maintained by Night shift",
      "Nightly <code>@daily</code>",
      "macs",
      "default",
      "Disk &lt;full&gt;",
      "Token of macs",
      "Base",
      "Night shift",
    ];
    const seeded = ["storefront #5", "builder-3", "Storefront tests", "Ben Baker", "queues.create"];
    for (const expected of [...made, ...seeded]) expect(text).toContain(expected);
    const suiteSecrets = api.emulator.organizationData.suites.list().map(({ api_token }) => api_token);
    const secrets = [
      "value-of-secret",
      token.token,
      api.token,
      api.emulator.readOnlyAccessToken,
      ...suiteSecrets,
    ];
    for (const hidden of ["<script", ...secrets]) expect(text).not.toContain(hidden);
  });

  test("has a place for what entities name as theirs in the web interface", async () => {
    const cluster = await api.cluster();
    const queue = await api.queue(cluster.id);
    const [agent] = await api.list("/agents");
    const [suite] = await api.list("/suites");
    const [build] = await api.list("/builds");
    const [pipeline] = await api.list("/pipelines");
    const text = await page();
    for (const entity of [cluster, queue, agent, suite, build, pipeline]) {
      const response = await fetch(String(entity?.web_url), { redirect: "manual" });
      expect(response.status).toBe(302);
      const anchor = response.headers.get("location")?.slice("/#".length);
      expect(text).toContain(`id="${anchor}"`);
    }
  });

  test("is shown for an organization with nothing in it", async () => {
    const other = await Api.start({ seed: false });
    expect(await (await fetch(other.emulator.pageUrl)).text()).toContain("None yet.");
  });
});
