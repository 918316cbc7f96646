import { IMPORT_FILE, type ImportedResource, importFileText } from "../import/import-file.js";
import type { LiveObject } from "../inventory/listing.js";
import { objectKey } from "../inventory/object-key.js";
import type { Observer } from "../provider/missing/marks.js";
import { kinds } from "../provider/values/kinds.js";
import {
  type ClusterReference,
  type ExportedCluster,
  exportClusters,
  STACKS,
  STACKS_TEXT,
} from "./cluster-references.js";
import { type ExistingProject, type KnownResource, waitingResources } from "./existing-project.js";
import type { Language } from "./languages/language.js";
import { typescript } from "./languages/typescript.js";
import { type AdoptedResource, type LeftOut, ProgramWriter } from "./program-writer.js";
import { ignoringImportFile, type NewProject } from "./project-files.js";

/** A file that is made, or gets something added. */
export interface FileChange {
  readonly path: string;
  /** Undefined where there is none. */
  readonly before: string | undefined;
  readonly after: string;
}

/** Files of a project that imports existing objects. Nothing is written yet. */
export interface Adoption {
  readonly adopted: readonly AdoptedResource[];
  readonly leftOut: readonly LeftOut[];
  readonly files: readonly FileChange[];
  /** The imported objects, for messages. */
  readonly objects: readonly LiveObject[];
  /** Clusters with ids that the program exports. */
  readonly exported: readonly ExportedCluster[];
}

export interface AdoptionOptions extends NewProject {
  /** The service and access token that read the objects. */
  readonly observer: Observer;
  readonly project: ExistingProject;
  /** The language of the program. Default: TypeScript. */
  readonly language?: Language | undefined;
  /** Resources in the project's own stack: their import is done. */
  readonly inStack: readonly KnownResource[];
  /** Clusters that other projects declare, by id. Default: none. */
  readonly references?: ReadonlyMap<string, ClusterReference>;
  /** Clusters that other projects refer to, by id. Default: none. */
  readonly exports?: ReadonlySet<string>;
}

/** Adds listed objects to a project if no stack owns them and the project does not declare them. */
export function adopt(objects: readonly LiveObject[], options: AdoptionOptions): Adoption {
  const { project, inStack, language = typescript } = options;
  const keyOf = ({ kind, id }: KnownResource) => objectKey(kind, id);
  const owned = new Set(inStack.map(keyOf));
  const known = [...inStack, ...waitingResources(project).filter((one) => !owned.has(keyOf(one)))];
  const writer = new ProgramWriter({ ...options, language }, known);
  const declared = new Set(known.map(keyOf));
  const ofStack = (one: ImportedResource) =>
    waitingResources({ importFile: { resources: [one] } }).some((entry) => owned.has(keyOf(entry)));
  const isDeclared = (object: LiveObject) => declared.has(objectKey(object.kind.name, object.id));
  for (const object of objects) if (isDeclared(object)) writer.know(object);
  for (const object of inOrder(objects)) if (!isDeclared(object)) writer.add(object);

  const exported = writer.declaredClusters(options.exports ?? []);
  const program = writer.files();
  const index = program["index.ts"] ?? project.files.get("index.ts");
  const files = {
    ...program,
    ...(Object.values(program).some((text) => text.includes(`${STACKS.function}(`)) && {
      [STACKS.file]: project.files.get(STACKS.file) ?? STACKS_TEXT,
    }),
    ...exportClusters(project, exported, index),
  };
  const waiting = project.importFile.resources.filter((one) => !ofStack(one));
  const importFile = { ...project.importFile, resources: [...waiting, ...writer.imports] };
  const all: Record<string, string> = { ...files, [IMPORT_FILE]: importFileText(importFile) };
  if (writer.adopted.length > 0) {
    for (const [path, text] of Object.entries(language.projectFiles(options))) {
      if (!project.files.has(path) && !(path === "Pulumi.yaml" && project.files.has("Pulumi.yml")))
        all[path] = text;
    }
    const gitignore = project.files.get(".gitignore");
    if (gitignore !== undefined) all[".gitignore"] = ignoringImportFile(gitignore);
  }
  const changes = Object.entries(all)
    .map(([path, after]) => ({ path, before: project.files.get(path), after }))
    .filter(({ before, after }) => before !== after)
    .filter(({ path, before }) => path !== IMPORT_FILE || before !== undefined || writer.adopted.length > 0);
  const { adopted, leftOut, objects: brought } = writer;
  return { adopted, leftOut, objects: brought, files: changes, exported };
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
