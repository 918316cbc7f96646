import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { UnexpectedResponseError } from "../../../src/client/index.js";
import { answer, connect, hangUp, inTurn, json, list, type Respond, rejection, start } from "../service.js";

/** Gives out clusters in pages, with `Link` as the service has it, or as a gateway leaves it: the address of the next page, not on the last one. */
function paged(count: number, size: number, kept = (link: string | undefined) => link): Respond {
  return ({ path, query }, response) => {
    const page = Number(query.get("page") ?? "1");
    const items = Array.from({ length: count }, (_, index) => ({ id: `c-${index}`, name: `Cluster` }));
    const last = Math.max(1, Math.ceil(count / size));
    const to = (number: number) => `<${path}?page=${number}&per_page=${query.get("per_page")}>`;
    const links = [`${to(1)}; rel="first"`, `${to(last)}; rel="last"`];
    if (page > 1) links.push(`${to(page - 1)}; rel="prev"`);
    if (page < last) links.unshift(`${to(page + 1)}; rel="next"`);
    const link = kept(last > 1 ? links.join(", ") : undefined);
    const headers: Record<string, string> = link === undefined ? {} : { link };
    json(response, 200, items.slice((page - 1) * size, page * size), headers);
  };
}

test("nothing is requested before someone iterates, and no page more than needed", async () => {
  const { client, seen } = await start(paged(10, 2));
  const clusters = client.clusters.list();
  expect(seen).toHaveLength(0);
  for await (const cluster of clusters) if (cluster.id === "c-2") break;
  expect(seen).toHaveLength(2);
});

test("a list can be iterated again, and sees what is there then", async () => {
  const { client, seen } = await start(paged(5, 2));
  const clusters = client.clusters.list();
  const ids = ["c-0", "c-1", "c-2", "c-3", "c-4"];
  expect((await clusters.all()).map(({ id }) => id)).toEqual(ids);
  const iterated: string[] = [];
  for await (const { id } of clusters) iterated.push(id);
  expect(iterated).toEqual(ids);
  expect(seen).toHaveLength(6);
});

test.each([
  [99, 1],
  [100, 2],
  [101, 2],
  [200, 3],
  [230, 3],
])(
  "a list of %i objects is whole behind a gateway that drops or breaks Link, by %i requests",
  async (count, requests) => {
    for (const kept of [() => undefined, (link?: string) => link?.replaceAll(/[<>]/g, "")]) {
      const { client, seen } = await start(paged(count, 100, kept));
      expect(await list(client)).toHaveLength(count);
      expect(seen).toHaveLength(requests);
    }
  },
);

test("a full page is the whole list where a service has just one, or says that it is the last", async () => {
  const objects = Array.from({ length: 100 }, (_, index) => ({ id: `c-${index}`, name: "Cluster" }));
  for (const [link, requests] of [
    ["", 2],
    [`</v2/organizations/acme/clusters?page=1>; rel="last"`, 1],
  ] as const) {
    const { client, seen } = await start(answer(200, objects, { link }));
    expect(await list(client)).toEqual(objects);
    expect(seen).toHaveLength(requests);
  }
});

