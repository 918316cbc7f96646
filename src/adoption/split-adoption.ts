import type { LiveObject } from "../inventory/listing.js";
import { objectKey } from "../inventory/object-key.js";
import { type Adoption, type AdoptionOptions, adopt } from "./adoption.js";
import { CLUSTER, type ClusterReference } from "./cluster-references.js";
import {
  type ExistingProject,
  type KnownResource,
  NO_PROJECT,
  waitingResources,
} from "./existing-project.js";
import { projectName } from "./project-files.js";
import { assignProjects, REMAINDER, referencesBetween, type SplitRule } from "./split.js";

/** A project in a folder of several. */
export interface ProjectInFolder {
  readonly project: ExistingProject;
  readonly inStack: readonly KnownResource[];
  /** Its name in Pulumi. */
  readonly name: string;
}

/** An organization as several projects, each in a separate folder. */
export interface SplitAdoption extends Adoption {
  /** Folders that get something, in an order in which they can be deployed. */
  readonly projects: readonly SplitProject[];
}

export interface SplitProject {
  readonly folder: string;
  /** How many resources it gets now. */
  readonly adopted: number;
  /** True if others refer to its clusters. Then its stack needs outputs before theirs are previewed. */
  readonly isReferredTo: boolean;
}

export interface SplitOptions
  extends Pick<AdoptionOptions, "organization" | "observer" | "backend" | "refreshes"> {
  readonly rules: readonly SplitRule[];
  /** Existing projects, by the name of their folder. */
  readonly existing: ReadonlyMap<string, ProjectInFolder>;
  /** Name of the folder of all projects. */
  readonly folderName: string;
  /** Returns the dependency of a folder's package.json on this package. */
  readonly dependencyFor: (folder: string) => string;
  /** Texts of the files in the folder of all projects, by name. */
  readonly rootFiles: ReadonlyMap<string, string>;
}

/** Adds objects to several projects, so that each object is in exactly one project. */
export function adoptSplit(objects: readonly LiveObject[], options: SplitOptions): SplitAdoption {
  const { rules, existing } = options;
  const homes = homesIn(existing);
  const projects = assignProjects(objects, rules, homes, existing.keys());
  const { exports, order } = referencesBetween(objects, projects);
  const ofFolder = new Map<string, LiveObject[]>();
  for (const object of objects) {
    const folder = projects.get(objectKey(object.kind.name, object.id)) ?? REMAINDER;
    const own = ofFolder.get(folder) ?? [];
    own.push(object);
    ofFolder.set(folder, own);
  }
  const references = new Map<string, ClusterReference>();
  const adoptions = order.map((folder) => {
    const { project, inStack, name } = existing.get(folder) ?? {
      project: NO_PROJECT,
      inStack: [],
      name: projectName(`${options.folderName}-${folder}`),
    };
    const own = ofFolder.get(folder) ?? [];
    const adoption = adopt(own, {
      ...options,
      project,
      inStack,
      folderName: name,
      dependency: options.dependencyFor(folder),
      packages: "../node_modules",
      references: new Map([...references].filter(([id]) => projects.get(clusterKey(id)) !== folder)),
      exports: exports.get(folder) ?? new Set(),
    });
    for (const { id, name: cluster } of adoption.exported)
      references.set(id, { project: name, name: cluster });
    return { folder, adoption };
  });
  const inFolders = adoptions.flatMap(({ folder, adoption }) =>
    adoption.files.map((file) => ({ ...file, path: `${folder}/${file.path}` })),
  );
  return {
    adopted: adoptions.flatMap(({ folder, adoption }) =>
      adoption.adopted.map((one) => ({ ...one, file: `${folder}/${one.file}` })),
    ),
    leftOut: adoptions.flatMap(({ adoption }) => adoption.leftOut),
    objects: adoptions.flatMap(({ adoption }) => adoption.objects),
    exported: adoptions.flatMap(({ adoption }) => adoption.exported),
    files: inFolders.length === 0 ? [] : [...inFolders, ...rootFiles(options)],
    projects: adoptions
      .filter(({ adoption }) => adoption.files.length > 0)
      .map(({ folder, adoption }) => ({
        folder,
        adopted: adoption.adopted.length,
        isReferredTo: adoption.exported.length > 0,
      })),
  };
}

/** Returns the folder of each resource that a project has, in its stack or waiting to be imported. */
function homesIn(existing: ReadonlyMap<string, ProjectInFolder>): Map<string, string> {
  const homes = new Map<string, string>();
  for (const [folder, { project }] of existing)
    for (const { kind, id } of waitingResources(project)) homes.set(objectKey(kind, id), folder);
  // A moved object belongs to the project of its stack, even if another import.json still lists it.
  for (const [folder, { inStack }] of existing)
    for (const { kind, id } of inStack) homes.set(objectKey(kind, id), folder);
  return homes;
}

function clusterKey(id: string): string {
  return objectKey(CLUSTER, id);
}

/** One installation for all projects. */
function rootFiles({ folderName, rootFiles: before }: SplitOptions) {
  const name = projectName(folderName).toLowerCase();
  const files = {
    "package.json": `${JSON.stringify({ name, private: true, workspaces: ["*"] }, undefined, 2)}\n`,
    ".gitignore": "node_modules/\n",
  };
  return Object.entries(files)
    .filter(([path]) => !before.has(path))
    .map(([path, after]) => ({ path, before: undefined, after }));
}
