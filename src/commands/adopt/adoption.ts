import { dirname, posix } from "node:path";
import type { LiveObject } from "../../cli/inventory/live-object.js";
import { IMPORT_FILE, type ImportedResource, importFileText } from "../../cli/pulumi/import-file.js";
import { kinds, refersElsewhere } from "../../provider/for-commands/kinds.js";
import { importName, type Observer, stateOf } from "../../provider/for-commands/objects.js";
import { type Backend, typeToken } from "../../shared/protocol/type-token.js";
import { type ClusterReference, exportClusters } from "./cluster-references.js";
import {
  type ExistingProject,
  requireExtensible,
  requireOrganization,
  resourcesOfEntries,
  type StackResource,
} from "./existing-project.js";
import { ignoringImportFile, type Language, projectFiles, projectName } from "./languages/project-files.js";
import { dependencyFor } from "./package-source.js";
import type { FileChange } from "./placement.js";
import { ProgramWriter } from "./program-writer.js";
import { headOf } from "./remarks.js";

interface Run {
  /** Keys of what known stacks own: their import is done, or isn't this project's. */
  readonly owned: ReadonlySet<string>;
  readonly organization: string;
  readonly observer: Observer;
  readonly backend: Backend;
  readonly language: Language;
  readonly refreshes: boolean;
  readonly hidesCredentials?: boolean;
  /** Which resource types were not read, and why. */
  readonly unread?: readonly string[];
}

/** A project, and the objects that it is to have. */
export interface Share {
  readonly project: ExistingProject;
  /** The project's folder in the folder of all projects. `.` if there is only this one. */
  readonly folder: string;
  /** Its name in Pulumi. */
  readonly name: string;
  /** Resources in its stack: their import is done. Undefined if no stack could be read. */
  readonly inStack: readonly StackResource[] | undefined;
  readonly objects: readonly LiveObject[];
  /** Its clusters that other projects refer to, by id. */
  readonly exports: ReadonlySet<string>;
}

/** What a project gets to import existing objects. Nothing is written yet. */
export type Adoption = ReturnType<typeof adoptInto>;

/** Adds objects that no stack owns and no project declares. @param shares in an order in which they can be deployed */
export function adopt(shares: readonly Share[], run: Run): Adoption[] {
  const references = new Map<string, ClusterReference>();
  return shares.map((share) => adoptInto(share, run, references));
}

/** @param references clusters of the projects before, by id. Those of this project are added */
function adoptInto(share: Share, run: Run, references: Map<string, ClusterReference>) {
  const { project, folder, inStack = [], objects } = share;
  const { owned, organization, observer, backend, language, hidesCredentials = false } = run;
  const keys = new Map(objects.map((object) => [`${object.kind.name} ${importId(object)}`, object.key]));
  const keyOf = (kind: string, id: string) => keys.get(`${kind} ${id}`);
  // What was replaced since its import has another object, and Pulumi imports no second one under its name.
  const isThere = ({ type, name, logicalName = name }: ImportedResource) =>
    inStack.some(({ urn }) => urn.endsWith(`::${type}::${logicalName}`));
  const waiting = project.importFile.resources.filter(
    (entry) => !isThere(entry) && !resourcesOfEntries([entry], keyOf).some(({ key }) => owned.has(key)),
  );
  const known = [...inStack, ...resourcesOfEntries(waiting, keyOf)];
  const writer = new ProgramWriter({
    project,
    folder,
    known,
    backend,
    language,
    hidesCredentials,
    references,
  });
  const declared = new Set(known.map(({ key }) => key));
  for (const object of objects) if (declared.has(object.key)) writer.know(object);
  for (const object of inOrder(objects)) if (!declared.has(object.key)) writer.add(object);

  const { adopted, leftOut } = writer;
  if (adopted.length > 0) {
    requireExtensible(project, language);
    requireOrganization(project, inStack, organization);
  }
  const imports = adopted.map(({ object, name, credentials }): ImportedResource => {
    const type = typeToken(object.kind.name, backend);
    const withheld = hidesCredentials ? credentials.map(({ argument }) => argument) : [];
    return backend === "dynamic"
      ? { type, name, id: object.id, ...stateOf(object, organization, observer, withheld) }
      : { type, name, id: importId(object) };
  });
  const exported = writer.declaredClusters(share.exports);
  for (const { id, name } of exported) references.set(id, { project: share.name, name });
  const head = headOf(
    organization,
    adopted.map(({ object }) => object),
    run.unread ?? [],
  );
  const program = writer.files(head);
  const outputs = exportClusters(project, exported, program["index.ts"] ?? project.files.get("index.ts"));
  const importFile = importFileText({ ...project.importFile, resources: [...waiting, ...imports] });
  const after = {
    ...program,
    ...outputs,
    ...((adopted.length > 0 || project.files.has(IMPORT_FILE)) && { [IMPORT_FILE]: importFile }),
    ...(adopted.length > 0 && filesAround(share, run, [...writer.reads].sort())),
  };
  const files = Object.entries(after)
    .map(([path, text]): FileChange => {
      return { path: posix.join(folder, path), before: project.files.get(path), after: text };
    })
    .filter((file) => file.before !== file.after);
  const coded = files.find(({ path }) => project.coded.has(posix.relative(folder, path)));
  if (coded !== undefined)
    throw new Error(
      `${coded.path} is not in UTF-8, and what is added to it would damage it. Nothing was written. Save it as UTF-8, and ` +
        "run the command again.",
    );
  return {
    folder,
    hasStack: share.inStack !== undefined,
    adopted,
    leftOut,
    files,
    /** True if others refer to its clusters. Then its stack needs outputs before theirs are previewed. */
    isReferredTo: exported.length > 0,
    /** Keys of the configuration that hold values which the program doesn't have. */
    secrets: writer.secrets,
    /** True if there are some, also after they are set: the first deployment then records them. */
    hasSecrets: writer.secrets.length > 0,
    /** True if it gets outputs for them. */
    exportsMore: Object.keys(outputs).length > 0,
  };
}

