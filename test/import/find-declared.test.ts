import { afterEach, beforeEach, expect, test } from "vitest";
import { BuildPipelineClient } from "../../src/client/index.js";
import { type Emulator, startEmulator } from "../../src/emulator/index.js";
import type { DeclaredResource } from "../../src/import/declared-resources.js";
import { findDeclared } from "../../src/import/find-declared.js";

let emulator: Emulator;
let client: BuildPipelineClient;

beforeEach(async () => {
  emulator = await startEmulator({ seed: false });
  const { url: baseUrl, accessToken, organization } = emulator;
  client = new BuildPipelineClient({ baseUrl, accessToken, organization });
});
afterEach(async () => {
  await client.close();
  await emulator.close();
});

const type = "pulumi-nodejs:dynamic/buildpipeline:Queue";

function queue(name: string, inputs: object): DeclaredResource {
  return {
    kind: "Queue",
    name,
    id: undefined,
    inputs: { organization: emulator.organization, __secrets: [], ...inputs },
    entry: { type, name },
    providerInputs: undefined,
  };
}

const find = (
  resources: readonly DeclaredResource[],
  inState: readonly DeclaredResource[],
  ...importNames: string[]
) =>
  findDeclared(
    { resources, inState, importFile: { resources: resources.map(({ entry }) => entry) } },
    importNames.map((importName) => ({ kind: "Queue", name: importName.split("/")[1] ?? "", importName })),
    {
      stack: (name) =>
        ({ accessToken: emulator.accessToken, organization: emulator.organization, baseUrl: emulator.url })[
          String(name)
        ],
      goesOn: true,
      onFound: () => {},
    },
  );

test("finds the object of each resource, its state, and what the program says otherwise", async () => {
  const { id: clusterId } = await client.clusters.create({ name: "Linux" });
  const { id } = await client.queues.create(clusterId, { key: "small", description: "2 cores" });
  const declared = queue("small", { clusterId, key: "small", description: "4 cores" });
  const { found, imported } = await find([declared], [], "Linux/small");
  expect(found).toEqual([
    {
      type,
      name: "small",
      id,
      differences: [expect.stringMatching(/description.*2 cores.*4 cores|4 cores.*2 cores/)],
    },
  ]);
  expect(imported.get(declared.entry)).toMatchObject({
    id,
    inputs: { clusterId, key: "small", __provider: expect.any(String) },
    outputs: { key: "small", __provider: expect.any(String) },
  });
});

test("skips what an earlier import has brought into the state, unless that is another object", async () => {
  const { id: clusterId } = await client.clusters.create({ name: "Linux" });
  const { id } = await client.queues.create(clusterId, { key: "small" });
  const known = queue("small", { clusterId, key: "small" });
  expect((await find([], [{ ...known, id }], "Linux/small")).found).toEqual([]);
  await expect(find([], [{ ...known, id: clusterId }], "Linux/small")).rejects.toThrow(
    "in state, and Linux/small is",
  );
  await expect(find([], [], "Linux/small")).rejects.toThrow('The program declares no Queue "small"');
});
