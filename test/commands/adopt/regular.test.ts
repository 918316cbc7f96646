// biome-ignore-all lint/suspicious/noTemplateCurlyInString: texts that look like code.
import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { expect, test } from "vitest";
import { languageNamed } from "../../../src/commands/adopt/languages/all-languages.js";
import {
  Constant,
  type Declaration,
  FileText,
  ProgramFile,
  Reference,
  type Value,
  ValueMap,
} from "../../../src/commands/adopt/languages/program-file.js";
import type { Language } from "../../../src/commands/adopt/languages/project-files.js";
import { type Parts, plain, regular, valuesIn } from "../../../src/commands/adopt/languages/regular.js";
import { typescript } from "../../../src/commands/adopt/languages/typescript.js";
import { optionsOf, problemsOf } from "../../examples/compiler.js";
import { cases } from "../../support/cases.js";
import { CHECKOUT } from "../../support/checkout.js";
import { client, emulator, restart, scratch, serviceForEach } from "../../support/command-service.js";
import { isInstalled } from "../../support/commands-on-path.js";
import { valuesOf } from "../../support/each-kind.js";
import {
  makeOrganization,
  type Organization,
  SETTINGS,
  usualOrganization,
} from "../../support/usual-organization.js";
import { problems, programs, read, remarks, write } from "./adopting.js";
import { change, changes, declaredBy, imported } from "./written-program.js";

serviceForEach();

/** Checks that what was written changes nothing, compiles, and passes the linter with its default rules. */
async function expectGoodProgram(): Promise<void> {
  expect(await changes()).toEqual([]);
  expect(problems()).toEqual([]);
  expect(Object.values(programs()).flatMap((text) => misplaced(text, 2))).toEqual([]);
  const biome = join(CHECKOUT, "node_modules", ".bin", "biome");
  execFileSync(biome, ["lint", "--error-on-warnings", scratch.path("ci")], {
    cwd: scratch.directory,
    stdio: "pipe",
  });
}

/** Returns the lines after an opening bracket that don't begin one step further in than it does. */
function misplaced(text: string, step: number): string[] {
  const lines = text.split("\n");
  const start = (line = "") => line.length - line.trimStart().length;
  return lines.filter((line, index) => {
    const before = lines[index - 1] ?? "";
    return /[{[(]$/.test(before) && !/^\s*[}\])]/.test(line) && start(line) !== start(before) + step;
  });
}

test("An organization of some forty pipelines is a program as a person would write it", async () => {
  await makeOrganization(usualOrganization(), emulator, client);
  await remarks();
  await expectGoodProgram();
  const pipelines = read("pipelines.ts");
  for (const line of [
    'export const shop = pipeline("shop", { tags: ["web"] });',
    'export const shopDeploy = deployPipeline("shop");',
    "  providerSettings: { ...providerSettings, buildPullRequestForks: true },",
    '    configuration: readFileSync("pipelines/deploy.yml", "utf8").replaceAll("{name}", name),',
  ])
    expect(pipelines).toContain(`${line}\n`);
  expect(pipelines.match(/publishCommitStatusPerStep/g)).toHaveLength(1);
  expect(read("pipelines/deploy.yml")).toContain("command: ./deploy.sh {name}\n");
  expect(Object.keys(programs())).toHaveLength(8);
});

