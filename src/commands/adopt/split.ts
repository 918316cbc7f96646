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
import { parseSelector, type Selector, selects } from "./selection.js";

/** Assigns objects to projects: each cluster to its own, each resource type to its own, or a selection to a named one. */
export type SplitRule =
  | { readonly by: "cluster" }
  | { readonly by: "kind" }
  | { readonly by: "name"; readonly project: string; readonly selector: Selector };

const REMAINDER = "organization";

/** Reads `cluster`, `kind` or `<project>=<selector>`. @throws where the text is none of them */
export function parseSplitRule(text: string): SplitRule {
  if (text === "cluster" || text === "kind") return { by: text };
  const [, project, selector] = /^([^=]*)=(.+)$/s.exec(text) ?? [];
  if (project === undefined || selector === undefined) {
    throw new Error("Expected cluster, kind or <project>=<selector>, such as mobile=Mac*.");
  }
  if (!/^[A-Za-z0-9][\w.-]*$/.test(project) || project === "node_modules") {
    throw new Error(
      `${JSON.stringify(project)} can't name a project: use letters, digits, hyphens, dots and underscores.`,
    );
  }
  return { by: "name", project, selector: parseSelector(selector) };
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
  rules: readonly SplitRule[],
  existing: readonly Pick<Share, "project" | "inStack">[],
  folder: string,
): Share[] {
  const owners = new Map(existing.map((owner) => [basename(owner.project.directory), owner]));
  const homes = new Map<string, string>();
  for (const [name, { project }] of owners)
    for (const { key } of resourcesOfEntries(project.importFile.resources)) homes.set(key, name);
  // A moved object belongs to the project of its stack, even if another import.json still lists it.
  for (const [name, { inStack = [] }] of owners) for (const { key } of inStack) homes.set(key, name);
  const assigned = assignProjects(objects, rules, homes, owners.keys());
  const objectsOf = Map.groupBy(objects, ({ key }) => assigned.get(key) ?? REMAINDER);
  const { exports, order } = referencesBetween(objects, assigned);
  return order.map((name) => {
    const owner = owners.get(name);
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
 * Assigns each object to a project by the first rule that matches. An object that a project has already stays there,
 * and a default queue goes where its queue goes.
 *
 * @param homes projects of the objects that are declared already, by key
 * @returns the project of each object, by key
 */
function assignProjects(
  objects: readonly LiveObject[],
  rules: readonly SplitRule[],
  homes: ReadonlyMap<string, string>,
  taken: Iterable<string>,
): Map<string, string> {
  const fixed = rules.flatMap((rule) => (rule.by === "name" ? [rule.project] : []));
  const kinds = rules.some(({ by }) => by === "kind") ? [...allKinds.values()].map(pluralName) : [];
  const names = new ProgramNames([...fixed, ...kinds, ...taken, REMAINDER]);
  const ofClusters = new Map<string, string>();
  const projects = new Map(homes);
  const clusterOf = clustersOf(objects);
  const ruleFor = (object: LiveObject) =>
    rules.find((rule) => {
      if (rule.by === "name") return selects(rule.selector, object);
      return rule.by === "kind" || clusterOf(object) !== undefined;
    });

  // New objects of a cluster go to the project that this rule assigned to the cluster before.
  for (const object of objects) {
    const cluster = clusterOf(object);
    if (cluster === undefined) continue;
    for (const one of [cluster, object]) {
      const home = homes.get(one.key);
      if (home === undefined || ofClusters.has(cluster.id) || ruleFor(one)?.by !== "cluster") continue;
      ofClusters.set(cluster.id, home);
    }
  }
  const ofCluster = ({ id, label }: LiveObject) => {
    // Pulumi takes only these characters in a project's name.
    const words = slug(label).match(/[a-z0-9]+/g) ?? ["cluster"];
    const stem = fileStem(words.join("-"), "cluster");
    const project = ofClusters.get(id) ?? names.take(stem, `${stem}-cluster`);
    ofClusters.set(id, project);
    return project;
  };
  const byRule = (object: LiveObject) => {
    const rule = ruleFor(object);
    const cluster = clusterOf(object);
    if (rule?.by === "name") return rule.project;
    if (rule?.by === "kind") return pluralName(object.kind);
    return rule === undefined || cluster === undefined ? REMAINDER : ofCluster(cluster);
  };
  const fresh = objects.filter(({ key }) => !homes.has(key));
  for (const object of fresh) if (object.viewOf === undefined) projects.set(object.key, byRule(object));
  for (const object of fresh) {
    if (object.viewOf === undefined) continue;
    const [home] = referencesOf(object).flatMap((key) => projects.get(key) ?? []);
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
