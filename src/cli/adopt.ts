import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import { type Command, InvalidArgumentError, Option } from "commander";
import type { Adoption, FileChange } from "../adoption/adoption.js";
import type { ExistingProject, KnownResource } from "../adoption/existing-project.js";
import { parseSelector, type Selector, selectedKinds } from "../adoption/selection.js";
import type { Observer } from "../inventory/kinds.js";
import type { Listing } from "../inventory/listing.js";
import type { StateResource } from "../inventory/stack-export.js";
import { counted } from "../messages/nouns.js";
import type { Backend } from "../protocol/type-token.js";
import { nameOfUrn } from "../protocol/urn.js";
import { commandWithVerdict, EXIT, SETTINGS_HELP, verdict } from "./command.js";
import { type Connection, connect } from "./connection.js";
import { hasPackage, installCommand, nextSteps } from "./next-steps.js";
import { explainRefusals, readExport, resourcesOf } from "./owned.js";
import { dependencyFor } from "./package-source.js";
import { IMPORT_COMMAND, importResources, PulumiError, projectDirectory } from "./pulumi.js";
import { agreed, json, note, printableLines, progress } from "./terminal.js";

interface Flags {
  only: Selector[];
  except: Selector[];
  stackExport: string[];
  stack?: string;
  native: boolean;
  dryRun: boolean;
  import: boolean;
  yes: boolean;
  json: boolean;
}

/** `buildpipeline adopt`: a program for what exists, and the file that imports it. */
export function adoptCommand(): Command {
  return commandWithVerdict("adopt")
    .description("Write a Pulumi project for an existing organization, and the file that imports it.")
    .argument("<folder>", "the project's folder; created if it doesn't exist")
    .addOption(
      selectorOption(
        "--only <selector...>",
        "import only these: a resource type, a pattern of names, or both",
      ),
    )
    .addOption(selectorOption("--except <selector...>", "leave these out"))
    .option(
      "--stack-export <file...>",
      "what `pulumi stack export` printed of other programs: what they own is left out; - for standard input",
      [],
    )
    .option("--stack <name>", "the project's stack (default: the selected one)")
    .option(
      "--native",
      "write a program whose resources the plugin serves (pulumi-buildpipeline/native)",
      false,
    )
    .option("--dry-run", "print what would be written as a diff, and write nothing", false)
    .option("--import", "run `pulumi import` afterwards, which shows what it does before it does it", false)
    .option("--yes", "ask nothing", false)
    .option("--json", "print JSON: { adopted, leftOut, remarks, files, requests }", false)
    .addHelpText(
      "after",
      `
Reads the organization's lists: a request for each page, two for each cluster, and one for the API
access token where the import file needs its id. Nothing is changed on the service.
In a folder that has a project, what its stack has and what its import.json has is left out; what is new is shown as a
diff before it is added, and asked about where a terminal listens. Selectors: Queue, "Queue:linux-*", "Linux/*".
${SETTINGS_HELP}

Examples:
  buildpipeline adopt infrastructure
  buildpipeline adopt infrastructure --import
  buildpipeline adopt infrastructure --except Team "AgentToken:temporary *" --dry-run
  buildpipeline adopt infrastructure --stack-export another-program.json

Exit codes:
  0  written, or nothing is new
  1  something was left out, which the program cannot declare
  2  the command failed, or its arguments were wrong`,
    )
    .action(verdict(run));
}

function selectorOption(flags: string, description: string): Option {
  return new Option(flags, description).default([], "none").argParser((value, previous: Selector[]) => {
    try {
      return [...previous, parseSelector(value)];
    } catch (error) {
      throw new InvalidArgumentError(error instanceof Error ? error.message : String(error));
    }
  });
}

async function run(path: string, flags: Flags): Promise<number> {
  const others = (await Promise.all(flags.stackExport.map(readExport))).flat();
  const folder = resolve(path);
  const isProject = projectDirectory(folder) === folder;
  const { readProject } = await import("../adoption/existing-project.js");
  const project = readProject(folder);
  const backend = await backendFor(project, flags.native);
  const connection = await connect(flags.stack, isProject ? folder : undefined);
  const { traffic, settings } = connection;
  const { listing, observer } = await read(connection, flags, backend).finally(connection.close);
  const inStack = isProject ? await ownResources(folder, flags.stack) : undefined;
  const adoption = await plan(listing, { folder, project, backend, observer }, flags, inStack ?? [], others);
  const { remarksOn, remarksOnPlugin } = await import("../adoption/remarks.js");
  const remarks = remarksOn(adoption.objects);
  if (backend === "plugin") remarks.push(...remarksOnPlugin(project));
  const { requests } = traffic;
  const written = await write(adoption, folder, isProject, flags);
  printSummary(adoption, folder, remarks, written);
  const isLeftToDo = written && adoption.adopted.length > 0 && !flags.import;
  if (isLeftToDo) {
    const steps = nextSteps({ folder, hasStack: inStack !== undefined, stack: flags.stack, settings });
    note(`Next:\n${steps.map((step) => `  ${step}`).join("\n")}`);
  }
  note(`${listing.objects.length} objects in ${listing.organization}, read with ${requests} requests.`);
  if (flags.json) {
    const { adopted, leftOut } = adoption;
    const files = adoption.files.map((file) => ({ path: file.path, change: changeOf(file) }));
    process.stdout.write(json({ adopted, leftOut, remarks, files, requests }));
  }
  if (flags.import && written) await bringIn(folder, flags);
  return adoption.leftOut.length > 0 ? EXIT.found : EXIT.clean;
}

