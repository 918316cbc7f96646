import { existsSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { LiveObject } from "../../cli/inventory/live-object.js";
import { projectsBelow, settingsIn } from "../../cli/pulumi/project-folder.js";
import { objectKey } from "../../cli/pulumi/state.js";
import { kinds as allKinds, placeIn } from "../../provider/for-commands/kinds.js";
import type { Share } from "./adoption.js";
import { CLUSTER } from "./cluster-references.js";
import { type ExistingProject, readProject, resourcesOfEntries } from "./existing-project.js";
import { fileStem, ProgramNames, pluralName, slug } from "./languages/names.js";
import { type Language, projectName } from "./languages/project-files.js";
import type { Owners } from "./owners.js";
import { parseSelector, type Selector, selects } from "./selection.js";

/** Assigns objects to projects: each cluster, team or resource type to its own, or a selection to a named one. */
export type SplitRule =
  | { readonly by: "cluster" | "team" | "kind" }
  | { readonly by: "name"; readonly project: string; readonly selector: Selector };

const REMAINDER = "organization";

/** Reads `cluster`, `team`, `kind` or `<project>=<selector>`. @throws where the text is none of them */
export function parseSplitRule(text: string): SplitRule {
  if (text === "cluster" || text === "team" || text === "kind") return { by: text };
  const [, project, selector] = /^([^=]*)=(.+)$/s.exec(text) ?? [];
  if (project === undefined || selector === undefined) {
    throw new Error(
      "Expected cluster, team, kind or <project>=<selector>, such as mobile=Mac* or payments=team:payments.",
    );
  }
  if (!/^[A-Za-z0-9][\w.-]*$/.test(project) || project === "node_modules") {
    throw new Error(
      `${JSON.stringify(project)} can't name a project: use letters, digits, hyphens, dots and underscores.`,
    );
  }
  return { by: "name", project, selector: parseSelector(selector) };
}

/** Returns the selectors by which rules find objects. */
export function selectorsOf(rules: readonly SplitRule[]): Selector[] {
  return rules.flatMap((rule): Selector[] => {
    if (rule.by === "team") return [{ text: "team", owner: "team" }];
    return rule.by === "name" ? [rule.selector] : [];
  });
}

/** @throws where the folder is a project itself, or the language has no function that reads clusters of other projects */
export function projectsIn(folder: string, language: Language): ExistingProject[] {
  if (language.file !== undefined) {
    throw new Error(
      `--split writes TypeScript only: its projects read the clusters of others by a function in stacks.ts. For ` +
        `${language.title}, run adopt once for each project, with --only and a separate folder.`,
    );
  }
  if (settingsIn(folder) !== undefined) {
    throw new Error(`${folder} is a Pulumi project. --split needs a folder for several: give another one.`);
  }
  const found = existsSync(folder) ? projectsBelow(folder) : [];
  return found.filter((directory) => dirname(directory) === folder).map(readProject);
}

/** Gives each object to one project. @throws where projects refer to each other, so that none can be deployed first */
export function sharesOf(
  objects: readonly LiveObject[],
  owners: Owners,
  rules: readonly SplitRule[],
  existing: readonly Pick<Share, "project" | "inStack">[],
  folder: string,
): Share[] {
  const projects = new Map(existing.map((owner) => [basename(owner.project.directory), owner]));
  const homes = new Map<string, string>();
  for (const [name, { project }] of projects)
    for (const { key } of resourcesOfEntries(project.importFile.resources)) homes.set(key, name);
  // A moved object belongs to the project of its stack, even if another import.json still lists it.
  for (const [name, { inStack = [] }] of projects) for (const { key } of inStack) homes.set(key, name);
  const assigned = assignProjects(objects, owners, rules, homes, projects.keys());
  const objectsOf = Map.groupBy(objects, ({ key }) => assigned.get(key) ?? REMAINDER);
  const { exports, order } = referencesBetween(objects, assigned);
  return order.map((name) => {
    const owner = projects.get(name);
    const project = owner?.project ?? readProject(join(folder, name));
    const given = owner === undefined ? projectName(`${basename(folder)}-${name}`) : name;
    return {
      project,
      folder: name,
      name: project.settings?.name ?? given,
      inStack: owner?.inStack,
      objects: objectsOf.get(name) ?? [],
      exports: exports.get(name) ?? new Set(),
    };
  });
}

/**
 * Assigns each object to a project by the first rule that matches. An object that a project has already stays there, a
 * default queue goes where its queue goes, and what a rule of owners matches goes with what belongs to the owner.
 *
 * @param homes projects of the objects that are declared already, by key
 * @returns the project of each object, by key
 */
function assignProjects(
  objects: readonly LiveObject[],
  owners: Owners,
  rules: readonly SplitRule[],
  homes: ReadonlyMap<string, string>,
  taken: Iterable<string>,
): Map<string, string> {
  const fixed = rules.flatMap((rule) => (rule.by === "name" ? [rule.project] : []));
  const kinds = rules.some(({ by }) => by === "kind") ? [...allKinds.values()].map(pluralName) : [];
  const names = new ProgramNames([...fixed, ...kinds, ...taken, REMAINDER]);
  /** The project of each cluster and each team that has its own, by the rule and the key. */
  const places = new Map<string, string>();
  const projects = new Map(homes);
  const clusterOf = clustersOf(objects);
  const placeOf = (by: SplitRule["by"], object: LiveObject) =>
    by === "cluster" ? clusterOf(object) : by === "team" ? owners.teamOf(object) : undefined;
  const ruleFor = (object: LiveObject) =>
    rules.find((rule) => {
      if (rule.by === "name") return selects(rule.selector, object, owners);
      return rule.by === "kind" || placeOf(rule.by, object) !== undefined;
    });

  // New objects of a cluster or a team go to the project that this rule assigned to it before.
  for (const object of objects) {
    for (const by of ["cluster", "team"] as const) {
      const place = placeOf(by, object);
      if (place === undefined) continue;
      for (const one of [place, object]) {
        const home = homes.get(one.key);
        if (home === undefined || places.has(place.key) || ruleFor(one)?.by !== by) continue;
        places.set(place.key, home);
      }
    }
  }
  const projectOf = (by: string, { key, label }: LiveObject) => {
    // Pulumi takes only these characters in a project's name.
    const words = slug(label).match(/[a-z0-9]+/g) ?? [by];
    const stem = fileStem(words.join("-"), by);
    const project = places.get(key) ?? names.take(stem, `${stem}-${by}`);
    places.set(key, project);
    return project;
  };
  const byRule = (object: LiveObject) => {
    const rule = ruleFor(object);
    if (rule?.by === "name") return rule.project;
    if (rule?.by === "kind") return pluralName(object.kind);
    const place = rule && placeOf(rule.by, object);
    return rule === undefined || place === undefined ? REMAINDER : projectOf(rule.by, place);
  };
  /** Returns the keys of the objects with which one goes. */
  const leadersOf = (object: LiveObject) => {
    if (object.viewOf !== undefined) return referencesOf(object);
    const rule = ruleFor(object);
    const isByOwner = rule?.by === "team" || (rule?.by === "name" && rule.selector.owner !== undefined);
    return isByOwner ? [owners.rootOf(object).key] : [];
  };
  const isRoot = (object: LiveObject) => owners.rootOf(object).key === object.key;
  const rankOf = (object: LiveObject) => (object.viewOf ? 2 : isRoot(object) ? 0 : 1);
  const fresh = objects.filter(({ key }) => !homes.has(key));
  for (const object of fresh.toSorted((one, other) => rankOf(one) - rankOf(other))) {
    const [home] = leadersOf(object).flatMap((key) => projects.get(key) ?? []);
    projects.set(object.key, home ?? byRule(object));
  }
  return projects;
}

function referencesOf({ kind, observed }: LiveObject): string[] {
  return Object.entries(kind.arguments).flatMap(([name, { refersTo }]) =>
    refersTo === undefined ? [] : [observed[name] ?? []].flat().map((id) => objectKey(refersTo, String(id))),
  );
}

/** Returns the function that finds the cluster of an object, or the one in which people look for it. */
function clustersOf(objects: readonly LiveObject[]) {
  const byKey = new Map(objects.map((object) => [object.key, object]));
  return function clusterOf(object: LiveObject): LiveObject | undefined {
    if (object.kind.name === CLUSTER) return object;
    const { kind = "", argument = "" } = placeIn(object.kind) ?? {};
    const place = object.parent ?? byKey.get(objectKey(kind, String(object.observed[argument])));
    return place && clusterOf(place);
  };
}

/** Returns the ids of each project's clusters that others refer to, and an order in which projects can be deployed. */
function referencesBetween(objects: readonly LiveObject[], homes: ReadonlyMap<string, string>) {
  const exports = new Map<string, Set<string>>();
  const needs = new Map<string, Set<string>>();
  const clusterOf = clustersOf(objects);
  for (const object of objects) {
    const project = homes.get(object.key) ?? REMAINDER;
    const needed = needs.get(project) ?? new Set();
    needs.set(project, needed);
    const cluster = clusterOf(object);
    const home = cluster && homes.get(cluster.key);
    if (home === undefined || cluster === undefined || home === project) continue;
    needed.add(home);
    exports.set(home, (exports.get(home) ?? new Set()).add(cluster.id));
  }
  return { exports, order: neededFirst(needs) };
}

function neededFirst(needs: ReadonlyMap<string, ReadonlySet<string>>): string[] {
  const order: string[] = [];
  const rest = [...needs.keys()].sort();
  while (rest.length > 0) {
    const next = rest.findIndex((project) =>
      [...(needs.get(project) ?? [])].every((needed) => order.includes(needed)),
    );
    if (next === -1) {
      throw new Error(
        `The projects ${rest.join(", ")} would refer to each other's clusters, so none could be deployed first. ` +
          "Change --split so that fewer projects divide a cluster from its contents.",
      );
    }
    order.push(...rest.splice(next, 1));
  }
  return order;
}
