import { relative } from "node:path";
import { projectsIn, type RepositoryProject, stacksNamedIn } from "../../cli/pulumi/project-folder.js";
import { stackNames } from "../../cli/pulumi/pulumi.js";
import { type ListedStack, readListing, resultsOf } from "../../cli/pulumi/stack-listing.js";
import { readJson } from "../../cli/terminal/files.js";
import { progress } from "../../cli/terminal/terminal.js";
import { repositoryOf } from "../../shared/process/folders.js";
import { changedIn, changedSinceDeployment } from "./changes.js";
import { isReferredTo, isWithin, type References, referencesOf } from "./references.js";

export interface Selection {
  readonly affectedBy?: string | undefined;
  readonly sinceDeployment?: boolean;
  readonly all?: boolean;
  readonly allStacks?: boolean;
  readonly listing?: string | undefined;
  readonly only?: string[];
  readonly stack?: string;
}

/** Lists the stacks of the projects in a folder. `wanted` are those that a change affects, of the projects of `only`. */
export async function stacksFor(
  root: string,
  flags: Selection,
): Promise<{ readonly stacks: readonly ListedStack[]; readonly wanted: readonly ListedStack[] }> {
  const projects = projectsIn(root);
  for (const folder of flags.only ?? [])
    if (!projects.some((project) => project.folder === folder))
      throw new Error(
        `--only: ${folder} is no project. The projects are ${projects.map((one) => one.folder).join(", ")}.`,
      );
  const isWanted = ({ folder, affected }: ListedStack) =>
    affected !== null && (flags.only?.includes(folder) ?? true);
  if (flags.listing !== undefined) {
    const stacks = readListing(await readJson(flags.listing));
    const gone = stacks.find(({ folder }) => !projects.some((project) => project.folder === folder));
    if (gone !== undefined)
      throw new Error(`${flags.listing} names ${gone.folder}, which is no project here.`);
    return { stacks, wanted: stacks.filter(isWanted) };
  }
  const repository = repositoryOf(root) ?? root;
  const compared = await comparedStacks(projects, repository, flags);
  const stacks = listingOf(compared, referencesOf(projects, root, repository), root);
  return { stacks, wanted: stacks.filter(isWanted) };
}

async function comparedStacks(
  projects: readonly RepositoryProject[],
  repository: string,
  { affectedBy, sinceDeployment, all, allStacks, stack: named }: Selection,
): Promise<Compared[]> {
  if (affectedBy !== undefined && sinceDeployment)
    throw new Error("Give --affected-by or --since-deployment, not both.");
  const stacks: Pick<Compared, "project" | "stack">[] = [];
  for (const project of projects) {
    const names = allStacks ? await stackNames(project.directory) : stacksNamedIn(project.directory, named);
    if (names.length === 0 && !allStacks)
      throw new Error(
        `${project.folder} names no stack. Set PULUMI_STACK, or commit its Pulumi.<stack>.yaml.`,
      );
    stacks.push(...names.map((stack) => ({ project, stack })));
  }
  if (sinceDeployment && !all) {
    const unknown = "the commit of its last deployment is not known";
    const compared: Compared[] = [];
    for (const { project, stack } of stacks) {
      progress(`Deployments read: ${compared.length} of ${stacks.length}`);
      const { directory } = project;
      const changed = (await changedSinceDeployment({ directory, stack }, repository)) ?? { unknown };
      compared.push({ project, stack, changed });
    }
    return compared;
  }
  const changed =
    affectedBy === undefined || all
      ? { unknown: "all projects were asked for" }
      : ((await changedIn(repository, affectedBy, "...")) ?? {
          unknown: affectedBy === "" ? "--affected-by names no commit" : `${affectedBy} is not known here`,
        });
  return stacks.map((one) => ({ ...one, changed }));
}

/** A stack, and the files that changed since the commit to compare it with; or why that isn't known. */
interface Compared {
  readonly project: RepositoryProject;
  readonly stack: string;
  readonly changed: readonly string[] | { readonly unknown: string };
}

