import * as pulumi from "@pulumi/pulumi";
import fc from "fast-check";
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { AgentToken, type AgentTokenArgs, Cluster, PipelineTemplate } from "../../../src/index.js";
import { startNotingEngine } from "./registrations.js";

const clusterId = "0190f1c4-7d51-4b0e-9d5c-2f6a5a1c9b10";

class Version {
  readonly major = 1;
}

/** Values that state has no form for, and the words about each. */
const LOST: readonly (readonly [value: unknown, says: string])[] = [
  [new Date(0), "is a Date, which has no form in Pulumi's state. Write it as text: date.toISOString()."],
  [new Map([["a", 1]]), "is a Map, which has no form in Pulumi's state. Write a plain map: "],
  [new Set(["a"]), "is a Set, which has no form in Pulumi's state. Write a list: [...set]."],
  [
    new URL("https://acme.test"),
    "is a URL, which has no form in Pulumi's state. Write it as text: url.href.",
  ],
  [/x/, "is a RegExp, which has no form in Pulumi's state. Write it as text: pattern.source."],
  [Buffer.from("x"), "is a Uint8Array, which has no form in Pulumi's state. Write it as text: buffer"],
  [7n, "is a bigint, which has no form in Pulumi's state. Write it as text: String(value)."],
  [Symbol("s"), "is a symbol, which has no form in Pulumi's state. Write it as text: symbol.description."],
  [() => 1, "is a function, which has no form in Pulumi's state. Write the value that it returns."],
  [Number.NaN, "is NaN, which has no form in Pulumi's state. Write it as text: String(value)."],
  [new Version(), "is an object of the class Version, and state has plain maps only. Write a plain map: "],
  [
    new pulumi.asset.StringAsset("x"),
    "is an asset or archive, which only Pulumi's own types take. Write the ",
  ],
  [
    `v${pulumi.output(1)}`,
    "has what a template string makes of an Output, and not its value. Write pulumi.interpolate`…`.",
  ],
  [
    JSON.stringify({ v: pulumi.output(1) }),
    "has what JSON.stringify makes of an Output, and not its value. Write pulumi",
  ],
  ["a\ud83d", "has half a character after 1 whole ones. Cut a text between characters: "],
];

beforeEach(async () => {
  await startNotingEngine({ newResource: ({ name }) => ({ id: name, state: {} }), call: () => ({}) });
});

const token = (triggers: AgentTokenArgs["triggers"], options?: pulumi.CustomResourceOptions) =>
  new AgentToken("farm", { clusterId, description: "Farm", triggers }, options);

describe.each(LOST)("%o", (value, says) => {
  test("is refused in triggers, in which nobody would see its change, with its place and the way to write it", () => {
    const place = 'AgentToken.triggers.by["a b"][1]';
    expect(() => token({ by: { "a b": [0, value] } })).toThrow(`"farm": ${place}: ${says}`);
  });

  test("is refused in a template's configuration", () => {
    const declare = () =>
      new PipelineTemplate("node", {
        name: "Node",
        configuration: { steps: [{ command: "make", env: { VERSION: value } }] },
      });
    expect(declare).toThrow(`PipelineTemplate.configuration.steps[0].env.VERSION: ${says}`);
  });

  test("is refused beside an output, for which the constructor has to wait", () => {
    const triggers = { id: pulumi.output("x"), by: value };
    expect(() => token(triggers)).toThrow(`AgentToken.triggers.by: ${says}`);
  });

  test("is refused where a change is ignored, or a transform comes later", () => {
    expect(() => token({ by: value }, { ignoreChanges: ["triggers"] })).toThrow(says);
    const transformations = [() => undefined];
    expect(() => token({ by: value }, { transformations })).toThrow(says);
  });
});

test("A value that comes in an output is refused when it is known", async () => {
  // Each output of the resource is rejected, and the CLI prints them as one.
  const listeners = process.rawListeners("unhandledRejection") as NodeJS.UnhandledRejectionListener[];
  const rejected: unknown[] = [];
  process.removeAllListeners("unhandledRejection").on("unhandledRejection", (error) => rejected.push(error));
  onTestFinished(() => {
    process.removeAllListeners("unhandledRejection");
    for (const listener of listeners) process.on("unhandledRejection", listener);
  });
  token(pulumi.output("x").apply(() => ({ by: new Date(0) })));
  await expect.poll(() => rejected).not.toEqual([]);
  await new Promise((resolve) => setImmediate(resolve));
  expect(new Set(rejected.map(String))).toEqual(
    new Set([expect.stringContaining("AgentToken.triggers.by: is a Date, which has no form")]),
  );
});

test("A map that contains itself is refused and not followed for ever", () => {
  const triggers: Record<string, unknown> = {};
  triggers.own = { again: triggers };
  expect(() => token(triggers)).toThrow("AgentToken.triggers.own.again: contains itself. Write a copy");
});

test("Half a character is named with its property in each text", () => {
  expect(() => new Cluster("linux", { name: "Linux \ud83d" })).toThrow(
    '"linux": Cluster.name: has half a character after 6 whole ones. Cut a text between characters: ',
  );
  expect(() => token({ "\udc00": 1 })).toThrow("has half a character after 0 whole ones");
});

test("A resource whose name was made of an Output is refused", () => {
  expect(() => new Cluster(`${pulumi.output("linux")}-b`, { name: "Linux" })).toThrow(
    "Cluster: the resource's name has what a template string makes of an Output, and not its value. A name is plain text",
  );
});

test("Everything that JSON has passes, whoever made the map", () => {
  const made = fc.oneof(
    fc.jsonValue({ noUnicodeString: false }),
    fc.dictionary(
      fc.string({ unit: "grapheme" }),
      fc.option(fc.double({ noNaN: true, noDefaultInfinity: true })),
    ),
    fc.constant(Object.assign(Object.create(null), { a: undefined })),
  );
  fc.assert(
    fc.property(made, (value) => {
      expect(() => token({ value, again: [value, value] })).not.toThrow();
    }),
  );
});
