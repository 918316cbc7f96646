// The cache of provided CLIs. An entry appears whole or not at all, so that two runs at once cannot spoil it.
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { onInterrupt } from "../child.mjs";
import { cacheDirectory } from "./release.mjs";

const ABANDONED_AFTER_MS = 24 * 60 * 60 * 1000;
const UNFINISHED = ".unfinished-";

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
  const cache = cacheDirectory();
  mkdirSync(cache, { recursive: true });
  removeAbandoned(cache);
  const unfinished = mkdtempSync(join(cache, UNFINISHED));
  const discard = () => rmSync(unfinished, { recursive: true, force: true });
  const uninterrupted = onInterrupt(discard);
  const directory = join(cache, key);
  try {
    await fill(unfinished);
    try {
      renameSync(unfinished, directory);
    } catch (error) {
      // A directory that is not empty is not replaced: another run was first.
      if (!existsSync(directory)) throw error;
    }
    return directory;
  } finally {
    discard();
    uninterrupted();
  }
}

/** @param {string} cache */
function removeAbandoned(cache) {
  for (const name of readdirSync(cache)) {
    if (!name.startsWith(UNFINISHED)) continue;
    const directory = join(cache, name);
    const modified = statSync(directory, { throwIfNoEntry: false })?.mtimeMs ?? Date.now();
    if (Date.now() - modified > ABANDONED_AFTER_MS) rmSync(directory, { recursive: true, force: true });
  }
}
