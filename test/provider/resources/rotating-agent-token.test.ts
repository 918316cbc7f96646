import * as pulumi from "@pulumi/pulumi";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import * as dynamic from "../../../src/index.js";
import * as native from "../../../src/provider/native/index.js";
import { tokensOf } from "../../stories/histories/rotation-program.js";
import { settled } from "../functions/surroundings.js";
import { type Registration, startNotingEngine } from "../program/registrations.js";

let registrations: Registration[] = [];

beforeEach(async () => {
  registrations = await startNotingEngine({
    newResource: ({ name, inputs }) => ({
      id: `id of ${name}`,
      state: {
        ...inputs,
        token: `secret of ${name}`,
        expiresAt: name.startsWith("soon")
          ? new Date(Date.now() + 86_400_000).toISOString()
          : `expiry of ${name}`,
        createdAt: new Date(Date.now() - 61.5 * 86_400_000).toISOString(),
      },
    }),
    call: ({ inputs }) => inputs,
  });
});

/** The outputs of a component are registered after its tokens. */
afterEach(() => Reflect.get(pulumi.runtime, "waitForRPCs")());

const clusterId = "11111111-2222-4333-8444-555555555555";

/** Declares a component, and returns its outputs and registrations. */
async function declared(component: dynamic.RotatingAgentToken) {
  const { token, previousToken, tokenId, previousTokenId, generation } = component;
  const outputs = {
    token: (await settled(token)).value,
    previousToken: (await settled(previousToken)).value,
    tokenId: (await settled(tokenId)).value,
    previousTokenId: (await settled(previousTokenId)).value,
    generation: (await settled(generation)).value,
  };
  const tokens = registrations.filter(({ type }) => type.endsWith(":AgentToken"));
  const inputs = Object.fromEntries(tokens.map(({ name, inputs }) => [name, inputs]));
  return { outputs, tokens, inputs };
}

