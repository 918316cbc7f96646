import { isUtf8 } from "node:buffer";
import { existsSync, readFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { IMPORT_FILE, type ImportedResource, importFileSchema } from "../../cli/pulumi/import-file.js";
import { filesBelow, packageJsonIn, settingsIn } from "../../cli/pulumi/project-folder.js";
import { PulumiError, stackNames } from "../../cli/pulumi/pulumi.js";
import { readRepository } from "../../cli/pulumi/repository.js";
import { type StateResource, stateOf } from "../../cli/pulumi/stack-export.js";
import { objectKey } from "../../cli/pulumi/state.js";
import { jsonAs } from "../../cli/terminal/files.js";
import { note, progress } from "../../cli/terminal/terminal.js";
import { kindNamed } from "../../provider/for-commands/kinds.js";
import { counted } from "../../shared/messages/nouns.js";
import { shellPath, shellWord } from "../../shared/messages/quoted.js";
import { repositoryOf } from "../../shared/process/folders.js";
import { type Backend, backendOfType, kindOfType } from "../../shared/protocol/type-token.js";
import { nameOfUrn } from "../../shared/protocol/urn.js";
import { exportedConstants } from "./exported-constants.js";
import type { Language } from "./languages/project-files.js";

/** A resource that a project has already. */
export interface KnownResource {
  readonly kind: string;
  readonly key: string;
  readonly name: string;
}

/** One that its stack has. */
export type StackResource = KnownResource & StateResource;

export type ExistingProject = ReturnType<typeof readProject>;

/** Reads what a folder, which needn't exist, has of a project. @throws if its settings or import file are damaged */
export function readProject(directory: string) {
  const paths = existsSync(directory) ? [...filesBelow(directory)] : [];
  const named = paths.map((path) => [relative(directory, path).replaceAll(sep, "/"), path] as const);
  const own = named.filter(([name]) => isOfProject(name));
  const contents = own.map(([name, path]) => [name, readFileSync(path)] as const);
  const files: ReadonlyMap<string, string> = new Map(
    contents.map(([name, bytes]) => [name, bytes.toString("utf8")]),
  );
  const settings = settingsIn(directory);
  const importFile = jsonAs(importFileSchema, files.get(IMPORT_FILE) ?? "{}");
  if (importFile === undefined)
    throw new Error(`${IMPORT_FILE} is not what \`pulumi import --file\` takes. Remove it, or repair it.`);
  return {
    directory,
    settings,
    /** Texts of its program and of the files of its project, by path with slashes. */
    files,
    /** Paths of those in another encoding than UTF-8, in whose texts some characters are lost. */
    coded: new Set(contents.flatMap(([name, bytes]) => (isUtf8(bytes) ? [] : [name]))),
    importFile,
    exported: exportedConstants(directory, files),
  };
}

/** @param keyOf returns the key of an object by what a plugin imports it by, if that isn't its id */
export function resourcesOfEntries(
  entries: readonly ImportedResource[],
  keyOf: (kind: string, id: string) => string | undefined = () => undefined,
): KnownResource[] {
  return entries.flatMap(({ type, name, id }) => {
    const kind = kindOfType(type);
    if (kind === undefined || id === undefined) return [];
    // A plugin is given the id of what it lives in as well, which a pair's own id has.
    const isWhole = backendOfType(type) !== "plugin" || kindNamed(kind)?.isPair === true;
    const own = !isWhole ? id.slice(id.lastIndexOf("/") + 1) : id;
    return [{ kind, key: keyOf(kind, id) ?? objectKey(kind, own), name }];
  });
}

export const ENTRIES: Readonly<Record<Backend, string>> = {
  dynamic: "pulumi-buildpipeline",
  plugin: "pulumi-buildpipeline/native",
};

/** Returns the backend of a program's resources. Undefined without a program that uses this package. */
export function backendOf({ files }: ExistingProject): Backend | undefined {
  const names = (entry: string) =>
    [...files].some(
      ([path, text]) => path.endsWith(".ts") && (text.includes(`"${entry}"`) || text.includes(`'${entry}'`)),
    );
  if (names(ENTRIES.plugin)) return "plugin";
  return names(ENTRIES.dynamic) ? "dynamic" : undefined;
}

/** Returns the program that Pulumi loads in place of `index.ts`. Undefined if there is none. */
function otherProgramOf({ directory, files, settings }: ExistingProject): string | undefined {
  if (files.has("index.ts")) return undefined;
  return [settings?.main, packageJsonIn(directory)?.main, "index.js"].find((path = "") => {
    const place = join(directory, path, ".");
    return place !== directory && existsSync(place);
  });
}

export function requireExtensible(project: ExistingProject, language: Language): void {
  const { directory, files, settings } = project;
  // A program of one file is edited by people.
  const program = language.file !== undefined && files.has(language.file) ? language.file : undefined;
  const isOther = settings && (language.file !== undefined || settings.runtime !== "nodejs");
  const entry = language.file === undefined ? otherProgramOf(project) : undefined;
  const elsewhere = entry && `its program in ${entry} instead of index.ts`;
  const found = isOther ? `a project in ${settings.runtime}` : (program ?? elsewhere);
  if (found === undefined) return;
  throw new Error(
    `${directory} has ${found}, and adopt adds to projects in TypeScript only, where new objects get new files. Nothing ` +
      "was written. For objects that its stack doesn't have, run `pulumi stack export > stack.json` there, and adopt " +
      "with --stack-export stack.json into another folder.",
  );
}

function isOfProject(path: string): boolean {
  if (path.endsWith(".ts")) return !path.endsWith(".d.ts");
  return PROJECT_FILES.test(path);
}

/** @throws where a project has resources, and none of the organization that objects come from: no command would take both */
export function requireOrganization(
  { directory, importFile }: ExistingProject,
  inStack: readonly StackResource[],
  organization: string,
): void {
  const states = inStack.map(({ properties }) => properties);
  const imports = importFile.resources.map(({ outputs = {} }) => outputs);
  for (const [place, all] of Object.entries({ "Its stack": states, [IMPORT_FILE]: imports })) {
    const found = new Set(all.flatMap((one) => one.organization ?? []).map(String));
    if (found.size === 0 || found.has(organization)) continue;
    // Error other-organization: `adopt` would add objects of one organization to a program with those of another, and
    // Pulumi would then refuse every command.
    // Fix: Use the settings of the project's organization, or adopt into another folder.
    throw new Error(
      `${place} has resources of ${[...found].join(", ")}, and the settings lead to ${organization}. Nothing was written ` +
        `to ${directory}. Use the settings of ${[...found][0]}, or adopt ${organization} into another folder.`,
    );
  }
}

/**
 * @param owned keys of what known stacks own
 * @throws where import.json has what another stack of a project or of one beside it owns, so that two stacks would own it
 */
export async function requireOwnImports(
  projects: readonly ExistingProject[],
  owned: ReadonlySet<string>,
): Promise<void> {
  const waiting = projects
    .map(({ directory, importFile }) => {
      const keys = resourcesOfEntries(importFile.resources).map(({ key }) => key);
      return { directory, keys: new Set(keys).difference(owned) };
    })
    .filter(({ keys }) => keys.size > 0);
  const [first] = waiting;
  if (first === undefined) return;
  const top = repositoryOf(first.directory);
  const beside =
    top === undefined
      ? []
      : await readRepository(top).then(
          ({ all }) => all,
          () => [],
        );
  const isRead = new Set(projects.map(({ directory }) => directory));
  const others = beside.filter(({ directory }) => !isRead.has(directory));
  const directories = [...waiting, ...others].map(({ directory }) => directory);
  for (const [done, directory] of directories.entries()) {
    progress(
      `Projects read whose stacks may own what waits in ${IMPORT_FILE}: ${done} of ${directories.length}`,
    );
    const stacks = await stackNames(directory).catch(() => []);
    // What can't be read is not known to own anything.
    const states = stacks.map((stack) => stateOf({ directory, stack }).catch(() => ({ resources: [] })));
    for (const [index, { resources }] of (await Promise.all(states)).entries()) {
      const stack = stacks[index] ?? "";
      const own = new Set(resources.flatMap(({ key, external }) => (external ? [] : key)));
      for (const { directory: home, keys } of waiting) {
        const { size } = keys.intersection(own);
        if (size === 0) continue;
        const place = shellPath(relative(process.cwd(), directory) || ".");
        const isOwn = directory === home;
        throw new Error(
          `${IMPORT_FILE} has ${counted(size, "resource")} that the stack ${stack}${isOwn ? "" : ` of ${place}`} owns, and the ` +
            "import would give them to a second stack. Nothing was written. " +
            (isOwn
              ? `Select the stack: \`pulumi stack select ${shellWord(stack)}\`. For another stack, adopt into another folder.`
              : `Run \`pulumi stack export --cwd ${place} --stack ${shellWord(stack)} > other.json\`, and adopt with ` +
                `--stack-export other.json, which takes them out of ${IMPORT_FILE}.`),
        );
      }
    }
  }
}

/** What `adopt` may write. */
const PROJECT_FILES =
  /^(?:Pulumi\.(?:ya?ml|json)|Main\.yaml|package\.json|tsconfig\.json|\.gitignore|import\.json|requirements\.txt|go\.mod|main\.go|__main__\.py|(?:templates|pipelines)\/.*\.yml)$/;

/**
 * Returns the resources of a project's stack. Undefined if no stack is selected yet.
 *
 * @throws where a program may declare resources that neither the stack nor import.json shows: it would get them twice
 */
export async function resourcesInStack(
  project: ExistingProject,
  stack: string | undefined,
): Promise<StackResource[] | undefined> {
  const { directory, files } = project;
  const isUnknown = backendOf(project) !== undefined && !files.has(IMPORT_FILE);
  // Error program-unknown: The folder has a program, and neither a stack nor `import.json` shows what it declares.
  // `adopt` would write it twice.
  // Fix: Select the stack that owns the resources, and run the command again.
  const refusal = "so what the program declares already is not known. Nothing was written.";
  try {
    const { resources } = await stateOf({ directory, stack });
    const own = resources.filter(({ external }) => !external);
    if (isUnknown && own.length === 0) {
      throw new Error(
        `The stack of ${directory} has no resources of this package, ${refusal} Select the stack that owns them, or ` +
          `pass --stack. If the program declares none yet, write { "resources": [] } to ${IMPORT_FILE} there.`,
      );
    }
    return own.map((resource) => ({ ...resource, name: nameOfUrn(resource.urn) }));
  } catch (error) {
    if (!(error instanceof PulumiError)) throw error;
    const stacks = backendOf(project) === undefined ? [] : await stackNames(directory).catch(() => []);
    if (isUnknown || stacks.length > 0) {
      const listed = stacks.length === 0 ? "" : ` (${stacks.join(", ")})`;
      throw new Error(
        `The stack of ${directory} could not be read (${error.message}), ${refusal} Select a stack${listed}: ` +
          `\`pulumi stack select ${shellWord(stacks[0] ?? "production")}\`, or pass --stack.`,
      );
    }
    // Warning stack-unread: `adopt` couldn't export the stack, so it compares with `import.json` alone.
    // Fix: Select the stack, and run the command again.
    note(`The stack could not be read (${error.message}), so everything in import.json counts as imported.`);
    return undefined;
  }
}
