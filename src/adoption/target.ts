import { basename, join } from "node:path";
import { IMPORT_FILE } from "../import/import-file.js";
import type { LiveObject } from "../inventory/listing.js";
import { dependencyFor } from "../project/package-source.js";
import { PulumiError, projectDirectory } from "../project/pulumi.js";
import type { FoundSettings } from "../project/settings.js";
import { resourcesOf, stackNames } from "../project/stacks.js";
import type { Backend } from "../protocol/type-token.js";
import { nameOfUrn } from "../protocol/urn.js";
import { type Adoption, type AdoptionOptions, adopt } from "./adoption.js";
import {
  backendOf,
  type ExistingProject,
  type KnownResource,
  readProject,
  settingsOf,
} from "./existing-project.js";
import type { Language } from "./languages/language.js";
import { nextSteps, quoted } from "./next-steps.js";
import { readProjects, stepsForProjects } from "./projects-folder.js";
import type { SplitRule } from "./split.js";
import { adoptSplit } from "./split-adoption.js";

export interface TargetOptions {
  readonly stack?: string | undefined;
  readonly native: boolean;
  readonly language: Language;
  readonly split: readonly SplitRule[];
  /** Called while stacks are read. */
  readonly onProgress: (text: string) => void;
  /** Called for a stack that can't be read. */
  readonly onRemark: (text: string) => void;
}

/** The folder that objects are added to: one project, or a folder of several projects. */
export interface Target {
  readonly backend: Backend;
  /** The projects that exist. */
  readonly projects: readonly ExistingProject[];
  /** The folder of a project with settings, if there is one. */
  readonly settingsFrom: string | undefined;
  plan(objects: readonly LiveObject[], source: Source): Promise<Plan>;
}

type Source = Pick<AdoptionOptions, "organization" | "observer" | "backend" | "refreshes">;

interface Plan {
  readonly adoption: Adoption;
  /** Folders of the projects that get something, in the order in which they are imported. */
  readonly folders: readonly string[];
  /** Returns the commands that import it. */
  steps(settings: FoundSettings): string[];
}

/** Returns a project in a folder. */
export function oneProject(folder: string, { stack, native, language, onRemark }: TargetOptions): Target {
  const isProject = projectDirectory(folder) === folder;
  const project = readProject(folder);
  const { runtime } = settingsOf(project);
  const program = language.file !== undefined && project.files.has(language.file) ? language.file : undefined;
  const found =
    isProject && (isWhole(language) || runtime !== "nodejs") ? `a project in ${runtime}` : program;
  if (found !== undefined) {
    throw new Error(
      `${folder} has ${found}, and adopt adds to projects in TypeScript only, where new objects get new files. Nothing ` +
        "was written. For objects that its stack doesn't have, run `pulumi stack export > stack.json` there, and adopt " +
        "with --stack-export stack.json into another folder.",
    );
  }
  return {
    backend: isWhole(language) ? "plugin" : backendFor([project], native),
    projects: isProject ? [project] : [],
    settingsFrom: isProject ? folder : undefined,
    async plan(objects, source) {
      const inStack = isProject ? await ownResources(folder, project, stack, onRemark) : undefined;
      const adoption = adopt(objects, {
        ...source,
        project,
        language,
        inStack: inStack ?? [],
        folderName: basename(folder),
        dependency: dependencyFor(folder),
      });
      const hasStack = inStack !== undefined;
      return {
        adoption,
        folders: [folder],
        steps: (settings) => nextSteps({ folder, language, hasStack, stack, settings }),
      };
    },
  };
}

/** Returns a folder of projects. */
export async function severalProjects(
  folder: string,
  { stack, native, language, split, onProgress, onRemark }: TargetOptions,
): Promise<Target> {
  if (isWhole(language)) {
    throw new Error(
      `--split writes TypeScript only: its projects read the clusters of others by a function in stacks.ts. For ` +
        `${language.title}, run adopt once for each project, with --only and a separate folder.`,
    );
  }
  const withStack = new Set<string>();
  const inStackOf = async (directory: string, project: ExistingProject) => {
    const resources = await ownResources(directory, project, stack, onRemark);
    if (resources !== undefined) withStack.add(basename(directory));
    return resources ?? [];
  };
  const { projects, files } = await readProjects(folder, inStackOf, onProgress);
  const existing = [...projects.values()].map(({ project }) => project);
  const [first] = projects.keys();
  return {
    backend: backendFor(existing, native),
    projects: existing,
    settingsFrom: first === undefined ? undefined : join(folder, first),
    async plan(objects, source) {
      const adoption = adoptSplit(objects, {
        ...source,
        rules: split,
        existing: projects,
        folderName: basename(folder),
        dependencyFor: (name) => dependencyFor(join(folder, name)),
        rootFiles: files,
      });
      const changed = adoption.projects.filter(({ adopted }) => adopted > 0);
      return {
        adoption,
        folders: changed.map((project) => join(folder, project.folder)),
        steps: (settings) => stepsForProjects(folder, changed, withStack, { stack, settings }),
      };
    },
  };
}

/**
 * Returns the resources of a project's stack. Undefined if no stack is selected yet.
 *
 * @throws where a program may declare resources that neither the stack nor import.json shows: it would get them twice
 */
async function ownResources(
  directory: string,
  project: ExistingProject,
  stack: string | undefined,
  onRemark: (text: string) => void,
): Promise<KnownResource[] | undefined> {
  const isUnknown = backendOf(project) !== undefined && !project.files.has(IMPORT_FILE);
  const refusal = "so what the program declares already is not known. Nothing was written.";
  try {
    const resources = await resourcesOf({ directory, stack });
    const own = resources.filter(({ external }) => !external);
    if (isUnknown && own.length === 0) {
      throw new Error(
        `The stack of ${directory} has no resources of this package, ${refusal} Select the stack that owns them, or ` +
          `pass --stack. If the program declares none yet, write { "resources": [] } to ${IMPORT_FILE} there.`,
      );
    }
    return own.map(({ kind, id, urn }) => ({ kind, id, name: nameOfUrn(urn) }));
  } catch (error) {
    if (!(error instanceof PulumiError)) throw error;
    const stacks = backendOf(project) === undefined ? [] : await stackNames(directory).catch(() => []);
    if (isUnknown || stacks.length > 0) {
      const listed = stacks.length === 0 ? "" : ` (${stacks.join(", ")})`;
      throw new Error(
        `The stack of ${directory} could not be read (${error.message}), ${refusal} Select a stack${listed}: ` +
          `\`pulumi stack select ${quoted(stacks[0] ?? "production")}\`, or pass --stack.`,
      );
    }
    onRemark(
      `The stack could not be read (${error.message}), so everything in import.json counts as imported.`,
    );
    return undefined;
  }
}

/** Checks whether a program of a language is one file, which people edit, so that no resources are added to it. */
function isWhole({ file }: Language): boolean {
  return file !== undefined;
}

/** A program stays with the backend that it has. */
function backendFor(projects: readonly ExistingProject[], native: boolean): Backend {
  const present = projects.map(backendOf).find((backend) => backend !== undefined);
  if (native && present === "dynamic") {
    throw new Error(
      "The program here imports from pulumi-buildpipeline. Omit --native, or change the program to " +
        "pulumi-buildpipeline/native first. docs/native.md shows how; no resource changes.",
    );
  }
  return present ?? (native ? "plugin" : "dynamic");
}
