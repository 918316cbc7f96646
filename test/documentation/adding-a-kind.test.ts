import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { BuildPipelineClient } from "../../src/client/index.js";
import { KindProvider } from "../../src/dynamic/host.js";
import { type Emulator, startEmulator } from "../../src/emulator/index.js";
import { sessionPool } from "../../src/provider/session.js";
import type { AnyKind } from "../../src/resources/kind.js";
import { CHECKOUT, optionsOf, problemsOf } from "./compiler.js";
import { fencedBlocks } from "./fenced-blocks.js";

const [file, inSuite, line] = fencedBlocks(
  readFileSync(join(CHECKOUT, "docs/internals/adding-a-kind.md"), "utf8"),
);
const kindFile = file?.text ?? "";
const inSuiteFile = inSuite?.text ?? "";
const list = readFileSync(join(CHECKOUT, "src/resources/index.ts"), "utf8");

/** What the compiler says when the guide was followed, with some things in the file replaced. */
function compile(...replacements: readonly (readonly [text: string, replacement: string])[]): string[] {
  let text = kindFile;
  for (const [written, replacement] of replacements) {
    if (!text.includes(written)) throw new Error(`the guide's file has no ${JSON.stringify(written)}`);
    text = text.replace(written, replacement);
  }
  return problemsOf(
    {
      "src/resources/paused-queue.ts": text,
      "src/resources/test-run.ts": inSuiteFile,
      "src/resources/index.ts": `${list}${line?.text}\nexport * from "./test-run.js";\n`,
      "src/provider/kinds.ts": undefined,
    },
    optionsOf("tsconfig.json"),
  );
}

const NOTE = 'note: { ...optionalText, whenOmitted: "ignored", sentAs: "note", replaces: true },';

describe("The kind of the guide", () => {
  test("compiles with its line in the list, and so does the one in a suite", () => {
    expect(compile()).toEqual([]);
  }, 60_000);

  test("does not compile without the description of an argument", () => {
    expect(compile([NOTE, ""])).toEqual([expect.stringContaining("'note' is missing")]);
  }, 60_000);

  test("does not compile when an argument has no way to the service", () => {
    const unsent = 'note: { ...optionalText, whenOmitted: "ignored" },';
    expect(compile([NOTE, unsent])).toEqual([expect.stringContaining("replaces")]);
  }, 60_000);

  test("does not compile when leaving out a boolean clears it, and nothing says how", () => {
    const asBoolean = [
      ["note?: pulumi.Input<string | undefined>", "note?: pulumi.Input<boolean | undefined>"],
      ["Output<string | undefined>", "Output<boolean | undefined>"],
      ["clusterId, inCluster, optionalText", "boolean, clusterId, inCluster"],
    ] as const;
    const cleared = (rest: string) =>
      compile(...asBoolean, [NOTE, `note: { ...boolean, whenOmitted: "cleared", sentAs: "note", ${rest} },`]);
    expect(cleared("replaces: true")).toEqual([expect.stringContaining("whenOmitted")]);
    expect(cleared("default: false, replaces: true")).toEqual([]);
  }, 60_000);

  test("does not compile with a shape that does not fit the type, or for a type that has none", () => {
    const typed = (type: string, shape: string) =>
      compile(
        ["note?: pulumi.Input<string | undefined>", `note?: pulumi.Input<${type} | undefined>`],
        ["Output<string | undefined>", `Output<${type} | undefined>`],
        ["clusterId, inCluster, optionalText", "clusterId, inCluster"],
        [
          NOTE,
          `note: { shape: { type: "${shape}" }, expected: "one", whenOmitted: "ignored", sentAs: "note", replaces: true },`,
        ],
      );
    expect(typed("number", "number")).toEqual([]);
    expect(typed("number", "map")).toEqual([expect.stringContaining("map")]);
    expect(typed("number[]", "list")).not.toEqual([]);
  }, 60_000);

  test("does not compile with a misspelt name of the API", () => {
    expect(compile(['returnedAs: "dispatch_paused_at"', 'returnedAs: "dispatch_paused_att"'])).toEqual([
      expect.stringContaining('"dispatch_paused_att"'),
    ]);
  }, 60_000);
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
