import fc from "fast-check";
import { describe, expect, test } from "vitest";
import * as yaml from "yaml";
import { minimal, serviceForEach } from "../../../support/driver.js";

const service = serviceForEach();

/** The text that a configuration given as an object is sent as. */
async function sent(configuration: unknown): Promise<string> {
  const provider = await service.driver.kind("PipelineTemplate");
  const { inputs = {}, failures } = await provider.check({}, { name: "n", configuration });
  expect(failures ?? []).toEqual([]);
  return String(inputs.configuration);
}

/** Editors on Windows begin files with it. */
const MARK = "\uFEFF";

test.each([
  ["Pipeline", "configuration", "- command: make\r\n"],
  ["PipelineTemplate", "configuration", "- command: make\r\n"],
  ["Suite", "oidcPolicy", "- iss: https://agent.buildkite.com\r\n"],
  ["ClusterSecret", "policy", "- pipeline_slug: shop\r\n"],
])("a list in a file with a byte order mark is YAML: %s.%s", async (kind, argument, list) => {
  const { driver } = service;
  const { id: clusterId } = await driver.create("Cluster", { name: "Linux" });
  const args = { ...minimal(clusterId, "")[kind], [argument]: `${MARK}${list}` };
  const made = await driver.create(kind, args);
  const { props = {}, inputs = {} } = await service.newRun().read(made);
  expect(inputs[argument]).toBe(`${MARK}${list}`);
  expect(await service.newRun().plan({ ...made, outs: props, inputs })).toMatchObject({ changes: false });
  await expect(driver.failures(kind, { ...args, [argument]: `${MARK}${list}- [` })).resolves.toEqual([
    expect.stringContaining("is not valid YAML at line 2"),
  ]);
});

describe("a configuration given as an object", () => {
  const tricky = [
    ..."yes no on off y n 12:30 190:20:30 1_000 0o17 017 0b11 1e3 E+7 ~ null = << 2026-11-21 .inf 0x1F +1 !t &a".split(
      " ",
    ),
    ...["", " ", "a: b", "# c", "- d", "two\nlines", "end\n", "\ttab", "trailing "],
  ];

  test("reads alike for parsers of YAML 1.1 and 1.2, whatever it holds", async () => {
    const key = fc
      .oneof(fc.constantFrom(...tricky, "steps"), fc.string())
      .filter((name) => name !== "__proto__");
    const leaf = fc.oneof(
      fc.constantFrom(...tricky),
      fc.string({ unit: "grapheme" }),
      fc.integer(),
      fc.boolean(),
      fc.constant(null),
    );
    const { value } = fc.letrec<{ value: unknown }>((tie) => ({
      value: fc.oneof(
        { maxDepth: 4 },
        leaf,
        fc.array(tie("value"), { maxLength: 4 }),
        fc.dictionary(key, tie("value"), { maxKeys: 4, noNullPrototype: true }),
      ),
    }));
    const example = (text: string): [unknown[]] => [
      [{ command: text, env: { VALUE: text, [text]: "a key", [`x${text}`]: text } }, text],
    ];
    await fc.assert(
      fc.asyncProperty(fc.array(value, { minLength: 1, maxLength: 4 }), async (steps) => {
        const written = await sent({ steps });
        expect(yaml.parse(written, { version: "1.1", merge: false })).toEqual({ steps });
        expect(yaml.parse(written, { version: "1.2", merge: false })).toEqual({ steps });
      }),
      { numRuns: 300, examples: tricky.map(example) },
    );
  });

  test("folds nothing: a long line stays one line", async () => {
    const command = Array(60).fill("./gradlew check").join(" ");
    const lines = (await sent({ steps: [{ command }] })).split("\n");
    expect(lines.filter((line) => line.includes(command))).toHaveLength(1);
  });
});
