// The cache of provided CLIs. An entry appears whole or not at all, so that two runs at once cannot spoil it.
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { onInterrupt } from "../child.mjs";
import { Problem } from "../problem.mjs";
import { cacheDirectory } from "./release.mjs";

const ABANDONED_AFTER_MS = 24 * 60 * 60 * 1000;
const UNFINISHED = ".unfinished-";

/** The directory of an entry. @param {string} key @returns {string | undefined} Absent when not in the cache. */
export function cached(key) {
  const directory = join(cacheDirectory(), key);
  if (!existsSync(directory)) return undefined;
  requireOutOfReach(directory);
  return directory;
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
  mkdirSync(cache, { recursive: true, mode: 0o700 });
  requireOutOfReach(cache);
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

/**
 * Refuses a directory that another user but root could replace, or any directory that it is in: its commands are run.
 *
 * @param {string} directory
 */
function requireOutOfReach(directory) {
  const own = process.getuid?.();
  // Windows has homes that others can't write to, and no such numbers.
  if (own === undefined) return;
  for (const start of new Set([directory, realpathSync(directory)])) {
    for (let at = start; ; at = dirname(at)) {
      const { uid, gid, mode } = lstatSync(at);
      // A group of the user's own number is the user's private group.
      const open = gid === own ? 0o002 : 0o022;
      // What others put into a directory with the sticky bit can't replace what is there. Links have no permissions.
      const shared = (mode & 0o1000) !== 0 || lstatSync(at).isSymbolicLink();
      if ((uid !== own && uid !== 0) || (!shared && (mode & open) !== 0)) {
        throw new Problem(
          `Other users can change ${at}, and the Pulumi CLI in it would be run. Take their permission away ` +
            "(chmod go-w), or name another directory in XDG_CACHE_HOME.",
        );
      }
      if (dirname(at) === at) break;
    }
  }
}
