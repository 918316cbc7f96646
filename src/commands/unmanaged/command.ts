import type { Command } from "commander";
import { counted } from "../../shared/messages/nouns.js";
import type { Ownership, PlacedUnmanaged } from "../shared/inventory/ownership.js";
import { projectDirectory, projectsBelow } from "../shared/pulumi/project-folder.js";
import { type Project, stackNames } from "../shared/pulumi/pulumi.js";
import { type StackState, stateOf } from "../shared/pulumi/stack-export.js";
import { commandWithVerdict, EXIT, EXIT_CODES, SETTINGS_HELP, verdict } from "../shared/terminal/command.js";
import { connected } from "../shared/terminal/connection.js";
import { readState, readStateOf } from "../shared/terminal/files.js";
import { kindsToRead } from "../shared/terminal/options.js";
import { columns, json, note, paint, progress, result } from "../shared/terminal/terminal.js";

interface Flags {
  stackExport?: string[];
  allStacks?: true | string[];
  only?: string[];
  except?: string[];
  stack?: string;
  json: boolean;
}

export function unmanagedCommand(): Command {
  return commandWithVerdict("unmanaged")
    .description("List unmanaged objects, and resources in state whose object no longer exists.")
    .option(
      "--stack-export <file...>",
      "output of `pulumi stack export`, one file for each stack; - for standard input " +
        "(default: the selected stack, in a project's directory)",
    )
    .option(
      "--all-stacks [name...]",
      "all stacks of the Pulumi projects in this folder and below, and other stacks by their full names " +
        "(acme/infrastructure-mobile/production)",
    )
    .option("--only <kind...>", "check only these resource types, such as AgentToken")
    .option("--except <kind...>", "leave these resource types out")
    .option("--stack <name>", "the stack whose configuration and state to use (default: the selected one)")
    .option("--json", "print JSON: { unmanaged, gone, unproven? }", false)
    .addHelpText(
      "after",
      `
The command reads the organization's lists with one request for each page and two for each cluster, and a list of several
pages twice. It needs the scopes read_clusters, read_pipeline_templates, read_teams and read_suites, except for types that
--only and --except leave out. Pipelines, schedules, secrets, maintainers and the access of teams are only compared if a stack
has such a resource, or --only names its type: each team, pipeline or cluster then has one more list.
An object that the access token may not be allowed to see is not reported as gone. Standard error names it, JSON lists it
as \`unproven\`, and it doesn't change the exit code.
${SETTINGS_HELP}

Examples:
  buildpipeline unmanaged
  buildpipeline unmanaged --all-stacks
  pulumi stack export | buildpipeline unmanaged --stack-export -
  buildpipeline unmanaged --stack-export production.json shared.json --only AgentToken --json
${EXIT_CODES("an object is unmanaged, or the object of a resource is gone", "every object is managed, and none is gone")}`,
    )
    .action(verdict(run));
}

async function run(flags: Flags): Promise<number> {
  const { ownership, text } = await readOwnership(flags);
  result(flags.json ? asJson(ownership) : text);
  printExceptions(ownership);
  note(ownership.read);
  return isFound(ownership) ? EXIT.found : EXIT.clean;
}

export function isFound({ unmanaged, gone }: Ownership): boolean {
  return unmanaged.length + gone.length > 0;
}

/** @param environment variables for the Pulumi CLI that reads the settings */
export async function readOwnership(
  flags: Omit<Flags, "json">,
  environment?: Project["environment"],
): Promise<{ readonly ownership: Ownership & { readonly read: string }; readonly text: string }> {
  // Reads the files before it sends a request, because a file's name may be mistyped.
  const exported = flags.stackExport && (await Promise.all(flags.stackExport.map(readState)));
  const all = flags.allStacks && (await exportsOfAll(flags.allStacks === true ? [] : flags.allStacks));
  const project = { stack: flags.stack, directory: all?.settingsFrom, environment };
  return connected(project, async ({ client, origin, traffic, settings, onProgress }) => {
    const given = exported || all ? [...(exported ?? []), ...(all?.states ?? [])] : undefined;
    const states = given ?? [await readStateOf(undefined, settings.project)];
    const { listReadable } = await import("../shared/inventory/listing.js");
    const { compareOwnership } = await import("../shared/inventory/ownership.js");
    const resources = states.flatMap((state) => state.resources);
    const managed = new Set(resources.map(({ kind }) => kind));
    const { kinds, left } = await kindsToRead(flags, ({ name }) => managed.has(name));
    const ofAskedKinds = resources.filter(({ kind }) => kinds.has(kind));
    const { listing, remarks } = await listReadable(client, { kinds, onProgress });
    for (const remark of remarks) note(remark);
    const { expiryOf, ROTATE_FIRST } = await import("../shared/inventory/expiry.js");
    for (const { label, observed } of listing.objects) {
      const expiry = expiryOf(label, observed.expiresAt, Date.now());
      if (expiry !== undefined) note(`${expiry} ${ROTATE_FIRST}`);
    }
    const ownership = compareOwnership(listing, ofAskedKinds, origin);
    const owner = states.length === 1 ? "the stack has" : "the stacks have";
    const omitted =
      left.length === 0 ? "" : ` Not read, because ${owner} none (--only reads them): ${left.join(", ")}.`;
    const read = `${counted(listing.objects.length, "object")} in ${client.organization}, read with ${counted(traffic.requests, "request")}.${omitted}`;
    return { ownership: { ...ownership, read }, text: asText(ownership, states.length) };
  });
}

