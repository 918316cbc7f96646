// The cache of provided CLIs, which every checkout shares. An entry appears whole or not at all, so that two runs at
// once cannot spoil it.
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { cacheDirectory } from "./release.mjs";

/** The directory of an entry. @param {string} key @returns {string | undefined} Absent when not in the cache. */
export function cached(key) {
  const directory = join(cacheDirectory(), key);
  return existsSync(directory) ? directory : undefined;
}

/**
 * Makes an entry of the cache.
 *
 * @param {string} key
 * @param {(directory: string) => void | Promise<void>} fill Fills a new directory; when it throws, nothing is kept.
 * @returns {Promise<string>} The directory of the entry: this one, or the one that another run finished first.
 */
export async function addToCache(key, fill) {
  mkdirSync(cacheDirectory(), { recursive: true, mode: 0o700 });
  const unfinished = mkdtempSync(join(cacheDirectory(), ".unfinished-"));
  const discard = () => rmSync(unfinished, { recursive: true, force: true });
  process.once("exit", discard);
  const directory = join(cacheDirectory(), key);
  try {
    await fill(unfinished);
    renameSync(unfinished, directory);
  } catch (error) {
    // A directory that is not empty is not replaced: another run was first.
    if (!existsSync(directory)) throw error;
  } finally {
    discard();
    process.off("exit", discard);
  }
  return directory;
}
