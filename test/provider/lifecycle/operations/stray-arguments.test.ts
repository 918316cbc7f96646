import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { kinds } from "../../../../src/provider/for-commands/kinds.js";
import { awkwardNames, awkwardTexts } from "../../../stories/histories/awkward.js";
import type { Backend } from "../../../stories/histories/engine/backend.js";
import { DynamicBackend } from "../../../stories/histories/engine/dynamic-backend.js";
import { PluginBackend } from "../../../stories/histories/engine/plugin-backend.js";
import { cases } from "../../../support/cases.js";
import { Driver, serviceForEach, sessionFor, UNKNOWN } from "../../../support/driver.js";
import { OBEYED, specials } from "../../../support/foreign-text.js";

const service = serviceForEach();

/** Names that no kind has: of an object's prototype, with control characters, and any other. */
const names = fc
  .oneof(fc.constantFrom(...awkwardNames, ...awkwardTexts, ...specials), fc.string({ unit: "grapheme" }))
  .filter((name) => ![...kinds.values()].some(({ outputs }) => Object.hasOwn(outputs, name)));
const values = fc.constantFrom<unknown>("x", 7, UNKNOWN, [UNKNOWN], { a: "b" });
const cluster = { kind: "Cluster", args: { name: "Linux" } };
const team = { kind: "Team", args: { name: "Platform" } };

describe.each<[string, () => Backend]>([
  ["dynamic backend", () => new DynamicBackend(Driver.for(service.emulator))],
  ["plugin", () => new PluginBackend(sessionFor(service.emulator).settings, {})],
])("In a check by the %s,", (_, backend) => {
  test("an argument that doesn't exist is refused, whatever its name and value", async () => {
    const served = backend();
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(cluster, team), names, values, async ({ kind, args }, name, value) => {
        fc.pre(!Object.hasOwn(args, name));
        const given = Object.fromEntries([...Object.entries(args), [name, value]]);
        const { failures } = await served.check({ name: "stray", kind }, {}, given);
        expect(failures.join()).not.toMatch(OBEYED);
        expect(failures).toEqual([expect.stringContaining("there is no such argument.")]);
      }),
      {
        numRuns: cases(200),
        examples: awkwardNames.flatMap((name): [typeof cluster, string, unknown][] => [
          [cluster, name, "x"],
          [team, name, UNKNOWN],
        ]),
      },
    );
  });
});

test("An import ignores nothing because of a name in ignoreChanges that is no argument", async () => {
  await service.driver.create("Cluster", { name: "Linux" });
  await fc.assert(
    fc.asyncProperty(names, async (name) => {
      fc.pre(name !== "*" && !/^(name|description|emoji|color|forceDestroy)\b/.test(name));
      const provider = await service.newRun().kind("Cluster");
      const news = { name: "Linux", import: "Linux", importIgnoreChanges: [name] };
      const { inputs = {}, failures = [] } = await provider.check({}, news);
      expect(failures).toEqual([]);
      expect(Object.keys(inputs).sort()).toEqual(["import", "name", "organization"]);
    }),
    { numRuns: 20, examples: awkwardNames.map((name): [string] => [name]) },
  );
});
