import { copyFileSync, existsSync, statSync } from "node:fs";
import { basename, dirname, relative, resolve } from "node:path";
import type { Command } from "commander";
import type { LiveObject } from "../../cli/inventory/live-object.js";
import { commandWithVerdict, EXIT, SETTINGS_HELP, verdict } from "../../cli/terminal/command.js";
import { minutesFor } from "../../cli/terminal/connection.js";
import { readResources } from "../../cli/terminal/files.js";
import { agreed, columns, json, note, result, visibleLines, wrapped } from "../../cli/terminal/terminal.js";
import { counted } from "../../shared/messages/nouns.js";
import { messageOf } from "../../shared/messages/of-error.js";
import { typeToken } from "../../shared/protocol/type-token.js";
import type { FileChange } from "./placement.js";
import type { AdoptionPlan } from "./plan.js";

interface Flags {
  only?: string[];
  except?: string[];
  split?: string[];
  stackExport: string[];
  stack?: string;
  native: boolean;
  secretsToConfig: boolean;
  language: string;
  dryRun: boolean;
  diff: boolean;
  import: boolean;
  yes: boolean;
  json: boolean;
}

export function adoptCommand(): Command {
  return commandWithVerdict("adopt")
    .description(
      "Write a Pulumi project that declares an organization's objects, and the file that imports them.",
    )
    .argument("<folder>", "the project's folder; created if it doesn't exist")
    .option(
      "--only <selector...>",
      "import only objects that match: by resource type, name or both, or by owner (default: none)",
    )
    .option("--except <selector...>", "leave out objects that match (default: none)")
    .option(
      "--split <rule...>",
      "write several projects: cluster, team, kind, or <project>=<selector>; the first match applies (default: none)",
    )
    .option(
      "--stack-export <file...>",
      "output of `pulumi stack export` of other stacks, whose resources are left out; - for standard input",
      [],
    )
    .option("--stack <name>", "the project's stack (default: the selected one)")
    .option("--native", "write a program that uses the plugin (pulumi-buildpipeline/native)", false)
    .option(
      "--secrets-to-config",
      "put credentials of addresses and variables into the configuration of the selected stack, as secrets",
      false,
    )
    .option(
      "--language <name>",
      "language of the program: typescript, python, go or yaml; the last three use the plugin",
      "typescript",
    )
    .option("--dry-run", "print what would be written, and write nothing", false)
    .option("--diff", "print a diff of the files as well", false)
    .option("--import", "run `pulumi import` afterwards, which previews the import first", false)
    .option("--yes", "don't ask for confirmation", false)
    .option("--json", "print JSON: { adopted, leftOut, remarks, files, requests, unread? }", false)
    .addHelpText(
      "after",
      `
The command reads the organization's lists, three more of each cluster and each team, and one of each pipeline, with one
request for each page, and a list of several pages twice. If the import file needs the id of the API access token, the
command sends one more. It changes nothing in the organization.
If the folder contains a project, the command leaves out resources that are in its stack or its import.json. It shows
the new resources as a diff and, on a terminal, asks for confirmation before it adds them.
A selector is a resource type, a pattern of names, or both: Queue, "Linux/*", "Queue:linux-*".
It can also name owners: team:payments selects the team, its members, pipelines and suites; "tag:tier-*" and
"repository:acme/*" select pipelines. Each pipeline comes with its schedules and with the access of every team.
In languages other than TypeScript, the program is one file in a new folder, and --split is not available.
With --split, each project gets its own folder in <folder>, and stack references connect it to clusters in other projects.
${SETTINGS_HELP}

Examples:
  buildpipeline adopt infrastructure
  buildpipeline adopt infrastructure --import
  buildpipeline adopt infrastructure --except Team "AgentToken:temporary *" --dry-run
  buildpipeline adopt infrastructure --stack-export another-program.json
  buildpipeline adopt infrastructure --language python
  buildpipeline adopt infrastructure --split cluster
  buildpipeline adopt infrastructure --split secrets=AgentToken "mobile=Mac*" kind
  buildpipeline adopt infrastructure --split payments=team:payments "shop=repository:acme/shop*" team cluster

Exit codes:
  0  the project was written, or it already has every object
  1  objects were left out because the program cannot declare them
  2  the command failed, or its arguments were wrong`,
    )
    .action(verdict(run));
}