/** Returns the files around a program that its project lacks, and a `.gitignore` with the import file in it. */
function filesAround(
  { project, folder, name }: Share,
  run: Run,
  reads: readonly string[],
): Record<string, string> {
  const { directory } = project;
  const home = folder === "." ? undefined : dirname(directory);
  const lacking = projectFiles(run.language, {
    ...run,
    reads,
    name: projectName(name),
    dependency: dependencyFor(directory, home),
    packages: home === undefined ? "node_modules" : "../node_modules",
  });
  const files = Object.entries(lacking).filter(
    ([path]) => !project.files.has(path) && !(path === "Pulumi.yaml" && project.settings),
  );
  const gitignore = project.files.get(".gitignore");
  const manifest = project.files.get("package.json");
  return {
    ...Object.fromEntries(files),
    // `npm init` names a file that no program has, so each preview would warn.
    ...(manifest !== undefined &&
      run.language.file === undefined && {
        "package.json": manifest.replace(/"main":\s*"index\.js"/, '"main": "index.ts"'),
      }),
    ...(gitignore !== undefined && { ".gitignore": ignoringImportFile(gitignore) }),
  };
}

/**
 * Sorts each object before its contents and before what refers to it, and the oldest of a kind first, so that newer
 * objects change no name.
 */
function inOrder(objects: readonly LiveObject[]): LiveObject[] {
  const names = [...kinds.keys()];
  const own = ({ kind, observed, label, id }: LiveObject) => [
    String(names.indexOf(kind.name)).padStart(3, "0"),
    String(observed.createdAt ?? ""),
    label,
    id,
  ];
  const rootOf = (object: LiveObject): LiveObject =>
    object.parent === undefined ? object : rootOf(object.parent);
  const keyOf = (one: LiveObject) => {
    const [kind = ""] = own(refersElsewhere(one.kind) ? one : rootOf(one));
    return [kind, ...own(rootOf(one)), ...own(one)].join("\u0000");
  };
  const ranks = new Map(objects.map((one) => [one, keyOf(one)]));
  const rankOf = (object: LiveObject) => ranks.get(object) ?? "";
  return objects.toSorted((one, other) => (rankOf(one) < rankOf(other) ? -1 : 1));
}

/**
 * Returns the ids by which `pulumi import` finds an object. A property of an object is identified as that is, and what is
 * archived by its slug, because no list shows its UUID.
 */
function importId({ kind, entity, observed, parent, viewOf }: LiveObject): string {
  const isArchived = kind.archiving !== undefined && observed[kind.archiving.argument] === true;
  const own = isArchived && typeof observed.slug === "string" ? observed.slug : kind.identify(entity);
  return importName(parent === undefined || viewOf === parent ? "" : importId(parent), own);
}
