import { spawnSync } from "node:child_process";
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import * as fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { cases } from "../../support/cases.js";
import { buildpipeline, buildpipelineProcess, command, type Scratch } from "../../support/command.js";
import { writeCommand } from "../../support/commands-on-path.js";
import { GitRepository } from "../../support/git-repository.js";
import { hasPseudoTerminal, onTerminal } from "../../support/pseudo-terminal.js";

let repository: GitRepository;
let scratch: Scratch;
let root: string;
beforeEach(() => {
  repository = new GitRepository();
  ({ scratch, root } = repository);
  writeCommand(scratch.path("bin"), "pulumi", PULUMI);
  environment = {
    PULUMI_STACK: "production",
    PATH: `${scratch.path("bin")}:${process.env.PATH}`,
    STATES: scratch.path("states"),
  };
  states({ clusters: [], queues: ["acme-clusters"], mac: [] });
});
afterEach(() => scratch.remove());

/** A Pulumi CLI with the states of stacks, by the folders of their projects, and histories. Without them, it fails. */
const PULUMI = `case "$1 $2" in
  "stack history") cat history.json 2>/dev/null || exit 9 ;;
  "stack ls") echo '[{ "name": "production" }, { "name": "staging" }]' ;;
  "stack export") cat "$STATES/\${PWD##*/}" 2>/dev/null || { echo "error: no stack named 'production' found" >&2; exit 255; } ;;
  *) exit 9 ;;
esac`;
let environment: Record<string, string>;
/** Writes states with the projects that each project reads. */
function states(all: Readonly<Record<string, readonly string[]>>): void {
  mkdirSync(scratch.path("states"), { recursive: true });
  for (const [folder, names] of Object.entries(all)) {
    const stack = { urn: "urn:pulumi:production::p::pulumi:pulumi:Stack::s", type: "pulumi:pulumi:Stack" };
    const references = names.map((name) => {
      const id = `organization/${name}/production`;
      const type = "pulumi:pulumi:StackReference";
      return { urn: `urn:pulumi:production::p::${type}::${id}`, type, id, custom: true, external: true };
    });
    const deployment = { resources: [stack, ...references] };
    writeFileSync(join(scratch.path("states"), folder), JSON.stringify({ version: 3, deployment }));
  }
}

type Env = Record<string, string>;
type Files = Readonly<Record<string, string>>;
const here = (args: readonly string[], env: Env = {}) =>
  buildpipeline(args, { cwd: root, env: { ...environment, ...env } });
const git = (...args: readonly string[]) => repository.git(...args);
const write = (files: Files) => repository.write(files);
const commit = (files: Files) => repository.commit(files);

const project = (name: string) => ({ [`${name}/Pulumi.yaml`]: `name: acme-${name}\nruntime: nodejs\n` });
const stackOf = (name: string, stack = "production") => ({ [`${name}/Pulumi.${stack}.yaml`]: "" });

/** Three projects: `queues`, which reads `clusters`, imports a package and a file; `mac` is by itself. */
const REPOSITORY = {
  ".gitignore": "history.json\nignored\n",
  ...project("clusters"),
  ...project("queues"),
  ...project("mac"),
  "clusters/index.ts": 'export const clusterIds = { linux: "1" };\n',
  "queues/index.ts": 'import { addresses } from "../network/addresses.js";\n',
  "queues/package.json": '{ "name": "acme-queues", "dependencies": { "@acme/components": "*" } }',
  "components/package.json": '{ "name": "@acme/components" }',
  "components/index.ts": 'export { color } from "../colors";\n',
  "colors.ts": 'export const color = "#fff";\n',
  "network/addresses.ts": "export const addresses = [];\n",
  "mac/index.ts": 'const text = "no reference";\n',
  "package-lock.json": "{}\n",
  "README.md": "# Projects\n",
};

interface Listed {
  readonly affected: readonly string[];
  readonly stacks: readonly {
    readonly folder: string;
    readonly stack: string;
    readonly wave: number;
    readonly affected: string | null;
    readonly unknown?: string;
    readonly problem?: string;
    readonly after: readonly string[];
    readonly reads: readonly string[];
  }[];
}

async function listed(args: readonly string[] = [], env: Env = {}): Promise<Listed> {
  const ended = await here(["projects", "--json", ...args], env);
  expect(ended.stderr).toBe("");
  return JSON.parse(ended.stdout);
}

const stage = (files: Files) => {
  write(files);
  git("add", ".");
};
/** Makes a project in a repository inside of this one, which is no submodule. */
const embed = (folder: string) => {
  write(project(folder));
  git("init", "--quiet", folder);
};