/**
 * Exports every stack of the projects in this folder and below, and every named stack.
 *
 * @returns the state of each stack, and the folder of the project whose selected stack has the settings: this folder,
 * or else the first project below it
 */
async function exportsOfAll(names: readonly string[]) {
  const folder = process.cwd();
  const directories = projectsBelow(folder);
  if (directories.length === 0)
    throw new Error(`--all-stacks: ${folder} and its folders have no Pulumi project.`);
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

function asJson({ unmanaged, gone, unproven }: Ownership): string {
  const listed = unmanaged.map(({ inside: _, ...one }) => one);
  return json({ unmanaged: listed, gone, ...(unproven.length > 0 && { unproven }) });
}

/** People copy URNs and values of `import`, so these are not cut at the width of a terminal. */
const LONGEST_CELL = 200;

function asText({ unmanaged, gone, unproven }: Ownership, stacks: number): string {
  const lines: string[] = [];
  if (unmanaged.length > 0) {
    const owner = stacks === 1 ? "The stack doesn't own" : `None of the ${stacks} stacks given owns`;
    const head = ["kind", "name", "created", "by", "import", unmanaged.some(isInNamesake) ? "in" : ""];
    const [heading = "", ...rows] = columns([head, ...unmanaged.map(rowOf)], LONGEST_CELL);
    lines.push(paint("bold", `${owner} ${unmanaged.length}:`), "", paint("dim", heading), ...rows, "");
  }
  if (gone.length > 0) {
    const rows = gone.map(({ urn, id }) => [urn, id]);
    lines.push(paint("bold", `Owned by a stack, and gone from the service: ${gone.length}`), "");
    lines.push(...columns(rows, LONGEST_CELL), "", "`pulumi refresh` removes them from state.", "");
  }
  if (lines.length === 0 && unproven.length > 0)
    lines.push(`Everything is owned by a stack. ${counted(unproven.length, "resource")} may be gone.`);
  else if (lines.length === 0)
    lines.push(paint("green", "Everything is owned by a stack, and nothing is gone."));
  return `${lines.join("\n")}\n`;
}

function rowOf(object: PlacedUnmanaged): string[] {
  const { type, name, createdAt, createdBy, import: value, inside = "" } = object;
  const age = createdAt === null ? "" : `${createdAt.slice(0, 10)} (${daysAgo(createdAt)})`;
  const kind = type.slice(type.lastIndexOf(":") + 1);
  const creator = createdBy?.name ?? createdBy?.email ?? "";
  return [kind, name, age, creator, value, isInNamesake(object) ? inside : ""];
}

/** Returns whether the value of `import` has the id of a cluster, because several have its name. */
function isInNamesake({ inside, import: value }: PlacedUnmanaged): boolean {
  return inside !== undefined && !value.startsWith(`${inside}/`) && value.includes("/");
}

function daysAgo(time: string): string {
  const days = Math.floor((Date.now() - Date.parse(time)) / 86_400_000);
  return days <= 0 ? "today" : days === 1 ? "yesterday" : `${days} days ago`;
}

function printExceptions({ unproven, elsewhere }: Ownership): void {
  for (const { urn, id, reason } of unproven) {
    note(
      `Not returned by the API, and deletion not confirmed: ${urn} (${id}): ${reason}. Use an admin's access token.`,
    );
  }
  if (elsewhere.length > 0) {
    const organizations = new Set(elsewhere.map(({ properties }) => String(properties.organization)));
    note(
      `Not compared: ${counted(elsewhere.length, "resource")} in other organizations (${[...organizations].join(", ")}).`,
    );
  }
}
