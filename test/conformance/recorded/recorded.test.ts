import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { stringify } from "yaml";
import { operations } from "../../../src/client/index.js";
import { renderOpenApi } from "../../../src/emulator/openapi.js";
import { evidenceOf, readEvidence } from "./evidence.mjs";
import { type Difference, describedResponse, differences, fieldsOf } from "./fields.mjs";
import { play } from "./play.mjs";
import { type Recording, readRecordings } from "./recordings.mjs";

const description = JSON.parse(renderOpenApi("https://api.example.com"));
const place = "https://api.example.com/v2/organizations/acme";
const cluster = { id: "11111111-1111-4111-8111-111111111111", name: "Linux", description: null };

/** What was recorded: by default, the reading of a cluster. */
interface Given {
  readonly method?: string;
  readonly address?: string;
  readonly sent?: unknown;
  readonly status?: number;
  readonly answer?: unknown;
}

/** Reads recordings back that were written as VCR writes them. */
function recorded(...all: readonly Given[]): Recording[] {
  const folder = mkdtempSync(join(tmpdir(), "recorded-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const http_interactions = all.map(
    ({
      method = "get",
      address = `${place}/clusters/${cluster.id}`,
      sent,
      status = 200,
      answer = cluster,
    }) => ({
      request: {
        method,
        uri: address,
        body: { encoding: "UTF-8", string: sent ? JSON.stringify(sent) : "" },
      },
      response: {
        status: { code: status, message: "" },
        headers: { "Content-Type": ["application/json; charset=utf-8"] },
        body: { encoding: "UTF-8", string: status === 204 ? "" : JSON.stringify(answer) },
      },
      recorded_at: "Sun, 20 Aug 2023 19:41:01 GMT",
    }),
  );
  writeFileSync(join(folder, "other.yml"), "name: no recording\n");
  writeFileSync(join(folder, "one.yml"), stringify({ http_interactions, recorded_with: "VCR 6.2.0" }));
  return readRecordings(folder);
}

const playedOne = async (given: Given) => (await play(recorded(given)))[0];

test("A recording agrees if the client sends its request and accepts its response", async () => {
  const played = await playedOne({});
  expect(played).toMatchObject({
    operation: "clusters.get",
    problem: undefined,
    otherwise: [],
    result: cluster,
  });
  expect(played?.recording.date).toBe("2023-08-20");
});

const note = {
  ...{ method: "post", address: `${place}/clusters/c/queues/q/pause_dispatch`, sent: { note: "x" } },
  answer: { id: "q", key: "k", dispatch_paused: true },
};

/** Buildkite accepts PATCH as well as PUT, and the client sends a note in both spellings. */
test.each<[operation: string, Given, otherwise?: string]>([
  ["clusters.create", { method: "post", address: `${place}/clusters`, sent: { name: "Linux" }, status: 201 }],
  ["clusters.delete", { method: "delete", status: 204 }],
  ["clusters.list", { address: `${place}/clusters?page=2&per_page=30`, answer: [cluster] }],
  ["builds.list", { address: `${place}/builds?branch[]=a&branch[]=b`, answer: [] }],
  ["clusters.get", { status: 404, answer: { message: "No cluster found" } }],
  ["clusters.update", { method: "patch", sent: { name: "x" } }, "PUT instead of PATCH"],
  ["queues.pauseDispatch", note, "also sends `dispatch_paused_note`"],
])("%s agrees: %o", async (operation, given, ...otherwise) => {
  expect(await playedOne(given)).toMatchObject({ operation, problem: undefined, otherwise });
});

test.each<[string, Given, RegExp]>([
  ["a response that the client doesn't accept", { answer: { name: "no id" } }, /id.*a string/],
  ["a response that isn't an object", { answer: "Linux" }, /an object/],
  [
    "a property that the client doesn't send",
    { method: "post", address: `${place}/clusters/c/queues/q/pause_dispatch`, sent: { reason: "x" } },
    /body has another reason/,
  ],
  ["a query that the client doesn't send", { address: `${place}/clusters/x?verbose=1` }, /query/],
])("%s is named as what disagrees", async (_, given, problem) => {
  const { problem: found } = (await playedOne(given)) ?? {};
  expect(found).toMatch(problem);
});

test("Recordings of no operation of the client are left out", async () => {
  expect(await play(recorded({ address: `${place}/emojis`, answer: [] }))).toEqual([]);
});

const differencesIn = (operation: string, answer: unknown): Difference[] =>
  differences(fieldsOf(answer), describedResponse(description, operation).fields);

test("A field that the emulator lacks, has in addition, or has with another type, is a difference", () => {
  const other = { name: "new", nested: { deep: 1 } };
  const found = differencesIn("clusters.list", [{ ...cluster, name: 5, tier: other }, { ...cluster }]);
  expect(found).toEqual(
    expect.arrayContaining([
      { field: "tier", recorded: "object", emulator: "absent" },
      { field: "name", recorded: "number or string", emulator: "string" },
      { field: "queues_url", recorded: "absent", emulator: "string" },
    ]),
  );
  expect(found.filter(({ field }) => /deep|^id$|^description$/.test(field))).toEqual([]);
});

test("Keys that a user chose are no fields, and an empty list or null hides what would be in it", () => {
  const build = { env: { SECRET_NAME: "x" }, jobs: [], creator: null, meta_data: { "any:key": "y" } };
  const fields = differencesIn("builds.get", build).map(({ field }) => field);
  expect(
    fields.filter((field) => /^(?:env|jobs|creator|meta_data|blocked_state|tag|author)\W/.test(field)),
  ).toEqual([]);
});

test("A key that can't be a field's name is no field, because the page about conformance prints names as Markdown", () => {
  const key = "x` | **approved**";
  expect(differencesIn("clusters.list", [{ ...cluster, [key]: 1 }])).toEqual(
    differencesIn("clusters.list", [{ ...cluster }]),
  );
});

test("What is kept of recordings has names and types of fields, and no value", async () => {
  const secret = "zebra-7712";
  const answer = {
    ...cluster,
    name: secret,
    tier: { [secret]: secret },
    created_by: { id: "u", name: secret },
  };
  const [kept] = evidenceOf(await play(recorded({ answer }, {})), "acme/traffic", description);
  expect(kept).toMatchObject({
    operation: "clusters.get",
    source: "acme/traffic",
    date: "2023-08-20",
    status: 200,
  });
  expect([...(kept?.fields ?? [])]).toContainEqual(["created_by.name", new Set(["string"])]);
  expect(JSON.stringify([...(kept?.fields ?? [])])).not.toContain(secret);
});

test("The kept evidence is of operations that the client has, and names types only", () => {
  const kept = readEvidence();
  const ids = operations.map(({ id }) => id);
  expect(kept.filter(({ operation }) => !ids.includes(operation))).toEqual([]);
  const types = new Set(kept.flatMap(({ fields }) => [...fields.values()].flatMap((words) => [...words])));
  expect([...types].sort()).toEqual(["array", "boolean", "null", "number", "object", "string"]);
});
