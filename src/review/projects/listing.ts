import { relative } from "node:path";
import { namedStack, passphraseOf, stacksWithSettings } from "../../cli/pulumi/project-folder.js";
import { type Project, stackNames } from "../../cli/pulumi/pulumi.js";
import {
  onlyProjects,
  projectsIn,
  type Repository,
  type RepositoryProject,
  remarkOnSkipped,
  sharing,
} from "../../cli/pulumi/repository.js";
import { stateOf } from "../../cli/pulumi/stack-export.js";
import {
  EVERY_PROJECT,
  isWhole,
  type ListedStack,
  listingFile,
  readListing,
  resultsOf,
} from "../../cli/pulumi/stack-listing.js";
import { readJsonAs } from "../../cli/terminal/files.js";
import { note, progress, stackName } from "../../cli/terminal/terminal.js";
import { messageOf } from "../../shared/messages/of-error.js";
import { isWithin } from "../../shared/process/folders.js";
import { changedIn, changedSinceDeployment } from "./changes.js";
import { homeOf, memoized, usesIn } from "./uses.js";

export interface Selection {
  readonly affectedBy?: string | undefined;
  readonly sinceDeployment?: boolean;
  readonly all?: boolean;
  readonly allStacks?: boolean;
  readonly listing?: string | undefined;
  readonly only?: string[];
  readonly stack?: string;
}

/**
 * Lists the stacks of the projects in a folder, in the order in which they can be deployed. Of those that options and
 * environment name, `wanted` are the ones that a change affects, and `left` the others.
 */
export async function stacksFor(root: string, flags: Selection) {
  const repository = await projectsIn(root);
  for (const remark of remarkOnSkipped(repository)) note(remark);
  const named = namedStack(flags.stack);
  if (named !== undefined && flags.allStacks)
    throw new Error(`PULUMI_STACK names ${named}: unset it, or leave --all-stacks out.`);
  const only = flags.only && onlyProjects(repository, flags.only).map(({ folder }) => folder);
  const isNamed = ({ folder, stack, problem }: ListedStack) =>
    (only?.includes(folder) ?? true) && (named === undefined || stack === named || problem !== undefined);
  const stacks =
    flags.listing === undefined
      ? await listedStacks(repository, flags, named, isNamed)
      : await recordedStacks(flags.listing, flags, repository);
  const selected = stacks.filter(isNamed);
  for (const folder of flags.listing === undefined ? [] : (only ?? [undefined])) {
    const missing = [folder, named].filter((name) => name !== undefined).join("/");
    if (missing !== "" && !selected.some((one) => one.folder === (folder ?? one.folder)))
      throw new Error(
        `${missing} is not in ${flags.listing}, so nobody previewed it. In it are ${stacks.map(stackName).join(", ")}.`,
      );
  }
  const isWanted = ({ affected }: ListedStack) => affected !== null;
  return { stacks, wanted: selected.filter(isWanted), left: selected.filter((one) => !isWanted(one)) };
}

async function recordedStacks(
  listing: string,
  { affectedBy, sinceDeployment, all, allStacks }: Selection,
  { projects }: Repository,
): Promise<ListedStack[]> {
  if (affectedBy !== undefined || sinceDeployment || all || allStacks)
    throw new Error(
      "--listing has what an earlier run selected: leave --affected-by, --since-deployment, --all and --all-stacks out.",
    );
  const stacks = await readJsonAs(listingFile(listing), readListing);
  const gone = stacks.find(({ folder }) => !projects.some((project) => project.folder === folder));
  // Error listing-outdated: `projects --listing` has a file from a commit with other projects.
  // Fix: Check out the commit that the plan was made of.
  if (gone !== undefined) throw new Error(`${listing} names ${gone.folder}, which is no project here.`);
  return stacks;
}

type IsNamed = (stack: ListedStack) => boolean;
/** What a stack reads may affect it, though it isn't affected itself. */
interface Hint {
  /** A project that it reads, and that changed since the stack was deployed: that may have waited or failed. */
  readonly behind: string | undefined;
  readonly isUnsure: boolean;
}