/** Says of each stack whether a change affects it and why, in the order in which they can be deployed. */
function listingOf(
  compared: readonly Compared[],
  references: ReadonlyMap<string, References>,
  root: string,
): ListedStack[] {
  const projects = [...new Set(compared.map(({ project }) => project))];
  const readsOf = (name: string) => references.get(name)?.projects ?? [];
  const names = projects.map(({ name }) => name);
  const waves = wavesOf(names, readsOf);
  const reasonOf = (project: RepositoryProject, changed: Compared["changed"]) =>
    ownReason(project, changed, projects, references, root);
  /** Stacks that were not deployed since what they read changed: it may be deployed while they waited or failed. */
  const behind = new Map<ListedStack, string>();
  const listed = compared.map((one) => {
    const { folder, name } = one.project;
    const stack: ListedStack = {
      folder,
      project: name,
      stack: one.stack,
      wave: 1 + waves.findIndex((wave) => wave.includes(name)),
      reads: [...readsOf(name)],
      affected: reasonOf(one.project, one.changed) ?? null,
      after: [],
    };
    const read = [...namesFrom(readsOf(name), readsOf)].find((read) =>
      projects.some((project) => project.name === read && reasonOf(project, one.changed) !== undefined),
    );
    if (read !== undefined) behind.set(stack, read);
    return stack;
  });
  // Project `a` with stack `b.c`, and project `a.b` with stack `c`. Some disks take `A` for `a`.
  for (const [one, other] of Map.groupBy(listed, (stack) => resultsOf(stack).toLowerCase()).values())
    if (one !== undefined && other !== undefined)
      throw new Error(
        `The results of ${one.project}/${one.stack} and ${other.project}/${other.stack} would share the folder ` +
          `${resultsOf(one)}. Rename one of these projects or stacks.`,
      );
  const ordered = listed.sort((one, other) => one.wave - other.wave);
  const changed = new Set(
    ordered.flatMap((stack) => (stack.affected === null && !behind.has(stack) ? [] : [stack.project])),
  );
  const affected = namesFrom(changed, (name) =>
    projects.flatMap((other) => (readsOf(other.name).includes(name) ? [other.name] : [])),
  );
  const sequence = [...new Set(ordered.map(({ project }) => project))].filter((name) => affected.has(name));
  for (const stack of ordered) {
    stack.after = sequence.filter((name) => stack.reads.includes(name));
    if (stack.after.length > 0) stack.affected ??= `it reads ${stack.after.join(", ")}`;
    else if (behind.has(stack)) stack.affected ??= `it reads ${behind.get(stack)}, which changed`;
  }
  return ordered;
}

/** Returns why changed files affect a project by itself. A file that belongs to no project affects all of them. */
function ownReason(
  project: RepositoryProject,
  changed: Compared["changed"],
  projects: readonly RepositoryProject[],
  references: ReadonlyMap<string, References>,
  root: string,
): string | undefined {
  if ("unknown" in changed) return changed.unknown;
  const own = references.get(project.name) ?? { paths: [], projects: [] };
  for (const path of changed) {
    const file = relative(root, path);
    const home = homeOf(path, projects);
    // Git names a submodule, not the files in it.
    if (home === project || isWithin(project.directory, path)) return `${file} changed`;
    if (isReferredTo(path, own)) return `${file} changed, which it uses`;
    const isKnown = home !== undefined || [...references.values()].some((other) => isReferredTo(path, other));
    if (!isKnown && isWithin(path, root) && !/\.md$/i.test(path))
      return `${file} changed, which no project has for itself`;
  }
  return undefined;
}

/** Returns the project that a file is in: of several, the innermost. */
function homeOf(path: string, projects: readonly RepositoryProject[]): RepositoryProject | undefined {
  return projects
    .filter(({ directory }) => isWithin(path, directory))
    .sort((one, other) => other.directory.length - one.directory.length)[0];
}

/** Returns names, those that follow from them, and so on. */
function namesFrom(names: Iterable<string>, next: (name: string) => readonly string[]): Set<string> {
  const all = new Set(names);
  // A set also iterates over what is added meanwhile.
  for (const name of all) for (const following of next(name)) all.add(following);
  return all;
}

/** Orders projects so that each comes after those it reads. Projects that read each other are in one wave. */
function wavesOf(names: readonly string[], readsOf: (name: string) => readonly string[]): string[][] {
  const read = new Map(names.map((name) => [name, namesFrom(readsOf(name), readsOf)]));
  const waves: string[][] = [];
  let rest = [...names];
  while (rest.length > 0) {
    const waits = (name: string, isWaitedFor: (read: string) => boolean) =>
      rest.some((other) => read.get(name)?.has(other) && isWaitedFor(other));
    const ready = rest.filter((name) => !waits(name, () => true));
    const wave =
      ready.length > 0 ? ready : rest.filter((name) => !waits(name, (other) => !read.get(other)?.has(name)));
    waves.push(wave);
    rest = rest.filter((name) => !wave.includes(name));
  }
  return waves;
}
