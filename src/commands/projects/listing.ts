import { relative } from "node:path";
import type { RepositoryProject } from "../shared/pulumi/project-folder.js";
import { type ListedStack, resultsOf } from "../shared/pulumi/stack-listing.js";
import { isReferredTo, isWithin, type References } from "./references.js";

/** A stack, and the files that changed since the commit to compare it with; or why that isn't known. */
export interface Compared {
  readonly project: RepositoryProject;
  readonly stack: string;
  readonly changed: readonly string[] | { readonly unknown: string };
}

/**
 * Says of each stack whether a change affects it and why, in the order in which they can be deployed.
 *
 * @throws where two stacks would share a folder of results, so that a report would lack one of them
 */
export function listingOf(
  compared: readonly Compared[],
  references: ReadonlyMap<string, References>,
  root: string,
): ListedStack[] {
  const projects = [...new Set(compared.map(({ project }) => project))];
  const readsOf = (name: string) => references.get(name)?.projects ?? [];
  const waves = wavesOf(
    projects.map(({ name }) => name),
    readsOf,
  );
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
  const inOrder = [...new Set(ordered.map(({ project }) => project))].filter((name) => affected.has(name));
  for (const stack of ordered) {
    stack.after = inOrder.filter((name) => stack.reads.includes(name));
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