describe("buildpipeline projects", () => {
  beforeEach(() => {
    repository.begin(REPOSITORY, "change");
  });

  const changed = (file: string) => `${file} changed`;
  const used = (file: string) => `${file} changed, which it uses`;
  const everywhere = (file: string) => {
    const reason = `${file} changed, which no project has for itself`;
    return { clusters: reason, queues: reason, mac: reason };
  };
  const SETTINGS = "mac/Pulumi.production.yaml";
  const READ = { clusters: changed("clusters/index.ts"), queues: "it reads acme-clusters" };
  test.each<[what: string, file: string, reasons: Readonly<Record<string, string>>]>([
    ["a file of a project", "mac/index.ts", { mac: changed("mac/index.ts") }],
    ["a project that another one reads", "clusters/index.ts", READ],
    ["a package of the repository", "components/index.ts", { queues: used("components/index.ts") }],
    ["a file that this package imports", "colors.ts", { queues: used("colors.ts") }],
    ["a file at a path beginning with ../", "network/addresses.ts", { queues: used("network/addresses.ts") }],
    ["a file that belongs to no project", "package-lock.json", everywhere("package-lock.json")],
    ["requirements of Python, which are no document", "requirements.txt", everywhere("requirements.txt")],
    ["a document", "README.md", {}],
    ["a stack's settings", SETTINGS, { mac: changed(SETTINGS) }],
  ])("says which projects %s affects, and why", async (_, file, affected) => {
    commit({ [file]: "config: {}" });
    const { stacks, affected: folders } = await listed(["--affected-by", "main"]);
    const reasons = stacks.flatMap((one) => (one.affected === null ? [] : [[one.folder, one.affected]]));
    expect(Object.fromEntries(reasons)).toEqual(affected);
    expect([...folders].sort()).toEqual(Object.keys(affected).sort());
  });

  // biome-ignore-start lint/suspicious/noTemplateCurlyInString: these are pieces of programs.
  test.each([
    "`${here}/../network/addresses.ts`",
    "`${here}/../../network/addresses.ts`",
    "`${here}/../team mobile/addresses.ts`",
    'f"{HERE}/../network/addresses.ts"',
    "${pulumi.cwd}/../network/addresses.ts",
    '"mac/../../network/addresses.ts"',
    '"mac/../../network/addresses"',
    'join(here, "..", "network", "addresses.ts")',
    'join("../", "network", "addresses.ts")',
    "join(here,\n  '../..',\n  'network')",
    'os.path.join("mac", "..", "..", "network", "addresses.ts")',
    'Path(__file__).parent / ".." / "network" / "addresses.ts"',
    'here + ".." + "/network/addresses.ts"',
    "../network/addresses.ts",
    // biome-ignore-end lint/suspicious/noTemplateCurlyInString: as above
  ])("a program in any language that names a file by %s uses it", async (text) => {
    const file = text.includes("mobile") ? "team mobile/addresses.ts" : "network/addresses.ts";
    const before = commit({ [file]: "", "clusters/src/one": text, "mac/one": text.replaceAll("..", ".") });
    commit({ [file]: "after" });
    const { stacks } = await listed(["--affected-by", before]);
    expect(stacks.find(({ folder }) => folder === "clusters")?.affected).toBe(used(file));
    expect(stacks.find(({ folder }) => folder === "mac")?.affected).toBe(null);
  });

  test.each<[what: string, make: () => void, reasons: Readonly<Record<string, string>>]>([
    ["an edited file", () => write({ "mac/index.ts": "edited" }), { mac: changed("mac/index.ts") }],
    ["a staged file", () => stage({ "mac/index.ts": "staged" }), { mac: changed("mac/index.ts") }],
    ["a removed file", () => repository.remove("mac/index.ts"), { mac: changed("mac/index.ts") }],
    ["an edited file that another uses", () => write({ "colors.ts": "" }), { queues: used("colors.ts") }],
    ["an edited file of none", () => write({ "package-lock.json": "" }), everywhere("package-lock.json")],
    ["a new file", () => write({ "mac/new.ts": "" }), { mac: changed("mac/new.ts") }],
    [
      "a new file that another uses",
      () => write({ "components/new.ts": "" }),
      { queues: used("components/new.ts") },
    ],
    ["a new project", () => write(project("new")), { new: changed("new/Pulumi.yaml") }],
    ["a new file of no project, as a job leaves one", () => write({ "log.txt": "" }), {}],
    ["a file that Git ignores", () => write({ "mac/ignored": "" }), {}],
    ["installed packages", () => write({ "mac/node_modules/a/index.js": "" }), {}],
  ])("%s that is not committed counts as well", async (_, make, affected) => {
    states({ new: [] });
    make();
    const { stacks } = await listed(["--affected-by", "HEAD"]);
    const reasons = stacks.flatMap((one) => (one.affected === null ? [] : [[one.folder, one.affected]]));
    expect(Object.fromEntries(reasons)).toEqual(affected);
  });

  test.each([
    ["a listing", ["--out", "review"]],
    ["a listing and results", ["--", "sh", "-c", 'echo > "$OUT/notes"']],
    ["results in an empty folder", ["--out", "empty", "--", "sh", "-c", 'echo > "$OUT/notes"']],
    ["results beside its listing", ["--out", "old", "--", "true"]],
  ])("what the command itself writes affects no project, not even one in the root: %s", async (_, args) => {
    mkdirSync(join(root, "empty"));
    states({ repository: [] });
    commit({ ...project("."), "Pulumi.production.yaml": "" });
    write({ "old/projects.json": JSON.stringify({ format: 1, affected: [], stacks: [] }) });
    for (const _ of ["new", "there"]) expect(await here(["projects", ...args])).toMatchObject({ code: 0 });
    repository.remove("old");
    expect((await listed(["--affected-by", "HEAD"])).affected).toEqual([]);
    expect(git("status", "--porcelain")).toBe("");
  });

  test.each<[what: string, make: () => void, skipped: string]>([
    [
      "outside of a sparse checkout",
      () => {
        // Git leaves files there that it doesn't know to be unchanged.
        git("status");
        git("sparse-checkout", "set", "clusters");
      },
      "mac (isn't checked out), queues (isn't checked out)",
    ],
    ["in a repository of its own", () => embed("tools/new"), "tools/new (is in a Git repository of its own)"],
    [
      "in a linked worktree",
      () => git("worktree", "add", "--quiet", "--detach", "wt"),
      "wt/clusters (is in a Git repository of its own), wt/mac (is in a Git repository of its own), wt/queues (is in a Git repository of its own)",
    ],
  ])("a project %s is no project, which a remark says", async (_, make, skipped) => {
    make();
    const { stderr, stdout } = await here(["projects", "--json"]);
    expect(stderr).toBe(`Projects that are left out: ${skipped}. Nothing is known of their stacks.\n`);
    expect(JSON.parse(stdout).affected).toContain("clusters");
    write({ ".buildpipelineignore": "tools/\nwt/\nmac/\nqueues/\n" });
    expect((await listed()).affected).toEqual(["clusters"]);
  });

  test.each([
    ["with letters of another alphabet", "../équipe/größe.ts", "équipe/größe.ts"],
    ["with blanks", "../team mobile/addresses.ts", "team mobile/addresses.ts"],
    ["in a project inside of it", "./inner/addresses.ts", "mac/inner/addresses.ts"],
  ])("a project uses a file of another project at a path %s", async (_, path, file) => {
    const name = dirname(file);
    states({ [basename(name)]: [] });
    const before = commit({
      [`${name}/Pulumi.yaml`]: "name: acme-other\r\nruntime: nodejs\r\n",
      [file]: "export {};\n",
      "mac/index.ts": `import "${path}";\n`,
    });
    commit({ [file]: "changed" });
    const { affected } = await listed(["--affected-by", before]);
    expect([...affected].sort()).toEqual(["mac", name].sort());
  });

  test("a project uses what its symbolic links lead to, and one that leads nowhere harms nobody", async () => {
    symlinkSync("../clusters/index.ts", join(root, "mac", "linked.ts"));
    symlinkSync("nowhere", join(root, "network", "gone.ts"));
    const before = commit({ "mac/index.ts": 'import "../network";\n' });
    commit({ "clusters/index.ts": "changed" });
    const { stacks } = await listed(["--affected-by", before]);
    expect(stacks.find(({ folder }) => folder === "mac")?.affected).toBe(
      "clusters/index.ts changed, which it uses",
    );
  });

  test("a submodule affects the projects in it, even where a project has the whole repository", async () => {
    const submodule = scratch.path("teams");
    mkdirSync(submodule);
    const inside = (...args: readonly string[]) => git("-C", submodule, ...args);
    inside("init", "--quiet");
    mkdirSync(join(submodule, "web"));
    writeFileSync(join(submodule, "web", "Pulumi.yaml"), "name: acme-web\nruntime: nodejs\n");
    inside("add", ".");
    inside("commit", "--quiet", "--message", "A team");
    git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", submodule, "teams");
    const before = commit({ "Pulumi.yaml": "name: acme-root\nruntime: nodejs\n" });
    git("-C", "teams", "commit", "--quiet", "--allow-empty", "--message", "Another commit");
    commit({});
    states({ repository: [], web: [] });
    const { affected } = await listed(["--affected-by", before]);
    expect([...affected].sort()).toEqual([".", "teams/web"]);
  });

  test("what projects of a circle read affects all of them, and what reads them comes after them", async () => {
    states({ after: ["acme-clusters"], clusters: ["acme-queues"], queues: ["acme-clusters", "acme-mac"] });
    const before = commit(project("after"));
    commit({ "mac/index.ts": "changed" });
    const { stacks } = await listed(["--affected-by", before]);
    expect(stacks.map(({ folder, wave, affected, after }) => [folder, wave, affected, after])).toEqual([
      ["mac", 1, "mac/index.ts changed", []],
      ["clusters", 2, "it reads acme-queues", ["acme-queues"]],
      ["queues", 2, "it reads acme-mac, acme-clusters", ["acme-mac", "acme-clusters"]],
      ["after", 3, "it reads acme-clusters", ["acme-clusters"]],
    ]);
  });

  test("takes what the base branch changed since for no change", async () => {
    commit({ "mac/index.ts": "changed" });
    git("checkout", "--quiet", "main");
    commit({ "clusters/index.ts": "changed" });
    git("checkout", "--quiet", "change");
    expect((await listed(["--affected-by", "main"])).affected).toEqual(["mac"]);
  });

  test.each([
    ["origin/main", "origin/main is not known here"],
    ["", "--affected-by names no commit"],
    [" ", "  is not known here"],
    ["--output=x", "--output=x is not known here"],
    ["--help", "--help is not known here"],
    ["HEAD -- mac", "HEAD -- mac is not known here"],
    ["main..HEAD", "main..HEAD is not known here"],
    ["0".repeat(40), `${"0".repeat(40)} is not known here`],
  ])(
    "a commit that isn't known affects every project, and is no option of Git: %j",
    async (given, reason) => {
      commit({ "mac/index.ts": "changed" });
      const { stacks } = await listed([`--affected-by=${given}`]);
      expect(stacks.map(({ affected }) => affected)).toEqual([reason, reason, reason]);
      expect(git("status", "--porcelain")).toBe("");
    },
  );

  const stacks = { ...stackOf("clusters"), ...stackOf("queues"), ...stackOf("mac") };
  const UNNAMED = { PULUMI_STACK: "" };
  const settings = (key: string) => ({
    "mac/Pulumi.yaml": `name: acme-mac\n${key}: ../config/mac\n`,
    ...stackOf("config/mac"),
  });
  test.each<[where: string, files: Files, change: string, reason: (file: string) => string]>([
    ["beside its own, once", { "mac/Pulumi.production.yml": "" }, SETTINGS, changed],
    ["in another folder", settings("stackConfigDir"), "config/mac/Pulumi.production.yaml", used],
    ["there, in the older form", settings("config"), "config/mac/Pulumi.production.yaml", used],
    [
      "JSON, as its own",
      { "mac/Pulumi.json": '{ "name": "acme-mac" }' },
      "mac/Pulumi.production.json",
      changed,
    ],
  ])(
    "without PULUMI_STACK a project has the stacks whose settings are %s",
    async (_, files, change, reason) => {
      const before = commit({ ...stackOf("clusters"), ...stackOf("queues"), [change]: "{}", ...files });
      commit({ [change]: "config: {}" });
      const { stacks } = await listed(["--affected-by", before], UNNAMED);
      const own = stacks.map(({ folder, stack, affected }) => [folder, stack, affected]);
      expect(own).toEqual([
        ["clusters", "production", null],
        ["mac", "production", reason(change)],
        ["queues", "production", null],
      ]);
    },
  );

  const sharing = (folder: string): [string, Files, Record<string, string>, RegExp] => [
    `a passphrase that ${folder} shares`,
    { [`${folder}/Pulumi.yaml`]: "name: one", "mobile__ios/Pulumi.yaml": "name: other" },
    { PULUMI_CONFIG_PASSPHRASE_MOBILE_IOS: "whose" },
    /\S+ and \S+ would share PULUMI_CONFIG_PASSPHRASE_MOBILE_IOS\. Rename one of these folders, or unset it and set PULUMI_CONFIG_PASSPHRASE for both\./,
  ];
  const sharingResults = {
    ...{ ...stackOf("eu", "production"), "eu/Pulumi.yaml": "name: acme.eu" },
    ...{ ...stackOf("all", "eu.production"), "all/Pulumi.yaml": "name: acme" },
  };
  test.each<[string, Files, Record<string, string>, RegExp | string]>([
    [
      "two projects of one name, because they have the same stacks",
      { "copy/Pulumi.yaml": "name: acme-mac\nruntime: nodejs\n" },
      {},
      "copy and mac are both called acme-mac",
    ],
    [
      "two stacks whose results would be in one folder, because a report would lack one",
      { ...stacks, ...sharingResults },
      UNNAMED,
      "The results of acme/eu.production and acme.eu/production would share the folder acme.eu.production. Rename one of these projects or stacks.",
    ],
    [
      "a repository on a machine without Git",
      {},
      { PATH: "/nowhere" },
      /^buildpipeline: Git can't list the files of \S+: it is not on the PATH\. Install it\.$/m,
    ],
    ...["mobile/ios", "Mobile-iOS", "mobile_ios", "mobile.ios"].map(sharing),
  ])("refuses %s", async (_, files, env, message) => {
    write(files);
    const { code, stdout, stderr } = await here(["projects"], env);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toMatch(/^buildpipeline: .*\n$/);
    expect(stderr).toMatch(message);
  });

  test.each<[string, Files, Env, RegExp | string]>([
    ["a Pulumi.yaml that isn't YAML", { "mac/Pulumi.yaml": "a: 1\na: [" }, {}, /^mac\/Pulumi\.yaml: /],
    [
      "stack files outside of the repository",
      {
        "mac/Pulumi.yaml": "name: acme-mac\nstackConfigDir: ../../config\n",
        ...stackOf("clusters"),
        ...stackOf("queues"),
      },
      UNNAMED,
      /^The folder of stack files that \S+mac names, \.\.\/\.\.\/config, is not in \S+\. Move it there, or set PULUMI_STACK\.$/,
    ],
    ["a name that is a path", { "mac/Pulumi.yaml": "name: ../x" }, {}, 'is called "../x"'],
    [
      "no stack",
      { ...stackOf("clusters"), ...stackOf("queues") },
      UNNAMED,
      "mac names no stack. Set PULUMI_STACK, or commit its Pulumi.<stack>.yaml.",
    ],
    [
      "a project that it reads and that isn't there",
      { "mac/Pulumi.yaml": "name: acme-mac\nbuildpipeline: { reads: [acme-cluster] }" },
      {},
      'mac: Pulumi.yaml says that it reads "acme-cluster", which is no project here. The projects are acme-clusters, acme-mac, acme-queues.',
    ],
    ...["acme-clusters", "{ read: [acme-clusters] }", "{ reads: acme-clusters }", "[]", "null"].map(
      (own): [string, Files, Env, string] => [
        `the key buildpipeline with ${own}`,
        { "mac/Pulumi.yaml": `name: acme-mac\nbuildpipeline: ${own}` },
        {},
        "mac: buildpipeline in Pulumi.yaml takes { reads: [<name of a project>, …] } and nothing else.",
      ],
    ),
  ])("one project with %s is one finding, and the others are listed", async (_, files, env, problem) => {
    write(files);
    const { code, stdout, stderr } = await here(["projects", "--json"], env);
    const listed: Listed = JSON.parse(stdout);
    const broken = listed.stacks.find(({ folder }) => folder === "mac");
    expect(broken?.problem).toMatch(problem);
    expect({ code, stderr }).toEqual({ code: 1, stderr: `Nothing is done for mac: ${broken?.problem}\n` });
    const whole = listed.stacks.filter((stack) => stack.problem === undefined);
    expect(whole.map(({ folder, wave }) => [folder, wave])).toEqual([
      ["clusters", 1],
      ["queues", 2],
    ]);
    expect(await here(["projects", "--only", "clusters"], env)).toMatchObject({ code: 0, stderr: "" });
    const ran = await here(["projects", "--", "sh", "-c", "echo $PROJECT"], env);
    expect(ran).toMatchObject({ code: 2, stderr: expect.stringContaining(String(broken?.problem)) });
    expect(ran.stdout.split("\n").sort()).toEqual(["", "acme-clusters | clusters", "acme-queues | queues"]);
  });

  test.each<[string, Files]>([
    ["the template of a project", { "templates/t/Pulumi.yaml": "name: $" + "{PROJECT}" }],
    ["what Git ignores", { "mac/.gitignore": "venv/\n", "mac/venv/lib/Pulumi.yaml": "name: a b" }],
    ["installed packages", { "node_modules/p/Pulumi.yaml": "name: a b", ".hidden/Pulumi.yaml": "name: a b" }],
    [
      "what .buildpipelineignore names, tracked or not",
      {
        ".buildpipelineignore": "fixtures/\n**/broken\n",
        "fixtures/a/Pulumi.yaml": "name: a b",
        "mac/broken/Pulumi.yaml": "[",
      },
    ],
  ])("%s is no project", async (_, files) => {
    for (const make of [write, commit]) {
      make(files);
      expect((await listed()).stacks.map(({ folder }) => folder)).toEqual(["clusters", "mac", "queues"]);
    }
  });

  test("in a folder that Git ignores, its own projects are listed", async () => {
    write({ ".gitignore": "tried/\n", "tried/here/one/Pulumi.yaml": "name: acme-one\n" });
    states({ one: [] });
    const args = ["projects", "--json"];
    const { stdout } = await buildpipeline(args, { cwd: join(root, "tried", "here"), env: environment });
    expect(JSON.parse(stdout).affected).toEqual(["one"]);
  });

  test("a change in what .buildpipelineignore leaves out affects what uses it, and nothing else", async () => {
    const before = commit({ ".buildpipelineignore": "app\nnetwork", "app/a.ts": "", "app/Pulumi.yaml": "[" });
    commit({ "app/a.ts": "changed", "network/addresses.ts": "changed" });
    expect((await listed(["--affected-by", before])).affected).toEqual(["queues"]);
  });

  test("in a folder of the repository, its other files and projects count as well", async () => {
    const before = commit({
      "infra/a/Pulumi.yaml": "name: acme-a\n",
      "infra/b/Pulumi.yaml": "name: acme-b\nbuildpipeline: { reads: [acme-mac] }\n",
    });
    const affected = async (file: string) => {
      const base = repository.git("rev-parse", "HEAD");
      commit({ [file]: `${file} ${base}` });
      const args = ["projects", "--json", "--affected-by", base];
      const { stdout } = await buildpipeline(args, { cwd: join(root, "infra"), env: environment });
      const { stacks }: Listed = JSON.parse(stdout);
      return Object.fromEntries(stacks.map(({ folder, affected }) => [folder, affected]));
    };
    states({ a: [], b: [] });
    expect(before).toMatch(/^[0-9a-f]{40}$/);
    const everywhere = "../package-lock.json changed, which no project has for itself";
    expect(await affected("package-lock.json")).toEqual({ a: everywhere, b: everywhere });
    expect(await affected("clusters/index.ts")).toEqual({ a: null, b: null });
    expect(await affected("mac/index.ts")).toEqual({ a: null, b: "it reads acme-mac, which changed" });
  });

  describe("what a stack reads", () => {
    const reads = async (...args: readonly string[]) => {
      const { stacks } = await listed(args);
      return Object.fromEntries(stacks.map(({ folder, wave, reads }) => [folder, [wave, ...reads]]));
    };
    const KNOWN = { clusters: [1], mac: [1], queues: [2, "acme-clusters"] };

    test("comes from its state, and from no text, wherever that is", async () => {
      const text = 'new StackReference("organization/acme-mac/production"); "acme-clusters" "acme-queues"\n';
      const ofReview = "review/acme-clusters.production/preview.json";
      const files = ["clusters/index.ts", ofReview, "clusters/venv/pulumi.py"];
      write({ "clusters/.gitignore": "venv\n", ".gitignore": "review\n" });
      for (const make of [write, commit]) {
        make(Object.fromEntries(files.map((file) => [file, text])));
        expect(await reads()).toEqual(KNOWN);
      }
      states({ mac: ["acme-queues", "acme-elsewhere", "acme-mac"] });
      expect(await reads()).toEqual({ ...KNOWN, mac: [3, "acme-queues"] });
    });

    test("comes from its Pulumi.yaml as well, also where there is no state", async () => {
      const declared = (name: string, ...names: readonly string[]) =>
        write({ [`${name}/Pulumi.yaml`]: `name: acme-${name}\nbuildpipeline: { reads: [${names}] }\n` });
      declared("queues", "acme-mac");
      expect(await reads()).toEqual({ ...KNOWN, queues: [2, "acme-clusters", "acme-mac"] });
      rmSync(scratch.path("states"), { recursive: true });
      declared("clusters");
      declared("mac");
      expect(await reads()).toEqual({ ...KNOWN, queues: [2, "acme-mac"] });
    });

    const UNKNOWN = "Which projects these stacks read is not known: ";
    const SAY_IT = "Their Pulumi.yaml can say it, as buildpipeline: { reads: [<project>] }.\n";
    const MAY_READ = "what it reads is not known, and may have changed";

    test("counts as everything where it isn't known, which is said once, and orders nothing", async () => {
      rmSync(join(scratch.path("states"), "queues"));
      commit({ "mac/index.ts": "changed" });
      const ended = await here(["projects", "--json", "--affected-by", "main"]);
      expect(ended.stderr).toBe(
        `${UNKNOWN}acme-queues/production (\`pulumi stack\` failed: no stack named 'production' found). ${SAY_IT}`,
      );
      const { stacks }: Listed = JSON.parse(ended.stdout);
      expect(stacks.map(({ folder, wave, affected, unknown }) => [folder, wave, affected, unknown])).toEqual([
        ["clusters", 1, null, undefined],
        ["mac", 1, "mac/index.ts changed", undefined],
        ["queues", 1, MAY_READ, undefined],
      ]);
    });

    test("is not known here where --only leaves the project out, and no report calls it affected", async () => {
      states({ after: ["acme-queues"] });
      rmSync(join(scratch.path("states"), "queues"));
      commit(project("after"));
      const before = git("rev-parse", "HEAD");
      commit({ "mac/index.ts": "changed" });
      const args = ["projects", "--affected-by", before, "--only", "mac", "--out", "review"];
      expect((await here(args)).stdout).toMatch(
        /^queues .* not known here, because what it reads is not known$/m,
      );
      const { affected, stacks }: Listed = JSON.parse(
        readFileSync(join(root, "review", "projects.json"), "utf8"),
      );
      expect(affected).toEqual(["mac"]);
      expect(stacks.flatMap(({ folder, unknown }) => (unknown === undefined ? [] : [folder]))).toEqual([
        "queues",
        "after",
      ]);
      const { stdout } = await here(["report", "review"]);
      expect(stdout).toContain("Preview of 1 of 4 stacks");
      expect(stdout).toContain(
        "Not known here: <code>acme-queues/production</code>, <code>acme-after/production</code>.",
      );
      expect(stdout).toContain("Not affected: <code>acme-clusters/production</code>.");
    });

    test("matters only if another project changed", async () => {
      rmSync(scratch.path("states"), { recursive: true });
      commit({ "README.md": "changed" });
      const { stdout, stderr } = await here(["projects", "--json", "--affected-by", "main"]);
      expect(JSON.parse(stdout).affected).toEqual([]);
      expect(stderr.match(new RegExp(UNKNOWN, "g"))).toHaveLength(1);
    });
  });

  test("no content and no name of a file ends the command", async () => {
    const before = git("rev-parse", "HEAD");
    symlinkSync("loop", join(root, "mac", "loop"));
    symlinkSync("../network", join(root, "mac", "link"));
    writeFileSync(Buffer.from(`${root}/mac/\xff.ts`, "latin1"), 'import "../network/addresses.js"');
    const text = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.constantFrom(
        "/y",
        "/b/c)",
        `/${"x".repeat(300)}/y`,
        "/loop/y",
        "/clusters/loop/loop",
        "//",
        "/.",
        "/ö",
      ),
      fc.uint8Array({ maxLength: 9 }).map((bytes) => Buffer.from(bytes).toString("latin1")),
    );
    const content = fc.array(fc.tuple(fc.constantFrom('"..', "`../..", " ../x", "'./"), text), {
      maxLength: 5,
    });
    await fc.assert(
      fc.asyncProperty(content, async (parts) => {
        writeFileSync(join(root, "mac", "bytes.pyc"), Buffer.from(parts.flat().join(""), "latin1"));
        commit({ "network/other.ts": String(Math.random()), "mac/x.ts": 'import "./link/other";' });
        const { affected } = await listed(["--affected-by", before]);
        expect(affected).toContain("mac");
      }),
      { numRuns: cases(10), examples: [[[['"..', "/shared/queues/defaults-v22.yaml\0z\x03b/c)"]]]] },
    );
  });

  describe("since the last deployment", () => {
    const deployed = (head: string, more: Record<string, string | undefined> = {}) => ({
      kind: "update",
      result: "succeeded",
      environment: { "git.head": head, "git.dirty": "false", ...more },
    });
    const histories = (all: Readonly<Record<string, readonly unknown[]>>) => {
      const entries = Object.entries(all).map(([name, own]) => [`${name}/history.json`, JSON.stringify(own)]);
      write(Object.fromEntries(entries));
    };

    const failed = (head: string) => ({ ...deployed(head), result: "failed" });
    const UNKNOWN = "the commit of its last deployment is not known";
    /** Why each project is affected, if the stacks have these histories. */
    const affectedSince = async (all: Parameters<typeof histories>[0]) => {
      histories(all);
      const { stacks } = await listed(["--since-deployment"]);
      return Object.fromEntries(stacks.map(({ folder, affected }) => [folder, affected]));
    };

    test("each project is compared with the commit that it was deployed from", async () => {
      const first = git("rev-parse", "HEAD");
      commit({ "mac/index.ts": "second" });
      const third = commit({ "queues/index.ts": "third" });
      const queues = [failed(third), deployed(first)];
      const histories = { clusters: [deployed(first)], queues, mac: [deployed(third)] };
      const reasons = { clusters: null, queues: "queues/index.ts changed", mac: null };
      expect(await affectedSince(histories)).toEqual(reasons);
    });

    test("as many processes of Git compare three projects of one commit as compare one", async () => {
      const log = scratch.path("git-calls");
      const run = `echo "$*" >>'${log}'; PATH='${process.env.PATH}' exec git "$@"`;
      writeCommand(scratch.path("bin"), "git", run);
      const history = [deployed(git("rev-parse", "HEAD"))];
      const calls = async (all: Parameters<typeof histories>[0]) => {
        rmSync(log, { force: true });
        await affectedSince(all);
        return readFileSync(log, "utf8").split("\n").sort();
      };
      const one = await calls({ mac: history });
      expect(one.join("\n")).toContain("diff ");
      expect(await calls({ clusters: history, queues: history, mac: history })).toEqual(one);
    });

    test("a project that was not deployed after what it reads is still affected", async () => {
      const first = git("rev-parse", "HEAD");
      const second = commit({ "clusters/index.ts": "second" });
      histories({ clusters: [deployed(second)], queues: [deployed(first)], mac: [deployed(first)] });
      const { stacks } = await listed(["--since-deployment"]);
      expect(stacks.map(({ folder, affected, after }) => [folder, affected, after])).toEqual([
        ["clusters", null, []],
        ["mac", null, []],
        ["queues", "it reads acme-clusters, which changed", []],
      ]);
    });

    test("a deployment that failed may be there in part, even if its change was taken back", async () => {
      const first = git("rev-parse", "HEAD");
      const second = commit({ "mac/index.ts": "second" });
      commit({ "mac/index.ts": REPOSITORY["mac/index.ts"] });
      const queues = [{ ...deployed(first), kind: "destroy" }, deployed(first)];
      const histories = { clusters: [deployed(first)], queues, mac: [failed(second), deployed(first)] };
      const reasons = { clusters: null, queues: UNKNOWN, mac: "mac/index.ts changed" };
      expect(await affectedSince(histories)).toEqual(reasons);
    });

    test.each([
      ["files that aren't in Git", "true"],
      ["files that Pulumi couldn't compare with Git", undefined],
    ])("a project that was never deployed, or from %s, counts as affected", async (_, isDirty) => {
      const head = git("rev-parse", "HEAD");
      const clusters = [{ ...deployed(head), kind: "refresh" }];
      const queues = [deployed(head, { "git.dirty": isDirty })];
      const histories = { clusters, queues, mac: [deployed("0".repeat(40))] };
      const reasons = { clusters: UNKNOWN, queues: UNKNOWN, mac: UNKNOWN };
      expect(await affectedSince(histories)).toEqual(reasons);
    });
  });
});

