import { randomUUID } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import * as z from "zod";
import { uninterrupted } from "../../cli/process/interruption.js";
import { startOf } from "../../cli/process/running.js";
import { writing } from "../../cli/terminal/files.js";
import { inside, makeFolders } from "../../shared/process/folders.js";

/** A file that is made, or gets something added. */
export interface FileChange {
  readonly path: string;
  /** Undefined where there is none. */
  readonly before: string | undefined;
  readonly after: string;
}

/** The folder with the files that have no place yet, and the list of their places. Its presence is a promise. */
const WAITING = ".buildpipeline-adopt";
/** The folder of each run before that, with the number of its process. */
const UNFINISHED = /^\.buildpipeline-adopt\.(\d+)\.[-\da-f]+\.tmp$/;
const LIST = "places.json";
const listSchema = z.array(z.object({ path: z.string(), before: z.string().optional() }));
type Listed = z.infer<typeof listSchema>[number];

/**
 * Writes files that belong together. All of them are on the disk in a folder of their own, before they take their places
 * one by one; {@link finishPlacement} does what a killed process left. A signal waits for the end. Nothing is removed but
 * what this run wrote, and what a killed one had not promised.
 *
 * @throws if a file is no longer what it was before: the change would be lost
 */
export async function place(folder: string, files: readonly FileChange[]): Promise<void> {
  if (files.length === 0) return;
  await uninterrupted(async () => placeInside(folder, files));
}

function placeInside(folder: string, files: readonly FileChange[]): void {
  const written = join(folder, `${WAITING}.${process.pid}.${randomUUID()}.tmp`);
  const waiting = join(folder, WAITING);
  const sorted = files.toSorted((one, other) => rank(one) - rank(other));
  const made = makeFolders(folder);
  let isPromised = false;
  try {
    mkdirSync(written);
    for (const [index, { path, after }] of sorted.entries()) {
      made.push(...makeFolders(dirname(inside(folder, path))));
      writing(inside(folder, path), () => writeFileSync(join(written, `${index}`), after));
    }
    const places = sorted.map(({ path, before }): Listed => ({ path, before }));
    writing(join(written, LIST), () => writeFileSync(join(written, LIST), JSON.stringify(places)));
    requireUnchanged(folder, places, written);
    // Fails while another run's files are there.
    renameSync(written, waiting);
    isPromised = true;
    requireUnchanged(folder, places, waiting);
  } catch (error) {
    rmSync(isPromised ? waiting : written, { recursive: true, force: true });
    removeEmpty(made);
    throw existsSync(waiting) ? new Error(unlike(waiting), { cause: error }) : error;
  }
  takePlaces(folder, sorted);
}

/** What refers to other files comes last: without Pulumi.yaml nothing is deployed, and index.ts names the others. */
function rank({ path }: FileChange): number {
  return ["index.ts", "Pulumi.yaml"].indexOf(basename(path));
}

/**
 * Gives the files their places that a killed run left without, so that a folder has all of an adoption or nothing.
 *
 * @returns true if there was something to do
 * @throws if one of these places was changed since, or nothing may be written
 */
export function finishPlacement(folder: string, isDry: boolean): boolean {
  const waiting = join(folder, WAITING);
  const list = join(waiting, LIST);
  if (!existsSync(list)) {
    if (!isDry) removeEmpty([waiting]);
    return false;
  }
  if (isDry)
    throw new Error(`An earlier run of adopt was interrupted in ${folder}. Finish it without --dry-run.`);
  const places = listSchema.parse(JSON.parse(readFileSync(list, "utf8")));
  try {
    requireUnchanged(folder, places, waiting);
  } catch (cause) {
    throw new Error(
      `An earlier run of adopt was interrupted in ${folder}, and a file was changed since. Move the files in ${waiting} ` +
        `to the places in its ${LIST}, numbered from 0, as far as you want them, and remove ${waiting}.`,
      { cause },
    );
  }
  takePlaces(folder, places);
  return true;
}

function takePlaces(folder: string, places: readonly Pick<Listed, "path">[]): void {
  const waiting = join(folder, WAITING);
  for (const [index, { path }] of places.entries()) {
    const file = join(waiting, `${index}`);
    try {
      renameSync(file, inside(folder, path));
    } catch (error) {
      // What is gone has its place, by a killed run or one at the same time.
      if (existsSync(file)) throw error;
    }
  }
  rmSync(join(waiting, LIST), { force: true });
  removeEmpty([waiting]);
  for (const name of readdirSync(folder)) {
    const [, process] = UNFINISHED.exec(name) ?? [];
    if (process === undefined || startOf(Number(process)) !== undefined) continue;
    try {
      rmSync(join(folder, name), { recursive: true, force: true });
    } catch {
      // It stays: all files have their places.
    }
  }
}

/** @throws if a file that is still to be placed would replace another one than it was made for */
function requireUnchanged(folder: string, places: readonly Listed[], written: string): void {
  for (const [index, { path, before }] of places.entries()) {
    const there = inside(folder, path);
    if (existsSync(join(written, `${index}`)) && textOf(there) !== before) throw new Error(unlike(there));
  }
}

function textOf(file: string): string | undefined {
  return existsSync(file) ? readFileSync(file, "utf8") : undefined;
}

function unlike(path: string): string {
  return (
    `Nothing was written, because ${path} isn't what the command read: it changed meanwhile, or its folder is a ` +
    "symbolic link. Run the command again, or put a folder in the place of the link."
  );
}

function removeEmpty(folders: readonly string[]): void {
  for (const folder of folders.toReversed())
    try {
      rmdirSync(folder);
    } catch {
      // Somebody else put something there.
    }
}
