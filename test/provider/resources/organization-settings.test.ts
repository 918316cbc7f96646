import { beforeEach, describe, expect, test } from "vitest";
import { colleague, colleagueForEach, emulator, restart } from "../../support/colleague.js";
import { failure } from "../../support/driver.js";
import { BACKENDS, ResourceOfProgram } from "../../support/program.js";

colleagueForEach();

const live = () => colleague.sends("GET", "/pipeline-settings");
const sent = () =>
  emulator.requests.map(({ operation }) => operation).filter((one) => one !== "accessToken.get");
const SSH = "pipelineSettings.enableHostedAgentsSsh";

describe.each(BACKENDS)("Pipeline settings, by the backend %s,", (backend) => {
  let it: ResourceOfProgram;
  beforeEach(() => {
    it = new ResourceOfProgram(backend, emulator, "PipelineSettings");
  });
  const writes = () => sent().filter((one) => !one?.endsWith(".get"));

  test("are what the organization has: a creation changes what differs, shows it before, and is unchanged afterwards", async () => {
    await colleague.sends("PATCH", "/pipeline-settings", { maximum_timeout_in_minutes: 60 });
    emulator.clearRequests();
    const args = { defaultBranch: "trunk", maximumTimeoutInMinutes: 60, hostedAgentsTerminalAccess: true };
    await it.preview(args);
    expect(writes()).toEqual([]);
    const made = await it.up(args);
    expect(made.id).toBe("acme");
    const about = backend === "dynamic" ? "pipeline settings: " : "";
    expect(it.said.filter((one) => one.includes("changes the live"))).toEqual([
      `${about}changes the live defaultBranch of acme from "main" to "trunk"`,
      `${about}changes the live hostedAgentsTerminalAccess of acme from false to true`,
    ]);
    expect(emulator.requests.find(({ operation }) => operation === "pipelineSettings.update")?.body).toEqual({
      default_branch: "trunk",
    });
    expect(writes()).toEqual(["pipelineSettings.update", SSH]);
    expect(made.outs).toMatchObject({
      publicPipelineCreation: true,
      url: expect.stringMatching(/settings$/),
    });
    expect((await it.preview(args, made)).changes).toBe(false);
    const again = await it.refresh(made);
    expect(again?.inputs).toEqual(made.inputs);
    expect((await it.preview(args, again)).changes).toBe(false);
  });

  test("are compared where the program states them, and given up where it no longer does", async () => {
    const made = await it.up({ defaultBranch: "trunk" });
    await colleague.sends("PATCH", "/pipeline-settings", {
      default_branch: "dev",
      maximum_timeout_in_minutes: 5,
    });
    const drifted = await it.refresh(made);
    expect(drifted?.inputs).toMatchObject({ defaultBranch: "dev" });
    expect(drifted?.inputs).not.toHaveProperty("maximumTimeoutInMinutes");
    const back = await it.up({ defaultBranch: "trunk" }, drifted);
    expect(await live()).toMatchObject({ default_branch: "trunk", maximum_timeout_in_minutes: 5 });
    await it.up({}, back);
    expect(await live()).toMatchObject({ default_branch: "trunk" });
  });

  test("are shared by two stacks that state different ones, and drift where both state one", async () => {
    const other = new ResourceOfProgram(backend, emulator, "PipelineSettings");
    const [own, theirs] = [{ defaultBranch: "trunk" }, { maximumTimeoutInMinutes: 60 }];
    const [mine, made] = await Promise.all([it.up(own), other.up(theirs)]);
    expect(await live()).toMatchObject({ default_branch: "trunk", maximum_timeout_in_minutes: 60 });
    expect((await it.refresh(mine))?.inputs).toEqual(mine.inputs);
    expect((await other.refresh(made))?.inputs).toEqual(made.inputs);
    await other.up({ ...theirs, defaultBranch: "dev" }, made);
    const drifted = await it.refresh(mine);
    expect(drifted?.inputs).toMatchObject({ defaultBranch: "dev" });
    expect((await it.preview(own, drifted)).changes).toBe(true);
    await other.destroy(made);
    expect(await live()).toMatchObject({ default_branch: "dev", maximum_timeout_in_minutes: 60 });
  });

  test("stay when they are deleted, except for a default cluster that could not be deleted then", async () => {
    const cluster = await colleague.sends("POST", "/clusters", { name: "Linux" });
    const other = await colleague.sends("POST", "/clusters", { name: "Mac" });
    const args = { defaultClusterId: cluster.id, hostedAgentsTerminalAccess: true };
    const made = await it.up(args);
    await expect(colleague.sends("DELETE", `/clusters/${cluster.id}`)).rejects.toThrow("default cluster");
    await colleague.sends("PATCH", "/pipeline-settings", { default_cluster_id: other.id });
    await it.destroy(made);
    expect(await live()).toMatchObject({ default_cluster_id: other.id });
    const again = await it.up(args);
    await it.destroy(again);
    expect(await live()).toMatchObject({
      default_cluster_id: null,
      hosted_agents_terminal_access: { enabled: true },
    });
    expect(it.said.at(-1)).toContain("stay as they are, except that they have no default cluster now");
  });

  test("are named where they keep a cluster from being deleted, to whoever may read them", async () => {
    const cluster = new ResourceOfProgram(backend, emulator, "Cluster");
    const made = await cluster.up({ name: "Linux" });
    await it.up({ defaultClusterId: made.id });
    const said = await failure(cluster.destroy(made));
    expect(said).toContain(`${made.id} was not deleted: Cluster is the organization's default cluster.`);
    expect(said).toContain("Set another PipelineSettings.defaultClusterId");
    expect(said).not.toContain("archived");
    const scopes = ["read_clusters", "write_clusters", "read_secrets_details"];
    const accessToken = emulator.createAccessToken({ scopes });
    const other = new ResourceOfProgram(backend, { ...emulator, accessToken }, "Cluster");
    expect(await failure(other.destroy(made))).toContain("Cluster is the organization's default cluster");
    expect(await colleague.sends("GET", `/clusters/${made.id}`)).toMatchObject({ name: "Linux" });
  });

  test("with a default cluster that doesn't exist are refused by the preview of a creation and of an update", async () => {
    const { id } = await colleague.sends("POST", "/clusters", { name: "Linux" });
    const made = await it.up({ defaultClusterId: id });
    const defaultClusterId = crypto.randomUUID();
    for (const before of [undefined, made]) {
      const said = await failure(it.preview({ defaultClusterId }, before));
      expect(said).toContain(`PipelineSettings.defaultClusterId: there is no cluster ${defaultClusterId}`);
    }
    emulator.clearRequests();
    await it.preview({ defaultClusterId: id, defaultBranch: "trunk" }, made);
    expect(sent().filter((operation) => operation?.startsWith("clusters"))).toEqual([]);
  });

  test("keep, when they are deleted, a default cluster that the program never stated or gave up", async () => {
    const { id } = await colleague.sends("POST", "/clusters", { name: "Linux" });
    await colleague.sends("PATCH", "/pipeline-settings", { default_cluster_id: id });
    await it.destroy(await it.up({ defaultBranch: "trunk" }));
    expect(await live()).toMatchObject({ default_cluster_id: id });
    const stated = await it.up({ defaultClusterId: id, defaultBranch: "trunk" });
    await it.destroy(await it.up({ defaultBranch: "trunk" }, stated));
    expect(await live()).toMatchObject({ default_cluster_id: id });
  });

  test("are imported as `settings`, if the program says what they are", async () => {
    await expect(it.up({ defaultBranch: "trunk", import: "settings" })).rejects.toThrow("defaultBranch");
    const imported = await it.up({ defaultBranch: "main", import: "settings" });
    expect([imported.id, writes()]).toEqual(["acme", []]);
  });

  test("are not changed by who may not read them, and stay in state at a refresh", async () => {
    const made = await it.up({ defaultBranch: "trunk" });
    const scopes = ["read_organization_settings", "write_organization_settings"];
    const { id } = emulator.addMember({ name: "Ben Baker", email: "ben@example.com" });
    const accessToken = emulator.createAccessToken({ scopes, userId: id, admin: false });
    const asMember = new ResourceOfProgram(backend, { ...emulator, accessToken }, "PipelineSettings");
    await expect(asMember.up({ defaultBranch: "dev" })).rejects.toThrow(
      "the pipeline settings of acme can't be read, so nothing is changed",
    );
    expect((await asMember.refresh(made))?.inputs).toEqual(made.inputs);
    expect(asMember.said.at(-1)).toContain("doesn't let this access token read pipeline settings");
  });

  test("refuse limits of 0, which nobody knows the meaning of", async () => {
    await expect(it.up({ maximumTimeoutInMinutes: 0 })).rejects.toThrow(
      "expected a whole number of minutes from 1 to 43200",
    );
  });
});