/** Reads selectors and rules. They load the resource classes, which a command's help does not need. */
async function rulesOf(flags: Flags) {
  const { parseSelector } = await import("./selection.js");
  const { parseSplitRule } = await import("./split.js");
  const { languageNamed } = await import("./languages/all-languages.js");
  const read = <Value>(flag: "only" | "except" | "split", parse: (text: string) => Value): Value[] =>
    (flags[flag] ?? []).map((text) => {
      try {
        return parse(text);
      } catch (error) {
        throw new Error(`--${flag} ${text}: ${messageOf(error)}`);
      }
    });
  return {
    only: read("only", parseSelector),
    except: read("except", parseSelector),
    split: read("split", parseSplitRule),
    language: languageNamed(flags.language),
  };
}

async function run(path: string, flags: Flags): Promise<number> {
  const rules = await rulesOf(flags);
  const others = await readResources(flags.stackExport);
  // A variable without a value would mean the current folder.
  if (path === "") throw new Error("The folder is empty text. Name it; `.` is the current folder.");
  const folder = resolve(path);
  let place = folder;
  while (!existsSync(place)) place = dirname(place);
  if (!statSync(place).isDirectory()) throw new Error(`${place} is a file. Name a folder.`);
  const { planAdoption } = await import("./plan.js");
  const { finishPlacement } = await import("./placement.js");
  if (finishPlacement(folder, flags.dryRun))
    note(`An earlier run of adopt was interrupted here. Its files in ${folder} are complete now.`);
  const plan = await planAdoption(folder, { ...flags, ...rules, others });
  const { adopted, requests } = plan;
  // Before names are written that somebody may want to leave out.
  const counts = columns(
    plan.table.map(([type = "", found = "", some = ""]) => ["", type, found, some, "|"]),
  );
  for (const [index, row] of counts.entries())
    note(wrapped(plan.table[index]?.[3] ?? "", process.stderr, row.slice(0, -1)).trimEnd());
  const remarks = [...plan.differences, ...(adopted.length > 0 ? plan.remarks : [])];
  for (const [index, remark] of remarks.entries()) note(`${index === 0 ? "\n" : ""}${index + 1}. ${remark}`);
  note("");
  const written = await write(plan, folder, flags);
  if (written) await plan.setSecrets();
  printSummary(plan, folder, written);
  note(
    `${counted(plan.objectCount, "object")} in ${plan.organization}, read with ${counted(requests, "request")}.`,
  );
  if (plan.refreshes && !plan.isProject && adopted.length > 0)
    note(costOfPreview(adopted.map(({ object }) => object)));
  const isLeftToDo = written && adopted.length > 0 && !flags.import;
  if (isLeftToDo) note(["\nNext:", ...plan.steps().map((step) => `  ${step}`)].join("\n"));
  if (flags.json) result(asJson(plan));
  if (flags.import && written) {
    const { importAdopted } = await import("./next-steps.js");
    for (const directory of plan.folders) await importAdopted({ directory, stack: flags.stack }, flags.yes);
  }
  return plan.leftOut.length > 0 ? EXIT.found : EXIT.clean;
}

function asJson(plan: AdoptionPlan): string {
  const { adopted, leftOut, files, unread, differences, remarks, requests, backend } = plan;
  const type = ({ kind }: LiveObject) => typeToken(kind.name, backend);
  return json({
    adopted: adopted.map(({ object, name, file }) => ({ type: type(object), id: object.id, name, file })),
    leftOut: leftOut.map(({ object, reason }) => {
      const { id, label } = object;
      return { type: type(object), id, label, reason };
    }),
    remarks: [...differences, ...remarks],
    files: files.map(({ path, before }) => ({ path, change: before === undefined ? "added" : "changed" })),
    requests,
    ...(unread.length > 0 && { unread }),
  });
}

