import { lstatSync, readdirSync, readFileSync, readlinkSync, statSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import { filesBelow, packageJsonIn, type RepositoryProject } from "../../cli/pulumi/project-folder.js";
import { literal } from "../../shared/messages/foreign-text.js";

export interface References {
  /** Files and folders outside of the project, as absolute paths; those of files have no extension. */
  readonly paths: readonly string[];
  readonly projects: readonly string[];
}

/** A relative path: in an import, a package.json, a go.mod or any other text. In quotes it may have blanks. */
const RELATIVE = [
  /(?<![\w./])(?:\.{1,2}\/)+[\p{L}\p{M}\p{N}_@.-][\p{L}\p{M}\p{N}_@./-]*/gu,
  /(?<=["'`])(?:\.{1,2}\/)+[^"'`\n]+/g,
];
/** Larger files are data, such as import.json. */
const LONGEST = 512 * 1024;

/**
 * Reads what projects refer to, by a rule that needs no language's tools. A project uses the packages of the repository
 * that its package.json names, every path in its files that begins with `../`, and what those use in turn. The same goes
 * for the targets of its symbolic links, and for paths into a project inside of it. It reads the stacks of the projects
 * that these files name in quotes or between slashes (`"acme/platform/production"`), if they contain the word
 * `StackReference`. If they contain it and name no project, it may read all of them.
 *
 * @param repository is `root` or above it
 */
export function referencesOf(
  projects: readonly RepositoryProject[],
  root: string,
  repository = root,
): Map<string, References> {
  const packages = packagesIn(root);
  return new Map(
    projects.map((project) => {
      const nested = projects
        .map(({ directory }) => directory)
        .filter((other) => isBelow(other, project.directory));
      const used = new Set<string>();
      const texts: string[] = [];
      const isOutside = (path: string) =>
        isBelow(path, repository) &&
        !isWithin(project.directory, path) &&
        (!isWithin(path, project.directory) || nested.some((other) => isWithin(path, other)));
      const scan = (file: string) => {
        const text = textOf(file);
        texts.push(text);
        const outward = relativePathsIn(file, text).flatMap((path) => [
          resolve(dirname(file), path),
          resolve(project.directory, path),
        ]);
        const own = file.endsWith(`${sep}package.json`)
          ? Object.keys(packageJsonIn(dirname(file))?.dependencies ?? {}).flatMap(
              (name) => packages.get(name) ?? [],
            )
          : [];
        for (const path of [...outward, ...own]) {
          const place = withoutExtension(path);
          if (!isOutside(place) || place.includes(`${sep}node_modules`) || used.has(place)) continue;
          used.add(place);
          for (const one of filesAt(place)) scan(one);
        }
      };
      for (const file of filesBelow(project.directory, nested)) scan(file);
      return [project.name, { paths: [...used], projects: readBy(project, projects, texts) }];
    }),
  );
}

function readBy(
  project: RepositoryProject,
  projects: readonly RepositoryProject[],
  texts: readonly string[],
): string[] {
  if (!texts.some((text) => text.includes("StackReference"))) return [];
  const others = projects.map(({ name }) => name).filter((name) => name !== project.name);
  const named = others.filter((name) => {
    const mention = new RegExp(`["'\`/]${literal(name)}["'\`/]`);
    return texts.some((text) => mention.test(text));
  });
  return named.length === 0 ? others : named;
}

export function isReferredTo(path: string, { paths }: References): boolean {
  return paths.some((used) => isWithin(path, used) || withoutExtension(path) === used);
}

export function isWithin(path: string, folder: string): boolean {
  return path === folder || isBelow(path, folder);
}

function isBelow(path: string, folder: string): boolean {
  return path.startsWith(folder.endsWith(sep) ? folder : `${folder}${sep}`);
}

function relativePathsIn(file: string, text: string): string[] {
  const link = lstatSync(file).isSymbolicLink() ? [readlinkSync(file)] : [];
  return [...link, ...RELATIVE.flatMap((pattern) => text.match(pattern) ?? [])];
}

/** An import names `../tokens` or `../tokens.js` where the file is `tokens.ts`. */
function withoutExtension(path: string): string {
  return path.replace(/\.[cm]?[jt]sx?$/, "");
}

function filesAt(place: string): string[] {
  const folder = dirname(place);
  const inFolder = statSync(folder, { throwIfNoEntry: false })?.isDirectory() ? readdirSync(folder) : [];
  const files = inFolder.map((name) => join(folder, name)).filter((path) => withoutExtension(path) === place);
  return files.flatMap((path) => (lstatSync(path).isDirectory() ? [...filesBelow(path)] : [path]));
}

function packagesIn(root: string): Map<string, string> {
  const manifests = [...filesBelow(root)].filter((file) => file.endsWith(`${sep}package.json`));
  return new Map(
    manifests.flatMap((file) => {
      const { name } = packageJsonIn(dirname(file)) ?? {};
      return name === undefined || relative(root, dirname(file)) === "" ? [] : [[name, dirname(file)]];
    }),
  );
}

function textOf(file: string): string {
  const found = statSync(file, { throwIfNoEntry: false });
  return found?.isFile() && found.size <= LONGEST ? readFileSync(file, "utf8") : "";
}
