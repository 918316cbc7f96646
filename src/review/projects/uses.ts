import { lstatSync, readFileSync, readlinkSync } from "node:fs";
import { basename, dirname, resolve } from "node:path";
import { packageJsonIn } from "../../cli/pulumi/project-folder.js";
import type { Repository, RepositoryProject } from "../../cli/pulumi/repository.js";
import { isWithin } from "../../shared/process/folders.js";

/** A relative path: in an import, a package.json, a go.mod or any other text. In quotes it may have blanks. */
const RELATIVE = [
  /(?<![\w./])(?:\.{1,2}\/)+[\p{L}\p{M}\p{N}_@.-][\p{L}\p{M}\p{N}_@./-]*/gu,
  /(?<=["'`])(?:\.{1,2}\/)+[^"'`\n]+/g,
];
/** One behind another folder, such as a variable: `${here}/../b/lib.ts`. The lengths are bounded, because texts are foreign. */
const INNER = [
  /(?<=[^.]\/)(?:\.\.\/){1,30}[\p{L}\p{M}\p{N}_@.-][\p{L}\p{M}\p{N}_@./-]*/gu,
  /(?<=[^.]\/)(?:\.\.\/){1,30}[^"'`\n]+/g,
];
/** Texts that a program joins: `join(here, "..", "b", "lib.ts")`. */
const JOINED = /(?<=["'`])(?:\.\.\/){0,30}\.\.\/?["'`](?:\s{0,99}[,+/]\s{0,99}["'`][^"'`\n]+["'`])+/g;
/** Larger files are data, such as import.json. */
const LONGEST = 512 * 1024;

/** Returns the innermost of the projects that a path is in. They are in the order of their directories. */
export function homeOf(path: string, projects: readonly RepositoryProject[]): RepositoryProject | undefined {
  return projects.findLast(({ directory }) => isWithin(path, directory));
}

/**
 * Returns the function that says whether a project uses a file elsewhere. That is in a package of the repository that its
 * package.json names, at the target of a symbolic link, or at a path in one of its files. It reads only what Git tracks, also
 * through one of these. Paths in texts are compared and never opened, so that a text which looks like one does no harm.
 */
export function usesIn({
  tracked,
  all,
  top,
}: Repository): (project: RepositoryProject, path: string) => boolean {
  const own = Map.groupBy(tracked, (file) => homeOf(file, all));
  const packages = new Map<string, string>();
  /** A place and the folders that it is in. */
  const upwards = (place: string): string[] =>
    isWithin(place, top) && place !== top ? [place, ...upwards(dirname(place))] : [];
  for (const file of tracked) {
    const folder = dirname(file);
    const name = basename(file) === "package.json" && folder !== top && packageJsonIn(folder)?.name;
    if (name) packages.set(name, folder);
  }
  const placed = tracked.flatMap((file) => upwards(withoutExtension(file)).map((place) => ({ place, file })));
  const filesAt = Map.groupBy(placed, ({ place }) => place);
  const filesOf = (place: string): readonly string[] => {
    const there = upwards(place).find((path) => filesAt.has(path)) ?? top;
    const files = (filesAt.get(there) ?? []).map(({ file }) => file);
    // A path that goes on behind a file leads through a symbolic link.
    return there === place || files[0] === there ? files : [];
  };
  const mentioned = memoized((file: string) => mentionsIn(file, packages));
  const placesOf = memoized((project: RepositoryProject) => {
    const places = new Set<string>();
    const files = [...(own.get(project) ?? [])];
    for (const file of files)
      for (const base of [dirname(file), project.directory])
        for (const path of mentioned(file)) {
          const place = withoutExtension(resolve(base, path));
          const isOwn = homeOf(place, all) === project || isWithin(project.directory, place);
          if (isOwn || places.has(place) || !isWithin(place, top)) continue;
          places.add(place);
          files.push(...filesOf(place));
        }
    return places;
  });
  return (project, path) =>
    [...placesOf(project)].some(
      // Git names a submodule, not the files in it.
      (place) => isWithin(path, place) || isWithin(place, path) || withoutExtension(path) === place,
    );
}

/** Returns the paths that a file contains, and the folders of packages that it names. None of a binary file. */
function mentionsIn(file: string, packages: ReadonlyMap<string, string>): readonly string[] {
  try {
    const found = lstatSync(file);
    if (found.isSymbolicLink()) return [readlinkSync(file)];
    const text = found.isFile() && found.size <= LONGEST ? readFileSync(file, "utf8") : "";
    if (text.includes("\0")) return [];
    const names = basename(file) === "package.json" ? packageJsonIn(dirname(file))?.dependencies : {};
    const joined = text.match(JOINED) ?? [];
    const inner = [
      ...INNER.flatMap((pattern) => text.match(pattern) ?? []),
      ...joined.map((path) => path.slice(0, -1).replace(/["'`]\s*[,+/]\s*["'`]/g, "/")),
    ];
    return [
      ...RELATIVE.flatMap((pattern) => text.match(pattern) ?? []),
      ...inner.flatMap(withShorter),
      ...Object.keys(names ?? {}).flatMap((name) => packages.get(name) ?? []),
    ];
  } catch {
    // It isn't there, or nobody may read it.
    return [];
  }
}

/** Of `a/../../b`, all of `../../b` and `../b`: what is before it may be in any folder above. */
function withShorter(path: string): string[] {
  return path.startsWith("../") ? [path, ...withShorter(path.slice(3))] : [];
}

/** An import names `../tokens` or `../tokens.js` where the file is `tokens.ts`. */
function withoutExtension(path: string): string {
  return path.replace(/\.[cm]?[jt]sx?$/, "");
}

export function memoized<Key, Value>(make: (key: Key) => Value): (key: Key) => Value {
  const known = new Map<Key, { readonly value: Value }>();
  return (key) => {
    const found = known.get(key) ?? { value: make(key) };
    known.set(key, found);
    return found.value;
  };
}
