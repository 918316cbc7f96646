import { posix } from "node:path";
import { IMPORT_FILE, type ImportedResource, importFileText } from "../import/import-file.js";
import { importId } from "../inventory/import-name.js";
import { stateOf } from "../inventory/kinds.js";
import type { LiveObject } from "../inventory/listing.js";
import { objectKey } from "../inventory/object-key.js";
import { dependencyFor } from "../project/package-source.js";
import { type Backend, typeToken } from "../protocol/type-token.js";
import type { Observer } from "../provider/missing/marks.js";
import { kinds } from "../provider/values/kinds.js";
import { type ClusterReference, exportClusters } from "./cluster-references.js";
import { type ExistingProject, type KnownResource, resourcesOfEntries } from "./existing-project.js";
import type { Language } from "./languages/language.js";
import { ProgramWriter } from "./program-writer.js";
import { ignoringImportFile, projectName } from "./project-files.js";

/** A file that is made, or gets something added. */
export interface FileChange {
  readonly path: string;
  /** Undefined where there is none. */
  readonly before: string | undefined;
  readonly after: string;
}

/** An object that a program declares from now on. */
export interface AdoptedResource {
  readonly type: string;
  readonly id: string;
  /** Its name in the program. */
  readonly name: string;
  readonly file: string;
}

/** An object that no program can declare as it is. */
export interface LeftOut {
  readonly type: string;
  readonly id: string;
  /** Its name for people. */
  readonly label: string;
  readonly reason: string;
}

/** Files of projects that import existing objects. Nothing is written yet. */
export interface Adoption {
  readonly adopted: readonly AdoptedResource[];
  readonly leftOut: readonly LeftOut[];
  readonly files: readonly FileChange[];
  /** The imported objects, for messages. */
  readonly objects: readonly LiveObject[];
  /** Projects that get resources or outputs, in an order in which they can be deployed. */
  readonly projects: readonly AdoptingProject[];
}

/** A project that gets resources or outputs. */
export interface AdoptingProject {
  readonly folder: string;
  /** True if it gets resources, which wait in its import file. */
  readonly imports: boolean;
  /** True if others refer to its clusters. Then its stack needs outputs before theirs are previewed. */
  readonly isReferredTo: boolean;
}

/** What is the same for all projects of a run. */
export interface Run {
  readonly organization: string;
  /** The service and access token that read the objects. */
  readonly observer: Observer;
  /** The backend of the resources: the dynamic provider, or the plugin. */
  readonly backend: Backend;
  readonly language: Language;
  /** True if new projects refresh before each preview. */
  readonly refreshes: boolean;
}

/** A project, and the objects that it is to have. */
export interface Share {
  readonly project: ExistingProject;
  /** The project's folder in the folder of all projects. `.` if there is only this one. */
  readonly folder: string;
  /** Its name in Pulumi. */
  readonly name: string;
  /** Resources in its stack: their import is done. */
  readonly inStack: readonly KnownResource[];
  readonly objects: readonly LiveObject[];
  /** Its clusters that other projects refer to, by id. */
  readonly exports: ReadonlySet<string>;
}

/**
 * Adds listed objects to projects if no stack owns them and no project declares them.
 *
 * @param shares in an order in which the projects can be deployed
 */
export function adopt(shares: readonly Share[], run: Run): Adoption {
  const references = new Map<string, ClusterReference>();
  const parts = shares.map((share) => {
    const part = adoptInto(share, run, references);
    for (const { id, name } of part.exported) references.set(id, { project: share.name, name });
    return part;
  });
  return {
    adopted: parts.flatMap(({ adopted }) => adopted),
    leftOut: parts.flatMap(({ leftOut }) => leftOut),
    files: parts.flatMap(({ files }) => files),
    objects: parts.flatMap(({ objects }) => objects),
    projects: parts
      .filter(({ adopted, exportsMore }) => adopted.length > 0 || exportsMore)
      .map(({ folder, adopted, exported }) => ({
        folder,
        imports: adopted.length > 0,
        isReferredTo: exported.length > 0,
      })),
  };
}

