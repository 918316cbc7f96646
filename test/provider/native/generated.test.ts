import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { generatedExports } from "../../../tools/exports.js";
import { CHECKOUT } from "../../examples/compiler.js";

test.each(Object.entries(generatedExports(CHECKOUT)))("%s is what its source generates", (file, text) => {
  const path = join(CHECKOUT, file);
  if (process.env.WRITE_EXPORTS !== undefined) writeFileSync(path, text);
  expect(readFileSync(path, "utf8"), "run `npm run write:exports`").toBe(text);
});
