import { beforeEach, describe, expect, test } from "vitest";
import { listOrganization } from "../../../src/cli/inventory/listing.js";
import { declarable } from "../../../src/provider/for-commands/objects.js";
import { isSecret, plain } from "../../stories/histories/engine/backend.js";
import { colleague, colleagueForEach, emulator, restart } from "../../support/colleague.js";
import { clientOf } from "../../support/command.js";
import { Driver, failure } from "../../support/driver.js";
import { BACKENDS, ResourceOfProgram } from "../../support/program.js";

colleagueForEach();
let clusterId: string;

beforeEach(async () => {
  clusterId = await colleague.makes("/clusters", { name: "Linux" });
  emulator.clearRequests();
});

const ACCOUNT = "123456789012";
const webhook = () => ({
  ...{ provider: "webhook", scope: "some_clusters", scopeIds: [clusterId], description: "Dashboards" },
  ...{ settings: { url: "https://ci.example.com/x" }, secretSettings: { token: "a-long-token" } },
});
const aws = () => ({
  ...{ provider: "aws_event_bridge", scope: "all" },
  settings: { awsRegion: "us-east-1", awsAccountId: ACCOUNT } as Record<string, unknown>,
});
const datadog = (apiKey = "0123456789abcdef") => ({
  ...{ provider: "datadog_pipeline_visibility", scope: "all", secretSettings: { apiKey } },
});
const tracing = (key = "k1") => ({
  ...{ provider: "open_telemetry_tracing", scope: "all", secretSettings: { headers: { "X-Key": key } } },
  settings: { endpoint: "https://otel.example.com", resourceAttributes: { TeamName: "ci" } },
});
/** What was written, with the names of the settings. */
const writes = () =>
  emulator.requests
    .filter(({ method }) => method !== "GET")
    .map(({ operation = "", body }) => {
      const { settings, ...others } = Object(body);
      return [operation.replace("notificationServices.", ""), ...Object.keys({ ...others, ...settings })];
    });
const only = () => {
  const [one] = emulator.organizationData.notificationServices.list();
  if (one === undefined) throw new Error("There is no service.");
  return one;
};
const change = (
  fields: Parameters<(typeof emulator)["organizationData"]["notificationServices"]["update"]>[1],
) => emulator.organizationData.notificationServices.update(only().id, fields);
const stored = (key: string) => only().stored_settings[key];

