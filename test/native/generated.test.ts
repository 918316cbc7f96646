import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ENTITY_RESULTS, entityResults } from "../../tools/entity-results.js";
import { nativeEntry } from "../../tools/native-entry.js";
import { CHECKOUT } from "../documentation/compiler.js";

const generated = { ...nativeEntry(CHECKOUT), [ENTITY_RESULTS]: entityResults(CHECKOUT) };

test.each(Object.entries(generated))("%s is what its source generates", (file, text) => {
  const path = join(CHECKOUT, file);
  if (process.env.WRITE_EXPORTS !== undefined) writeFileSync(path, text);
  expect(readFileSync(path, "utf8"), "run `npm run write:exports`").toBe(text);
});