describe.each(BACKENDS)("API settings, by the backend %s,", (backend) => {
  let it: ResourceOfProgram;
  beforeEach(() => {
    it = new ResourceOfProgram(backend, emulator, "ApiSettings");
  });
  const live = () => colleague.sends("GET", "/api-settings");
  const patch = (body: object) => colleague.sends("PATCH", "/api-settings", body);
  const writes = () => sent().filter((one) => one === "apiSettings.update");
  const office = ["192.0.2.0/24", "198.51.100.7"];

  test("are sent where they differ, each kind of change by itself, and unchanged afterwards", async () => {
    const args = {
      allowedIpAddresses: office,
      reachableFrom: "192.0.2.0/25",
      revokeInactiveTokensAfterDays: 90,
      restrictUserApiTokenCreation: false,
    };
    const made = await it.up(args);
    expect(await live()).toMatchObject({
      allowed_ip_addresses: office.join(" "),
      revoke_inactive_tokens_after_days: 90,
    });
    expect(writes()).toHaveLength(2);
    expect(made.outs).toMatchObject({
      features: { apiIpAllowList: true, inactiveApiTokenRevocation: true },
    });
    expect(it.said.join()).toContain("that nobody used for 90 days lose their access immediately");
    expect(it.said.join()).toContain(
      `the live allowedIpAddresses of acme from unset (every address) to ${JSON.stringify(office)}`,
    );
    expect(it.said.join()).toContain("revokeInactiveTokensAfterDays of acme from unset (never) to 90");
    expect((await it.preview(args, made)).changes).toBe(false);
    const again = await it.refresh(made);
    expect(again?.inputs).toEqual(made.inputs);
    const open = await it.up({ ...args, allowedIpAddresses: [], revokeInactiveTokensAfterDays: 0 }, again);
    expect(await live()).toMatchObject({
      allowed_ip_addresses: null,
      revoke_inactive_tokens_after_days: null,
    });
    expect((await it.refresh(open))?.inputs).toEqual(open.inputs);
    await patch({ revoke_inactive_tokens_after_days: 90 });
    await it.up({ revokeInactiveTokensAfterDays: 0 });
    expect(it.said.at(-1)).toContain("revokeInactiveTokensAfterDays of acme from 90 to 0 (never)");
  });

  test.each([
    [undefined, "needs reachableFrom"],
    ["203.0.113.9", "has no entry that contains all of reachableFrom (203.0.113.9)"],
    ["192.0.0.0/16", "has no entry that contains all of reachableFrom (192.0.0.0/16)"],
  ])("refuse a list that may lock out who sends it, from %s", async (reachableFrom, why) => {
    const args = { allowedIpAddresses: office, reachableFrom };
    await expect(it.up(args)).rejects.toThrow(why);
    const made = await it.up({ restrictUserApiTokenCreation: true });
    await expect(it.up({ restrictUserApiTokenCreation: true, ...args }, made)).rejects.toThrow(why);
    expect((await live()).allowed_ip_addresses).toBeNull();
    await it.up({ ...args, reachableFrom: "unknown" });
    expect((await live()).allowed_ip_addresses).toBe(office.join(" "));
  });

  test("may have IPv6 networks, in any spelling, of which the preview warns", async () => {
    const args = {
      allowedIpAddresses: ["2001:DB8::/32", "192.0.2.0/24"],
      reachableFrom: "2001:db8:0:7::/64",
    };
    const made = await it.up(args);
    expect(it.said.join()).toContain("has IPv6 networks, which the API may refuse");
    await patch({ allowed_ip_addresses: "192.0.2.0/24 2001:0db8:0::/32" });
    expect((await it.refresh(made))?.inputs).toEqual(made.inputs);
    await expect(
      it.up({ allowedIpAddresses: ["2001:db8::/32"], reachableFrom: "2001:db9::1" }),
    ).rejects.toThrow("has no entry that contains");
    await expect(it.up({ allowedIpAddresses: ["2001:db8::/129"] })).rejects.toThrow(
      "is not a network in CIDR",
    );
  });

  test("keep out who deploys from elsewhere, until somebody opens the list on the web", async () => {
    await restart({ callerAddress: "203.0.113.9" });
    it = new ResourceOfProgram(backend, emulator, "ApiSettings");
    const own = await it.up({
      allowedIpAddresses: [...office, "203.0.113.0/24"],
      reachableFrom: "203.0.113.9",
    });
    expect((await it.refresh(own))?.inputs).toEqual(own.inputs);
    const made = await it.up({ allowedIpAddresses: office, reachableFrom: "unknown" }, own);
    await expect(it.up({ allowedIpAddresses: [] }, made)).rejects.toThrow("Forbidden");
    expect((await it.refresh(made))?.inputs).toEqual(made.inputs);
    emulator.perform("apiSettings.update", { body: { allowed_ip_addresses: null } });
    expect((await it.refresh(made))?.inputs).not.toHaveProperty("allowedIpAddresses");
  });

  describe("don't change a list back that somebody changed, although between that and a refresh", () => {
    const args = { allowedIpAddresses: office, reachableFrom: "192.0.2.17" };
    const ignoring = () =>
      new ResourceOfProgram(backend, emulator, "ApiSettings", undefined, ["allowedIpAddresses"]);
    const { allowedIpAddresses: _, ...unlisted } = args;

    test.each([
      ["another argument is updated", () => it, { ...args, restrictUserApiTokenCreation: true }],
      ["ignoreChanges keeps the list", ignoring, { ...args, restrictUserApiTokenCreation: true }],
      ["ignoreChanges keeps it, and reachableFrom changes", ignoring, { ...args, reachableFrom: "unknown" }],
      ["the program gives the list up", () => it, unlisted],
    ])("%s", async (_name, resource, changed) => {
      const made = await it.up(args);
      await patch({ allowed_ip_addresses: "203.0.113.0/24" });
      const refreshed = (await it.refresh(made)) ?? made;
      for (const state of [made, refreshed]) {
        await patch({ restrict_user_api_token_creation: false });
        const between = await resource()
          .up(changed, state)
          .catch(() => state);
        const again = (await it.refresh(between)) ?? between;
        await it.up({ ...changed, ...args }, between).catch(() => undefined);
        await expect(it.up({ ...changed, ...args }, again)).rejects.toThrow("isn't changed back by itself");
        expect((await live()).allowed_ip_addresses).toBe("203.0.113.0/24");
        const theirs = { ...changed, ...args, allowedIpAddresses: ["203.0.113.0/24"] };
        const agreed = await it.up(theirs, again);
        expect((await it.refresh(agreed))?.inputs).toEqual(agreed.inputs);
        const confirmed = await it.up({ ...changed, ...args, reachableFrom: "192.0.2.18" }, again);
        expect((await live()).allowed_ip_addresses).toBe(office.join(" "));
        expect((await it.refresh(confirmed))?.inputs).toEqual(confirmed.inputs);
        await patch({ allowed_ip_addresses: "203.0.113.0/24" });
      }
    });
  });

  test("don't overwrite what somebody added since the state was read, until a preview has shown it", async () => {
    const args = { allowedIpAddresses: office, reachableFrom: "192.0.2.17" };
    const made = await it.up(args);
    await patch({ allowed_ip_addresses: [...office, "203.0.113.0/24"].join(" ") });
    const more = { ...args, allowedIpAddresses: [...office, "10.0.0.0/8"] };
    for (const changed of [more, { ...more, reachableFrom: "192.0.2.18" }])
      await expect(it.up(changed, made)).rejects.toThrow(
        /somebody changed the list since the state was read: the API has .*203\.0\.113\.0\/24/,
      );
    const failed: unknown = await it
      .up({ ...more, restrictUserApiTokenCreation: true }, made)
      .catch((error: unknown) => error);
    expect(String(failed)).toContain("203.0.113.0/24");
    expect((await live()).allowed_ip_addresses).toBe([...office, "203.0.113.0/24"].join(" "));
    const refreshed = await it.refresh(made);
    expect(refreshed?.inputs).toMatchObject({ allowedIpAddresses: [...office, "203.0.113.0/24"] });
    await it.up({ ...more, reachableFrom: "192.0.2.18" }, refreshed);
    expect((await live()).allowed_ip_addresses).toBe([...office, "10.0.0.0/8"].join(" "));
  });

  test("name what the plan lacks before a request that would fail as a whole", async () => {
    await restart({ variations: { enterprisePlan: false } });
    it = new ResourceOfProgram(backend, emulator, "ApiSettings");
    const lacking = { revokeInactiveTokensAfterDays: 90, restrictUserApiTokenCreation: true };
    await expect(it.up(lacking)).rejects.toThrow("the organization's plan doesn't have that");
    const list = { allowedIpAddresses: office, reachableFrom: "unknown" };
    await expect(it.up(list)).rejects.toThrow("the organization's plan doesn't have that");
    expect(writes()).toEqual([]);
    await it.up({ restrictUserApiTokenCreation: true });
    expect(await live()).toMatchObject({ restrict_user_api_token_creation: true });
  });

  test("stay as they are when they are deleted", async () => {
    const made = await it.up({ allowedIpAddresses: office, reachableFrom: "unknown" });
    await it.destroy(made);
    expect((await live()).allowed_ip_addresses).toBe(office.join(" "));
    expect(it.said.at(-1)).toContain("the API settings of acme stay as they are");
  });
});
