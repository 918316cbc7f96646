import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { CLI_RANGE } from "../../src/cli/pulumi/pulumi.js";
import { LEAST_VERSION } from "../../tools/dev/pulumi-cli/release.mjs";
import { CHECKOUT } from "../support/checkout.js";
import { documentAt } from "./documents.js";

const tracked = execFileSync("git", ["ls-files", "-z"], { cwd: CHECKOUT, encoding: "utf8" }).split("\0");
const shipped = tracked.filter((path) =>
  /^(?:(?:examples|templates)\/.*)?Pulumi\.yaml$|^examples\/.*PulumiPolicy\.yaml$|^plugin\/PulumiPlugin\.yaml$/.test(
    path,
  ),
);

test("The CLI's range is that of the page on versions, and of the tests", () => {
  const [, least] = /^\| Pulumi CLI \| (\S+) \|/m.exec(documentAt("docs/explain/versions.md").text) ?? [];
  expect(CLI_RANGE).toBe(`>=${least}.0`);
  expect(CLI_RANGE).toBe(`>=${LEAST_VERSION}`);
  expect(shipped.length).toBeGreaterThan(40);
});

test.each(shipped)("%s tells the CLI which versions it needs", (path) => {
  const { requiredPulumiVersion } = parse(readFileSync(join(CHECKOUT, path), "utf8"));
  expect(requiredPulumiVersion).toBe(CLI_RANGE);
});

test("The first program of the tutorial tells the CLI which versions it needs", () => {
  expect(documentAt("docs/start/get-started.md").text).toContain(`requiredPulumiVersion: "${CLI_RANGE}"`);
});
