import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { cases } from "../support/cases.js";
import { Api } from "./api.js";

const count = 37;
const api = Api.forAll();
beforeAll(async () => {
  for (let index = 0; index < count; index++) {
    await api.cluster({ name: `Cluster ${index}` });
    await api.entity("POST", "/pipeline-templates", { name: `T${index}`, configuration: "steps: []" });
  }
});

const linkOf = async (path: string) => (await api.send("GET", path)).headers.get("link");

describe("a list in pages", () => {
  test("shows every item once when its links are followed, whatever the size of a page", async () => {
    const expected = api.emulator.organizationData.clusters.list().map(({ id }) => id);
    const sizes = fc.integer({ min: 1, max: 120 });
    const others = fc.constantFrom("x=1", "state[]=a%20b", "branch=ä", "flag");
    const property = fc.asyncProperty(sizes, others, fc.nat({ max: 2 }), async (size, other, place) => {
      const own = `per_page=${size}`;
      const query = [own, `${own}&${other}`, `${other}&${own}`][place];
      const { items, requests } = await api.walk(`/clusters?${query}`);
      expect(items.map(({ id }) => id)).toEqual(expected);
      expect(requests).toBe(Math.ceil(count / Math.min(size, 100)));
    });
    await fc.assert(property, { numRuns: cases(60) });
  });

  test.each([
    ["/clusters", 30],
    ["/clusters?page=2", 7],
    ["/clusters?page=0", 30],
    ["/clusters?page=-1&per_page=x", 30],
    ["/clusters?per_page=1000", 37],
    ["/clusters?per_page=0", 30],
    ["/clusters?page=9", 0],
    ["/clusters/?per_page=3", 3],
  ])("of %s has %i items", async (path, length) => {
    expect(await api.list(path)).toHaveLength(length);
  });

  test.each([
    ["?per_page=10", "page=2&per_page=10"],
    ["?page=1&per_page=10", "page=2&per_page=10"],
    ["?per_page=10&page=1", "page=2&per_page=10"],
    ["?b=2&page=1&a=1&per_page=10", "b=2&page=2&a=1&per_page=10"],
    ["?b[]=x%20y&per_page=10", "page=2&b[]=x%20y&per_page=10"],
    ["", "page=2&per_page=30"],
  ])("links from %j to its next page, page never last", async (query, next) => {
    expect(await linkOf(`/clusters${query}`)).toContain(
      `<${api.emulator.url}/v2/organizations/acme/clusters?${next}>; rel="next"`,
    );
  });

  test.each([
    ["the middle", "page=2&per_page=10", ["first", "prev", "next", "last"]],
    ["the end", "page=4&per_page=10", ["first", "prev"]],
  ])("links from %s, %s, to %j", async (_, query, relations) => {
    const link = (await linkOf(`/clusters?${query}`)) ?? "";
    expect([...link.matchAll(/rel="(\w+)"/g)].map(([, relation]) => relation)).toEqual(relations);
  });

  test("names the host that the client asked, because a client behind a name can't reach another", async () => {
    const named = api.emulator.url.replace("127.0.0.1", "localhost");
    const response = await fetch(`${named}/v2/organizations/acme/clusters?per_page=1`, {
      headers: { authorization: `Bearer ${api.token}` },
    });
    expect(response.headers.get("link")).toContain(`<${named}/v2/`);
    expect(await response.json()).toMatchObject([{ url: expect.stringContaining(`${named}/v2/`) }]);
  });
});

describe("a list that is not documented as paginated", () => {
  test("is whole unless pages are asked for, because a client that knows of no pages reads one response", async () => {
    expect(await api.list("/pipeline-templates")).toHaveLength(count);
    expect(await api.list("/pipeline-templates?per_page=10")).toHaveLength(10);
    expect((await api.walk("/pipeline-templates?per_page=10")).items).toHaveLength(count);
    expect((await api.walk("/members?per_page=1")).requests).toBe(2);
  });
});