/** A refresh reads the token's scopes, and each list with an object that was adopted. */
function costOfPreview(adopted: readonly LiveObject[]): string {
  const lists = new Map<string, Set<string>>();
  for (const { kind, key, parent, viewOf } of adopted) {
    const list = `${(viewOf?.kind ?? kind).name} ${parent?.key}`;
    lists.set(list, (lists.get(list) ?? new Set()).add(viewOf?.key ?? key));
  }
  const pages = [...lists.values()].map((listed) => Math.ceil(listed.size / 100));
  const requests = pages.reduce((sum, count) => sum + count, 1);
  return (
    `Previews show drift (refresh: always in Pulumi.yaml). Previewing all of it sends about ${requests} requests: ` +
    `${minutesFor(requests)}.`
  );
}

/** Writes new files, into a project only those that were shown. Returns whether the folder is up to date. */
async function write(
  { files, isProject }: AdoptionPlan,
  folder: string,
  { dryRun, diff, yes, split, json: asJson }: Flags,
): Promise<boolean> {
  if (dryRun || diff || (isProject && files.length > 0)) {
    const isShort = dryRun && !diff;
    const shown = isShort ? files.map(listed).join("") : await additions(files);
    // JSON output has no place for it.
    if (asJson) note(shown.trimEnd());
    else result(visibleLines(shown));
    if (dryRun) return false;
    if (!yes && !(await agreed(`Add this to ${relative(process.cwd(), folder) || "this project"}?`)))
      return false;
  }
  const { place } = await import("./placement.js");
  const { tarballFor } = await import("./package-source.js");
  await place(folder, files);
  const tarball = split && tarballFor(folder);
  if (tarball && files.some(({ after }) => after.includes(basename(tarball.copy))))
    copyFileSync(tarball.source, tarball.copy);
  return true;
}

function listed({ path, before }: FileChange): string {
  return `${before === undefined ? "added  " : "changed"}  ${path}\n`;
}

/** Returns a diff for `git apply`. Of an import file it only says how many resources it gains and loses. */
async function additions(files: readonly FileChange[]): Promise<string> {
  const { createTwoFilesPatch } = await import("diff");
  const { IMPORT_FILE, importFileSchema } = await import("../../cli/pulumi/import-file.js");
  const entriesIn = (text = "{}") => {
    const { resources } = importFileSchema.parse(JSON.parse(text));
    return new Set(resources.map(({ type, name }) => JSON.stringify([type, name])));
  };
  return files
    .map(({ path, before, after }) => {
      if (basename(path) === IMPORT_FILE)
        return `# ${path}: ${gainOf(entriesIn(before), entriesIn(after))}\n`;
      const from = before === undefined ? "/dev/null" : `a/${path}`;
      return createTwoFilesPatch(from, `b/${path}`, before ?? "", after);
    })
    .join("");
}

function gainOf(old: ReadonlySet<string>, next: ReadonlySet<string>): string {
  const done = old.difference(next).size;
  const removed = done === 0 ? "" : `, ${counted(done, "imported resource")} removed`;
  return `${counted(next.difference(old).size, "resource")} added${removed}`;
}

function printSummary({ adopted, leftOut, files }: AdoptionPlan, folder: string, written: boolean): void {
  for (const { object, reason } of leftOut) {
    const { kind, label, id } = object;
    note(
      `Left out: ${kind.name} ${JSON.stringify(label)} (${id}). ${reason} Change it in Buildkite, and run this command again.`,
    );
  }
  const outcome = written ? ` in ${counted(files.length, "file")} of ${folder}` : ", nothing written";
  note(adopted.length === 0 ? "Nothing is new." : `${counted(adopted.length, "resource")}${outcome}.`);
}
