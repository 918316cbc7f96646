import { existsSync, readFileSync } from "node:fs";
import * as z from "zod";
import { inside } from "../../shared/process/folders.js";
import { requireName } from "./project-folder.js";

const stackSchema = z.object({
  folder: z.string(),
  /** The project's name in Pulumi. */
  project: z.string(),
  stack: z.string(),
  /** It is deployed after the stacks of all earlier waves. The first is 1. */
  wave: z.number(),
  /** Names of the projects with stacks that it reads. */
  reads: z.array(z.string()),
  /** Why the change affects it; null if it doesn't. */
  affected: z.string().nullable(),
  /** Names of the affected projects that it reads: until they are deployed, it sees what they have today. */
  after: z.array(z.string()),
  /** Why it isn't known here whether the change affects it: the job that previews it knows. */
  unknown: z.string().optional(),
  /** Why nothing can be done for it. It may have no name. */
  problem: z.string().optional(),
});

export type ListedStack = z.infer<typeof stackSchema>;

/** Why a stack is affected where nothing was compared. */
export const EVERY_PROJECT = "all projects were asked for";

/** Returns whether something can be done for a stack, so that it has results. */
export function isWhole({ problem }: ListedStack): boolean {
  return problem === undefined;
}

/** The file in the folder of results that has the listing. */
export const LISTING_FILE = "projects.json";

/** What a stack's folder of results has for the report of several stacks. */
export const REPORTED = { report: "report.*", outcome: "outcome.json", summary: "summary.json" } as const;

/** The files in a folder of results that the jobs of `ci init` hand over to the job with the comment. */
export const HANDED_OVER = [LISTING_FILE, ...Object.values(REPORTED).map((file) => `*/${file}`)];

const FORMAT = 1;
const listingSchema = z.object({
  format: z.literal(FORMAT),
  /** Folders of affected projects. */
  affected: z.array(z.string()),
  stacks: z.array(stackSchema),
});

/** Reads what {@link listingAsJson} wrote. @throws if the value is something else, or names in it aren't Pulumi's */
export function readListing(value: unknown): ListedStack[] {
  const parsed = listingSchema.safeParse(value);
  if (!parsed.success) throw new Error("is not what `buildpipeline projects --json` prints.");
  parsed.data.stacks.filter(isWhole).map(resultsOf);
  return parsed.data.stacks;
}

/** Returns the file of a listing. @throws if it isn't there */
export function listingFile(file: string): string {
  if (file === "-" || existsSync(file)) return file;
  throw new Error(
    `${file} is not there, so no stack was previewed. Run \`buildpipeline ci preview\`; in a job, look why the one before it failed.`,
  );
}

/** Returns the names of what an earlier run made in a folder, as its listing there shows: itself, and folders of results. */
export function recordedIn(out: string): string[] {
  const stacks = listedIn(out);
  return stacks === undefined ? [] : [LISTING_FILE, ...stacks.map(resultsOf)];
}

/** Returns the stacks of the listing that an earlier run made in a folder. Undefined if there is none. */
export function listedIn(out: string): readonly ListedStack[] | undefined {
  try {
    return readListing(JSON.parse(readFileSync(inside(out, LISTING_FILE), "utf8"))).filter(isWhole);
  } catch {
    return undefined;
  }
}

export function listingAsJson(stacks: readonly ListedStack[]): z.input<typeof listingSchema> {
  const affected = stacks.flatMap(({ folder, affected }) => (affected === null ? [] : [folder]));
  return { format: FORMAT, affected: [...new Set(affected)], stacks: [...stacks] };
}

/**
 * Returns the name of a stack's folder of results. It is one name and no path, because Pulumi's own rule for names
 * applies to the project and to each part of `organization/project/stack`.
 *
 * @throws if a name breaks this rule. Every listing is checked by it
 */
export function resultsOf(listed: Pick<ListedStack, "folder" | "project" | "stack">): string {
  const { folder, project, stack } = listed;
  requireName(folder, project);
  requireName(folder, stack, stack.split("/"));
  return `${project}.${stack.replaceAll("/", ".")}`;
}