test("A second run adds what is new in the same manner, and touches nothing else", async () => {
  await makeOrganization(usualOrganization(), emulator, client);
  await remarks();
  const before = programs();
  await client.pipelineSchedules.create("shop-deploy", { label: "Weekly", cronline: "@weekly" });
  const [team] = await client.teams.list().all();
  const user = emulator.addMember({ name: "Eve Ezra", email: "eve@acme.example" }).id;
  await client.teamMembers.create(team?.id ?? "", { user_id: user, role: "member" });
  await client.queues.create((await client.clusters.list().all())[0]?.id ?? "", { key: "later" });
  mkdirSync(scratch.path("node_modules"));
  symlinkSync(join(CHECKOUT, "node_modules", "typescript"), scratch.path("node_modules/typescript"));
  await remarks("--yes");
  const { "index.ts": index = "", ...after } = programs();
  expect({ ...after, "index.ts": before["index.ts"] }).toMatchObject(before);
  expect(index.startsWith(before["index.ts"] ?? "-")).toBe(true);
  expect(read("pipelines-2.ts")).toContain('import { shopDeploy } from "./pipelines";\n');
  expect(read("pipelines-2.ts")).toContain("  pipelineId: shopDeploy,\n");
  expect(await changes()).toEqual([]);
  expect(problems()).toEqual([]);
});

test("A mirror is the same while nothing changes, and a change is one in its own file", async () => {
  await makeOrganization(usualOrganization(), emulator, client);
  const mirror = async () => {
    rmSync(scratch.path("ci"), { recursive: true, force: true });
    await remarks("--secrets-to-config");
    return programs();
  };
  const first = await mirror();
  expect(await mirror()).toEqual(first);
  await client.pipelines.update("shop", { description: "Sells" });
  const next = await mirror();
  expect(Object.keys(next).filter((path) => next[path] !== first[path])).toEqual(["pipelines.ts"]);
  expect(next["pipelines.ts"]).toContain('pipeline("shop", { description: "Sells", tags: ["web"] });');
});

/** Arguments that name the object, or that the service doesn't have. */
const OTHER = /Id$|^(?:slug|key|expiresAt|onDelete)$/;

test("Each argument of the program that somebody changes is a change in a preview with a refresh", async () => {
  await restart({ variations: { teamReturnsWritableFields: true } });
  await makeOrganization(usualOrganization(), emulator, client);
  await remarks();
  const kindIn = ({ type }: { type: string }) => type.slice(type.lastIndexOf(":") + 1);
  const objects = Map.groupBy(imported(), kindIn);
  // Each argument of a kind is changed in an object of its own, as long as there are some.
  const planned = [...objects].flatMap(([kind, own]) => {
    const [some, others] = valuesOf(kind);
    const free = own.filter(({ inputs }) => inputs.archived !== true);
    const stated = new Set(free.flatMap(({ inputs }) => Object.keys(inputs)));
    const names = Object.keys(others).filter((name) => stated.has(name) && !OTHER.test(name));
    return names.flatMap((name, index) => {
      const candidates = free.filter(({ inputs }) => name in inputs);
      const chosen = candidates[index % candidates.length];
      if (chosen === undefined) return [];
      const [now, next] = [chosen.inputs[name], others[name]];
      const isMap = name === "providerSettings";
      const isThere = isDeepStrictEqual(isMap ? { ...Object(now), ...Object(next) } : next, now);
      return [{ kind, name, chosen, value: (isThere ? some : others)[name] }];
    });
  });
  expect(planned.length).toBeGreaterThan(30);
  for (const { chosen, name, value } of planned) await change(chosen, { [name]: value });
  const changed = new Set(planned.map(({ kind, chosen }) => `${kind} ${chosen.name}`));
  expect((await changes(true)).sort()).toEqual([...changed].sort());
});

const NAMES = [
  "Shop",
  "Shop deploy",
  "api",
  "api deploy",
  "cms",
  "cms deploy",
  "etl",
  "etl deploy",
  "日本 1",
  "name",
  "`x` $y",
  "Web",
];

