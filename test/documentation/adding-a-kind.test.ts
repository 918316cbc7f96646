import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { BuildPipelineClient } from "../../src/client/index.js";
import { KindProvider } from "../../src/dynamic/host.js";
import { type Emulator, startEmulator } from "../../src/emulator/index.js";
import { sessionPool } from "../../src/provider/run/session.js";
import type { AnyKind } from "../../src/resources/kind.js";
import { CHECKOUT, optionsOf, problemsOf } from "./compiler.js";
import { fencedBlocks } from "./documents.js";

const [file, inSuite, line, lookup] = fencedBlocks(
  readFileSync(join(CHECKOUT, "docs/internals/adding-a-kind.md"), "utf8"),
);
const kindFile = file?.text ?? "";
const inSuiteFile = inSuite?.text ?? "";
const functionFile = lookup?.text ?? "";
const list = readFileSync(join(CHECKOUT, "src/resources/index.ts"), "utf8");

const NOTE = 'note: { ...optionalText, whenOmitted: "ignored", sentAs: "note", replaces: true },';

type Replacement = readonly [text: string, replacement: string];

const AS_BOOLEAN: readonly Replacement[] = [
  ["note?: pulumi.Input<string | undefined>", "note?: pulumi.Input<boolean | undefined>"],
  ["Output<string | undefined>", "Output<boolean | undefined>"],
  ["clusterId, inCluster, optionalText", "boolean, clusterId, inCluster"],
];
const cleared = (rest: string): readonly Replacement[] => [
  ...AS_BOOLEAN,
  [NOTE, `note: { ...boolean, whenOmitted: "cleared", sentAs: "note", ${rest} },`],
];
const typed = (type: string, shape: string): readonly Replacement[] => [
  ["note?: pulumi.Input<string | undefined>", `note?: pulumi.Input<${type} | undefined>`],
  ["Output<string | undefined>", `Output<${type} | undefined>`],
  ["clusterId, inCluster, optionalText", "clusterId, inCluster"],
  ["import type { Kind }", 'import { list, map, text } from "./rules/shape.js";\nimport type { Kind }'],
  [
    NOTE,
    `note: { shape: ${shape}, expected: "one", whenOmitted: "ignored", sentAs: "note", replaces: true },`,
  ],
];

/** Changes of the guide's file, and what the compiler says of each. No message: it compiles. */
const CHANGES: Readonly<Record<string, readonly [changes: readonly Replacement[], message?: string]>> = {
  "no description of an argument": [[[NOTE, ""]], "'note' is missing"],
  "an argument that has no way to the service": [
    [[NOTE, 'note: { ...optionalText, whenOmitted: "ignored" },']],
    "replaces",
  ],
  "a boolean that is cleared, and nothing says how": [cleared("replaces: true"), "whenOmitted"],
  "a boolean that is cleared to false": [cleared("default: false, replaces: true")],
  "a shape that does not fit the type": [typed("boolean", "map"), "Shape<boolean>"],
  "a shape for entries of another type": [
    typed("boolean[]", "list(text())"),
    "'string' is not assignable to type 'boolean'",
  ],
  "a misspelt name of the API": [
    [['returnedAs: "dispatch_paused_at"', 'returnedAs: "dispatch_paused_att"']],
    '"dispatch_paused_att"',
  ],
};

/** The guide's file with some things in it replaced. */
function changedFile(replacements: readonly Replacement[]): string {
  let text = kindFile;
  for (const [written, replacement] of replacements) {
    if (!text.includes(written)) throw new Error(`the guide's file has no ${JSON.stringify(written)}`);
    text = text.replace(written, replacement);
  }
  return text;
}

const nameOf = (index: number) => `src/resources/paused-queue-${index}.ts`;

describe("The kind of the guide", () => {
  // One program has all files: the compiler reads and checks what they share once.
  let problems: readonly string[];
  beforeAll(() => {
    const changed = Object.values(CHANGES).map(([changes], index) => [nameOf(index), changedFile(changes)]);
    problems = problemsOf(
      {
        "src/resources/paused-queue.ts": kindFile,
        "src/resources/test-run.ts": inSuite?.text ?? "",
        "src/lookups/test-runs.ts": functionFile,
        "src/resources/index.ts": `${list}${line?.text}\nexport * from "./test-run.js";\n`,
        "src/provider/values/kinds.ts": undefined,
        ...Object.fromEntries(changed),
      },
      optionsOf("tsconfig.json"),
    );
  });

  test("compiles with its line in the list, and so does the one in a suite", () => {
    expect(problems.filter((problem) => !/^src\/resources\/paused-queue-\d/.test(problem))).toEqual([]);
  });

  test.each(Object.entries(CHANGES).map(([change, [, message]], index) => ({ change, message, index })))(
    "with $change: the compiler says $message",
    ({ message, index }) => {
      const found = problems.filter((problem) => problem.startsWith(nameOf(index)));
      if (message === undefined) expect(found).toEqual([]);
      else expect(found.join("\n")).toContain(message);
    },
  );
});

