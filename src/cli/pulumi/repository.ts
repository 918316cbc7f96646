import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import { promisify } from "node:util";
import * as z from "zod";
import { oneLine } from "../../shared/messages/foreign-text.js";
import { messageOf } from "../../shared/messages/of-error.js";
import { quoted } from "../../shared/messages/quoted.js";
import { isWithin, repositoryOf } from "../../shared/process/folders.js";
import {
  filesBelow,
  PASSPHRASE,
  passphraseName,
  projectsBelow,
  requireName,
  SETTINGS_FILES,
  settingsIn,
} from "./project-folder.js";

export interface RepositoryProject {
  /** Relative to the folder with all projects: `teams/mobile`, or `.`. */
  readonly folder: string;
  readonly directory: string;
  readonly name: string;
  /** Names of projects whose stacks it reads, as its Pulumi.yaml says. Undefined if it says nothing. */
  readonly reads?: readonly string[] | undefined;
  /** Why nothing can be done for its stacks. */
  readonly problem?: string;
}

export interface Repository {
  /** The folder of all projects. */
  readonly folder: string;
  /** The root of the Git repository. Outside of one, the folder with all projects. */
  readonly top: string;
  /** The projects in a folder and below it, in the order of their folders. */
  readonly projects: readonly RepositoryProject[];
  /** Those in the rest of the repository as well. */
  readonly all: readonly RepositoryProject[];
  /** Folders that have projects of which nothing is known here, with the reason. */
  readonly skipped: readonly string[];
  /** Paths of the files that Git tracks. */
  readonly tracked: readonly string[];
  /** Of those that it neither tracks nor ignores. */
  readonly untracked: readonly string[];
  readonly isLeftOut: (path: string) => boolean;
}

/** In the root of a repository. It names folders without projects, in the syntax of .gitignore. */
const IGNORE_FILE = ".buildpipelineignore";

/** Git's own variables would lead to another repository than that of the folder. */
const GIT_ENVIRONMENT = { GIT_DIR: undefined, GIT_WORK_TREE: undefined, GIT_INDEX_FILE: undefined };

/** Returns what Git prints. @throws with its reason */
export async function git(folder: string, args: readonly string[]): Promise<string> {
  const env = { ...process.env, ...GIT_ENVIRONMENT };
  return (await promisify(execFile)("git", args, { cwd: folder, env, maxBuffer: 2 ** 30 })).stdout;
}

/**
 * Reads the projects of a repository, without what Git ignores, unless it ignores the folder itself.
 * @throws if there are none in the folder, or Git refuses
 */
export async function readRepository(folder: string): Promise<Repository> {
  const top = repositoryOf(folder);
  const { tracked, untracked, leftOut } =
    top === undefined
      ? { tracked: [], untracked: [...filesBelow(folder)], leftOut: [] }
      : await filesIn(top, folder);
  const isLeftOut = (path: string) => leftOut.some((one) => isWithin(path, one));
  const isHidden = (path: string) =>
    /(?:^|[\\/])(?:node_modules[\\/]|\.[^\\/])/.test(
      relative(isWithin(path, folder) ? folder : (top ?? folder), path),
    );
  const isMeant = (path: string) => !isHidden(path) && !isLeftOut(path);
  const files = [...tracked, ...untracked].filter((path) => SETTINGS_FILES.includes(basename(path)));
  const [found = [], absent = []] = [true, false].map((isThere) =>
    files.filter((path) => isMeant(path) && existsSync(path) === isThere),
  );
  const directories = [...new Set(found.map((path) => dirname(path)))].sort();
  // Git lists a repository in this one by its folder alone.
  const embedded = untracked.filter((path) => path.endsWith(sep) && isMeant(path)).flatMap(projectsBelow);
  const skipped = { "isn't checked out": absent.map(dirname), "is in a Git repository of its own": embedded };
  const all = knowingEachOther(directories.flatMap((directory) => projectIn(directory, folder) ?? []));
  const projects = all.filter(({ directory }) => isWithin(directory, folder));
  if (projects.length === 0)
    throw new Error(
      `${folder} and its folders have no Pulumi project. What Git ignores and ${IGNORE_FILE} names is left out.`,
    );
  return {
    folder,
    top: top ?? folder,
    projects,
    all,
    tracked,
    isLeftOut,
    untracked: untracked.filter(isMeant),
    skipped: Object.entries(skipped).flatMap(([why, places]) =>
      [...new Set(places)]
        .filter((place) => isWithin(place, folder) && !directories.includes(place))
        .map((place) => `${relative(folder, place).replaceAll(sep, "/") || "."} (${why})`),
    ),
  };
}

/** Returns a sentence about projects that are left out, if there are some. */
export function remarkOnSkipped({ skipped }: Repository): string[] {
  // Warning project-skipped: A project isn't in the work tree, as after a sparse checkout, or it is in a repository inside
  // this one that is no submodule. No command reads it, so nobody knows what its stacks own.
  // Fix: Check it out, make it a submodule, or name it in `.buildpipelineignore`.
  return skipped.length === 0
    ? []
    : [`Projects that are left out: ${skipped.join(", ")}. Nothing is known of their stacks.`];
}

