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

describe("A component that the plugin constructs", () => {
  test.each([
    [1, ["Farm"], "odd"],
    [2, ["Farm", "Farm #2"], "even"],
    [3, ["Farm #2", "Farm #3"], "odd"],
  ])(
    "registers the tokens of generation %i, and answers with their secrets",
    async (generation, descriptions, newest) => {
      const engine = await Served.configured();
      const monitor = await Monitor.start();
      const { urn, state } = await monitor.construct(engine, farm(generation));
      expect(urn).toBe(`urn:pulumi:dev::project::${COMPONENT}::farm`);
      expect(monitor.tokens.map(({ inputs }) => inputs.description)).toEqual(descriptions);
      expect(monitor.tokens).toMatchObject(
        descriptions.map(() => ({ type: "buildpipeline:index:AgentToken", parent: urn })),
      );
      expect(monitor.tokens.at(-1)?.inputs).toMatchObject({ __rotation: { of: "farm", generation } });
      const other = newest === "odd" ? "even" : "odd";
      expect(state).toEqual({
        token: secret(`secret of farm-${newest}`),
        tokenId: `id of farm-${newest}`,
        generation,
        ...(generation > 1 && {
          previousToken: secret(`secret of farm-${other}`),
          previousTokenId: `id of farm-${other}`,
        }),
      });
    },
  );

  test("uses the request's parent, provider, aliases and protection, and keeps inputs secret", async () => {
    const engine = await Served.configured();
    const monitor = await Monitor.start();
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
    const engine = await Served.configured();
    const monitor = await Monitor.start(true);
    const { state } = await monitor.construct(engine, farm(UNKNOWN), { dryrun: true });
    expect(monitor.tokens).toMatchObject([
      { name: "farm-odd", inputs: { triggers: UNKNOWN, description: UNKNOWN, clusterId } },
      { name: "farm-even", inputs: { triggers: UNKNOWN, description: UNKNOWN, clusterId } },
    ]);
    const names = ["token", "previousToken", "tokenId", "previousTokenId", "generation"];
    expect(state).toEqual(Object.fromEntries(names.map((name) => [name, UNKNOWN])));
    expect(engine.warnings()).toEqual([expect.stringContaining("generation is not known yet")]);
  });

  test.each([
    ["a generation that is none", farm("two"), false, '"farm": RotatingAgentToken.generation: "two" is not'],
    ["a blank description", farm(1, { description: " " }), true, 'AgentToken.description: " " is blank'],
    ["a blank secret", farm(1, { description: secret(" ") }), false, "AgentToken.description: is blank"],
  ])(
    "is refused for %s, in one line and without a registration of a token",
    async (_, inputs, dryrun, message) => {
      const engine = await Served.configured();
      const monitor = await Monitor.start(dryrun);
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
    const engine = await Served.configured();
    const monitor = await Monitor.start();
    monitor.refusal = "the token was refused";
    const failing = monitor.construct(engine, farm(2));
    await expect(failing).rejects.toThrow("the token was refused");
    monitor.refusal = undefined;
    expect((await monitor.construct(engine, farm(1))).state.tokenId).toBe("id of farm-odd");
  });

  test("reports a refusal while another request stays without an answer, as in older SDKs", async () => {
    const engine = await Served.configured();
    const monitor = await Monitor.start();
    monitor.isSilent = true;
    const inputs = farm(1, { description: secret(" ") });
    await expect(monitor.construct(engine, inputs)).rejects.toThrow("description: is blank");
  });

  test("is refused by an SDK that can't read aliases: a token in use would be replaced", async () => {
    const engine = await Served.configured();
    const monitor = await Monitor.start();
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
