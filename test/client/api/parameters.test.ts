import * as fc from "fast-check";
import { expect, test } from "vitest";
import { type FollowOptions, outcomeOf, type RequestOptions } from "../../../src/client/index.js";
import { cases } from "../../support/cases.js";
import { character as anyCharacter } from "../../support/foreign-text.js";
import { answer, type Call, CLUSTER, create, QUEUE, rejection, start } from "../service.js";

const organization = "/v2/organizations/acme";
const json = { "content-type": "application/json" };

test.each<[string, Call, object, object]>([
  ["a body has the JSON content type", create, CLUSTER, { headers: json }],
  [
    "undefined is left out of a body, and null is sent",
    (c) => c.clusters.create({ name: "x", description: undefined, emoji: null }),
    CLUSTER,
    { body: '{"name":"x","emoji":null}' },
  ],
  [
    "what has a meaning in an address is encoded in a query",
    (c) => c.builds.list({ branch: "a&b=c#+ ?", meta_data: { "a&": "%" } }).all(),
    [],
    { target: `${organization}/builds?branch=a%26b%3Dc%23%2B+%3F&meta_data%5Ba%26%5D=%25&per_page=100` },
  ],
  [
    "resuming has the JSON content type and no body",
    (c) => c.queues.resumeDispatch("c-1", "q-1"),
    QUEUE,
    { body: "", headers: { ...json, "content-length": "0" } },
  ],
  ["pausing without a note sends none", (c) => c.queues.pauseDispatch("c-1", "q-1"), QUEUE, { body: "{}" }],
  ["stopping without options sends no body", (c) => c.agents.stop("a-1"), {}, { body: "" }],
  [
    "no addresses are empty text",
    (c) => c.agentTokens.update("c-1", "k-1", { allowed_ip_addresses: [] }),
    { id: "k-1" },
    { body: '{"allowed_ip_addresses":""}' },
  ],
  [
    "another organization can be read by its slug",
    (c) => c.organizations.get("other"),
    { id: "o-2", slug: "other" },
    { target: "/v2/organizations/other" },
  ],
])("%s", async (_, call, body, sent) => {
  const { client, seen } = await start(answer(200, body));
  await call(client);
  expect(seen).toMatchObject([sent]);
});

const getWithin =
  (options: RequestOptions): Call =>
  (c) =>
    c.clusters.get("c-1", options);
const followWithin =
  (options: FollowOptions): Call =>
  (c) =>
    c.builds.follow("storefront", 42, options);

test("a date that is none is called that", async () => {
  const { client } = await start(answer(200, []));
  const error = await rejection(client.builds.list({ created_from: new Date(Number.NaN) }).all());
  expect(error).toMatchObject({ message: expect.stringContaining("created_from is not a valid date") });
});

test.each<[string, Call, string]>([
  ["empty", (c) => c.clusters.get(""), "id"],
  ["blank", (c) => c.clusters.delete("  "), "id"],
  ["a dot", (c) => c.clusters.get("."), "id"],
  ["dots", (c) => c.queues.get("c-1", ".."), "queue_id"],
  ["in a list", (c) => c.queues.list("").all(), "cluster_id"],
  ["half a character", (c) => c.suites.get("\ud800"), "suite_slug"],
  ["a fraction", (c) => c.builds.get("storefront", 1.5), "number"],
  ["not a number", (c) => c.builds.cancel("storefront", Number.NaN), "number"],
  ["an empty slug", (c) => c.organizations.get(""), "org_slug"],
  ["an invalid date", (c) => c.builds.list({ created_from: new Date(Number.NaN) }).all(), "created_from"],
  ["no time", getWithin({ timeoutMs: 0 }), "timeoutMs"],
  ["a time that no timer has", getWithin({ timeoutMs: 2 ** 31 }), "timeoutMs"],
  ["less than no retry", getWithin({ maxRetries: -1 }), "maxRetries"],
  ["no number of retries", getWithin({ maxRetries: Number.NaN }), "maxRetries"],
  ["a limit below zero", followWithin({ timeoutMs: -1 }), "timeoutMs"],
  ["a limit that is no number", followWithin({ timeoutMs: Number.NaN }), "timeoutMs"],
  ["no interval", followWithin({ intervalMs: 0 }), "intervalMs"],
])("an argument no request can be made of is refused before one is sent: %s", async (_, call, argument) => {
  const { client, seen } = await start(answer(200, []));
  const error = await rejection(call(client));
  const message = expect.stringContaining("No request was sent");
  expect(error).toMatchObject({ name: "ArgumentError", argument, message });
  expect(outcomeOf(error)).toBe("not sent");
  expect(seen).toEqual([]);
});

/** Any character, but not half of one; often one with a meaning in an address or a header. */
const character = fc.oneof(anyCharacter, fc.constantFrom(...":/?#[]@!$&'()*+,;=%.\\ \r\n\0"));
/** What is not refused as an id. */
const id = fc
  .string({ unit: character, minLength: 1, maxLength: 12 })
  .filter((value) => value.trim() !== "" && value !== "." && value !== "..");

test("any id is exactly one segment of the path, and arrives as it was given", async () => {
  const { client, seen } = await start(answer(200, QUEUE));
  await fc.assert(
    fc.asyncProperty(id, id, async (clusterId, queueId) => {
      await client.queues.get(clusterId, queueId);
      const segments = seen.at(-1)?.target.split("/").map(decodeURIComponent);
      expect(segments).toEqual(["", "v2", "organizations", "acme", "clusters", clusterId, "queues", queueId]);
    }),
    { numRuns: cases(150) },
  );
});
