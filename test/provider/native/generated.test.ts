import { join } from "node:path";
import { expect, test } from "vitest";
import { generatedExports } from "../../../tools/generate/exports.js";
import { CHECKOUT } from "../../support/checkout.js";

test.each(Object.entries(generatedExports(CHECKOUT)))(
  "%s is what its source generates",
  async (file, text) => {
    await expect(text, "run `npm run generate`").toMatchFileSnapshot(join(CHECKOUT, file));
  },
);
