import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { addToCache, cached } from "../../tools/pulumi-cli/cache.mjs";

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "cache-"));
  vi.stubEnv("XDG_CACHE_HOME", home);
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(home, { recursive: true });
});

test("an entry that only this user can change is found again", async () => {
  expect(cached("pulumi")).toBeUndefined();
  const directory = await addToCache("pulumi", () => {});
  expect(cached("pulumi")).toBe(directory);
});

test.each([
  ["the entry", ["pulumi-buildpipeline", "pulumi"]],
  ["the cache", ["pulumi-buildpipeline"]],
  ["a directory above it", []],
])("an entry is refused if others can write to %s", async (_, path) => {
  await addToCache("pulumi", () => {});
  chmodSync(join(home, ...path), 0o777);
  expect(() => cached("pulumi")).toThrow(`Other users can change ${join(home, ...path)}`);
});

test("nothing is put where others can write to", async () => {
  mkdirSync(join(home, "pulumi-buildpipeline"));
  chmodSync(home, 0o777);
  await expect(addToCache("pulumi", () => {})).rejects.toThrow("XDG_CACHE_HOME");
});

test.skipIf(process.getuid?.() !== 0)("an entry in a directory of another user is refused", async () => {
  await addToCache("pulumi", () => {});
  chownSync(join(home, "pulumi-buildpipeline"), 12_345, 12_345);
  expect(() => cached("pulumi")).toThrow("Other users can change");
});