/** Lists the stacks, with why a change affects each of them, in the order in which they can be deployed. */
async function listedStacks(
  repository: Repository,
  flags: Selection,
  named: string | undefined,
  isNamed: IsNamed,
): Promise<ListedStack[]> {
  if (flags.affectedBy !== undefined && flags.sinceDeployment)
    throw new Error("Give --affected-by or --since-deployment, not both.");
  const { all } = repository;
  const projects = new Map<ListedStack, RepositoryProject>();
  for (const project of repository.projects)
    for (const stack of await stacksOf(project, flags, named)) projects.set(stack, project);
  const stacks = [...projects.keys()];
  // One broken project keeps nobody from the others.
  if (stacks[0]?.problem !== undefined && stacks.every(({ problem }) => problem !== undefined))
    throw new Error(stacks[0].problem);
  // Project `a` with stack `b.c`, and project `a.b` with stack `c`. Some disks take `A` for `a`.
  for (const [one, other] of sharing(stacks.filter(isWhole), (stack) => resultsOf(stack).toLowerCase()))
    throw new Error(
      `The results of ${one.project}/${one.stack} and ${other.project}/${other.stack} would share the folder ` +
        `${resultsOf(one)}. Rename one of these projects or stacks.`,
    );
  const unknown = all.length > 1 ? await findReads(projects, all) : new Map<ListedStack, string>();
  const reading = readingOf(stacks);
  const reasonsFor = await comparison(repository, flags);
  const hints = new Map<ListedStack, Hint>();
  for (const [stack, project] of projects) {
    progress(`Stacks compared: ${stacks.indexOf(stack)} of ${stacks.length}`);
    const reasonOf = await reasonsFor({ ...inPulumi(project), stack: stack.stack });
    stack.affected = reasonOf(project) ?? null;
    const others = all.filter((other) => other !== project && reasonOf(other) !== undefined);
    const behind = others.find(({ name }) => reading(project.name).has(name))?.name;
    hints.set(stack, { behind, isUnsure: unknown.has(stack) && others.length > 0 });
  }
  return inOrder(stacks, hints, isNamed);
}

/** Returns the stacks of a project, or why there are none. */
async function stacksOf(
  { folder, name, directory, problem }: RepositoryProject,
  { allStacks }: Selection,
  named: string | undefined,
): Promise<ListedStack[]> {
  const listed = { folder, project: name, wave: 1, affected: null };
  try {
    if (problem !== undefined) throw new Error(problem);
    const own = () => (allStacks ? stackNames(directory) : stacksWithSettings(directory));
    const names = named === undefined ? await own() : [named];
    if (names.length === 0 && !allStacks)
      throw new Error(`${folder} names no stack. Set PULUMI_STACK, or commit its Pulumi.<stack>.yaml.`);
    const stacks = names.map((stack) => ({ ...listed, stack, reads: [], after: [] }));
    stacks.map(resultsOf);
    return stacks;
  } catch (error) {
    return [{ ...listed, stack: named ?? "", reads: [], after: [], problem: messageOf(error) }];
  }
}

/** Says why what changed affects a project by itself. Undefined if it doesn't. */
type Reasons = (project: RepositoryProject) => string | undefined;

/** Returns the function that compares a stack with its last deployment, or each with the same commit. */
async function comparison(
  repository: Repository,
  { affectedBy, sinceDeployment, all }: Selection,
): Promise<(stack: Project) => Promise<Reasons>> {
  const { top } = repository;
  const reasonsFor = reasonsIn(repository);
  if (sinceDeployment && !all) {
    const changedSince = memoized((commit: string) => changedIn(top, commit, false));
    return async (stack) =>
      reasonsFor(
        await changedSinceDeployment(stack, changedSince),
        "the commit of its last deployment is not known",
      );
  }
  const same =
    affectedBy === undefined || all
      ? () => EVERY_PROJECT
      : reasonsFor(
          await changedIn(top, affectedBy, true),
          affectedBy === "" ? "--affected-by names no commit" : `${affectedBy} is not known here`,
        );
  return async () => same;
}

/**
 * Finds the projects whose stacks each stack reads: those that its Pulumi.yaml names, and those in its state.
 *
 * @returns the stacks of which this isn't known. A note says why
 */
async function findReads(
  projects: ReadonlyMap<ListedStack, RepositoryProject>,
  all: readonly RepositoryProject[],
): Promise<ReadonlyMap<ListedStack, string>> {
  const names = all.map(({ name }) => name);
  const unknown = new Map<ListedStack, string>();
  const read = async ([stack, project]: readonly [ListedStack, RepositoryProject]) => {
    const state = await stateOf({ ...inPulumi(project), stack: stack.stack }).catch(messageOf);
    const { reads, isEmpty } = typeof state === "string" ? { reads: [], isEmpty: true } : state;
    addReads(stack, [...(project.reads ?? []), ...reads], names);
    if (isEmpty && project.reads === undefined)
      unknown.set(stack, typeof state === "string" ? state : "nothing is deployed");
  };
  const whole = [...projects].filter(([stack]) => isWhole(stack));
  for (let start = 0; start < whole.length; start += READ_TOGETHER)
    await Promise.all(whole.slice(start, start + READ_TOGETHER).map(read));
  const why = [...unknown].map(([stack, reason]) => `${stackName(stack)} (${reason})`);
  const some = [...why.slice(0, 3), ...(why.length > 3 ? [`and ${why.length - 3} more`] : [])].join(", ");
  if (some !== "")
    note(
      `Which projects these stacks read is not known: ${some}. ` +
        "Their Pulumi.yaml can say it, as buildpipeline: { reads: [<project>] }.",
    );
  return unknown;
}

