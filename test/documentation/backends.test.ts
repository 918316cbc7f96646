import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { CHECKOUT } from "./compiler.js";
import { tableOf } from "./markdown-table.js";

/** A test, by its file below `test` and its title, or the part of it that is not made from a parameter. */
type Shown = readonly [file: string, title: string];

/** What the backends differ in, and the tests that show it: of the dynamic backend, then of the native one. */
const shownBy: Readonly<Record<string, { readonly dynamic: Shown; readonly native: Shown }>> = {
  Languages: {
    dynamic: ["engine/examples.long.test.ts", "%s: up, then no changes"],
    native: ["engine/install.long.test.ts", "from %s: install, preview, up, refresh, import, destroy"],
  },
  Installation: {
    dynamic: [
      "engine/readme.long.test.ts",
      "deploys by the commands that stand there, with nothing set in the environment",
    ],
    native: ["engine/migration.long.test.ts", "crosses to the plugin by a changed import"],
  },
  "`pulumi import`": {
    dynamic: ["engine/adopting.ts", "is imported by reads, and after that nothing changes"],
    native: ["engine/plugin.test.ts", "Every resource type is imported by name"],
  },
  "Option `import`": {
    dynamic: [
      "engine/every-import.long.test.ts",
      "are imported, and never deleted while the option is there",
    ],
    native: ["engine/every-import.long.test.ts", "are imported by the engine, and the option may stay or go"],
  },
  "Preview of an update": {
    dynamic: [
      "engine/plugin.long.test.ts",
      "What is made from a token's secret stays known while its description changes",
    ],
    native: [
      "engine/plugin.long.test.ts",
      "What is made from a token's secret stays known while its description changes",
    ],
  },
  Differences: {
    dynamic: [
      "engine/every-argument.long.test.ts",
      "each is updated or replaced for each argument, as the preview announced",
    ],
    native: [
      "plugin/lifecycle.test.ts",
      "A difference has a line for each property, entry and line that replaces",
    ],
  },
  "A wrong value": {
    dynamic: ["engine/mistakes.long.test.ts", "are reported without secret values"],
    native: ["plugin/lifecycle.test.ts", "A failure names its property, except a secret one"],
  },
  Warnings: {
    dynamic: ["engine/unmanaged-twins.long.test.ts", "warns with its id, age and creator"],
    native: ["plugin/lifecycle.test.ts", "Warnings reach the engine with the resource that they are about"],
  },
  "Waits for the request limit": {
    dynamic: ["client/rate-limits.test.ts", "waits are reported"],
    native: [
      "plugin/engine.test.ts",
      "A cancelled deployment ends its waits at once and writes nothing more",
    ],
  },
  Cancelling: {
    dynamic: ["engine/killed-engine.test.ts", "takes the provider with it"],
    native: ["plugin/engine.test.ts", "A cancelled deployment records what it has already sent"],
  },
  "One object declared twice": {
    dynamic: ["engine/shared-adoption.long.test.ts", "are refused when the first one created it"],
    native: ["plugin/import.test.ts", "Two resources of a program cannot have the same object"],
  },
  "Settings that come from another resource": {
    dynamic: [
      "engine/failures.long.test.ts",
      "settings that come from another resource are unknown at its first preview",
    ],
    native: [
      "engine/failures.long.test.ts",
      "settings that come from another resource are unknown at its first preview",
    ],
  },
  Functions: {
    dynamic: ["lookups/every-lookup.test.ts", "a cluster by its id and by its name is the same"],
    native: ["native/entry.test.ts", "every lookup goes to the engine under its own name, in both forms"],
  },
  "A function that reads an object of this deployment": {
    dynamic: [
      "engine/lookups.long.test.ts",
      "a cluster is renamed: the preview shows what depends on a lookup of it",
    ],
    native: ["plugin/engine.test.ts", "Lookups are functions, which ask once until something is written"],
  },
  "A function that fails": {
    dynamic: ["lookups/errors.test.ts", "none of the name: says what was looked through, and what to do"],
    native: ["plugin/engine.test.ts", "A lookup that fails tells why, and quotes no secret"],
  },
  State: {
    dynamic: ["engine/every-argument.long.test.ts", "at most 200 bytes of provider code in state"],
    native: ["engine/plugin.long.test.ts", "the state is small"],
  },
};

const rows = tableOf(
  readFileSync(join(CHECKOUT, "docs", "native.md"), "utf8"),
  "## What each backend can do",
);

test("The table of what each backend can do has the rows that tests show, each in both backends", () => {
  expect(rows.map((row) => row[""])).toEqual(Object.keys(shownBy));
  for (const row of rows) expect([row.dynamic, row.native]).not.toContain("");
});

test.each(Object.entries(shownBy))(
  "What is said of %s is shown by tests that are there",
  (_, { dynamic, native }) => {
    for (const [file, title] of [dynamic, native])
      expect(readFileSync(join(CHECKOUT, "test", file), "utf8"), file).toContain(title);
  },
);