describe("The kind of the guide, driven as the engine does", () => {
  let directory: string;
  let emulator: Emulator;
  let client: BuildPipelineClient;
  let provider: KindProvider;
  let runs: KindProvider;
  let clusterId: string;
  let queueId: string;

  beforeAll(async () => {
    const parent = join(CHECKOUT, ".buildpipeline", "test");
    mkdirSync(parent, { recursive: true });
    directory = mkdtempSync(join(parent, "guide-"));
    const sources = join(CHECKOUT, "src");
    const load = async (name: string, text: string): Promise<AnyKind> => {
      const path = join(directory, `${name}.ts`);
      const linked = text
        .replaceAll('from "./', `from "${sources}/resources/`)
        .replaceAll('from "../', `from "${sources}/`);
      writeFileSync(path, linked);
      const module: Record<string, { kind: AnyKind }> = await import(path);
      const [exported] = Object.values(module);
      if (exported === undefined) throw new Error(`${name} exports nothing`);
      return exported.kind;
    };

    emulator = await startEmulator({ seed: false });
    const settings = {
      accessToken: emulator.accessToken,
      organization: emulator.organization,
      baseUrl: emulator.url,
    };
    client = new BuildPipelineClient(settings);
    clusterId = (await client.clusters.create({ name: "Linux" })).id;
    queueId = (await client.queues.create(clusterId, { key: "deploy" })).id;

    const config = new Map(Object.entries(settings).map(([name, value]) => [`buildpipeline:${name}`, value]));
    const serve = async (kind: AnyKind) => {
      const served = new KindProvider(kind, sessionPool());
      await served.configure({
        config: { get: (key) => config.get(key), require: (key) => config.get(key) ?? "" },
      });
      return served;
    };
    provider = await serve(await load("paused-queue", kindFile));
    runs = await serve(await load("test-run", inSuiteFile));
  });

  afterAll(async () => {
    await client.close();
    await emulator.close();
    rmSync(directory, { recursive: true });
  });

  test("checks, creates, reads, sees drift, and deletes", async () => {
    const wrong = await provider.check({}, { clusterId, queueId: "deploy" });
    expect(wrong.failures?.map(({ reason }) => reason)).toEqual([
      "PausedQueue.queueId: is not a UUID; expected the UUID of a queue of the cluster.",
    ]);

    const { inputs } = await provider.check({}, { clusterId, queueId, note: "Release freeze" });
    const { id, outs } = await provider.create(inputs ?? {});
    expect(id).toBe(queueId);
    expect(await client.queues.get(clusterId, queueId)).toMatchObject({
      dispatch_paused: true,
      dispatch_paused_note: "Release freeze",
    });
    expect(await provider.diff(id, outs ?? {}, inputs ?? {})).toEqual({ changes: false });
    expect(await provider.diff(id, outs ?? {}, { ...inputs, note: "Longer" })).toMatchObject({
      replaces: ["note"],
      deleteBeforeReplace: true,
    });
    expect(await provider.read(id, outs)).toMatchObject({ id, inputs });

    await client.queues.resumeDispatch(clusterId, queueId);
    expect((await provider.read(id, outs)).id).toBe("");

    await client.queues.pauseDispatch(clusterId, queueId);
    await provider.delete(id, outs ?? {});
    expect((await client.queues.get(clusterId, queueId)).dispatch_paused).toBe(false);
  });

  test("in a suite: adopts by the suite's name in addresses, reads, and is gone with its suite", async () => {
    const suite = await client.suites.create({ name: "Unit", default_branch: "main" });
    const run = emulator.createRun(suite.slug, { branch: "main" });
    const news = { suiteSlug: suite.slug, import: `${suite.slug}/${run.id}` };
    const { inputs, failures } = await runs.check({}, news);
    expect(failures).toEqual([]);
    const { id, outs = {} } = await runs.create(inputs ?? {});
    expect([id, outs.branch, outs.result]).toEqual([run.id, "main", "pending"]);

    emulator.uploadResults(run.id, { passed: 3 });
    expect((await runs.read(id, outs)).props).toMatchObject({ result: "passed" });
    await client.suites.delete(suite.slug);
    expect((await runs.read(id, outs)).id).toBe("");
  });
});