/** Organizations of any regularity, whose names make equal slugs. */
const organizations: fc.Arbitrary<Organization> = fc.record({
  clusters: fc.constant([
    { name: "Linux", queues: ["a", "b", "c", "linux"] },
    { name: "web", queues: ["name"] },
  ]),
  people: fc.constant(["Ada", "ada", "Bo"]),
  teams: fc.constant([
    { name: "Web", members: [0, 1, 2] },
    { name: "web shop", members: [1, 2] },
  ]),
  pipelines: fc.uniqueArray(
    fc.record({
      name: fc.constantFrom(...NAMES),
      repository: fc.constantFrom("git@github.com:acme/shop.git", "https://gitlab.com/acme/api"),
      steps: fc.constantFrom(
        "steps: []\n",
        "steps:\n  - command: make shop\n",
        "steps:\n  - command: make {name} api\n",
      ),
      cluster: fc.constantFrom(undefined, 0, 0, 0, 1),
      owners: fc.constantFrom([], [1]),
      more: fc.record(
        {
          visibility: fc.constantFrom("public", "private"),
          default_branch: fc.constantFrom("main", '`{name}` "\\x"'),
          provider_settings: fc.constantFrom(SETTINGS, { ...SETTINGS, build_tags: true }, {}),
        },
        { requiredKeys: [] },
      ),
      schedules: fc.constantFrom([], ["Nightly"], ["Nightly", "Deploy"], ["a", "b", "c", "d", "e"]),
      archived: fc.constantFrom(false, false, false, true),
    }),
    { selector: ({ name }) => name, minLength: 3, maxLength: 11, size: "max" },
  ),
});

test("Of any organization, a program is written that changes nothing", async () => {
  await fc.assert(
    fc
      .asyncProperty(organizations, async (organization) => {
        await makeOrganization(organization, emulator, client);
        await remarks();
        await expectGoodProgram();
      })
      .beforeEach(() => restart({}))
      .afterEach(() => rmSync(scratch.path("ci"), { recursive: true, force: true })),
    { numRuns: cases(30) },
  );
});

const AWKWARD = ["a", '`${name}` \\ \n "x" {name}', "$", "name", "*/ \u202e"];
const ACME = "git@github.com:acme/";
const STEPS = "steps:\n  - label: Test\n    command: make ";

/** More than a line has, with a name that gofmt aligns differently. */
const LONG = {
  buildTags: true,
  buildBranches: true,
  skipPullRequestBuildsForExistingCommits: false,
  skipPullRequestBuildsForExistingCommits2: false,
};

const pipelines = fc
  .uniqueArray(
    fc.record({
      word: fc.constantFrom(..."shop api a git name args main web-shop ci etl ledger cms".split(" ")),
      suffix: fc.constantFrom("", "", "-deploy", "-2"),
      name: fc.constantFrom(undefined, undefined, undefined, ...AWKWARD.slice(0, 2)),
      repository: fc.constantFrom(ACME, ACME, ACME, "https://`${x}`/"),
      steps: fc.constantFrom(undefined, "", "word", "{name}"),
      args: fc.record(
        {
          visibility: fc.constantFrom("private", "private", "public"),
          defaultBranch: fc.constantFrom("main", "main", "main", "main", ...AWKWARD),
          defaultCommandStepTimeout: fc.constantFrom(60, 60, 90),
          archived: fc.boolean(),
          tags: fc.constantFrom<Value[]>(["web"], ["a", "b"], []),
        },
        { requiredKeys: ["visibility"] },
      ),
      settings: fc.option(
        fc.constantFrom(
          { buildTags: true, "trigger-mode": "code", x: 1 },
          { buildTags: false, "trigger-mode": "code", x: 1 },
          { x: 1 },
          {},
          LONG,
          LONG,
          { ...LONG, x: 1 },
        ),
        { nil: undefined },
      ),
      clusterId: fc.constantFrom(undefined, "name", "linux", "linux", "linux"),
      ignoreChanges: fc.constantFrom([], [], [], ["name"]),
    }),
    { selector: ({ word, suffix }) => word + suffix, size: "max", minLength: 3, maxLength: 20 },
  )
  .map((all) =>
    all.map(({ word, suffix, name, repository, steps, args, settings, clusterId, ignoreChanges }, index) => {
      const text = steps === "word" ? STEPS + word : STEPS + steps;
      return declaration("Pipeline", word + suffix, {
        identifier: `pipeline${index}`,
        ignoreChanges,
        args: {
          name: name ?? `${word}${suffix}`,
          repository: `${repository}${word}.git`,
          ...(steps !== undefined && { configuration: new FileText(`pipelines/${word}${suffix}.yml`, text) }),
          ...(clusterId !== undefined && { clusterId: new Reference(clusterId) }),
          ...args,
          ...(settings !== undefined && { providerSettings: new ValueMap(Object.entries(settings)) }),
        },
      });
    }),
  );

