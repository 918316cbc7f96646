import type { ListingOptions } from "../inventory/listing.js";
import type { Connection } from "../project/connection.js";
import type { FoundSettings } from "../project/settings.js";
import type { Adoption } from "./adoption.js";
import { remarksOn, remarksOnPlugin } from "./remarks.js";
import { readSource, type SourceOptions } from "./source.js";
import { oneProject, severalProjects, type TargetOptions } from "./target.js";

/** A connection with the settings of a project. */
interface ConnectionOfProject extends Connection, Required<Pick<ListingOptions, "onProgress">> {
  readonly settings: FoundSettings;
}

export interface PlanOptions extends TargetOptions, Pick<SourceOptions, "selection" | "others"> {
  /** Connects with the settings of the project in a folder. Default: the current directory. */
  readonly connect: (folder: string | undefined) => Promise<ConnectionOfProject>;
}

/** Code and import files for an organization, before they are written. */
export interface AdoptionPlan {
  readonly adoption: Adoption;
  /** Folders of the projects that get something, in the order in which they are imported. */
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
  const { selection, others, split, connect, onRemark } = options;
  const target = await (split.length > 0 ? severalProjects : oneProject)(folder, options);
  const { backend, projects } = target;
  const connection = await connect(target.settingsFrom);
  const source = await readSource(connection, {
    selection,
    others,
    backend,
    onProgress: connection.onProgress,
  }).finally(connection.close);
  for (const remark of source.remarks) onRemark(remark);
  const { organization, listed, objects, observer } = source;
  const refreshes = connection.settings.values.accessToken?.from === "environment";
  const { adoption, folders, steps } = await target.plan(objects, {
    organization,
    observer,
    backend,
    refreshes,
  });
  const remarks = remarksOn(adoption.objects);
  if (backend === "plugin") remarks.push(...new Set(projects.flatMap(remarksOnPlugin)));
  return {
    adoption,
    folders,
    isProject: projects.length > 0,
    remarks,
    steps: () => steps(connection.settings),
    organization,
    listed,
    requests: connection.traffic.requests,
    refreshes,
  };
}
