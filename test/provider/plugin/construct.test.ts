import { ConstructRequest } from "@pulumi/pulumi/proto/provider_pb.js";
import { describe, expect, onTestFinished, test } from "vitest";
import { secret } from "../../../src/shared/protocol/encoded-values.js";
import { UNKNOWN } from "../../support/driver.js";
import { aliasOf, Monitor } from "./monitor.js";
import { Served } from "./served.js";

const clusterId = "11111111-2222-4333-8444-555555555555";
const farm = (generation: unknown, args: object = {}) => ({
  ...{ clusterId, description: "Farm", generation },
  ...args,
});
const COMPONENT = "buildpipeline:index:RotatingAgentToken";

async function started(previews = false) {
  return { engine: await Served.configured(), monitor: await Monitor.start(previews) };
}

describe("A component that the plugin constructs", () => {
  test.each([
    [1, "odd", {}],
    [2, "even", { previousToken: secret("secret of farm-odd"), previousTokenId: "id of farm-odd" }],
  ])("answers with the secrets of generation %i", async (generation, newest, previous) => {
    const { engine, monitor } = await started();
    const { urn, state } = await monitor.construct(engine, farm(generation));
    expect(urn).toBe(`urn:pulumi:dev::project::${COMPONENT}::farm`);
    const token = { type: "buildpipeline:index:AgentToken", parent: urn };
    expect(monitor.tokens).toMatchObject(Array.from({ length: generation }, () => token));
    expect(monitor.tokens.at(-1)?.inputs).toMatchObject({ __rotation: { of: "farm", generation } });
    const own = { token: secret(`secret of farm-${newest}`), tokenId: `id of farm-${newest}`, generation };
    expect(state).toEqual({ ...own, ...previous });
  });

  test("creates the newest token after the one before, without a dependency, which would turn round with each generation", async () => {
    const { engine, monitor } = await started();
    await monitor.construct(engine, farm(2));
    expect(monitor.tokens).toMatchObject([
      { name: "farm-odd", dependencies: [] },
      { name: "farm-even", dependencies: [], inputs: { __rotation: { previous: "id of farm-odd" } } },
    ]);
  });

  test("uses the request's parent, provider, aliases and protection, and keeps inputs secret", async () => {
    const { engine, monitor } = await started();
    const parent = "urn:pulumi:dev::project::pulumi:pulumi:Stack::project-dev";
    const provider = "urn:pulumi:dev::project::pulumi:providers:buildpipeline::second::some-id";
    const inputs = farm(secret(2), { description: secret("Farm") });
    const { response } = await monitor.construct(engine, inputs, { parent, protect: true }, (request) => {
      request.getProvidersMap().set("buildpipeline", provider);
      request.addAliases(aliasOf("old", "buildpipeline:index:AgentToken"));
    });
    expect(monitor.registered[0]).toMatchObject({ type: COMPONENT, parent, protect: true, aliases: [] });
    expect(monitor.tokens).toMatchObject([
      { name: "farm-odd", provider, protect: true, inputs: { description: secret("Farm") } },
      { name: "farm-even", provider, protect: true, inputs: { description: { value: "Farm #2" } } },
    ]);
    expect(JSON.stringify(monitor.tokens[0]?.aliases)).toContain('"name":"old"');
    expect(JSON.stringify(monitor.tokens[1]?.aliases)).not.toContain('"name":"old"');
    const [, even] = monitor.tokens;
    expect(response.getStatedependenciesMap().get("token")?.getUrnsList()).toEqual([even?.urn]);
  });

  test("registers both slots with unknown triggers while a preview doesn't know the generation", async () => {
    const { engine, monitor } = await started(true);
    const { state } = await monitor.construct(engine, farm(UNKNOWN), { dryrun: true });
    expect(monitor.tokens).toMatchObject([
      { name: "farm-odd", inputs: { triggers: UNKNOWN, description: UNKNOWN, clusterId } },
      { name: "farm-even", inputs: { triggers: UNKNOWN, description: UNKNOWN, clusterId } },
    ]);
    const names = [
      "token",
      "previousToken",
      "tokenId",
      "previousTokenId",
      "generation",
      "expiresAt",
      "previousExpiresAt",
    ];
    expect(state).toEqual(Object.fromEntries(names.map((name) => [name, UNKNOWN])));
    expect(engine.warnings()).toEqual([expect.stringContaining("generation is not known yet")]);
  });

  test("takes a new cluster as a resource, whose id a preview of another language doesn't know", async () => {
    const { engine, monitor } = await started(true);
    const urn = "urn:pulumi:dev::project::buildpipeline:index:Cluster::linux";
    const args = (id: string) =>
      farm(1, {
        clusterId: { "4dabf18193072939515e22adb298388d": "5cf8f73096256a8f31e491e813e4eb8e", urn, id },
      });
    await monitor.construct(engine, args(UNKNOWN), { dryrun: true });
    await monitor.construct(engine, args(clusterId), { dryrun: true });
    expect(monitor.tokens.map(({ inputs }) => inputs.clusterId)).toEqual([UNKNOWN, clusterId]);
  });

  test.each([
    ["a generation that is none", farm("two"), false, '"farm": RotatingAgentToken.generation: "two" is not'],
    ["a blank description", farm(1, { description: " " }), true, 'AgentToken.description: " " is blank'],
    ["a blank secret", farm(1, { description: secret(" ") }), false, "AgentToken.description: is blank"],
  ])(
    "is refused for %s, in one line and without a registration of a token",
    async (_, inputs, dryrun, message) => {
      const { engine, monitor } = await started(dryrun);
      const failure = await monitor.construct(engine, inputs, { dryrun }).catch(({ details }) => details);
      expect(failure).toContain(message);
      expect(failure).not.toMatch(/\n/);
      expect(monitor.tokens).toEqual([]);
      // The process goes on.
      await monitor.construct(engine, farm(2));
      expect(monitor.tokens).toHaveLength(2);
    },
  );

  test("reports a token that the engine refuses, and constructs the next one", async () => {
    const { engine, monitor } = await started();
    monitor.refusal = "the token was refused";
    const failing = monitor.construct(engine, farm(2));
    await expect(failing).rejects.toThrow("the token was refused");
    monitor.refusal = undefined;
    expect((await monitor.construct(engine, farm(1))).state.tokenId).toBe("id of farm-odd");
  });

  test("reports a refusal while another request stays without an answer, as in older SDKs", async () => {
    const { engine, monitor } = await started();
    monitor.isSilent = true;
    const inputs = farm(1, { description: secret(" ") });
    await expect(monitor.construct(engine, inputs)).rejects.toThrow("description: is blank");
  });

  test("is refused by an SDK that can't read aliases: a token in use would be replaced", async () => {
    const { engine, monitor } = await started();
    const { hasReplacementTrigger } = ConstructRequest.prototype;
    onTestFinished(() => void Object.assign(ConstructRequest.prototype, { hasReplacementTrigger }));
    Reflect.deleteProperty(ConstructRequest.prototype, "hasReplacementTrigger");
    const constructed = monitor.construct(engine, farm(1));
    await expect(constructed).rejects.toThrow("needs version 3.220 or later of @pulumi/pulumi");
    expect(monitor.registered).toEqual([]);
  });

  test("runs after another one that was begun before", async () => {
    const engine = await Served.configured();
    const [first, second] = [await Monitor.start(), await Monitor.start()];
    const both = [first.construct(engine, farm(2)), second.construct(engine, farm(1))];
    await Promise.all(both);
    expect([first, second].map(({ tokens }) => tokens.length)).toEqual([2, 1]);
  });
});