describe.each(BACKENDS)("A notification service, by the backend %s,", (backend) => {
  const it = (ignores: string[] = []) =>
    new ResourceOfProgram(backend, emulator, "NotificationService", undefined, ignores);

  test("keeps its secrets as secrets, and is unchanged after a refresh", async () => {
    for (const args of [webhook(), aws(), datadog(), tracing()]) {
      const one = it();
      const made = await one.up(args);
      if ("secretSettings" in args) expect(isSecret(one.returned.secretSettings)).toBe(true);
      const read = await it().refresh(made);
      expect(read?.inputs).toEqual(made.inputs);
      expect((await it().preview(args, read)).changes).toBe(false);
      expect(JSON.stringify(read)).not.toMatch(/XXX/);
      await it().up({ ...args, description: "Other" }, read);
      expect(writes().at(-1)).toEqual(["update", "description"]);
    }
    expect(stored("token")).toBe("a-long-token");
  });

  test("has the token that the API made, as a secret", async () => {
    const { secretSettings: _, ...args } = webhook();
    const one = it();
    const { outs } = await one.up(args);
    expect(plain(outs).token).toBe(stored("token"));
    expect(isSecret(one.returned.token)).toBe(true);
  });

  test("sends only the settings that change, in one request, and their names as the API has them", async () => {
    const made = await it().up(tracing());
    expect(only().stored_settings).toMatchObject({
      headers: { "X-Key": "k1" },
      resource_attributes: { TeamName: "ci" },
    });
    const { secretSettings, settings, ...args } = tracing("k2");
    await it().up({ ...args, secretSettings, settings: { ...settings, serviceName: "ci" } }, made);
    expect(writes()).toEqual([
      ["create", "provider", "scope", "endpoint", "resource_attributes", "headers"],
      ["update", "service_name", "headers"],
    ]);
  });

  test("sends its secrets again when triggers change, and then only then", async () => {
    const made = await it().up(tracing());
    const sent = await it().up({ ...tracing(), triggers: { n: 1 } }, made);
    expect(writes().at(-1)).toEqual(["update", "headers"]);
    const read = await it().refresh(sent);
    expect((await it().preview({ ...tracing(), triggers: { n: 1 } }, read)).changes).toBe(false);
  });

  test.each([
    ["the token of a webhook", webhook, { token: "theirs" }, "token"],
    ["the end of a masked key", datadog, { api_key: "another-0000" }, "api_key"],
  ])("has drift by %s, and sends the program's value", async (_, args, theirs, key) => {
    const made = await it().up(args());
    const before = stored(key);
    change({ stored_settings: { ...only().stored_settings, ...theirs } });
    const read = await it().refresh(made);
    expect((await it().preview(args(), read)).changes).not.toBe(false);
    await it().up(args(), read);
    expect(writes().at(-1)).toEqual(["update", key]);
    expect(stored(key)).toBe(before);
    if (read === undefined) throw new Error("It is gone.");
    // What ignoreChanges keeps is no mask either.
    const ignoring = it(["secretSettings", "description"]);
    await ignoring.up({ ...args(), branchConfiguration: "main" }, read);
    expect(writes().at(-1)).toEqual(["update", "branch_configuration"]);
  });

  test("takes a value whose mask fits for unconfirmed after an import, and sends it for triggers", async () => {
    for (const [name, args] of [
      ["datadog_pipeline_visibility/D", { ...datadog(), description: "D" }],
      ["open_telemetry_tracing/T", { ...tracing(), description: "T" }],
    ] as const) {
      await it().up(args);
      emulator.clearRequests();
      const one = it();
      const imported = await one.up({ ...args, import: name });
      if (backend === "dynamic") expect(one.said.join()).toContain("doesn't return secretSettings");
      const kept = await it().up(args, imported);
      expect(writes()).toEqual([]);
      await it().up({ ...args, triggers: { n: 1 } }, kept);
      expect(writes()).toEqual([
        ["update", "secretSettings" in args && name[0] === "d" ? "api_key" : "headers"],
      ]);
    }
  });

  test("sends the secrets that a program states first after an import by the engine, unless a read shows them", async () => {
    const args = { ...tracing(), description: "T" };
    const { id } = await it().up(args);
    const read = await it().refresh({ id, inputs: {}, outs: {} });
    emulator.clearRequests();
    await it().up(args, read);
    expect(writes()).toEqual(backend === "plugin" ? [["update", "headers"]] : writes());
  });

  test.each([
    ["no scope", { scope: undefined }, "scope: is required"],
    ["ids with all", { scope: "all" }, "which is the whole organization"],
    ["a secret among the settings", { settings: { token: "hidden-value" } }, "Move it to secretSettings"],
    ["an address among the secrets", { secretSettings: { url: "hidden-value" } }, "Move it to settings"],
    ["the address of slack among the settings", { provider: "slack" }, "url, which is secret"],
    ["a mask", { secretSettings: { token: "XXXXXXXX9012" } }, "is a mask"],
    ["the API's spelling", { settings: { tls_verify: true } }, "write tlsVerify"],
    ["what a browser connects", { provider: "linear", settings: {}, secretSettings: {} }, "Connect it there"],
  ])("is refused in the preview for %s, and no message has a secret", async (_, wrong, words) => {
    const said = await failure(it().preview({ ...webhook(), ...wrong }));
    expect(said).toContain(words);
    expect(said).not.toMatch(/hidden-value|a-long-token/);
    expect(writes()).toEqual([]);
  });

  test("warns that it is about nothing", async () => {
    const one = it();
    await one.up({ ...webhook(), scopeIds: [] });
    expect(one.said.join()).toContain("announces nothing");
  });

  test("compares its lists as sets, without case", async () => {
    const args = { ...webhook(), settings: { ...webhook().settings, events: ["ping", "build.running"] } };
    const made = await it().up(args);
    change({ stored_settings: { ...only().stored_settings, events: ["build.running", "ping"] } });
    const read = await it().refresh(made);
    expect((await it().preview({ ...args, scopeIds: [clusterId.toUpperCase()] }, read)).changes).toBe(false);
  });

  test("that a plan lacks, or that was connected in a browser, is what the API says it is", async () => {
    await restart({ variations: { enterprisePlan: false } });
    expect(await failure(it().up(datadog()))).toContain("Please upgrade your plan");
    const { id: created_by } = emulator.organizationData.users.list()[0] ?? {};
    emulator.organizationData.notificationServices.insert({
      ...{ id: crypto.randomUUID(), provider: "linear", graphql_id: null, description: "L", enabled: true },
      ...{ scope: "all", scope_uuids: [], branch_configuration: "", build_states: {}, stored_settings: {} },
      ...{ created_at: new Date().toISOString(), created_by: String(created_by) },
    });
    const args = { provider: "linear", scope: "all", description: "L" };
    const imported = await it().imports("linear/L", args);
    await it().up({ ...args, description: "Issues" }, imported);
    expect(only().description).toBe("Issues");
  });
});

