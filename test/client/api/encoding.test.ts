import * as fc from "fast-check";
import { expect, test } from "vitest";
import { answer, CLUSTER, QUEUE, start } from "../service.js";

/** Any character, but not half of one; often one with a meaning in an address or a header. */
const character = fc.oneof(
  fc.string({ unit: "binary", minLength: 1, maxLength: 1 }),
  fc.constantFrom(...":/?#[]@!$&'()*+,;=%.\\ \r\n\0"),
);
const text = fc.string({ unit: character, minLength: 1, maxLength: 12 });
/** What is not refused as an id. */
const id = text.filter((value) => value.trim() !== "" && value !== "." && value !== "..");

test("any id is exactly one segment of the path, and arrives as it was given", async () => {
  const { client, seen } = await start(answer(200, QUEUE));
  await fc.assert(
    fc.asyncProperty(id, id, async (clusterId, queueId) => {
      await client.queues.get(clusterId, queueId);
      const segments = seen.at(-1)?.target.split("/").map(decodeURIComponent);
      expect(segments).toEqual(["", "v2", "organizations", "acme", "clusters", clusterId, "queues", queueId]);
    }),
    { numRuns: 150 },
  );
});

test("any query arrives as it was given: single values plain, several repeated, records by key", async () => {
  const { client, seen } = await start(answer(200, []));
  await fc.assert(
    fc.asyncProperty(
      fc.record(
        {
          branch: fc.oneof(text, fc.array(text, { minLength: 1, maxLength: 4 })),
          commit: text,
          created_from: fc.date({ noInvalidDate: true, min: new Date(0), max: new Date("2100-01-01") }),
          creator: text,
          state: fc.oneof(text, fc.array(text, { minLength: 1, maxLength: 4 })),
          meta_data: fc.dictionary(text, text, { maxKeys: 3 }),
        },
        { requiredKeys: [] },
      ),
      async (query) => {
        await client.builds.list(query).all();
        const wanted = Object.entries(query).flatMap(([name, value]): [string, string][] => {
          if (typeof value === "string") return [[name, value]];
          if (value instanceof Date) return [[name, value.toISOString()]];
          if (Array.isArray(value)) return value.map((item) => [`${name}[]`, item]);
          return Object.entries(value).map(([key, item]) => [`${name}[${key}]`, item]);
        });
        const sorted = (pairs: [string, string][]) => pairs.map((pair) => JSON.stringify(pair)).sort();
        const arrived = [...(seen.at(-1)?.query ?? [])];
        expect(sorted(arrived)).toEqual(sorted([...wanted, ["per_page", "100"]]));
      },
    ),
    { numRuns: 150 },
  );
});

test("any body arrives as it was given; undefined is left out, null is sent", async () => {
  const { client, seen } = await start(answer(200, CLUSTER));
  const value = fc.option(fc.option(text, { nil: null }), { nil: undefined });
  await fc.assert(
    fc.asyncProperty(fc.record({ name: text, description: value, emoji: value }), async (body) => {
      await client.clusters.create(body);
      const wanted = Object.fromEntries(Object.entries(body).filter(([, item]) => item !== undefined));
      expect(JSON.parse(seen.at(-1)?.body ?? "")).toStrictEqual(wanted);
    }),
    { numRuns: 100 },
  );
});