/** Queues of two clusters, and teams with their members: those of names that no loop can make are among them. */
const others = fc.record({
  queues: fc.uniqueArray(
    fc.tuple(
      fc.constantFrom("linux", "name", "mac"),
      fc.constantFrom("a", "small", "large", "huge", "arm", "name"),
    ),
    { selector: (pair) => pair.join(" "), size: "max", maxLength: 18 },
  ),
  members: fc.uniqueArray(
    fc.tuple(
      fc.constantFrom("web", "ops"),
      fc.constantFrom("ada", "bo", "cy", "di"),
      fc.constantFrom(undefined, "maintainer"),
      fc.constantFrom("", "", "", "", "-2"),
    ),
    { selector: ([team, user]) => `${team} ${user}`, size: "max", maxLength: 7 },
  ),
});

function declaration(className: string, logicalName: string, more: Partial<Declaration>): Declaration {
  const nothing = { identifier: undefined, args: {}, ignoreChanges: [], comments: [] };
  return { className, logicalName, ...nothing, ...more };
}

const programFile = fc.tuple(pipelines, others).map(([own, { queues, members }]) => {
  const file = new ProgramFile("index.ts", "pulumi-buildpipeline", ["linux", "name", "mac", "web", "ops"]);
  for (const [index, user] of ["ada", "bo", "cy", "di"].entries())
    file.named.push({ identifier: user, text: `${index}`, comment: user });
  for (const name of ["linux", "name", "mac"]) {
    file.declare(declaration("Cluster", name, { identifier: name, args: { name } }));
    for (const [cluster, key] of queues)
      if (cluster === name)
        file.declare(
          declaration("Queue", `${cluster}-${key}`, {
            // A name without its cluster's is in no place.
            within: key === "name" ? undefined : cluster,
            args: {
              clusterId: new Reference(cluster),
              key,
              description: "Machines in the first data center",
              retryAgentAffinity: "prefer-warmest",
            },
          }),
        );
  }
  for (const name of ["web", "ops"])
    file.declare(declaration("Team", name, { identifier: name, args: { name } }));
  for (const [team, user, role, end] of members)
    file.declare(
      declaration("TeamMember", `${team}-${user}${end}`, {
        within: team,
        pairedBy: "userId",
        args: {
          teamId: new Reference(team),
          userId: new Constant(user),
          ...(role !== undefined && { role }),
        },
      }),
    );
  for (const one of own) file.declare(one);
  return file;
});

/** Returns the program of a file in a language, with its texts by their paths. */
function written(language: Language, file: ProgramFile, parts: Parts) {
  const texts: Record<string, string> = {};
  for (const value of valuesIn(parts)) {
    if (!(value instanceof FileText)) continue;
    value.path = `${Object.keys(texts).length}.yml`;
    texts[value.path] = value.text;
  }
  return { text: language.program(file, parts), texts };
}

