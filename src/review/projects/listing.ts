import { relative } from "node:path";
import { namedStack, passphraseOf, stacksWithSettings } from "../../cli/pulumi/project-folder.js";
import { type Project, stackNames } from "../../cli/pulumi/pulumi.js";
import {
  onlyProjects,
  projectsIn,
  type Repository,
  type RepositoryProject,
} from "../../cli/pulumi/repository.js";
import { stateOf } from "../../cli/pulumi/stack-export.js";
import {
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

export interface Selected {
  /** The stacks of all projects, in the order in which they can be deployed. */
  readonly stacks: readonly ListedStack[];
  /** Those that the options and PULUMI_STACK name, as far as a change affects them. */
  readonly wanted: readonly ListedStack[];
  /** The others that these name. */
  readonly left: readonly ListedStack[];
}

/** Lists the stacks of the projects in a folder, and selects those that options and environment name. */
export async function stacksFor(root: string, flags: Selection): Promise<Selected> {
  const repository = await projectsIn(root);
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

/** The files that changed since the commit to compare with; or why that isn't known. */
type Changed = readonly string[] | { readonly unknown: string };
type IsNamed = (stack: ListedStack) => boolean;

/** Lists the stacks, with why a change affects each of them, in the order in which they can be deployed. */
async function listedStacks(
  repository: Repository,
  flags: Selection,
  named: string | undefined,
  isNamed: IsNamed,
): Promise<ListedStack[]> {
  if (flags.affectedBy !== undefined && flags.sinceDeployment)
    throw new Error("Give --affected-by or --since-deployment, not both.");
  const { all, top } = repository;
  const projects = new Map<ListedStack, RepositoryProject>();
  for (const project of repository.projects)
    for (const stack of await stacksOf(project, flags, named)) projects.set(stack, project);
  const stacks = [...projects.keys()];
  // One broken project keeps nobody from the others.
  if (stacks[0]?.problem !== undefined && stacks.every(({ problem }) => problem !== undefined))
    throw new Error(stacks[0].problem);
  // Project `a` with stack `b.c`, and project `a.b` with stack `c`. Some disks take `A` for `a`.
  for (const [one, other] of Map.groupBy(stacks.filter(isWhole), (stack) =>
    resultsOf(stack).toLowerCase(),
  ).values())
    if (one !== undefined && other !== undefined)
      throw new Error(
        `The results of ${one.project}/${one.stack} and ${other.project}/${other.stack} would share the folder ` +
          `${resultsOf(one)}. Rename one of these projects or stacks.`,
      );
  const unknown = all.length > 1 ? await findReads(projects, repository) : new Map<ListedStack, string>();
  const reading = readingOf(stacks);
  const reasonsFor = reasonsIn(repository);
  const changedSince = await comparison(top, flags);
  /** Stacks that were not deployed since what they read changed: it may be deployed while they waited or failed. */
  const behind = new Map<ListedStack, string>();
  const unsure: ListedStack[] = [];
  for (const [stack, project] of projects) {
    progress(`Stacks compared: ${stacks.indexOf(stack)} of ${stacks.length}`);
    const changed = await changedSince({ ...inPulumi(project), stack: stack.stack });
    const reasonOf = reasonsFor(changed);
    stack.affected = reasonOf(project) ?? null;
    const others = all.filter((other) => other !== project && reasonOf(other) !== undefined);
    if (unknown.has(stack) && others.length > 0) unsure.push(stack);
    const read = others.find(({ name }) => reading(project.name).has(name));
    if (read !== undefined) behind.set(stack, read.name);
  }
  return inOrder(stacks, behind, unsure, isNamed);
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
    const own = allStacks ? await stackNames(directory) : stacksWithSettings(directory);
    const names = named === undefined ? own : [named];
    if (names.length === 0 && !allStacks)
      throw new Error(`${folder} names no stack. Set PULUMI_STACK, or commit its Pulumi.<stack>.yaml.`);
    const stacks = names.map((stack) => ({ ...listed, stack, reads: [], after: [] }));
    stacks.map(resultsOf);
    return stacks;
  } catch (error) {
    return [{ ...listed, stack: named ?? "", reads: [], after: [], problem: messageOf(error) }];
  }
}

/** Returns the function that compares a stack with its last deployment, or each with the same commit. */
async function comparison(
  top: string,
  { affectedBy, sinceDeployment, all }: Selection,
): Promise<(project: Project) => Promise<Changed>> {
  const unknown = (why: string): Changed => ({ unknown: why });
  if (sinceDeployment && !all)
    return async (project) =>
      (await changedSinceDeployment(project, top)) ??
      unknown("the commit of its last deployment is not known");
  const changed =
    affectedBy === undefined || all
      ? unknown("all projects were asked for")
      : ((await changedIn(top, affectedBy, "...")) ??
        unknown(affectedBy === "" ? "--affected-by names no commit" : `${affectedBy} is not known here`));
  return async () => changed;
}

/**
 * Finds the projects whose stacks each stack reads: those that its Pulumi.yaml names, and those in its state.
 *
 * @returns the stacks of which this isn't known. A note says why
 */
async function findReads(
  projects: ReadonlyMap<ListedStack, RepositoryProject>,
  { all }: Repository,
): Promise<Map<ListedStack, string>> {
  const unknown = new Map<ListedStack, string>();
  const read = async ({ stack: one, project }: { stack: ListedStack; project: RepositoryProject }) => {
    const state = await stateOf({ ...inPulumi(project), stack: one.stack }).catch(messageOf);
    const { reads, isEmpty } = typeof state === "string" ? { reads: [], isEmpty: true } : state;
    addReads(one, [...(project.reads ?? []), ...reads], all);
    if (isEmpty && project.reads === undefined)
      unknown.set(one, typeof state === "string" ? state : "nothing is deployed");
  };
  const whole = [...projects].flatMap(([stack, project]) => (isWhole(stack) ? [{ stack, project }] : []));
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
function addReads(
  stack: ListedStack,
  found: readonly string[],
  projects: readonly { readonly name: string }[],
): void {
  const names = new Set([...stack.reads, ...found].filter((name) => name !== stack.project));
  stack.reads = projects.flatMap(({ name }) => (names.has(name) ? [name] : []));
}

/** Adds the projects that previews read to a listing. */
export function withReads(
  stacks: readonly ListedStack[],
  found: ReadonlyMap<ListedStack, readonly string[]>,
): ListedStack[] {
  const projects = [...new Set(stacks.map(({ project }) => project))].map((name) => ({ name }));
  for (const [stack, reads] of found) addReads(stack, reads, projects);
  return inOrder(stacks);
}

/**
 * Sets the waves of stacks, and why a change affects those that read what it affects.
 *
 * @param unsure stacks that may read what changed
 */
function inOrder(
  stacks: readonly ListedStack[],
  behind: ReadonlyMap<ListedStack, string> = new Map(),
  unsure: readonly ListedStack[] = [],
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
  const affected = withReaders(stacks.filter((stack) => stack.affected !== null || behind.has(stack)));
  const doubtful = withReaders(unsure);
  for (const stack of ordered) {
    stack.after = sequence.filter((name) => affected.has(name) && stack.reads.includes(name));
    if (stack.after.length > 0) stack.affected ??= `it reads ${stack.after.join(", ")}`;
    else if (behind.has(stack)) stack.affected ??= `it reads ${behind.get(stack)}, which changed`;
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

/** Returns the function that says why changed files affect a project by itself. A file of no project affects all. */
function reasonsIn(repository: Repository) {
  const { all, isLeftOut, folder } = repository;
  const isUsed = usesIn(repository);
  const isShared = (path: string) =>
    homeOf(path, all) === undefined &&
    !/\.md$/i.test(path) &&
    !isLeftOut(path) &&
    !all.some((other) => isUsed(other, path));
  return memoized((changed: Changed) =>
    memoized((project: RepositoryProject): string | undefined => {
      if ("unknown" in changed) return changed.unknown;
      for (const path of changed) {
        const file = relative(folder, path);
        // Git names a submodule, not the files in it.
        if (homeOf(path, all) === project || isWithin(project.directory, path)) return `${file} changed`;
        if (isUsed(project, path)) return `${file} changed, which it uses`;
        if (isShared(path)) return `${file} changed, which no project has for itself`;
      }
      return undefined;
    }),
  );
}
