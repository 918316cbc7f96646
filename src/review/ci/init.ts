import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import { packageJsonIn, projectsIn, requireName } from "../../cli/pulumi/project-folder.js";
import { HANDED_OVER } from "../../cli/pulumi/stack-listing.js";
import { json, note, result } from "../../cli/terminal/terminal.js";
import { visible } from "../../shared/messages/foreign-text.js";
import { lineDiff } from "../../shared/messages/lines.js";
import { quoted, shellWord } from "../../shared/messages/quoted.js";
import { inside, makeFolders } from "../../shared/process/folders.js";
import { PACKAGE } from "../../shared/process/package-files.js";

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

export interface InitFlags {
  readonly host?: string;
  readonly stack?: string;
  readonly check: boolean;
  readonly json: boolean;
}

export async function init(flags: InitFlags): Promise<number> {
  const root = process.cwd();
  const folders = projectsIn(root).map(({ folder }) => folder);
  const hosts = hostsOf(flags.host, root);
  const files = hosts.map((host) => {
    const path = HOST_FILES[host];
    const found = existsSync(join(root, path)) ? readFileSync(join(root, path), "utf8") : undefined;
    const stack = flags.stack ?? /--stack ([\w./-]+)/.exec(found ?? "")?.[1] ?? "production";
    requireName("--stack", stack, stack.split("/"));
    const command = `npx pulumi-buildpipeline ci init --host ${host} --stack ${stack}`;
    return { path, command, wanted: fileOf(host, stack, folders), found };
  });
  const missing = files.filter(({ found }) => found === undefined);
  const different = files.filter(({ wanted, found }) => found !== undefined && found !== wanted);
  if (!flags.check) {
    for (const { path, wanted } of missing) {
      const place = inside(root, path);
      makeFolders(dirname(place));
      writeFileSync(place, wanted, { flag: "wx" });
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
    for (const { sign, text } of lineDiff(found, wanted).lines)
      result(sign === "gap" ? "  …\n" : `  ${sign}${text}\n`);
    result(`To take this version's: rm ${shellWord(path)} && ${command}\n`);
  }
  if (!isWrong && missing.length === 0) result("The files are what this version writes.\n");
  return isWrong ? 1 : 0;
}

function hostsOf(asked: string | undefined, root: string): HostName[] {
  const all = Object.keys(HOST_FILES) as HostName[]; // Its keys are all hosts, by its type.
  const hosts = all.filter((host) =>
    asked === undefined ? existsSync(join(root, HOST_FILES[host])) : host === asked,
  );
  if (hosts.length === 0) throw new Error(`Give --host ${all.join(", --host ")}.`);
  return hosts;
}

function fileOf(host: HostName, stack: string, folders: readonly string[]): string {
  const { pattern, why } = OBEYED[host];
  for (const folder of folders)
    if (pattern.test(folder) || visible(folder) !== folder)
      throw new Error(
        `${HOST_FILES[host]} can't name the folder ${quoted(folder)}, because ` +
          `${pattern.test(folder) ? why : "a log would not show its name"}. Rename it. Nothing was written.`,
      );
  const uploads = HANDED_OVER.map((file) => `review/${file}`);
  return readFileSync(join(PACKAGE, "examples", "gitops", HOST_FILES[host]), "utf8")
    .replaceAll("--stack production", () => `--stack ${stack}`)
    .replace(
      /(?<=^ *(?:- )?(?:project|PROJECT|matrix): )\[\.\]$/m,
      () => `[${folders.map(yamlText).join(", ")}]`,
    )
    .replace(/\[review\/projects\.json,.*\]/, () => `[${uploads.join(", ")}]`)
    .replace(/^( +)review\/projects\.json\n(?:\1review\/.*\n)+/m, (_, indent: string) =>
      uploads.map((file) => `${indent}${file}\n`).join(""),
    );
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