/** As {@link readRepository} does. @throws also where two projects have one name or one passphrase */
export async function projectsIn(folder: string): Promise<Repository> {
  const repository = await readRepository(folder);
  const whole = repository.projects.filter(({ problem }) => problem === undefined);
  for (const [one, other] of sharing(whole, ({ name }) => name))
    throw new Error(
      `${one.folder} and ${other.folder} are both called ${one.name} in their Pulumi.yaml, so they have the same stacks. ` +
        `Rename one of them, or name its folder in ${IGNORE_FILE}.`,
    );
  const own = repository.projects.filter((project) => process.env[passphraseName(project)] !== undefined);
  for (const [one, other] of sharing(own, passphraseName))
    throw new Error(
      `${one.folder} and ${other.folder} would share ${passphraseName(one)}. Rename one of these folders, or unset it and ` +
        `set ${PASSPHRASE} for both.`,
    );
  return repository;
}

/** Returns the projects in the folders that an option names; all without the option. @throws for a folder of none */
export function onlyProjects(
  { projects, folder }: Repository,
  only?: readonly string[],
): readonly RepositoryProject[] {
  if (only === undefined) return projects;
  return only.map((name) => {
    const found = projects.find(({ directory }) => directory === resolve(folder, name));
    if (found !== undefined) return found;
    throw new Error(
      `--only: ${name} is no project. The projects are ${projects.map((one) => one.folder).join(", ")}.`,
    );
  });
}

/**
 * Lists files by absolute paths. A name that isn't UTF-8 becomes a path that doesn't exist. Who starts a command in a folder
 * that Git ignores means what is in it.
 */
async function filesIn(top: string, folder: string) {
  const list = async (...args: readonly string[]) => {
    try {
      const printed = await git(top, ["ls-files", "-z", ...args]);
      return printed.split("\0").filter((line) => line !== "");
    } catch (error) {
      const isMissing = Object(error).code === "ENOENT";
      const why = isMissing ? "it is not on the PATH. Install it." : oneLine(messageOf(error));
      throw new Error(`Git can't list the files of ${top}: ${why}`);
    }
  };
  const ignoring = ["--cached", "--others", "--ignored", "--exclude-from", IGNORE_FILE];
  const isIgnored =
    folder !== top &&
    git(folder, ["check-ignore", "--quiet", "."]).then(
      () => true,
      () => false,
    );
  const [marked, leftOut] = await Promise.all([
    list("-t", "--cached", "--others", "--exclude-standard"),
    existsSync(join(top, IGNORE_FILE)) ? list(...ignoring) : [],
  ]);
  const named = (isUntracked: boolean) =>
    marked.flatMap((line) => (line.startsWith("? ") === isUntracked ? line.slice(2) : []));
  // With untracked files, Git lists none of a submodule.
  const own = named(false);
  const tracked = own.includes(".gitmodules") ? await list("--cached", "--recurse-submodules") : own;
  const paths = (names: readonly string[]) => names.map((name) => join(top, name));
  return {
    tracked: paths(tracked),
    untracked: [...paths(named(true)), ...((await isIgnored) ? filesBelow(folder) : [])],
    leftOut: paths(leftOut),
  };
}

const ownSchema = z.strictObject({ reads: z.array(z.string()) }).optional();

/** Undefined for the template of a project, which `pulumi new` fills in. */
function projectIn(directory: string, root: string): RepositoryProject | undefined {
  const folder = relative(root, directory).replaceAll(sep, "/") || ".";
  try {
    const { name = "", buildpipeline } = settingsIn(directory) ?? {};
    if (name.includes("${")) return undefined;
    requireName(folder, name);
    const own = ownSchema.safeParse(buildpipeline);
    if (!own.success)
      throw new Error(
        `${folder}: buildpipeline in Pulumi.yaml takes { reads: [<name of a project>, …] } and nothing else.`,
      );
    return { folder, directory, name, reads: own.data?.reads };
  } catch (error) {
    const problem = messageOf(error).replace(directory, () => folder);
    return { folder, directory, name: folder, problem };
  }
}

/** Finds projects that read one that isn't there. */
function knowingEachOther(projects: readonly RepositoryProject[]): RepositoryProject[] {
  const names = projects.map(({ name }) => name);
  return projects.map((project) => {
    const missing = project.reads?.find((name) => !names.includes(name));
    if (missing === undefined) return project;
    const problem = `${project.folder}: Pulumi.yaml says that it reads ${quoted(missing)}, which is no project here. The projects are ${names.join(", ")}.`;
    return { ...project, problem };
  });
}

/** Returns the first two of the projects or stacks that have the same of something. */
export function sharing<One>(all: readonly One[], keyOf: (one: One) => string) {
  return [...Map.groupBy(all, keyOf).values()].flatMap(([one, other]) =>
    one === undefined || other === undefined ? [] : [[one, other] as const],
  );
}
