import { cpSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { BuildPipelineClient } from "../../src/client/index.js";
import { type Emulator, startEmulator } from "../../src/emulator/index.js";
import type { KindProvider } from "../../src/provider/dynamic/host.js";
import { isWhole } from "../support/cases.js";
import { CHECKOUT, folderWithin, read, readJson } from "../support/checkout.js";
import { SimulatedClock } from "../support/driver.js";
import { optionsOf, problemsOf } from "./compiler.js";
import { fencedBlocks } from "./documents.js";
import type * as Source from "./source.js";

const [file, line] = fencedBlocks(read("docs/internals/adding-a-kind.md"));
const kindFile = file?.text ?? "";
const list = read("src/provider/resources/index.ts");

const NOTE =
  'note: { ...optionalText, review: replaced, whenOmitted: "ignored", sentAs: "note", replaces: true },';

type Replacement = readonly [text: string, replacement: string];

const AS_BOOLEAN: readonly Replacement[] = [
  ["note?: pulumi.Input<string | undefined>", "note?: pulumi.Input<boolean | undefined>"],
  ["Output<string | undefined>", "Output<boolean | undefined>"],
  ["clusterId, inCluster, optionalText", "boolean, clusterId, inCluster"],
];
const cleared = (rest: string): readonly Replacement[] => [
  ...AS_BOOLEAN,
  [NOTE, `note: { ...boolean, review: replaced, whenOmitted: "cleared", sentAs: "note", ${rest} },`],
];
const typed = (type: string, shape: string): readonly Replacement[] => [
  ["note?: pulumi.Input<string | undefined>", `note?: pulumi.Input<${type} | undefined>`],
  ["Output<string | undefined>", `Output<${type} | undefined>`],
  ["clusterId, inCluster, optionalText", "clusterId, inCluster"],
  ["import type { Kind }", 'import { list, map, text } from "../kind/shape.js";\nimport type { Kind }'],
  [
    NOTE,
    `note: { shape: ${shape}, expected: "one", review: replaced, whenOmitted: "ignored", sentAs: "note", replaces: true },`,
  ],
];

/** Changes of the guide's file, and what the compiler says of each. No message: it compiles. */
const CHANGES: Readonly<Record<string, readonly [changes: readonly Replacement[], message?: string]>> = {
  "no description of an argument": [[[NOTE, ""]], "'note' is missing"],
  "no word about what a change can do to people": [
    [[NOTE, NOTE.replace("review: replaced, ", "")]],
    "review",
  ],
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

function replaced(file: string, replacements: readonly Replacement[]): string {
  return replacements.reduce((text, [written, replacement]) => {
    if (!text.includes(written)) throw new Error(`the file has no ${JSON.stringify(written)}`);
    return text.replace(written, replacement);
  }, file);
}

const nameOf = (index: number) => `src/provider/resources/paused-queue-${index}.ts`;

describe.runIf(isWhole)("The kind of the guide", () => {
  // One program has all files: the compiler reads and checks what they share once.
  let problems: readonly string[];
  beforeAll(() => {
    const changed = Object.values(CHANGES).map(([changes], index) => [
      nameOf(index),
      replaced(kindFile, changes),
    ]);
    problems = problemsOf(
      {
        "src/provider/resources/paused-queue.ts": kindFile,
        "src/provider/resources/index.ts": `${list}${line?.text}\n`,
        "src/provider/lifecycle/values/kinds.ts": undefined,
        ...Object.fromEntries(changed),
      },
      optionsOf("tsconfig.json"),
    );
  });

  test("compiles with its line in the list", () => {
    expect(problems.filter((one) => !/^src\/provider\/resources\/paused-queue-\d/.test(one))).toEqual([]);
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

/** A copy of the source that follows the guide. */
describe.runIf(isWhole)("The kind of the guide, in a copy of the source", () => {
  let tree: string;
  let source: typeof Source;
  let emulator: Emulator;
  let client: BuildPipelineClient;
  let provider: KindProvider;
  let clusterId: string;
  let queueId: string;

  beforeAll(async () => {
    tree = folderWithin("source-");
    for (const copied of [
      ...["src", "tools/generate", "examples/quickstart", "tsconfig.json", "package.json"],
      "tools/release/placeholder.mjs",
      "test/examples/source.ts",
    ])
      cpSync(join(CHECKOUT, copied), join(tree, copied), {
        recursive: true,
        filter: (path) => !path.includes("node_modules"),
      });
    const write = (path: string, text: string) => writeFileSync(join(tree, "src", path), text);
    write("provider/resources/paused-queue.ts", kindFile);
    write("provider/resources/index.ts", `${list}${line?.text}\n`);
    source = await import(join(tree, "test/examples/source.ts"));

    emulator = await startEmulator({ seed: false });
    const { url: baseUrl, accessToken, organization } = emulator;
    const settings = { accessToken, organization, baseUrl };
    client = new source.BuildPipelineClient(settings);
    clusterId = (await client.clusters.create({ name: "Linux" })).id;
    queueId = (await client.queues.create(clusterId, { key: "deploy" })).id;
    const config = new Map(Object.entries(settings).map(([name, value]) => [`buildpipeline:${name}`, value]));
    const serve = async (name: string) => {
      const kind = source.kinds.get(name);
      if (kind === undefined) throw new Error(`The copy has no ${name}.`);
      const served = new source.KindProvider(kind, source.sessionPool({ clock: new SimulatedClock() }));
      await served.configure({
        config: { get: (key) => config.get(key), require: (key) => config.get(key) ?? "" },
      });
      return served;
    };
    provider = await serve("PausedQueue");
  }, 60_000);

  afterAll(async () => {
    await client.close();
    await emulator.close();
    rmSync(tree, { recursive: true });
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

  test("is found in the lists, and all commands", async () => {
    await client.queues.pauseDispatch(clusterId, queueId);
    emulator.clearRequests();
    const listing = await source.listOrganization(client);
    expect(emulator.requests.map(({ operation }) => operation).sort()).toEqual([
      "agentTokens.list",
      "apiSettings.get",
      "clusterMaintainers.list",
      "clusterSecrets.list",
      "clusters.list",
      "notificationServices.list",
      "organizationRules.list",
      "pipelineSettings.get",
      "pipelineTemplates.list",
      "pipelines.list",
      "queues.list",
      "suites.list",
      "teams.list",
    ]);

    const { organization, objects } = listing;
    const { unmanaged } = source.compareOwnership(listing, [], new URL(emulator.url).origin);
    const kindOf = (type: string) => type.slice(type.lastIndexOf(":") + 1);
    expect(unmanaged.map(({ type, import: value }) => `${kindOf(type)} ${value}`)).toEqual([
      "Cluster Linux",
      "Queue Linux/deploy",
      "PausedQueue Linux/deploy",
    ]);

    const project = source.readProject(join(tree, "ci"));
    const share = { project, folder: ".", name: "ci", inStack: [], objects, exports: new Set<string>() };
    const [adoption] = source.adopt([share], {
      owned: new Set(),
      organization,
      refreshes: true,
      observer: { origin: emulator.url, tokenId: undefined },
      backend: "dynamic",
      language: source.languageNamed("typescript"),
    });
    expect(adoption?.leftOut).toEqual([]);
    const programs = Object.fromEntries((adoption?.files ?? []).map(({ path, after }) => [path, after]));
    expect(programs["clusters/linux.ts"]).toContain(
      'new PausedQueue("linux-deploy-paused-queue", {\n  clusterId: linux,\n  queueId: deploy.id,\n});',
    );

    const drawn = JSON.stringify(source.topologyOfListing(listing));
    expect(drawn).toContain(`{"kind":"PausedQueue","name":"deploy","id":"${queueId}"`);
  }, 60_000);

  test("is in reports, the plugin's schema and the reference", () => {
    const type = "pulumi-nodejs:dynamic/buildpipeline:PausedQueue";
    const urn = `urn:pulumi:production::ci::${type}::freeze`;
    const properties = { clusterId: "c", queueId: "q" };
    const oldState = { urn, type, inputs: properties, outputs: properties };
    const preview = source.readPreview({ steps: [{ op: "delete", urn, oldState }] });
    const report = source.reportOf(source.findingsOf(source.planOf(preview)));
    expect(source.markdown(report, 65_536)).toMatch(/paused queue .*freeze/);

    const described = source.describePackage(tree, [...source.kinds.values()]);
    const manifest = readJson("package.json");
    const quickstart = new source.Quickstart(CHECKOUT);
    const schema = JSON.stringify(source.schemaOf(described, manifest, quickstart));
    expect(schema).toContain('"buildpipeline:index:PausedQueue"');
    expect(source.resourcePages(described, quickstart)["paused-queue"]).toContain("# PausedQueue");
  }, 120_000);
});