const PATHS = ["../", "..", ".", "../../backups/db", "/etc/passwd"];
/** What Pulumi takes for no name. Some of them are paths, options or commands elsewhere. */
const HOSTILE = [...PATHS, "a b;c", "$(touch x)", "a\\b", "c++", "équipe", "a\u0000b", "a\n", ""];
const isLegal = (part: string) => /^[A-Za-z0-9_.-]+$/.test(part) && !/^\.+$/.test(part);
const hostile = fc
  .oneof(
    fc.constantFrom(...HOSTILE),
    fc.array(fc.constantFrom("..", "/", "a", " ", "~"), { maxLength: 5 }).map((parts) => parts.join("")),
  )
  .filter((name) => !isLegal(name));

describe("Names that are paths", () => {
  const contents = () =>
    readdirSync(scratch.directory, { recursive: true, withFileTypes: true })
      .map((entry) => join(entry.parentPath, entry.name))
      .map((path) => `${path} ${lstatSync(path).isFile() ? readFileSync(path, "utf8") : ""}`)
      .sort();
  const refused = async (args: readonly string[], stack = "git") => {
    const before = contents();
    const { code, stdout, stderr } = await here(args, { PULUMI_STACK: stack });
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toMatch(/^buildpipeline: .*Pulumi takes no project or stack that is called ".*\n$/);
    expect(contents()).toEqual(before);
  };
  const listing = (project: string, stack: string) => {
    const one = { folder: "mac", project, stack, wave: 1, reads: [], affected: "all", after: [] };
    return JSON.stringify({ format: 1, affected: ["mac"], stacks: [one] });
  };

  const RESULTS = "review/acme-mac.production";

  test("no hostile name of a project or stack is listed, run for, emptied or read as a report", async () => {
    const names = fc.record({ name: hostile, isStack: fc.boolean(), depth: fc.integer({ min: 0, max: 2 }) });
    await fc.assert(
      fc.asyncProperty(names, async ({ name, isStack, depth }) => {
        const parts = isStack ? [...Array<string>(depth).fill("acme"), ...name.split("/")] : ["git"];
        // Slashes separate an organization, a project and a stack.
        fc.pre(!isStack || parts.length > 3 || !parts.every(isLegal));
        const stack = parts.join("/");
        const project = isStack ? "mac" : name;
        write({
          "mac/Pulumi.yaml": JSON.stringify({ name: project, runtime: "yaml" }),
          "review/projects.json": listing(project, stack),
          "review/report.json": "mine",
          ".git/config": "mine",
        });
        // The environment has no such name.
        if (!/^$|\0/.test(stack)) await refused(["projects", "--out", "review", "--", "true"], stack);
        await refused(["projects", "--listing", "review/projects.json", "--", "true"]);
        await refused(["report", "review"]);
      }),
      { numRuns: cases(60), examples: HOSTILE.map((name) => [{ name, isStack: false, depth: 0 }]) },
    );
  });

  test("a file with settings of a stack that Pulumi doesn't take is named, whatever comes after it", async () => {
    write({ ...project("mac"), "mac/Pulumi.a b.yaml": "" });
    const stderr = expect.stringContaining('mac: Pulumi takes no project or stack that is called "a b"');
    expect(await here(["projects", "--", "true"], { PULUMI_STACK: "" })).toMatchObject({ code: 2, stderr });
  });

  test("a stack with an organization has one folder, which is that of no other stack", async () => {
    write(project("mac"));
    const env = { PULUMI_STACK: "acme/acme-mac/production" };
    expect((await here(["projects", "--", "touch", "here"], env)).code).toBe(0);
    const results = readdirSync(join(root, "review"));
    expect(results.sort()).toEqual([".gitignore", "acme-mac.acme.acme-mac.production", "projects.json"]);
  });

  test.each([
    ["the folder of results", ["projects", "--", "true"], RESULTS],
    ["the results of an earlier run", ["projects", "--listing", "listing.json", "--", "true"], RESULTS],
    ["the listing", ["projects", "--", "true"], "review/projects.json"],
    ["a report", ["report", "review"], `${RESULTS}/summary.json`],
    ["the folder of a report", ["report", "review"], RESULTS],
  ])("%s may be no link that leads elsewhere", async (_, args, link) => {
    write({ ...project("mac"), "listing.json": listing("acme-mac", "production"), "review/keep": "" });
    if (args[0] === "report") write({ "review/projects.json": listing("acme-mac", "production") });
    mkdirSync(dirname(join(root, link)), { recursive: true });
    mkdirSync(join(scratch.directory, "elsewhere"));
    writeFileSync(scratch.path("elsewhere/report.json"), "mine");
    const target = link.endsWith(".json") ? "elsewhere/report.json" : "elsewhere";
    symlinkSync(scratch.path(target), join(root, link));
    const stderr = expect.stringContaining("is a symbolic link, which may lead out of");
    expect(await here(args)).toMatchObject({ code: 2, stderr });
    expect(readFileSync(scratch.path("elsewhere/report.json"), "utf8")).toBe("mine");
    expect(readdirSync(scratch.path("elsewhere"))).toEqual(["report.json"]);
  });

  test("A folder of that name that no listing speaks of is not emptied for results", async () => {
    write({ ...project("mac"), [`${RESULTS}/notes.txt`]: "mine" });
    const { code, stderr } = await here(["projects", "--", "true"]);
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: expect.stringMatching(/no listing shows .* with --out\./),
    });
    expect(readFileSync(join(root, RESULTS, "notes.txt"), "utf8")).toBe("mine");
  });
});