describe.each([
  ["dynamic", dynamic, "pulumi-nodejs:dynamic/buildpipeline:AgentToken"],
  ["plugin", native, "buildpipeline:index:AgentToken"],
] as const)("A rotating token, %s backend", (_, { RotatingAgentToken }, type) => {
  const farm = (args: Partial<dynamic.RotatingAgentTokenArgs>, opts?: pulumi.ComponentResourceOptions) =>
    new RotatingAgentToken("farm", { clusterId, description: "Farm", generation: 1, ...args }, opts);

  test("has the same type in both backends, which its tokens' URNs contain", async () => {
    const { tokens } = await declared(farm({}));
    expect(registrations[0]).toMatchObject({ type: "buildpipeline:index:RotatingAgentToken", name: "farm" });
    expect(tokens).toMatchObject([
      { type, parent: "urn:pulumi:test::test::buildpipeline:index:RotatingAgentToken::farm" },
    ]);
  });

  test("is one token in generation 1, with the description verbatim and no triggers", async () => {
    const { outputs, tokens } = await declared(farm({ allowedIpAddresses: ["10.0.0.0/8"] }));
    expect(outputs).toEqual({
      token: "secret of farm-odd",
      previousToken: undefined,
      tokenId: "id of farm-odd",
      previousTokenId: undefined,
      generation: 1,
    });
    expect(tokens).toMatchObject([
      { name: "farm-odd", inputs: { clusterId, description: "Farm", allowedIpAddresses: ["10.0.0.0/8"] } },
    ]);
    expect(tokens[0]?.inputs).not.toHaveProperty("triggers");
  });

  test("gives each generation its expiry, and shows when both tokens end", async () => {
    const component = farm({ generation: 2, expiresIn: 90 });
    const { tokens } = await declared(component);
    expect(tokens.map(({ inputs }) => inputs.expiresIn)).toEqual([90, 90]);
    expect([await settled(component.expiresAt), await settled(component.previousExpiresAt)]).toMatchObject([
      { value: "expiry of farm-even" },
      { value: "expiry of farm-odd" },
    ]);
    const first = farm({});
    expect((await settled(first.previousExpiresAt)).value).toBeUndefined();
  });

  test.each([
    [60, true],
    [62, false],
  ])(
    "warns of an expiry of %d days only if the token of the generation before is older",
    async (days, warns) => {
      const warned = vi.spyOn(pulumi.log, "warn").mockResolvedValue();
      await declared(farm({ generation: 2, expiresIn: days }));
      await Reflect.get(pulumi.runtime, "waitForRPCs")();
      const own = warned.mock.calls.map(([text]) => text).filter((text) => text.includes("expiresIn"));
      warned.mockRestore();
      expect(own).toEqual(warns ? [expect.stringContaining("is in use for 61 days already")] : []);
    },
  );

  test.each([
    ["protect", "To rotate, first deploy without it"],
    ["retainOnDelete", "so that its secret stays valid"],
  ])("warns that Pulumi's option %s reaches its tokens, once it is rotated", async (option, words) => {
    const warned = vi.spyOn(pulumi.log, "warn").mockResolvedValue();
    await declared(farm({}, { [option]: true }));
    expect(warned.mock.calls).toEqual([]);
    await declared(farm({ generation: 2 }, { [option]: true }));
    const texts = warned.mock.calls.map(([text]) => text);
    warned.mockRestore();
    expect(texts).toEqual([expect.stringContaining(words)]);
  });

  test("keeps what it is given as initialTriggers with the first token, as long as that exists", async () => {
    const initialTriggers = { rotated: "2026" };
    const triggersAt = async (generation: number) => {
      registrations.length = 0;
      return (await declared(farm({ generation, initialTriggers }))).inputs["farm-odd"]?.triggers;
    };
    expect(await triggersAt(1)).toEqual(initialTriggers);
    expect(await triggersAt(2)).toEqual(initialTriggers);
    expect(await triggersAt(3)).toEqual({ generation: 3 });
  });

  test.each([2, 3, 4, 5, 6, 17])(
    "is two tokens in generation %i, of which only one changes",
    async (generation) => {
      const { inputs: before } = await declared(farm({ generation: generation - 1 }));
      registrations.length = 0;
      const { outputs, tokens, inputs } = await declared(farm({ generation }));
      const [newest, kept] = generation % 2 === 1 ? ["farm-odd", "farm-even"] : ["farm-even", "farm-odd"];
      expect(outputs).toEqual({
        token: `secret of ${newest}`,
        previousToken: `secret of ${kept}`,
        tokenId: `id of ${newest}`,
        previousTokenId: `id of ${kept}`,
        generation,
      });
      expect(tokens).toHaveLength(2);
      expect(inputs[newest]).toMatchObject({
        description: `Farm #${generation}`,
        triggers: { generation },
      });
      // Only the provider's own note of the generation differs, which shows no change.
      const { __rotation: _, ...now } = inputs[kept] ?? {};
      const { __rotation: __, ...then } = before[kept] ?? {};
      expect(now).toEqual(then);
    },
  );

  test.each([1, 2, 3, 8])("declares in generation %i what the histories deploy", async (generation) => {
    const { inputs } = await declared(farm({ generation }));
    const deployed = tokensOf(generation).map(({ name, args: { clusterId: _, ...same } }) => [name, same]);
    expect(inputs).toMatchObject(Object.fromEntries(deployed));
    expect(Object.keys(inputs)).toHaveLength(deployed.length);
  });

  test("numbers a description that is an output, and keeps it secret", async () => {
    const description = pulumi.secret("Farm");
    const { inputs } = await declared(farm({ generation: 2, description }));
    expect(inputs["farm-even"]?.description).toMatchObject({ value: "Farm #2" });
  });

  test.each([0, -1, 1.5, Number.NaN, "3", undefined])("refuses generation %j", (generation) => {
    expect(() => farm({ generation: generation as number })).toThrow(
      /^"farm": RotatingAgentToken\.generation: .* is not a whole number from 1\. Give a plain number/,
    );
    expect(registrations).toEqual([]);
  });

  test("refuses missing arguments, which a program without types can omit", () => {
    expect(() => new RotatingAgentToken("farm", undefined as never)).toThrow(/generation: undefined is not/);
  });

  test("refuses a blank description in every generation", () => {
    for (const generation of [1, 2, 3])
      expect(() => farm({ generation, description: " " })).toThrow(/AgentToken\.description: .* is blank/);
  });

  const urn = `urn:pulumi:test::test::${type}::farm`;
  test.each([
    ["its name", { name: "old" }, { name: "old", noparent: true }],
    ["its type", { type }, { name: "farm", type, noparent: true }],
    ["both", { name: "old", type }, { name: "old", type, noparent: true }],
  ])("gives the first token the alias of an AgentToken, by %s", async (_, alias, spec) => {
    const { tokens } = await declared(farm({ generation: 2 }, { aliases: [alias] }));
    const aliasesOf = (name: string) => tokens.find((token) => token.name === name)?.aliases;
    expect(aliasesOf("farm-odd")).toContainEqual({
      spec: expect.objectContaining({ type, ...spec }),
      urn: undefined,
    });
    expect(JSON.stringify(aliasesOf("farm-even"))).not.toContain("noparent");
  });

  test("gives the first token an alias that is the URN of an AgentToken, and keeps others", async () => {
    const other = "urn:pulumi:test::test::buildpipeline:index:RotatingAgentToken::old";
    const { tokens } = await declared(farm({}, { aliases: [urn, other] }));
    expect(tokens[0]?.aliases).toContainEqual(expect.objectContaining({ urn }));
    expect(registrations[0]?.aliases).toEqual([expect.objectContaining({ urn: other })]);
  });
});
