import { readdirSync, readFileSync, statSync } from "node:fs";
import { join, relative } from "node:path";
import { IMPORT_COMMAND, projectDirectory } from "../project/pulumi.js";
import { type ExistingProject, type KnownResource, readProject, settingsOf } from "./existing-project.js";
import { copiedSettings, quoted, type Situation, stackSteps } from "./next-steps.js";
import type { ProjectInFolder, SplitProject } from "./split-adoption.js";

/** Existing projects in a folder. */
export interface ProjectsFolder {
  readonly projects: ReadonlyMap<string, ProjectInFolder>;
  /** Texts of the files in the folder itself, by name. */
  readonly files: ReadonlyMap<string, string>;
}

/**
 * Reads the projects in a folder, and their stacks. A missing folder has no projects.
 *
 * @throws where the folder is a project itself
 */
export async function readProjects(
  folder: string,
  resourcesIn: (directory: string, project: ExistingProject) => Promise<readonly KnownResource[]>,
  onProgress: (text: string) => void,
): Promise<ProjectsFolder> {
  if (projectDirectory(folder) === folder) {
    throw new Error(`${folder} is a Pulumi project. --split needs a folder for several: give another one.`);
  }
  const names = namesIn(folder);
  const folders = names.filter((name) => projectDirectory(join(folder, name)) === join(folder, name));
  const projects = new Map<string, ProjectInFolder>();
  for (const name of folders) {
    onProgress(`Stacks read: ${projects.size} of ${folders.length}`);
    const project = readProject(join(folder, name));
    const inStack = await resourcesIn(join(folder, name), project);
    projects.set(name, { project, inStack, name: settingsOf(project).name ?? name });
  }
  const files = names.filter((name) => statSync(join(folder, name)).isFile());
  return { projects, files: new Map(files.map((name) => [name, readFileSync(join(folder, name), "utf8")])) };
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).filter((name) => name !== "node_modules");
  } catch {
    return [];
  }
}

/**
 * Returns the commands that import every project, ready to paste into a shell.
 *
 * @param withStack folders of projects with a stack
 */
export function stepsForProjects(
  folder: string,
  projects: readonly SplitProject[],
  withStack: ReadonlySet<string>,
  { stack, settings }: Pick<Situation, "stack" | "settings">,
): string[] {
  const forEach = (some: readonly SplitProject[], ...commands: readonly string[]) => {
    if (some.length === 0) return [];
    const folders = some.map((project) => project.folder).join(" ");
    return [`for p in ${folders}; do (cd "$p" && ${commands.join(" && ")}) || break; done`];
  };
  const importing = (hasStack: boolean) => [
    ...stackSteps(hasStack, stack),
    // All folders are next to each other.
    ...(hasStack ? [] : copiedSettings(settings, join(folder, projects[0]?.folder ?? ""))),
    `${IMPORT_COMMAND} --yes`,
  ];
  const place = relative(process.cwd(), folder);
  return [
    ...(place === "" ? [] : [`cd ${quoted(place)}`]),
    "npm install",
    ...[true, false].flatMap((hasStack) =>
      forEach(
        projects.filter((project) => withStack.has(project.folder) === hasStack),
        ...importing(hasStack),
      ),
    ),
    // The stacks of the others read these outputs.
    ...forEach(
      projects.filter(({ isReferredTo }) => isReferredTo),
      "pulumi up --yes",
    ),
    ...forEach(projects, "pulumi preview --expect-no-changes"),
  ];
}