describe("A notification service", () => {
  const lose = () =>
    emulator.fault({ operation: "notificationServices.create", when: "after", action: "drop" });

  test("that is found after a lost response is not recorded while the creator is unknown", async () => {
    lose();
    expect(await failure(Driver.for(emulator).create("NotificationService", tracing()))).toMatch(
      /could not confirm.*import/s,
    );
  });

  test("that is found after a lost response of a known creator gets its secrets once more", async () => {
    const run = Driver.for(emulator);
    await run.create("Cluster", { name: "Known" });
    lose();
    const { outs } = await run.create("NotificationService", tracing());
    expect(writes().slice(1)).toEqual([
      ["create", "provider", "scope", "endpoint", "resource_attributes", "headers"],
      ["update", "headers"],
    ]);
    expect(outs).toMatchObject({ secretSettings: { value: tracing().secretSettings } });
    expect(emulator.organizationData.notificationServices.size).toBe(1);
  });

  test("that gets its secrets in vain after that is unfinished, and gets them in the next deployment", async () => {
    const run = Driver.for(emulator);
    await run.create("Cluster", { name: "Known" });
    lose();
    emulator.fault({
      operation: "notificationServices.update",
      action: { status: 422, body: { message: "No" } },
    });
    const failed: { properties: { outs: Record<string, unknown> } } = await run
      .create("NotificationService", tracing())
      .then(() => expect.unreachable(), Object);
    expect(JSON.stringify(failed)).toContain('"__unsent":["secretSettings"]');
  });

  test("of EventBridge is replaced for another region or account, the old one first, and not for a masked account", async () => {
    const run = Driver.for(emulator);
    const made = await run.create("NotificationService", aws());
    for (const settings of [{ awsRegion: "eu-west-1" }, { awsAccountId: "999999999999" }]) {
      const next = { ...aws(), settings: { ...aws().settings, ...settings } };
      const planned = await Driver.for(emulator).plan(made, next);
      expect(planned).toMatchObject({ replaces: ["settings"], deleteBeforeReplace: true });
    }
    const { props: outs = {} } = await run.read({ ...made, outs: {} });
    expect(outs.settings).toEqual({ awsRegion: "us-east-1", awsAccountId: null });
    const planned = await Driver.for(emulator).plan({ ...made, inputs: outs, outs }, aws());
    expect(planned.replaces).toEqual([]);
  });

  test("is in the program that adopt writes without its secrets, and protected if only a browser creates one", async () => {
    await Driver.for(emulator).create("NotificationService", webhook());
    const { id } = await Driver.for(emulator).create("NotificationService", {
      ...webhook(),
      description: "L",
    });
    emulator.organizationData.notificationServices.update(id, { provider: "linear" });
    const { objects } = await listOrganization(clientOf(emulator), {
      kinds: new Set(["NotificationService"]),
    });
    const [made, connected] = objects.map(declarable);
    expect(made?.args).toMatchObject({
      settings: { url: "https://ci.example.com/x" },
      scope: "some_clusters",
    });
    expect(JSON.stringify(made?.args)).not.toContain("a-long-token");
    expect([made?.isCreatable, connected?.isCreatable]).toEqual([true, false]);
  });
});
