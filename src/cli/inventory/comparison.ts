import { counted } from "../../shared/messages/nouns.js";
import { nameOfUrn, projectOfUrn, stackOfUrn } from "../../shared/protocol/urn.js";
import { projectDirectory } from "../pulumi/project-folder.js";
import { type Project, stackNames } from "../pulumi/pulumi.js";
import { readRepository, remarkOnSkipped } from "../pulumi/repository.js";
import { type StackState, stateOf } from "../pulumi/stack-export.js";
import { connected } from "../terminal/connection.js";
import { readState, readStateOf } from "../terminal/files.js";
import { kindsToRead } from "../terminal/options.js";
import { columns, note, paint, progress, stackName } from "../terminal/terminal.js";
import type { Ownership, PlacedUnmanaged } from "./ownership.js";

/** What `unmanaged` and `ci drift` compare. */
export interface ComparisonFlags {
  readonly stackExport?: string[];
  readonly allStacks?: true | string[];
  readonly only?: string[];
  readonly except?: string[] | undefined;
  readonly stack?: string;
}

/** What was compared, and what could not be. */
export interface Comparison extends Ownership {
  /** Sentences on lists and objects that could not be read. */
  readonly unread: readonly string[];
  readonly read: string;
}

/** Returns what a comparison left out, and what it read. */
export function remarksOn({ unproven, elsewhere, unread, read }: Comparison): string[] {
  const organizations = new Set(elsewhere.map(({ properties }) => String(properties.organization)));
  return [
    ...unread,
    ...unproven.map(
      ({ type, urn, id, reason }) =>
        `Not returned by the API, and deletion not confirmed: ${kindIn(type)} ${nameOfUrn(urn)} of ${stackIn(urn)} (${id}): ${reason}. Use an admin's access token.`,
    ),
    ...(elsewhere.length === 0
      ? []
      : [
          // Warning not-compared: The stack exports contain resources of other organizations.
          // Fix: Run the command with the settings of that organization.
          `Not compared: ${counted(elsewhere.length, "resource")} in other organizations (${[...organizations].join(", ")}).`,
        ]),
    read,
  ];
}

export function isFound({ unmanaged, gone }: Ownership): boolean {
  return unmanaged.length + gone.length > 0;
}

/**
 * @param project whose settings to use. Default: that of the options
 * @param reported URNs of what was reported as gone already, which the text doesn't list again
 */
export async function readOwnership(
  flags: ComparisonFlags,
  project?: Project,
  reported: ReadonlySet<string> = new Set(),
): Promise<{ readonly ownership: Comparison; readonly text: string }> {
  // Reads the files before it sends a request, because a file's name may be mistyped.
  const exported = flags.stackExport && (await Promise.all([...new Set(flags.stackExport)].map(readState)));
  const all = flags.allStacks && (await exportsOfAll(flags.allStacks === true ? [] : flags.allStacks));
  return connected(
    project ?? { stack: flags.stack, directory: all?.settingsFrom },
    async ({ client, origin, traffic, settings, onProgress }) => {
      const given = exported || all ? [...(exported ?? []), ...(all?.states ?? [])] : undefined;
      const states = given ?? [await readStateOf(undefined, settings.project)];
      const { listReadable } = await import("./listing.js");
      const { compareOwnership, isIn } = await import("./ownership.js");
      const resources = states.flatMap((state) => state.resources);
      const managed = new Set(resources.map(({ kind }) => kind));
      const { kinds, left } = await kindsToRead(flags, ({ name }) => managed.has(name));
      const ofAskedKinds = resources.filter(({ kind }) => kinds.has(kind));
      const unlisted = ofAskedKinds.filter((one) => isIn(client, one));
      const options = { kinds, onProgress, unlisted };
      const { listing, remarks: unread, refusedInWords } = await listReadable(client, options);
      const { expiryOf, ROTATE_FIRST } = await import("./expiry.js");
      for (const { label, observed } of listing.objects) {
        const expiry = expiryOf(label, observed.expiresAt, Date.now());
        if (expiry !== undefined) note(`${expiry} ${ROTATE_FIRST}`);
      }
      const ownership = compareOwnership(listing, ofAskedKinds, origin);
      const owner = states.length === 1 ? "the stack has" : "the stacks have";
      const omitted =
        left.length === 0 ? "" : ` Not read, because ${owner} none (--only reads them): ${left.join(", ")}.`;
      const read = `${counted(listing.objects.length, "object")} in ${client.organization}, read with ${counted(traffic.requests, "request")}.${omitted}`;
      const isPart = flags.only !== undefined || flags.except !== undefined;
      const everything =
        refusedInWords.length > 0
          ? "Every object that could be read"
          : isPart
            ? `Every object of the types compared (${[...kinds].join(", ")})`
            : "Everything";
      return {
        ownership: { ...ownership, unread, read },
        text: asText(ownership, listing.objects.length, states.length, everything, reported),
      };
    },
  );
}

