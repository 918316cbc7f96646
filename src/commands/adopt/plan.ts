import { existsSync } from "node:fs";
import { basename, join } from "node:path";
import type { Backend } from "../../shared/protocol/type-token.js";
import type { ListingOptions } from "../shared/inventory/listing.js";
import type { Connection } from "../shared/pulumi/project-connection.js";
import type { FoundSettings } from "../shared/pulumi/project-settings.js";
import { adopt, type Share } from "./adoption.js";
import { backendOf, type ExistingProject, readProject, requireExtensible } from "./existing-project.js";
import type { Language } from "./languages/all-languages.js";
import { LAUNCHER, projectName } from "./languages/project-files.js";
import { nextSteps } from "./next-steps.js";
import { dependencyFor } from "./package-source.js";
import type { FileChange } from "./placement.js";
import type { AdoptedObject, LeftOut } from "./program-writer.js";
import { remarksOn, remarksOnPlugin } from "./remarks.js";
import { readSource, type Wanted } from "./source.js";
import { projectsIn, type SplitRule, sharesOf } from "./split.js";
import { resourcesInStack } from "./stack-resources.js";

/** A connection with the settings of a project. */
interface ConnectionOfProject extends Connection, Required<Pick<ListingOptions, "onProgress">> {
  readonly settings: FoundSettings;
}

export interface PlanOptions extends Omit<Wanted, "backend"> {
  readonly stack?: string | undefined;
  readonly native: boolean;
  readonly language: Language;
  /** Rules that assign objects to several projects in the folder. Empty: the folder is one project. */
  readonly split: readonly SplitRule[];
  /** Connects with the settings of the project in a folder. Default: the current directory. */
  readonly connect: (folder: string | undefined) => Promise<ConnectionOfProject>;
  /** Called while stacks are read. */
  readonly onProgress: (text: string) => void;
  /** Called with what the organization's lists or a stack lack. */
  readonly onRemark: (text: string) => void;
}

/** Code and import files for an organization, before they are written. */
export interface AdoptionPlan {
  readonly adopted: readonly AdoptedObject[];
  readonly leftOut: readonly LeftOut[];
  readonly files: readonly FileChange[];
  readonly backend: Backend;
  /** Folders of the projects that get resources, in the order in which they are imported. */
  readonly folders: readonly string[];
  /** True if the folder has a project already. */
  readonly isProject: boolean;
  /** Values that the import file cannot have, with the edits that add them: a paragraph each. */
  readonly remarks: readonly string[];
  /** Returns the commands that import the objects. They depend on the files that are there by then. */
  readonly steps: () => string[];
  readonly organization: string;
  /** How many objects the organization has. */
  readonly listed: number;
  /** Requests that were sent. */
  readonly requests: number;
  /** True if new projects refresh before each preview. */
  readonly refreshes: boolean;
}

/** Reads an organization, and plans the files that bring its objects into a folder. Writes nothing. */
export async function planAdoption(folder: string, options: PlanOptions): Promise<AdoptionPlan> {
  const { stack, language, split, native, connect, onProgress, onRemark } = options;
  const isSplit = split.length > 0;
  const projects = isSplit ? projectsIn(folder, language) : [readProject(folder)];
  // Of several projects, most may get no objects.
  if (!isSplit) for (const project of projects) requireExtensible(project, language);
  const existing = projects.filter(({ settings }) => settings !== undefined);
  const backend = language.file === undefined ? backendFor(projects, native) : "plugin";
  const connection = await connect(existing[0]?.directory);
  const { settings } = connection;
  const source = await readSource(connection, { ...options, backend }).finally(connection.close);
  const { organization, listed, objects, observer } = source;
  for (const remark of source.remarks) onRemark(remark);
  // Stacks are read after the organization, so that they have what a deployment records meanwhile.
  const owners: Pick<Share, "project" | "inStack">[] = [];
  for (const project of projects) {
    if (isSplit) onProgress(`Stacks read: ${owners.length} of ${projects.length}`);
    const inStack = project.settings ? await resourcesInStack(project, stack, onRemark) : undefined;
    owners.push({ project, inStack });
  }
  const refreshes = settings.values.accessToken?.from === "environment";
  const whole = { folder: ".", name: basename(folder), objects, exports: new Set<string>() };
  const shares = isSplit
    ? sharesOf(objects, split, owners, folder)
    : owners.map((owner) => ({ ...owner, ...whole }));
  const adoptions = adopt(shares, { organization, observer, backend, language, refreshes });
  const adopted = adoptions.flatMap((one) => one.adopted);
  const files = adoptions.flatMap((one) => one.files);
  return {
    adopted,
    leftOut: adoptions.flatMap(({ leftOut }) => leftOut),
    files: isSplit && files.length > 0 ? [...files, ...installationIn(folder)] : files,
    backend,
    folders: adoptions
      .filter((one) => !isSplit || one.adopted.length > 0)
      .map((one) => join(folder, one.folder)),
    isProject: existing.length > 0,
    remarks: [
      ...remarksOn(adopted.map(({ object }) => object)),
      ...(backend === "plugin" ? new Set(existing.flatMap(remarksOnPlugin)) : []),
    ],
    steps: () => nextSteps(folder, adoptions, { isSplit, language, stack, settings }),
    organization,
    listed,
    requests: connection.traffic.requests,
    refreshes,
  };
}

/** A program stays with the backend that it has. */
function backendFor(projects: readonly ExistingProject[], native: boolean): Backend {
  const present = projects.map(backendOf).find((backend) => backend !== undefined);
  if (native && present === "dynamic") {
    throw new Error(
      "The program here imports from pulumi-buildpipeline. Omit --native, or change the program to " +
        "pulumi-buildpipeline/native first. docs/explain/plugin.md shows how; no resource changes.",
    );
  }
  return present ?? (native ? "plugin" : "dynamic");
}

/** Returns the files that a folder lacks so that all projects in it have one installation. */
function installationIn(folder: string): FileChange[] {
  const name = projectName(basename(folder)).toLowerCase();
  const devDependencies = { ...LAUNCHER, "pulumi-buildpipeline": dependencyFor(folder, folder) };
  const manifest = { name, private: true, workspaces: ["*"], devDependencies };
  const files = {
    "package.json": `${JSON.stringify(manifest, undefined, 2)}\n`,
    ".gitignore": "node_modules/\n",
  };
  return Object.entries(files)
    .filter(([path]) => !existsSync(join(folder, path)))
    .map(([path, after]) => ({ path, before: undefined, after }));
}