describe("the Link header", () => {
  async function targets(link: (origin: string) => string): Promise<string[]> {
    const { client, url, seen } = await start((_, response, turn) =>
      json(response, 200, [], turn === 1 ? { link: link(url) } : {}),
    );
    await list(client);
    return seen.slice(1).map(({ target }) => target);
  }

  test.each<[string, (origin: string) => string]>([
    ["whole address", (origin) => `<${origin}/v2/organizations/acme/clusters?page=2>; rel="next"`],
    ["path", () => `</v2/organizations/acme/clusters?page=2>; rel="next"`],
    ["no quotes", () => "</v2/organizations/acme/clusters?page=2>; rel=next"],
    ["several relations", () => `</v2/organizations/acme/clusters?page=2>; rel="last next"`],
    ["other parameters", () => `</v2/organizations/acme/clusters?page=2>; title="a, b; c"; rel="next"; x=1`],
    ["capitals", () => `</v2/organizations/acme/clusters?page=2>; REL="Next"`],
    [
      "others around it",
      () => `</v2/1>; rel="first",</v2/organizations/acme/clusters?page=2>;rel="next" , </v2/9>; rel="last"`,
    ],
  ])("is understood with %s", async (_, link) => {
    expect(await targets(link)).toEqual(["/v2/organizations/acme/clusters?page=2"]);
  });

  test.each([
    "",
    "garbage",
    `</v2/x>; rel="prev"`,
    "</v2/x>",
    `</v2/x>; rel="nextish"`,
    `</v2/x>; title="rel=next"`,
  ])("without a next page ends the list: %j", async (link) => {
    expect(await targets(() => link)).toEqual([]);
  });

  // Elsewhere, a path in the base address got lost, and with it each page but the first.
  const own = "/v2/organizations/acme/clusters";
  test.each<[string, string, string]>([
    ["the service's own address", "/gateway", `https://api.example.com${own}?page=2`],
    ["the service's own address and path", "/gateway", `https://api.example.com/rest${own}?page=2`],
    ["the service's own path", "/gateway", `${own}?page=2`],
    ["the proxy's own path", "/gateway", `/gateway${own}?page=2`],
    ["http instead of https", "", `http://api.example.com${own}?page=2`],
  ])("with %s, behind a proxy at %j, leads to the page there", async (_, prefix, address) => {
    const { url, seen } = await start((_request, response, turn) =>
      json(response, 200, [], turn === 1 ? { link: `<${address}>; rel="next"` } : {}),
    );
    await list(connect(`${url}${prefix}`));
    expect(seen.map(({ target }) => target)).toEqual([
      `${prefix}${own}?per_page=100`,
      `${prefix}${own}?page=2`,
    ]);
  });

  test("that leads in a circle is an error", async () => {
    const { client, seen } = await start((_, response, turn) =>
      json(response, 200, [], { link: `<${own}?page=${(turn % 3) + 1}>; rel="next"` }),
    );
    const error = await rejection(list(client));
    expect(error).toMatchObject({ field: "Link header" });
    expect(error).toBeInstanceOf(UnexpectedResponseError);
    expect(seen).toHaveLength(4);
  });

  const clusters = fc.array(fc.nat({ max: 9 }), { maxLength: 10 });

  test("that leads for ever to pages with the same objects is an error soon", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(clusters, { minLength: 1, maxLength: 4 }),
        fc.nat(9),
        async (pages, shift) => {
          const { client, seen } = await start((_, response, turn) => {
            const page = (pages[turn % pages.length] ?? []).map((id) => (id + shift * turn) % 10);
            const items = page.map((id) => ({ id: `c-${id}`, name: "Cluster", description: `${turn}` }));
            json(response, 200, items, { link: `<${own}?page=${turn + 1}>; rel="next"` });
          });
          const error = await rejection(list(client));
          expect(error).toMatchObject({ field: "Link header", message: expect.stringContaining(own) });
          // Each of ten objects is new on one page, and then some pages have nothing new.
          expect(seen.length).toBeLessThanOrEqual(10 * 4 + 4);
        },
      ),
      { numRuns: 30 },
    );
  });

  test.each([
    "/v2/organizations/ACME/Clusters?page=2",
    "/v2/organizations/acme/%63lusters/?page=2",
    "/organizations/acme/clusters?page=2",
    "/v2/organizations/renamed/clusters.json?page=2",
    "/v2/organizations/acme/teams?page=2",
    "/v2/%zz%?page=2",
  ])("may name another path of the API, %s, of which only the page counts", async (address) => {
    expect(await targets(() => `<${address}>; rel="next"`)).toEqual([`${own}?page=2`]);
  });
});

test("a page that fails is tried again on its own", async () => {
  const { client, seen } = await start(inTurn(paged(6, 2), hangUp, paged(6, 2)));
  expect(await list(client)).toHaveLength(6);
  expect(seen.map(({ query }) => query.get("page"))).toEqual([null, "2", "2", "3"]);
});

describe("a list by cursor", () => {
  const own = "/v2/organizations/acme/services";
  const service = { id: "s", provider: { id: "webhook" } };
  /** Reads a list whose first page has these links. */
  const listed = async (links: unknown, prefix = "") => {
    const { url, seen } = await start((_, response, turn) =>
      json(response, 200, { items: [service], links: turn === 1 ? links : { next: null } }),
    );
    const services = await rejection(connect(`${url}${prefix}`).notificationServices.list().all()).catch(
      () => undefined,
    );
    return { failure: services, targets: seen.map(({ target }) => target) };
  };

  test.each<[string, string, unknown, readonly string[]]>([
    ["no next page", "", {}, []],
    ["null for the next page", "", { next: null }, []],
    ["the API's own address", "", { next: `https://api.example.com${own}?after=x` }, ["?after=x"]],
    ["its address behind a proxy", "/rest", { next: `https://api.example.com${own}?after=x` }, ["?after=x"]],
  ])("is read to its end with %s", async (_, prefix, links, more) => {
    const { failure, targets } = await listed(links, prefix);
    expect(failure).toBeUndefined();
    expect(targets).toEqual(["?per_page=100", ...more].map((query) => `${prefix}${own}${query}`));
  });

  test.each<[string, unknown, string]>([
    ["another path of another origin", { next: "https://evil.example/v2/x?after=x" }, "links.next"],
    ["a page that was read already", { next: `${own}?per_page=100` }, "links.next"],
    ["no address", { next: "http://[" }, "links.next"],
    ["a number", { next: 2 }, "links.next"],
    ["no links", undefined, "links"],
  ])("with %s is an error, and never the end", async (_, links, field) => {
    const { failure, targets } = await listed(links);
    expect(failure).toBeInstanceOf(UnexpectedResponseError);
    expect(failure).toMatchObject({ field });
    expect(targets).toHaveLength(1);
  });
});
