import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import { parse } from "yaml";
import * as z from "zod";
import { packageJsonIn, requireName } from "../../cli/pulumi/project-folder.js";
import { projectsIn } from "../../cli/pulumi/repository.js";
import { HANDED_OVER } from "../../cli/pulumi/stack-listing.js";
import { writing } from "../../cli/terminal/files.js";
import { json, note, result } from "../../cli/terminal/terminal.js";
import { visible } from "../../shared/messages/foreign-text.js";
import { lineDiff } from "../../shared/messages/lines.js";
import { quoted, shellWord } from "../../shared/messages/quoted.js";
import { inside, makeFolders, repositoryOf } from "../../shared/process/folders.js";
import { PACKAGE, placeOfPage } from "../../shared/process/package-files.js";
import { git } from "../projects/changes.js";

/** The file of each host, in a repository and in the example, whose files are the templates. */
export const HOST_FILES = {
  github: ".github/workflows/buildpipeline.yml",
  gitlab: ".gitlab-ci.yml",
  buildkite: ".buildkite/pipeline.yml",
} as const;
type HostName = keyof typeof HOST_FILES;

/** What a host reads into a folder's name in its file. The shell gets the name in a variable, as text. */
const OBEYED: Readonly<Record<HostName, { readonly pattern: RegExp; readonly why: string }>> = {
  github: { pattern: /\$\{\{/, why: "GitHub takes ${{ for an expression" },
  gitlab: {
    pattern: /[^\w ./-]/,
    why: "names of GitLab's environments have only ASCII letters, digits, blanks and the signs . _ - /",
  },
  buildkite: {
    pattern: /\$|\{\{/,
    why: "Buildkite takes $ for a variable, and {{ for a value of the matrix",
  },
};

/** Reviewers read the files in a browser. */
const LONGEST_LINE = 120;

export interface InitFlags {
  readonly host?: string;
  readonly stack?: string;
  readonly check: boolean;
  readonly json: boolean;
}

export async function init(flags: InitFlags): Promise<number> {
  // Hosts read the files of the root only, and the jobs run there.
  const root = repositoryOf(process.cwd()) ?? process.cwd();
  const folders = (await projectsIn(root)).projects.map(({ folder }) => folder);
  const hosts = hostsOf(flags.host, root);
  const known = await defaultBranch(root);
  const files = hosts.map((host) => {
    const place = join(root, HOST_FILES[host]);
    const found = existsSync(place) ? readFileSync(place, "utf8") : undefined;
    const path = relative(process.cwd(), place);
    const stack = flags.stack ?? /--stack ([\w./-]+)/.exec(found ?? "")?.[1] ?? "production";
    requireName("--stack", stack, stack.split("/"));
    const command = `npx pulumi-buildpipeline ci init --host ${host} --stack ${stack}`;
    const written = /(?<=branches: \[|build\.branch == ")[\w./-]+/.exec(found ?? "")?.[0];
    const branch = known.ofOrigin ?? written ?? known.local;
    return { host, place, path, command, branch, wanted: fileOf(host, stack, folders, branch), found };
  });
  const missing = files.filter(({ found }) => found === undefined);
  const different = files.filter(
    ({ wanted, found }) => found !== undefined && found.replaceAll("\r\n", "\n") !== wanted,
  );
  if (!flags.check) {
    for (const { host, wanted } of missing) {
      const place = inside(root, HOST_FILES[host]);
      makeFolders(dirname(place));
      writing(place, () => writeFileSync(place, wanted, { flag: "wx" }));
    }
    for (const advice of adviceFor(root)) note(advice);
  }
  const isWrong = different.length > 0 || (flags.check && missing.length > 0);
  if (flags.json) {
    const paths = (some: typeof files) => some.map(({ path }) => path);
    result(
      json({
        written: flags.check ? [] : paths(missing),
        missing: flags.check ? paths(missing) : [],
        different: paths(different),
      }),
    );
    return isWrong ? 1 : 0;
  }
  for (const { path } of missing) result(flags.check ? `${path} is missing.\n` : `${path} is written.\n`);
  for (const { path, command, wanted, found = "" } of different) {
    result(`${path} differs from what this version writes, and stays as it is:\n`);
    for (const { sign, text } of lineDiff(found.replaceAll("\r\n", "\n"), wanted).lines)
      result(sign === "gap" ? "  …\n" : `  ${sign}${text}\n`);
    result(`To take this version's: rm ${shellWord(path)} && ${command}\n`);
  }
  if (!isWrong && missing.length === 0) result("The files are what this version writes.\n");
  if (!flags.check)
    for (const { host, branch, wanted } of missing) sayWhatIsLeft(host, branch, wanted, folders);
  return isWrong ? 1 : 0;
}

/** Asks Git for the default branch: the remote's, if a clone or `git remote set-head` recorded it. */
async function defaultBranch(root: string): Promise<{ readonly ofOrigin?: string; readonly local: string }> {
  const [, ofOrigin] =
    /^origin\/(.+)/.exec((await git(root, "symbolic-ref --short refs/remotes/origin/HEAD")) ?? "") ?? [];
  const current = (await git(root, "symbolic-ref --short HEAD"))?.trim();
  const heads = (await git(root, "for-each-ref --format=%(refname:short) refs/heads"))?.split("\n") ?? [];
  const usual = ["main", "master", "trunk"].filter((one) => heads.includes(one));
  const local = usual.find((one) => one === current) ?? usual[0] ?? current ?? "main";
  return { ...(ofOrigin !== undefined && { ofOrigin }), local };
}

/** Says what the host's settings need before the jobs run, as the file's own expressions name it. */
function sayWhatIsLeft(host: HostName, branch: string, file: string, folders: readonly string[]): void {
  const place = placeOfPage("guides/deploy-from-git#set-it-up");
  note(`Left to do, of which ${"url" in place ? place.url : `\`${place.command}\``} has each step:`);
  if (host !== "github") {
    note("The first lines of the file name the variables and who gets them.");
    note("Make two schedules: one nightly, and one with ROTATE=true for the rotation.");
    return;
  }
  const { jobs } = workflowSchema.parse(parse(file));
  const needs = new Map<string, Set<string>>();
  for (const job of Object.values(jobs)) {
    const names = [...JSON.stringify(job).matchAll(/secrets\.(\w+)/g)].map(([, name = ""]) => name);
    for (const environment of environmentsOf(job.environment, folders))
      needs.set(environment, new Set([...(needs.get(environment) ?? []), ...names]));
  }
  for (const [environment, secrets] of needs) {
    note(
      `  gh api --method PUT 'repos/{owner}/{repo}/environments/${encodeURIComponent(environment)}' --silent`,
    );
    for (const secret of secrets) note(`  gh secret set ${secret} --env ${shellWord(environment)}`);
  }
  note("  gh variable set PULUMI_BACKEND_URL");
  note(
    "Leave out what your state doesn't need: a bucket (PULUMI_BACKEND_URL) needs no PULUMI_ACCESS_TOKEN, nor does Pulumi " +
      "Cloud with the variable PULUMI_ORGANIZATION.",
  );
  note(
    `In Settings, Environments, give \`production\` required reviewers, and restrict all but \`review\` to the branch ${branch}.`,
  );
}

const workflowSchema = z.object({
  jobs: z.record(z.string(), z.looseObject({ environment: z.string().optional() })),
});

function environmentsOf(environment: string | undefined, folders: readonly string[]): readonly string[] {
  if (environment === undefined) return [];
  if (!environment.includes("matrix.project")) return [environment];
  return folders.map((folder) => (folder === "." ? "review" : `review/${folder}`));
}

function hostsOf(asked: string | undefined, root: string): HostName[] {
  const all = Object.keys(HOST_FILES) as HostName[]; // Its keys are all hosts, by its type.
  const hosts = all.filter((host) =>
    asked === undefined ? existsSync(join(root, HOST_FILES[host])) : host === asked,
  );
  if (hosts.length === 0) throw new Error(`Give --host ${all.join(", --host ")}.`);
  return hosts;
}

function fileOf(host: HostName, stack: string, folders: readonly string[], branch: string): string {
  const { pattern, why } = OBEYED[host];
  if (!/^[\w./-]+$/.test(branch))
    throw new Error(
      `The files can't name the default branch ${quoted(branch)}: it needs letters, digits, and the signs . _ - / only.`,
    );
  for (const folder of folders)
    if (pattern.test(folder) || visible(folder) !== folder)
      throw new Error(
        `${HOST_FILES[host]} can't name the folder ${quoted(folder)}, because ` +
          `${pattern.test(folder) ? why : "a log would not show its name"}. Rename it. Nothing was written.`,
      );
  const uploads = HANDED_OVER.map((file) => `review/${file}`);
  return readFileSync(join(PACKAGE, "examples", "gitops", HOST_FILES[host]), "utf8")
    .replaceAll("--stack production", () => `--stack ${stack}`)
    .replaceAll(/(?<=origin\/|branches: \[|build\.branch == ")main\b/g, () => branch)
    .replace(/^( *)((?:- )?(?:project|PROJECT|matrix): )\[\.\]$/m, (_, indent: string, name: string) =>
      listOf(folders.map(yamlText), indent, name),
    )
    .replace(/\[review\/projects\.json,.*\]/, () => `[${uploads.join(", ")}]`)
    .replace(/^( +)review\/projects\.json\n(?:\1review\/.*\n)+/m, (_, indent: string) =>
      uploads.map((file) => `${indent}${file}\n`).join(""),
    );
}

/** Returns a list in one line, or if that is too long, with a line for each entry. */
function listOf(entries: readonly string[], indent: string, name: string): string {
  const line = `${indent}${name}[${entries.join(", ")}]`;
  if (line.length <= LONGEST_LINE) return line;
  const deeper = `${indent}${name.startsWith("- ") ? "  " : ""}  `;
  return [`${indent}${name.trimEnd()}`, ...entries.map((entry) => `${deeper}- ${entry}`)].join("\n");
}

/** Returns a text that every version of YAML reads as this text, not as a number or a word such as `on`. */
function yamlText(text: string): string {
  const isPlain = /^[a-z][\w./-]*$/i.test(text) && !/^(?:y|n|yes|no|on|off|true|false|null)$/i.test(text);
  return isPlain || text === "." ? text : JSON.stringify(text);
}

/** Says what keeps a job's `npm ci` from installing the package and the Pulumi CLI. */
function adviceFor(root: string): string[] {
  const all = packageJsonIn(root)?.dependencies ?? {};
  const source = all["pulumi-buildpipeline"];
  const advice: string[] = [];
  if (source === undefined)
    advice.push(
      "package.json doesn't name this package, so a job lacks it: npm install --save-dev pulumi-buildpipeline",
    );
  const file = source?.startsWith("file:") ? relative(root, resolve(root, source.slice("file:".length))) : "";
  if (file.startsWith(".."))
    advice.push(
      `package.json names a file outside of the repository, which a clone lacks: cp ${shellWord(file)} . && ` +
        `npm install ./${shellWord(basename(file))}`,
    );
  if (all.pulumi === undefined)
    advice.push("The jobs need the Pulumi CLI: npm install --save-dev pulumi, or an image that has it.");
  if (!existsSync(join(root, "package-lock.json")))
    advice.push("`npm ci` needs package-lock.json: npm install.");
  return advice;
}