const READ_TOGETHER = 8;

function inPulumi(project: RepositoryProject) {
  return { directory: project.directory, environment: passphraseOf(project) };
}

/** Adds those of the projects that are there. */
function addReads(stack: ListedStack, found: readonly string[], projects: readonly string[]): void {
  const reads = new Set([...stack.reads, ...found]);
  stack.reads = projects.filter((name) => name !== stack.project && reads.has(name));
}

/** Adds the projects that previews read to a listing. */
export function withReads(
  stacks: readonly ListedStack[],
  found: ReadonlyMap<ListedStack, readonly string[]>,
): ListedStack[] {
  const projects = [...new Set(stacks.map(({ project }) => project))];
  for (const [stack, reads] of found) addReads(stack, reads, projects);
  return inOrder(stacks);
}

/** Sets the waves of stacks, and why a change affects those that read what it affects. */
function inOrder(
  stacks: readonly ListedStack[],
  hints: ReadonlyMap<ListedStack, Hint> = new Map(),
  isNamed: IsNamed = () => true,
): ListedStack[] {
  const reading = readingOf(stacks);
  // Projects that read each other are in one wave.
  const waveOf: (name: string) => number = memoized((name) => {
    const before = [...reading(name)].filter((other) => !reading(other).has(name));
    return 1 + Math.max(0, ...before.map(waveOf));
  });
  for (const stack of stacks) stack.wave = waveOf(stack.project);
  const ordered = stacks.toSorted((one, other) => one.wave - other.wave);
  const sequence = [...new Set(ordered.map(({ project }) => project))];
  const withReaders = (read: readonly ListedStack[]) =>
    new Set(sequence.filter((name) => read.some(({ project }) => reading(name).has(project))));
  const behind = (stack: ListedStack) => hints.get(stack)?.behind;
  const affected = withReaders(stacks.filter((stack) => (stack.affected ?? behind(stack)) !== undefined));
  const doubtful = withReaders(stacks.filter((stack) => hints.get(stack)?.isUnsure));
  for (const stack of ordered) {
    stack.after = sequence.filter((name) => affected.has(name) && stack.reads.includes(name));
    if (stack.after.length > 0) stack.affected ??= `it reads ${stack.after.join(", ")}`;
    else if (behind(stack)) stack.affected ??= `it reads ${behind(stack)}, which changed`;
    if (stack.affected !== null || !doubtful.has(stack.project)) continue;
    if (isNamed(stack)) stack.affected = "what it reads is not known, and may have changed";
    else stack.unknown = "not known here, because what it reads is not known";
  }
  return ordered;
}

/** Returns the function that finds a project and those that it reads, through others as well. */
function readingOf(stacks: readonly ListedStack[]): (name: string) => ReadonlySet<string> {
  return memoized((name) => {
    const all = new Set([name]);
    // A set also iterates over what is added meanwhile.
    for (const one of all)
      for (const { project, reads } of stacks) if (project === one) for (const read of reads) all.add(read);
    return all;
  });
}

/** Returns the function that judges changed files, or says why they aren't known. A file of no project affects all. */
function reasonsIn(repository: Repository) {
  const { all, isLeftOut, folder, untracked } = repository;
  const isUsed = usesIn(repository);
  const isShared = (path: string) =>
    homeOf(path, all) === undefined &&
    !/\.md$/i.test(path) &&
    !isLeftOut(path) &&
    !all.some((other) => isUsed(other, path));
  return (changed: readonly string[] | undefined, otherwise: string): Reasons =>
    memoized((project) => {
      if (changed === undefined) return otherwise;
      // A new file of no project is not yet anybody's: commands and jobs leave some.
      for (const [index, path] of [...changed, ...untracked].entries()) {
        const file = relative(folder, path);
        // Git names a submodule, not the files in it.
        if (homeOf(path, all) === project || isWithin(project.directory, path)) return `${file} changed`;
        if (isUsed(project, path)) return `${file} changed, which it uses`;
        if (index < changed.length && isShared(path))
          return `${file} changed, which no project has for itself`;
      }
      return undefined;
    });
}
