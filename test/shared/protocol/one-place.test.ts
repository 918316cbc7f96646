import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { CHECKOUT } from "../../support/checkout.js";

/** Lines of code, without comments, that match a pattern, outside the folder of the protocol. */
function linesWith(pattern: RegExp): string[] {
  return readdirSync(join(CHECKOUT, "src"), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts") && !file.startsWith(join("shared", "protocol", "")))
    .flatMap((file) =>
      readFileSync(join(CHECKOUT, "src", file), "utf8")
        .split("\n")
        .filter((line) => !/^\s*(?:\/?\*|\/\/)/.test(line) && pattern.test(line))
        .map((line) => `${file}: ${line.trim()}`),
    );
}

test("Internal property names stand in the protocol's folder only", () => {
  // Python has such names as well, and a class of Pulumi's says its type.
  expect(linesWith(/["'`.]__(?!main__\.py|pycache__|pulumiType)[A-Za-z]/)).toEqual([]);
});

test("Encodings of secret and unknown values stand in the protocol's folder only", () => {
  expect(linesWith(/4dabf18193072939|1b47061264138c4a|04da6b54-80e4/)).toEqual([]);
});

test("Type tokens and URNs are read in the protocol's folder only", () => {
  // A class says its type as a literal, by which the compiler tells it from others.
  expect(
    linesWith(/(?<!__pulumiType = ")pulumi-nodejs:dynamic|buildpipeline:index:|split\("::"\)|split\("\$"\)/),
  ).toEqual([]);
});
