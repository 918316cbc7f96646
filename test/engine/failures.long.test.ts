import { beforeAll, describe, expect, test } from "vitest";
import type { ProviderArgs } from "../../src/index.js";
import { backends, classesOf } from "./backends.js";
import { TestStack } from "./stack.js";

describe.each(backends)("Settings and permissions on the real engine, %s backend", (backend) => {
  const { AgentToken, Cluster, Provider, Queue, Team } = classesOf[backend];
  const stack = TestStack.forAll();
  beforeAll(async () => {
    await stack.up(program);
  });

  const program = async () => {
    const linux = new Cluster("linux", { name: "Linux" });
    new Queue("queue", { clusterId: linux, key: "q" });
    new AgentToken("token", { clusterId: linux, description: "d" });
    new Team("team", { name: "Team" });
  };
  const names = ["linux", "queue", "team", "token"];
  const remembered = async () => Object.keys(await stack.state()).sort();

  test("a revoked access token forgets nothing", async () => {
    const env = { BUILDPIPELINE_ACCESS_TOKEN: "bp-revoked-access-token" };
    const commands = [
      () => stack.preview(program, { env }),
      () => stack.refresh({ env }),
      () => stack.up(async () => void new Team("team", { name: "Team" }), { env }),
    ];
    for (const command of commands) {
      const before = stack.observed.length;
      const message = await stack.refused(command());
      expect(message).toContain("401");
      expect(message).not.toContain("bp-revoked-access-token");
      // Each error appears once.
      const errors = stack.observed.slice(before).filter((observed) => observed.includes("401"));
      expect(errors).not.toEqual([]);
      expect(errors).toEqual([...new Set(errors)]);
    }
    expect(await remembered()).toEqual(names);
  });

  test("an explicit provider may leave settings to the environment, and a new access token replaces nothing", async () => {
    const { accessToken } = stack.emulator;
    const explicit = (args: ProviderArgs) => async () => {
      await program();
      new Cluster("second", { name: "Second" }, { provider: new Provider("environment", args) });
    };
    await stack.up(explicit({}));
    await stack.up(undefined, { expectNoChanges: true });
    expect((await stack.up(explicit({ accessToken }))).steps.second).toEqual(["same"]);
    // A cluster is deleted only by a token that can list its secrets.
    const scopes = ["read_clusters", "write_clusters", "read_secrets_details"];
    const next = stack.emulator.createAccessToken({ scopes });
    expect((await stack.up(explicit({ accessToken: next }))).steps.second).toEqual(["same"]);
  });

  test("settings that come from another resource are unknown at its first preview, and then hold", async () => {
    const explicit = async () => {
      await program();
      const { accessToken, organization, url } = stack.emulator;
      const first = new Cluster("first", { name: "First" });
      const provider = new Provider("settings", {
        accessToken,
        baseUrl: url,
        organization: first.url.apply(() => organization),
      });
      new Cluster("third", { name: "Third" }, { provider });
    };
    expect((await stack.preview(explicit)).steps.third).toEqual(["create"]);
    expect((await stack.up(explicit)).steps.third).toEqual(["create"]);
    await stack.preview(undefined, { expectNoChanges: true });
  });
});