/** Reads the organization, and who reads it as far as the import file needs that. */
async function read(
  { client, origin }: Connection,
  flags: Flags,
  backend: Backend,
): Promise<{ listing: Listing; observer: Observer }> {
  const { listOrganization } = await import("../inventory/listing.js");
  const listing = await listOrganization(client, {
    kinds: selectedKinds(flags),
    onProgress: ({ done, of }) => progress(`Clusters read: ${done} of ${of}`),
  });
  if (listing.refused.size > 0) await explainRefusals(listing, (await client.accessToken.get()).scopes);
  const { isHidden } = await import("../inventory/kinds.js");
  // The plugin reads what it imports, and then writes the marks itself.
  const needsToken =
    backend === "dynamic" && listing.objects.some(({ kind, entity }) => isHidden(kind, entity));
  const token = needsToken ? await client.accessToken.get().catch(() => undefined) : undefined;
  return { listing, observer: { origin, tokenId: token?.uuid } };
}

/** What the project's stack has; undefined where no stack is selected yet. */
async function ownResources(
  directory: string,
  stack: string | undefined,
): Promise<StateResource[] | undefined> {
  try {
    return (await resourcesOf({ directory, stack })).filter(({ external }) => !external);
  } catch (error) {
    if (!(error instanceof PulumiError)) throw error;
    note(`The stack could not be read (${error.message}), so everything in import.json counts as imported.`);
    return undefined;
  }
}

/** The project that something is brought into. */
interface Target {
  readonly folder: string;
  readonly project: ExistingProject;
  readonly backend: Backend;
  readonly observer: Observer;
}

async function plan(
  listing: Listing,
  { folder, project, backend, observer }: Target,
  selection: Flags,
  inStack: readonly StateResource[],
  others: readonly StateResource[],
): Promise<Adoption> {
  const { adopt } = await import("../adoption/adoption.js");
  const { keyOf } = await import("../adoption/existing-project.js");
  const { isSelected } = await import("../adoption/selection.js");
  const elsewhere = new Set(others.filter(({ external }) => !external).map(keyOf));
  const objects = listing.objects.filter(
    (object) => isSelected(selection, object) && !elsewhere.has(keyOf(object)),
  );
  return adopt(objects, {
    organization: listing.organization,
    observer,
    project,
    inStack: inStack.map(({ kind, id, urn }): KnownResource => ({ kind, id, name: nameOfUrn(urn) })),
    backend,
    folderName: basename(folder),
    dependency: dependencyFor(folder),
  });
}

/** A program stays with the backend that it has. */
async function backendFor(project: ExistingProject, native: boolean): Promise<Backend> {
  const { backendOf } = await import("../adoption/existing-project.js");
  const present = backendOf(project);
  if (native && present === "dynamic") {
    throw new Error(
      "The program here imports from pulumi-buildpipeline. Omit --native, or change the program to " +
        "pulumi-buildpipeline/native first. docs/native.md shows how; no resource changes.",
    );
  }
  return present ?? (native ? "plugin" : "dynamic");
}

/** Writes what is new; into a project only what was looked at. Returns whether the folder is as it should be. */
async function write(
  { files }: Adoption,
  folder: string,
  isProject: boolean,
  { dryRun, yes, json: asJson }: Flags,
): Promise<boolean> {
  if (dryRun || (isProject && files.length > 0)) {
    const { additions } = await import("../adoption/additions.js");
    const shown = printableLines(additions(files));
    // What a program reads has no place for it.
    if (asJson) process.stderr.write(shown);
    else process.stdout.write(shown);
    if (dryRun) return false;
    if (!yes && !(await agreed(`Add this to ${relative(process.cwd(), folder) || "this project"}?`)))
      return false;
  }
  for (const { path, after } of files) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), after);
  }
  return true;
}

function changeOf({ before }: FileChange): "added" | "changed" {
  return before === undefined ? "added" : "changed";
}

function printSummary(
  { adopted, leftOut, files }: Adoption,
  folder: string,
  remarks: readonly string[],
  written: boolean,
): void {
  for (const { type, label, id, reason } of leftOut) {
    const kind = type.slice(type.lastIndexOf(":") + 1);
    note(
      `Left out: ${kind} ${JSON.stringify(label)} (${id}). ${reason} Change it in Buildkite, and run this command again.`,
    );
  }
  if (adopted.length === 0) {
    note("Nothing is new.");
    return;
  }
  for (const remark of remarks) note(remark);
  note(
    written
      ? `${counted(adopted.length, "resource")} in ${counted(files.length, "file")} of ${folder}.`
      : `${counted(adopted.length, "resource")}, nothing written.`,
  );
}

async function bringIn(folder: string, { stack, yes }: Flags): Promise<void> {
  if (!existsSync(join(folder, "import.json"))) return;
  if (!hasPackage(folder)) {
    throw new Error(
      `The package is not installed in ${folder}: run \`${installCommand(folder)}\` there, then \`${IMPORT_COMMAND}\`.`,
    );
  }
  await importResources({ directory: folder, stack }, "import.json", yes);
}