describe("A command that buildpipeline projects runs", () => {
  beforeEach(() => write(REPOSITORY));

  const run = (script: string, args: readonly string[] = [], env: Record<string, string> = {}) =>
    here(["projects", ...args, "--", "sh", "-c", script], { ...environment, ...env });
  const lines = (text: string) => text.trim().split("\n").sort();

  test("runs in each project's folder, and knows its stack and a folder for its results", async () => {
    const script = 'echo "$PROJECT $PULUMI_STACK"; pwd > "$OUT/place"';
    const { stdout, code } = await run(script, ["--out", "night"]);
    expect(code).toBe(0);
    const folders = ["clusters", "mac", "queues"];
    expect(lines(stdout)).toEqual(folders.map((name) => `acme-${name} | ${name} production`));
    const place = readFileSync(join(root, "night", "acme-mac.production", "place"), "utf8");
    expect(place.trim().endsWith("/repository/mac")).toBe(true);
    expect(JSON.parse(readFileSync(join(root, "night", "projects.json"), "utf8")).affected).toHaveLength(3);
  });

  test("runs for the projects of --only, and for none that the change doesn't affect", async () => {
    repository.begin(REPOSITORY, "change");
    commit({ "mac/index.ts": "changed" });
    const only = (folder: string) => run("pwd > here", ["--affected-by", "main", "--only", folder]);
    expect((await only("mac")).stdout).toBe("");
    expect(existsSync(join(root, "mac", "here"))).toBe(true);
    const stderr = expect.stringContaining("affects none of these projects");
    expect(await only("clusters")).toMatchObject({ code: 0, stderr });
    expect(existsSync(join(root, "clusters", "here"))).toBe(false);
    const words = "--only: clutsers is no project. The projects are clusters, mac, queues.";
    expect(await only("clutsers")).toMatchObject({ code: 2, stderr: expect.stringContaining(words) });
  });

  test("gets the passphrase of its own project", async () => {
    const keys = { PULUMI_CONFIG_PASSPHRASE: "all", PULUMI_CONFIG_PASSPHRASE_MAC: "its own" };
    const { stdout } = await run('echo "$PULUMI_CONFIG_PASSPHRASE"', [], keys);
    expect(lines(stdout)).toEqual(["acme-clusters | all", "acme-mac | its own", "acme-queues | all"]);
  });

  test("in waves, a failed project stops what reads it and nothing else", async () => {
    const { stdout, stderr, code } = await run('[ "$PROJECT" != clusters ] && echo done', ["--waves"]);
    expect(code).toBe(1);
    expect(lines(stdout)).toEqual(["acme-mac | done"]);
    expect(lines(stderr)).toEqual([
      "acme-clusters/production: ended with exit code 1",
      "acme-mac/production: done",
      "acme-queues/production: not run, because it reads acme-clusters/production, which did not succeed",
    ]);
  });

  test("without waves, every project has its turn", async () => {
    expect(lines((await run("echo here; exit 1")).stdout)).toHaveLength(3);
  });

  test.each([
    ["exit 0", 0],
    ["exit 1", 1],
    ["exit 255", 2],
    ["exit 5", 5],
    ['[ "$PROJECT" = mac ] || exit 5', 5],
    ['[ "$PROJECT" = mac ] && exit 1; exit 5', 1],
    ['[ "$PROJECT" = mac ] && exit 7; exit 1', 2],
    ["exec no-such-command", 2],
    ["kill -KILL $$", 2],
  ])("of `%s` the exit code is %i", async (script, code) => {
    expect((await run(script)).code).toBe(code);
  });

  test.each([
    "violates plan",
    "resource urn:pulumi:production::acme-mac::buildpipeline:index:Queue::linux violates plan: small",
    "create is not allowed by the plan: no",
  ])("prints an error that quotes %s, and needs no approval", async (words) => {
    const error = `error: the queue "${words}" was refused`;
    const { stdout, code } = await run(`echo '${error}'; exit 1`, ["--only", "mac"]);
    expect({ stdout, code }).toEqual({ stdout: `${error}\n`, code: 1 });
  });

  test("prints no difference of a plan that no longer fits, where Pulumi's progress says it first", async () => {
    const refusal = "error: resource urn:pulumi:production::acme-mac::t::linux violates plan:";
    const script = `echo ' ~  t linux refresh ${refusal} =~[s3cret]'; echo Diagnostics:; echo '    ${refusal} =~[s3cret]'; exit 255`;
    const { stdout, code } = await run(script, ["--only", "mac"]);
    const lines = [` ~  t linux refresh ${refusal} …`, "Diagnostics:"];
    const plan = "The plan no longer fits: urn:pulumi:production::acme-mac::t::linux";
    expect({ stdout, code }).toEqual({ stdout: `${[...lines, plan].join("\n")}\n`, code: 5 });
  });

  test("waits for approval if its plan no longer fits, and what the engine then prints stays unseen", async () => {
    const script = `echo Updating
      echo 'error: resource urn:pulumi:production::acme-mac::buildpipeline:index:Queue::linux-builds violates plan: properties changed: [description: s3cret'
      echo 'more of s3cret'; exit 255`;
    const { stdout, stderr, code } = await run(script, ["--only", "mac"]);
    expect(code).toBe(5);
    const plan =
      "The plan no longer fits: urn:pulumi:production::acme-mac::buildpipeline:index:Queue::linux-builds";
    expect(stdout).toBe(`Updating\n${plan}\n`);
    expect(stderr).toContain(
      "acme-mac/production: waits for approval. Run the plan job again, read its report, and deploy the new plan.",
    );
    expect(stdout + stderr).not.toContain("s3cret");
  });

  test("prints nothing that a CI system obeys", async () => {
    expect((await run("echo ::set-env::x", ["--only", "mac"])).stdout).toBe("\\u{3a}:set-env::x\n");
  });

  test("goes on to its end if nobody reads the output any more, and the exit code is its own", async () => {
    const script = "for n in 1 2 3; do echo $n; echo $n >&2; sleep 0.1; done; touch ended; exit 5";
    const line = `set -o pipefail; '${process.execPath}' '${command}' projects -- sh -c '${script}' 2>&1 | head -n 1`;
    const env = { ...process.env, ...environment };
    const { status } = spawnSync("bash", ["-c", line], { cwd: root, env });
    expect(status).toBe(5);
    for (const folder of ["clusters", "mac", "queues"])
      expect(existsSync(join(root, folder, "ended"))).toBe(true);
  });

  test("has ended when its own process has, whatever it leaves behind", async () => {
    const { stdout } = await run("sleep 60 & echo $! started", ["--only", "mac"]);
    const [, left] = /^(\d+) started$/m.exec(stdout) ?? [];
    expect(process.kill(Number(left), "SIGKILL")).toBe(true);
  });

  test.runIf(hasPseudoTerminal)(
    "gets Ctrl-C once, because Pulumi ends at once after a second one",
    async () => {
      const script = `let count = 0;
      process.on("SIGINT", () => { count += 1; setTimeout(() => { console.log("signals: " + count); process.exit(); }, 500); });
      setInterval(() => {}, 1000);
      console.log("ready");`;
      write({ "mac/count.js": script });
      const { lines } = await onTerminal(["projects", "--only", "mac", "--", process.execPath, "count.js"], {
        cwd: root,
        env: environment,
        typed: { after: "ready", keys: "\u0003" },
      });
      expect(lines.map((line) => line.trim())).toContain("signals: 1");
    },
  );

  test("gets a signal that ends the job as Ctrl-C, and no other command is started after it", async () => {
    const script = 'trap "echo ended; exit 1" INT; kill -TERM $PPID; while :; do sleep 0.05; done';
    const ended = await buildpipelineProcess(["projects", "--parallel", "1", "--", "sh", "-c", script], {
      cwd: root,
      env: environment,
    });
    expect(ended.stdout).toBe("acme-clusters | ended\n");
    expect(ended.code).toBe(1);
  });
});
