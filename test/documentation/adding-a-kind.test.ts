import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { BuildPipelineClient } from "../../src/client/index.js";
import { type Emulator, startEmulator } from "../../src/emulator/index.js";
import { KindProvider, sessionPool } from "../../src/provider/host.js";
import type { AnyKind } from "../../src/resources/kind.js";
import { CHECKOUT, optionsOf, problemsOf } from "./compiler.js";
import { fencedBlocks } from "./fenced-blocks.js";

const [file, line] = fencedBlocks(readFileSync(join(CHECKOUT, "docs/adding-a-kind.md"), "utf8"));
const kindFile = file?.text ?? "";
const list = readFileSync(join(CHECKOUT, "src/resources/index.ts"), "utf8");

/** What the compiler says when the guide was followed, with one thing in the file replaced. */
function compile(text: string, replacement: string): string[] {
  if (!kindFile.includes(text)) throw new Error(`the guide's file has no ${JSON.stringify(text)}`);
  return problemsOf(
    {
      "src/resources/paused-queue.ts": kindFile.replace(text, replacement),
      "src/resources/index.ts": `${list}${line?.text}\n`,
      "src/provider/kinds.ts": undefined,
    },
    optionsOf("tsconfig.json"),
  );
}

describe("The kind of the guide", () => {
  test("compiles with its line in the list", () => {
    expect(compile("", "")).toEqual([]);
  }, 60_000);

  test("does not compile without the description of an argument", () => {
    expect(
      compile('note: { ...optionalText, leftOut: "ignored", sentAs: "note", replaces: true },', ""),
    ).toEqual([expect.stringContaining("'note' is missing")]);
  }, 60_000);

  test("does not compile with a misspelt name of the wire", () => {
    expect(compile('returnedAs: "dispatch_paused_at"', 'returnedAs: "dispatch_paused_att"')).toEqual([
      expect.stringContaining('"dispatch_paused_att"'),
    ]);
  }, 60_000);
});

describe("The kind of the guide, driven as the engine does", () => {
  let directory: string;
  let emulator: Emulator;
  let client: BuildPipelineClient;
  let provider: KindProvider;
  let clusterId: string;
  let queueId: string;

  beforeAll(async () => {
    const parent = join(CHECKOUT, ".buildpipeline", "test");
    mkdirSync(parent, { recursive: true });
    directory = mkdtempSync(join(parent, "guide-"));
    const sources = join(CHECKOUT, "src");
    const path = join(directory, "paused-queue.ts");
    writeFileSync(
      path,
      kindFile
        .replaceAll('from "./', `from "${sources}/resources/`)
        .replaceAll('from "../', `from "${sources}/`),
    );
    const module: { PausedQueue: { kind: AnyKind } } = await import(path);

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
    provider = new KindProvider(module.PausedQueue.kind, sessionPool());
    await provider.configure({
      config: { get: (key) => config.get(key), require: (key) => config.get(key) ?? "" },
    });
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
});