/** A copy of the source that follows the guide, with both kinds and the function. */
describe("The kinds of the guide, in a copy of the source", () => {
  let tree: string;
  let emulator: Emulator;

  beforeAll(async () => {
    const parent = join(CHECKOUT, ".buildpipeline", "test");
    mkdirSync(parent, { recursive: true });
    tree = mkdtempSync(join(parent, "source-"));
    for (const copied of ["src", "tools/reference", "examples/quickstart", "tsconfig.json", "package.json"])
      cpSync(join(CHECKOUT, copied), join(tree, copied), { recursive: true, filter: isSource });
    const write = (path: string, text: string) => writeFileSync(join(tree, "src", path), text);
    const edit = (path: string, ...replacements: readonly (readonly [string, string])[]) => {
      let text = readFileSync(join(tree, "src", path), "utf8");
      for (const [before, after] of replacements) {
        if (!text.includes(before)) throw new Error(`${path} has no ${JSON.stringify(before)}`);
        text = text.replace(before, after);
      }
      write(path, text);
    };
    write("resources/paused-queue.ts", kindFile);
    write("resources/test-run.ts", inSuiteFile);
    write("lookups/test-runs.ts", functionFile);
    write("resources/index.ts", `${list}${line?.text}\nexport * from "./test-run.js";\n`);
    edit("lookups/index.ts", [
      'export * from "./teams.js";',
      'export * from "./teams.js";\nexport * from "./test-runs.js";',
    ]);
    emulator = await startEmulator({ seed: false });
  }, 60_000);

  afterAll(async () => {
    await emulator.close();
    rmSync(tree, { recursive: true });
  });

  const isSource = (path: string) => !path.includes("node_modules");
  const inTree = (path: string) => import(join(tree, path));

  /** An organization with a paused queue and a run, as the copy lists it. */
  async function listed() {
    const { BuildPipelineClient: Client }: typeof import("../../src/client/index.js") =
      await inTree("src/client/index.ts");
    const { listOrganization }: typeof import("../../src/inventory/listing.js") =
      await inTree("src/inventory/listing.ts");
    const { url: baseUrl, accessToken, organization } = emulator;
    const own = new Client({ baseUrl, accessToken, organization });
    const { id: clusterId } = await own.clusters.create({ name: "Linux" });
    const queue = await own.queues.create(clusterId, { key: "deploy" });
    await own.queues.pauseDispatch(clusterId, queue.id);
    const suite = await own.suites.create({ name: "Unit", default_branch: "main" });
    const run = emulator.createRun(suite.slug, { branch: "main" });
    const before = emulator.requests.length;
    const listing = await listOrganization(own);
    const requests = emulator.requests.slice(before).map(({ operation }) => operation);
    return { own, listing, requests, clusterId, queue, suite, run };
  }

  test("are found in the lists, the functions, and all commands", async () => {
    const { own, listing, requests, queue, suite, run } = await listed();
    expect(requests.sort()).toEqual([
      "agentTokens.list",
      "clusters.list",
      "pipelineTemplates.list",
      "queues.list",
      "runs.list",
      "suites.list",
      "teams.list",
    ]);

    const { compareOwnership }: typeof import("../../src/inventory/ownership.js") = await inTree(
      "src/inventory/ownership.ts",
    );
    const { unmanaged } = compareOwnership(listing, [], new URL(emulator.url).origin);
    const kindOf = (type: string) => type.slice(type.lastIndexOf(":") + 1);
    expect(unmanaged.map(({ type, import: value }) => `${kindOf(type)} ${value}`)).toEqual([
      "Cluster Linux",
      "Queue Linux/deploy",
      "PausedQueue Linux/deploy",
      `Suite ${suite.slug}`,
      `TestRun ${suite.slug}/${run.id}`,
    ]);

    const { adopt }: typeof import("../../src/adoption/adoption.js") =
      await inTree("src/adoption/adoption.ts");
    const { readProject }: typeof import("../../src/adoption/existing-project.js") = await inTree(
      "src/adoption/existing-project.ts",
    );
    const { languageNamed }: typeof import("../../src/adoption/languages/language.js") = await inTree(
      "src/adoption/languages/language.ts",
    );
    const project = readProject(join(tree, "ci"));
    const { objects } = listing;
    const share = { project, folder: ".", name: "ci", inStack: [], objects, exports: new Set<string>() };
    const { files, leftOut } = adopt([share], {
      organization: listing.organization,
      refreshes: true,
      observer: { origin: emulator.url, tokenId: undefined },
      backend: "dynamic",
      language: languageNamed("typescript"),
    });
    expect(leftOut).toEqual([]);
    const programs = Object.fromEntries(files.map(({ path, after }) => [path, after]));
    expect(programs["clusters/linux.ts"]).toContain(
      'new PausedQueue("linux-deploy-paused-queue", {\n  clusterId: linux,\n  queueId: deploy.id,\n});',
    );
    expect(programs["suites/unit.ts"]).toContain('new TestRun("unit-run", { suiteSlug: unit });');

    await inTree("src/lookups/index.ts");
    const { functions }: typeof import("../../src/lookups/invoke/function.js") = await inTree(
      "src/lookups/invoke/function.ts",
    );
    const api: Parameters<NonNullable<ReturnType<typeof functions.get>>>[0] = {
      organization: listing.organization,
      get: (request, ...parameters) => request(own, ...parameters),
    };
    const found = await functions.get("getTestRun")?.(api, { suiteSlug: suite.slug, id: run.id });
    expect(found).toMatchObject({ id: run.id, branch: "main", suiteSlug: suite.slug });

    const { topologyOfListing }: typeof import("../../src/topology/of-objects.js") = await inTree(
      "src/topology/of-objects.ts",
    );
    const drawn = JSON.stringify(topologyOfListing(listing));
    expect(drawn).toContain(`{"kind":"PausedQueue","name":"deploy","id":"${queue.id}"`);
    expect(drawn).toContain('"kind":"TestRun"');
    await own.close();
  }, 60_000);

  test("are in reports, the plugin's schema and the reference", async () => {
    const { readPreview }: typeof import("../../src/report/preview.js") =
      await inTree("src/report/preview.ts");
    const { reportOf }: typeof import("../../src/report/report.js") = await inTree("src/report/report.ts");
    const { planOf }: typeof import("../../src/report/plan.js") = await inTree("src/report/plan.ts");
    const { markdown }: typeof import("../../src/report/markdown.js") =
      await inTree("src/report/markdown.ts");
    const type = "pulumi-nodejs:dynamic/buildpipeline:PausedQueue";
    const state = {
      urn: `urn:pulumi:production::ci::${type}::freeze`,
      type,
      inputs: { clusterId: "c", queueId: "q" },
      outputs: { clusterId: "c", queueId: "q" },
    };
    const preview = readPreview({
      steps: [{ op: "delete", urn: `urn:pulumi:production::ci::${type}::freeze`, oldState: state }],
    });
    expect(markdown(reportOf(planOf(preview)), 65_536)).toMatch(/paused queue .*freeze/);

    const resources: Record<string, { kind: AnyKind }> = await inTree("src/resources/index.ts");
    const kinds = Object.values(resources).map(({ kind }) => kind);
    const { describePackage }: typeof import("../../tools/reference/description.js") = await inTree(
      "tools/reference/description.ts",
    );
    const described = describePackage(tree, kinds);
    const { schemaOf }: typeof import("../../tools/reference/schema.js") =
      await inTree("tools/reference/schema.ts");
    const { Quickstart }: typeof import("../../tools/reference/quickstart.js") = await inTree(
      "tools/reference/quickstart.ts",
    );
    const manifest = JSON.parse(readFileSync(join(CHECKOUT, "package.json"), "utf8"));
    const quickstart = new Quickstart(CHECKOUT);
    const schema = JSON.stringify(schemaOf(described, manifest, quickstart));
    for (const token of ["PausedQueue", "TestRun", "getTestRun"])
      expect(schema).toContain(`"buildpipeline:index:${token}"`);
    const { programParts, resourcePages }: typeof import("../../tools/reference/program-pages.js") =
      await inTree("tools/reference/program-pages.ts");
    const pages = resourcePages(described, quickstart);
    expect(pages["paused-queue"]).toContain("# PausedQueue");
    const { functions } = programParts(described, []).functions;
    expect(functions?.join("\n")).toContain("## getTestRun");
  }, 120_000);
});