test("A program with functions, constants and loops declares what the plain program does", () => {
  const shown: Record<string, string> = {};
  let shorter = 0;
  const run = ({ text, texts }: ReturnType<typeof written>) =>
    declaredBy({ modules: { "index.ts": text }, readText: (path) => texts[path] ?? "" });
  fc.assert(
    fc.property(programFile, (file) => {
      const long = written(typescript, file, plain(file));
      const [before, short] = [run(long), written(typescript, file, regular(file, typescript))];
      expect(withRoles(run(short))).toEqual(withRoles(before));
      expect(short.text.length).toBeLessThanOrEqual(long.text.length);
      if (short.text !== long.text && shorter++ % 10 === 0)
        shown[`examples/adopted/${shorter}.ts`] = short.text;
    }),
    { numRuns: cases(500) },
  );
  expect(shorter).toBeGreaterThan(cases(100));
  expect(problemsOf(shown, optionsOf("examples/cluster/tsconfig.json"))).toEqual([]);
});

/** A row of a table states a default. */
function withRoles(declared: ReadonlyMap<string, Record<string, unknown>>) {
  return [...declared]
    .map(([key, args]) => [key, key.startsWith("TeamMember ") ? { role: "member", ...args } : args] as const)
    .toSorted(([one], [other]) => (one < other ? -1 : 1));
}

/** Runs programs, and prints what each declares. */
const PYTHON = `
import json, pathlib, signal, sys, types
def resolved(value):
    if isinstance(value, Declared): return value.id
    if isinstance(value, dict): return {name: resolved(one) for name, one in value.items() if one is not None}
    return [resolved(one) for one in value] if isinstance(value, list) else value
class Declared:
    def __init__(self, kind, key, /, **args):
        self.id = f"{kind} {key}"
        assert self.id not in found
        args.pop("opts", None)
        found[self.id] = resolved(args)
class Package(types.ModuleType):
    def __getattr__(self, kind): return lambda key, /, **args: Declared(kind, key, **args)
class Text:
    def __init__(self, path): self.path = path
    def read_bytes(self): return texts[self.path].encode()
sys.modules["pulumi_buildpipeline"] = Package("pulumi_buildpipeline")
sys.modules["pulumi"] = types.ModuleType("pulumi")
sys.modules["pulumi"].ResourceOptions = lambda **options: options
pathlib.Path = Text
for line in sys.stdin:
    text, texts = json.loads(line)
    found = {}
    exec(compile(text, "program", "exec"), {})
    print(json.dumps(found))
`;

test.runIf(isInstalled("python3"))("So does a program in Python", () => {
  const python = languageNamed("python");
  const files = fc.sample(programFile, cases(300));
  const programs = files.flatMap((file) => {
    return [plain(file), regular(file, python)].map((parts) => written(python, file, parts));
  });
  const input = programs.map(({ text, texts }) => JSON.stringify([text, texts])).join("\n");
  const lines = execFileSync("python3", ["-c", PYTHON], { input, encoding: "utf8", maxBuffer: 1e9 })
    .trim()
    .split("\n");
  const declared = lines.map((line) => withRoles(new Map(Object.entries(JSON.parse(line)))));
  for (const index of files.keys()) expect(declared[2 * index + 1]).toEqual(declared[2 * index]);
  expect(programs.flatMap(({ text }) => misplaced(text, 4))).toEqual([]);
  const shorter = files.filter((_, index) => programs[2 * index]?.text !== programs[2 * index + 1]?.text);
  expect(shorter.length).toBeGreaterThan(files.length / 5);
});

test("A program in Go declares each resource before what refers to it, functions included", () => {
  const go = languageNamed("go");
  for (const file of fc.sample(programFile, cases(300))) {
    const { text } = written(go, file, regular(file, go));
    for (const { 1: name, index } of text.matchAll(/(\w+)\.ID\(\)/g))
      expect(text.slice(0, index)).toContain(`\t${name}, err := `);
  }
});

test.runIf(isInstalled("gofmt"))("A program in Go is one for gofmt, which changes nothing", () => {
  const go = languageNamed("go");
  for (const [index, file] of fc.sample(programFile, cases(300)).entries())
    write(`${index}.go`, written(go, file, regular(file, go)).text);
  expect(execFileSync("gofmt", ["-l", scratch.path("ci")], { encoding: "utf8" })).toBe("");
});
