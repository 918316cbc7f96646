import type { AnyKind } from "../../src/provider/for-commands/kinds.js";
import * as resources from "../../src/provider/resources/index.js";
import { describePackage } from "../../tools/generate/description.js";
import { Quickstart } from "../../tools/generate/quickstart.js";
import { CHECKOUT } from "../support/checkout.js";

const kinds = Object.values(resources).map(({ kind }): AnyKind => kind);

/** The package as its source describes it, which takes the compiler seconds: test files of a process share it. */
export const described = describePackage(
  CHECKOUT,
  kinds.sort((a, b) => a.name.localeCompare(b.name)),
);
export const quickstart = new Quickstart(CHECKOUT);