/** @param references clusters of the projects before, by id */
function adoptInto(share: Share, run: Run, references: ReadonlyMap<string, ClusterReference>) {
  const { project, folder, inStack, objects } = share;
  const { organization, observer, backend, language } = run;
  const keyOf = ({ kind, id }: KnownResource) => objectKey(kind, id);
  const owned = new Set(inStack.map(keyOf));
  const waiting = project.importFile.resources.filter(
    (entry) => !resourcesOfEntries([entry]).some((one) => owned.has(keyOf(one))),
  );
  const known = [...inStack, ...resourcesOfEntries(waiting)];
  const declared = new Set(known.map(keyOf));
  const isDeclared = ({ kind, id }: LiveObject) => declared.has(objectKey(kind.name, id));
  const writer = new ProgramWriter({ project, known, backend, language, references });
  for (const object of objects) if (isDeclared(object)) writer.know(object);
  for (const object of inOrder(objects)) if (!isDeclared(object)) writer.add(object);

  const { written } = writer;
  const imports = written.map(({ object, name }): ImportedResource => {
    const type = typeToken(object.kind.name, backend);
    return backend === "dynamic"
      ? { type, name, id: object.id, ...stateOf(object, organization, observer) }
      : { type, name, id: importId(object) };
  });
  const exported = writer.declaredClusters(share.exports);
  const program = writer.files();
  const outputs = exportClusters(project, exported, program["index.ts"] ?? project.files.get("index.ts"));
  const after: Record<string, string> = { ...program, ...outputs };
  if (written.length > 0 || project.files.has(IMPORT_FILE)) {
    after[IMPORT_FILE] = importFileText({ ...project.importFile, resources: [...waiting, ...imports] });
  }
  if (written.length > 0) Object.assign(after, filesAround(share, run));
  return {
    folder,
    exported,
    exportsMore: Object.keys(outputs).length > 0,
    objects: written.map(({ object }) => object),
    adopted: written.map(({ object: { kind, id }, name, file }) => ({
      type: typeToken(kind.name, backend),
      id,
      name,
      file: posix.join(folder, file),
    })),
    leftOut: writer.leftOut.map(({ object: { kind, id, label }, reason }) => ({
      type: typeToken(kind.name, backend),
      id,
      label,
      reason,
    })),
    files: Object.entries(after)
      .map(([path, text]) => ({
        path: posix.join(folder, path),
        before: project.files.get(path),
        after: text,
      }))
      .filter((file) => file.before !== file.after),
  };
}

/** Returns the files around a program that its project lacks, and a `.gitignore` with the import file in it. */
function filesAround({ project, folder, name }: Share, run: Run): Record<string, string> {
  const lacking = run.language.projectFiles({
    ...run,
    name: projectName(name),
    dependency: dependencyFor(project.directory),
    packages: folder === "." ? "node_modules" : "../node_modules",
  });
  const files = Object.entries(lacking).filter(
    ([path]) => !project.files.has(path) && !(path === "Pulumi.yaml" && project.hasSettings),
  );
  const gitignore = project.files.get(".gitignore");
  return {
    ...Object.fromEntries(files),
    ...(gitignore !== undefined && { ".gitignore": ignoringImportFile(gitignore) }),
  };
}

/**
 * Sorts each object before its contents, and the oldest of a kind first, so that newer objects change no name.
 */
function inOrder(objects: readonly LiveObject[]): LiveObject[] {
  const ranks = new Map([...kinds.keys()].map((name, rank) => [name, String(rank).padStart(3, "0")]));
  const own = ({ kind, observed, label, id }: LiveObject) => [
    ranks.get(kind.name) ?? "",
    String(observed.createdAt ?? ""),
    label,
    id,
  ];
  const rootOf = (object: LiveObject): LiveObject =>
    object.parent === undefined ? object : rootOf(object.parent);
  const keys = new Map(
    objects.map((object) => [object, [...own(rootOf(object)), ...own(object)].join("\u0000")]),
  );
  const key = (object: LiveObject) => keys.get(object) ?? "";
  return [...objects].sort((a, b) => (key(a) < key(b) ? -1 : key(a) > key(b) ? 1 : 0));
}
