import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import * as resources from "../../src/resources/index.js";
import type { AnyKind } from "../../src/resources/kind.js";
import { describePackage } from "../../tools/reference/description.js";
import { schemaOf } from "../../tools/reference/schema.js";
import { CHECKOUT } from "./compiler.js";

const kinds = Object.values(resources).map(({ kind }): AnyKind => kind);
const described = describePackage(CHECKOUT, kinds);

/** Files that are made from the code, and what they should have in them. */
const manifest = JSON.parse(readFileSync(join(CHECKOUT, "package.json"), "utf8"));
const made: [string, string][] = [
  ["plugin/schema.json", `${JSON.stringify(schemaOf(described, manifest), undefined, 2)}\n`],
];

test.each(made)("%s is what the code says", (file, text) => {
  const path = join(CHECKOUT, file);
  if (process.env.WRITE_REFERENCE !== undefined) writeFileSync(path, text);
  expect(readFileSync(path, "utf8"), "run `npm run write:reference`").toBe(text);
});
