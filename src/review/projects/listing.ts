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
  const unknown = all.length > 1 ? await findReads(projects, repository) : new Set<ListedStack>();
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
    const read = namesFrom(stack.reads, (name) => readsAmong(stacks, name));
    const first = others.find(({ name }) => read.has(name));
    if (first !== undefined) behind.set(stack, first.name);
  }
  return inOrder(stacks, { behind, unsure, isNamed });
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

const READERS = 8;

/**
 * Finds the projects whose stacks each stack reads: those that its Pulumi.yaml names, and those in its state.
 *
 * @returns the stacks of which this isn't known. A note says why
 */
async function findReads(
  projects: ReadonlyMap<ListedStack, RepositoryProject>,
  { all }: Repository,
): Promise<Set<ListedStack>> {
  const unknown = new Map<ListedStack, string>();
  const queue = [...projects].filter(([stack]) => isWhole(stack));
  const worker = async () => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      const [stack, project] = next;
      const state = await stateOf({ ...inPulumi(project), stack: stack.stack }).catch(messageOf);
      const { reads, isEmpty } = typeof state === "string" ? { reads: [], isEmpty: true } : state;
      addReads(stack, [...(project.reads ?? []), ...reads], all);
      if (isEmpty && project.reads === undefined)
        unknown.set(stack, typeof state === "string" ? state : "nothing is deployed");
    }
  };
  await Promise.all(Array.from({ length: READERS }, worker));
  const [...why] = [...unknown].map(([stack, reason]) => `${stackName(stack)} (${reason})`);
  if (why.length > 0)
    note(
      `Which projects these stacks read is not known: ${why.slice(0, 3).join(", ")}${why.length > 3 ? `, and ${why.length - 3} more` : ""}. ` +
        "Their Pulumi.yaml can say it, as buildpipeline: { reads: [<project>] }.",
    );
  return new Set(unknown.keys());
}

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

interface Doubts {
  readonly behind?: ReadonlyMap<ListedStack, string>;
  /** Stacks that may read what changed. */
  readonly unsure?: readonly ListedStack[];
  readonly isNamed?: IsNamed;
}

/** Sets the waves of stacks, and why a change affects those that read what it affects. */
function inOrder(
  stacks: readonly ListedStack[],
  { behind = new Map(), unsure = [], isNamed = () => true }: Doubts = {},
): ListedStack[] {
  const readBy = memoized((name: string) =>
    namesFrom(readsAmong(stacks, name), (one) => readsAmong(stacks, one)),
  );
  // Projects that read each other are in one wave.
  const waveOf: (name: string) => number = memoized((name) => {
    const before = [...readBy(name)].filter((other) => !readBy(other).has(name));
    return 1 + Math.max(0, ...before.map(waveOf));
  });
  for (const stack of stacks) stack.wave = waveOf(stack.project);
  const ordered = stacks.toSorted((one, other) => one.wave - other.wave);
  const sequence = [...new Set(ordered.map(({ project }) => project))];
  const withReaders = (some: readonly ListedStack[]) => {
    const names = some.map(({ project }) => project);
    return new Set(sequence.filter((name) => names.some((one) => one === name || readBy(name).has(one))));
  };
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

function readsAmong(stacks: readonly ListedStack[], name: string): string[] {
  return stacks.flatMap(({ project, reads }) => (project === name ? reads : []));
}

/** Returns names, those that follow from them, and so on. */
function namesFrom(names: Iterable<string>, next: (name: string) => readonly string[]): Set<string> {
  const all = new Set(names);
  // A set also iterates over what is added meanwhile.
  for (const name of all) for (const following of next(name)) all.add(following);
  return all;
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