/**
 * Exports every stack of the projects in this folder and below, and every named stack.
 *
 * @returns the state of each stack, and the folder of the project whose selected stack has the settings: this folder,
 * or else the first project below it
 */
async function exportsOfAll(names: readonly string[]) {
  const folder = process.cwd();
  const repository = await readRepository(folder);
  for (const remark of remarkOnSkipped(repository)) note(remark);
  const directories = repository.projects.map(({ directory }) => directory);
  const stacks: Project[] = names.map((stack) => ({ directory: folder, stack }));
  for (const directory of directories) {
    const own = await stackNames(directory);
    if (own.length === 0) note(`${directory} has no stack, so nothing counts as its own.`);
    stacks.push(...own.map((stack) => ({ directory, stack })));
  }
  const states: StackState[] = [];
  for (const [done, stack] of stacks.entries()) {
    progress(`Stacks read: ${done} of ${stacks.length}`);
    states.push(await stateOf(stack));
  }
  return { states, settingsFrom: projectDirectory(folder) ?? directories[0] };
}

/** People copy URNs and values of `import`, so these are not cut at the width of a terminal. */
const LONGEST_CELL = 200;

const DECLARED =
  "Delete what nobody needs, and declare the rest: `npx pulumi-buildpipeline adopt .` writes the program.";
const RESTORED = "`pulumi up --refresh` creates them again, unless the program no longer declares them.";

/** @param everything names what was compared */
function asText(
  { unmanaged, gone, unproven }: Ownership,
  all: number,
  stacks: number,
  everything: string,
  reported: ReadonlySet<string>,
): string {
  const lines: string[] = [];
  if (unmanaged.length > 0) {
    const owner = stacks === 1 ? "The stack doesn't own" : `None of the ${stacks} stacks given owns`;
    const head = ["kind", "name", "created", "by", "import", unmanaged.some(isInNamesake) ? "in" : ""];
    const [heading = "", ...rows] = columns([head, ...unmanaged.map(rowOf)], LONGEST_CELL);
    lines.push(paint("bold", `${owner} ${unmanaged.length}:`), "", paint("dim", heading), ...rows, "");
    const declared = all - unmanaged.length;
    const percent = Math.floor((100 * declared) / all);
    lines.push(`Declared: ${declared} of ${counted(all, "object")} (${percent} %).`, DECLARED, "");
  }
  const left = gone.filter(({ urn }) => !reported.has(urn));
  if (left.length > 0) {
    const rows = left.map(({ type, urn, id }) => [kindIn(type), nameOfUrn(urn), stackIn(urn), id]);
    const [heading = "", ...others] = columns([["kind", "resource", "stack", "id"], ...rows], LONGEST_CELL);
    lines.push(paint("bold", `Owned by a stack, and gone from the service: ${left.length}`), "");
    lines.push(paint("dim", heading), ...others, "", RESTORED, "");
  }
  if (lines.length === 0 && gone.length > 0)
    lines.push(`${everything} is owned by a stack. The report names what is gone.`);
  else if (lines.length === 0 && unproven.length > 0)
    lines.push(`${everything} is owned by a stack. ${counted(unproven.length, "resource")} may be gone.`);
  else if (lines.length === 0)
    lines.push(paint("green", `${everything} is owned by a stack, and nothing is gone.`));
  return `${lines.join("\n")}\n`;
}

const stackIn = (urn: string) => stackName({ project: projectOfUrn(urn), stack: stackOfUrn(urn) });
const kindIn = (type: string) => type.slice(type.lastIndexOf(":") + 1);

function rowOf(object: PlacedUnmanaged): string[] {
  const { type, name, createdAt, createdBy, import: value, inside = "" } = object;
  const age = createdAt === null ? "" : `${createdAt.slice(0, 10)} (${daysAgo(createdAt)})`;
  const creator = createdBy?.name ?? createdBy?.email ?? "";
  return [kindIn(type), name, age, creator, value, isInNamesake(object) ? inside : ""];
}

/** Returns whether the value of `import` has the id of a cluster, because several have its name. */
function isInNamesake({ inside, import: value }: PlacedUnmanaged): boolean {
  return inside !== undefined && !value.startsWith(`${inside}/`) && value.includes("/");
}

function daysAgo(time: string): string {
  const days = Math.floor((Date.now() - Date.parse(time)) / 86_400_000);
  return days <= 0 ? "today" : days === 1 ? "yesterday" : `${days} days ago`;
}
