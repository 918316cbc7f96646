import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { kinds } from "../../../src/provider/for-commands/kinds.js";
import { CHECKOUT } from "../../support/checkout.js";

type Spec = { readonly outputs: { readonly properties: object } };
const { functions }: { functions: Record<string, Spec> } = JSON.parse(
  readFileSync(join(CHECKOUT, "plugin", "schema.json"), "utf8"),
);

test.each([...kinds.values()].filter(({ behavior }) => behavior.list !== undefined))(
  "The type of a result of get$name has all that the API returns, except secrets, and nothing else",
  ({ name, parent, arguments: args, outputs, onlyRead = {} }) => {
    const returned = Object.entries(args).filter(
      ([, { returnedAs, secret, mayBeLeftOut }]) => returnedAs && !secret && mayBeLeftOut !== "unless stated",
    );
    const known = Object.entries(outputs).filter(([, { secret }]) => !secret);
    const names = [...returned, ...known, ...Object.entries(onlyRead)].map(([field]) => field);
    const fromRequest = parent === undefined ? ["organization"] : ["organization", parent.argument];
    const declared = functions[`buildpipeline:index:get${name}`]?.outputs.properties ?? {};
    const expected = new Set(["id", ...names, ...fromRequest]);
    expect(Object.keys(declared).sort()).toEqual([...expected].sort());
  },
);
