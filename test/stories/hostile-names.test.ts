import fc from "fast-check";
import { expect, test } from "vitest";
import { listOrganization } from "../../src/cli/inventory/listing.js";
import { compareOwnership } from "../../src/cli/inventory/ownership.js";
import type { DeclaredResource } from "../../src/commands/import/declared-resources.js";
import { findDeclared } from "../../src/commands/import/find-declared.js";
import { parsePairs } from "../../src/commands/import/pairs.js";
import { kindOfType } from "../../src/shared/protocol/type-token.js";
import { Served, urnOf } from "../provider/plugin/served.js";
import { cases, isWhole } from "../support/cases.js";
import { Driver, kindOf, sessionFor, UNKNOWN } from "../support/driver.js";

/** A name: a text, or the id of an object that was made before, in upper case where `shout` is true. */
type Name = string | { readonly idOf: number; readonly shout: boolean };

/** Few pieces, so that names meet: joined by slashes, they fit in several ways. */
const piece = fc.constantFrom("A", "B", "C", "a", "-f", '"A', 'A"', " A", "A ", "A\u202e");
const name: fc.Arbitrary<Name> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc
      .array(fc.constantFrom("A", "B"), { minLength: 1, maxLength: 2 })
      .map((all) => all.join("/")),
  },
  { weight: 1, arbitrary: fc.array(piece, { minLength: 1, maxLength: 2 }).map((all) => all.join("/")) },
  { weight: 2, arbitrary: fc.record({ idOf: fc.nat(7), shout: fc.boolean() }) },
);
interface Names {
  readonly clusters: readonly { readonly name: Name; readonly tokens: readonly Name[] }[];
  readonly templates: readonly Name[];
}
const organization: fc.Arbitrary<Names> = fc.record({
  clusters: fc.array(fc.record({ name, tokens: fc.array(name, { minLength: 1, maxLength: 3 }) }), {
    minLength: 2,
    maxLength: 4,
  }),
  templates: fc.array(name, { maxLength: 3 }),
});

const one = (name: Name, ...tokens: Name[]) => ({ name, tokens });
const inTwoWays = { clusters: [one("A", "B/C"), one("A/B", "C")], templates: [] };
const twice = { clusters: [one("A", "C"), one("A", "C", "C")], templates: [] };
const readAsMore = { clusters: [one('"A', 'B"'), one("-f", "A", " A")], templates: ["-f", '"A"'] };

interface Token {
  readonly id: string;
  readonly clusterId: string;
  readonly description: string;
}

/** Makes an organization of objects with these names, of which each cluster has a default queue. */
async function made({ clusters, templates }: Names) {
  const engine = await Served.configured();
  const { colleague } = engine;
  const ids: string[] = [];
  const textOf = (name: Name) => {
    if (typeof name === "string") return name;
    const id = ids[name.idOf % ids.length] ?? "A";
    return name.shout ? id.toUpperCase() : id;
  };
  const make = async (path: string, body: object) => {
    const id = String((await colleague.sends("POST", path, body)).id ?? "");
    ids.push(id);
    return id;
  };
  const cluster: { id: string; name: string }[] = [];
  const tokens: Token[] = [];
  for (const one of clusters) {
    const name = textOf(one.name);
    const id = await make("/clusters", { name });
    cluster.push({ id, name });
    const default_queue_id = await make(`/clusters/${id}/queues`, { key: "A" });
    await colleague.sends("PUT", `/clusters/${id}`, { default_queue_id });
    for (const each of one.tokens) {
      const description = textOf(each);
      tokens.push({ id: await make(`/clusters/${id}/tokens`, { description }), clusterId: id, description });
    }
  }
  for (const each of templates)
    await colleague.sends("POST", "/pipeline-templates", { name: textOf(each), configuration: "steps: []" });
  return { engine, clusters: cluster, tokens };
}

/** Finds an object with the command `import`, for a resource of a program that declares these inputs. */
async function byCommand({ emulator }: Served, kind: string, text: string, inputs: object): Promise<string> {
  const type = `pulumi-nodejs:dynamic/buildpipeline:${kind}`;
  const entry = { type, name: "one" };
  const given = Object.fromEntries(
    Object.keys(kindOf(kind).arguments).map((argument) => [argument, UNKNOWN]),
  );
  const resource: DeclaredResource = {
    kind,
    name: "one",
    id: undefined,
    urn: "urn:pulumi:dev::project::t::one",
    propertyDependencies: {},
    inputs: { organization: emulator.organization, __secrets: [], ...given, ...inputs },
    entry,
    providerInputs: undefined,
  };
  const { accessToken, organization, url: baseUrl } = emulator;
  const settings: Partial<Record<string, string>> = { accessToken, organization, baseUrl };
  const declared = {
    resources: [resource],
    inState: [],
    owners: new Map(),
    importFile: { resources: [entry] },
  };
  const options = { stack: (name: string) => settings[name], goesOn: false, onFound: () => {} };
  const { found } = await findDeclared(declared, [{ kind, name: "one", importName: text }], options);
  return String(found[0]?.id);
}

async function outcome(work: Promise<string>): Promise<string> {
  return work.catch((error: unknown) => (error instanceof Error ? error.message : String(error)));
}

/** The objects of a list that a text fits: one by its id, or all by their name. */
function fittingIn<One extends { readonly id: string }>(
  list: readonly One[],
  nameOf: (one: One) => string,
  text: string,
) {
  const identified = list.filter(({ id }) => id === text.toLowerCase());
  // Names that differ by blanks at their ends are one name.
  return identified.length > 0 ? identified : list.filter((one) => nameOf(one).trim() === text.trim());
}

const RUNS = { numRuns: cases(20) };

test("Each name that is suggested for an object finds that object in every entrance", async () => {
  const property = fc.asyncProperty(organization, async (names) => {
    const { engine, tokens } = await made(names);
    const { emulator } = engine;
    const { service, settings } = sessionFor(emulator);
    const { client } = service.context(settings.organization);
    const listing = await listOrganization(client);
    await client.close();
    for (const { type, id, import: text } of compareOwnership(listing, [], emulator.url).unmanaged) {
      const kind = kindOfType(type) ?? "";
      expect(text).not.toMatch(/^-/);
      expect(parsePairs(`${kind} one ${text}`)[0]?.importName).toBe(text);
      expect((await engine.read(urnOf(kind), text)).id).toBe(id);
      expect(await byCommand(engine, kind, text, {})).toBe(id);
    }
    for (const { clusterId, description } of tokens) {
      const run = Driver.for(emulator);
      // A program declares it without the blanks at its ends, which the API may remove.
      await run.failures("AgentToken", { clusterId, description: description.trim() });
      const namesakes = run.warnings.filter((text) => text.includes("already exists"));
      expect(namesakes.length).toBeGreaterThan(0);
      for (const text of namesakes) {
        const [, id] = /already exists: ([0-9a-f-]{36})/.exec(text) ?? [];
        const suggested = [...text.matchAll(/\{ import: ("(?:[^"\\]|\\.)*") \}/g)].map(([, json = ""]) =>
          JSON.parse(json),
        );
        expect(suggested.length).toBeGreaterThan(0);
        for (const one of suggested) expect((await engine.read(urnOf("AgentToken"), one)).id).toBe(id);
      }
    }
  });
  const examples: [Names][] = [[inTwoWays], [twice], [readAsMore]];
  await fc.assert(property, { ...RUNS, examples });
});

test("A text that fits several objects is an error with all ids in every entrance, unless the declared cluster decides", async () => {
  const seen = { several: 0, decided: 0, elsewhere: 0 };
  const property = fc.asyncProperty(organization, fc.nat(), fc.nat(), async (names, nth, mth) => {
    const { engine, clusters, tokens } = await made(names);
    const target = tokens[nth % tokens.length];
    const owner = clusters.find(({ id }) => id === target?.clusterId);
    const declared = clusters[mth % clusters.length];
    if (target === undefined || owner === undefined || declared === undefined) return;
    const texts = [
      `${owner.name}/${target.description}`,
      `${owner.id.toUpperCase()}/${target.description}`,
      `${owner.name}/${target.id}`,
    ];
    for (const text of new Set(texts)) {
      const fitting = [...text.matchAll(/(?<=.)\/(?=.)/gs)].flatMap(({ index }) =>
        fittingIn(clusters, ({ name }) => name, text.slice(0, index)).flatMap(({ id }) =>
          fittingIn(
            tokens.filter(({ clusterId }) => clusterId === id),
            ({ description }) => description,
            text.slice(index + 1),
          ),
        ),
      );
      const inside = fitting.filter(({ clusterId }) => clusterId === declared.id);
      const meant = fitting.length === 1 ? fitting[0] : inside.length === 1 ? inside[0] : undefined;
      const { description = "A" } = meant ?? target;
      const args = { clusterId: declared.id, description: description.trim() };
      const unknown = { ...args, clusterId: UNKNOWN };
      const run = () => Driver.for(engine.emulator);
      const previewed = async (given: object) =>
        (await run().failures("AgentToken", { ...given, import: text })).join() || meant?.id || "";
      const deployed = async () => {
        const provider = await run().kind("AgentToken");
        return (await provider.create({ ...args, organization: engine.emulator.organization, import: text }))
          .id;
      };
      const entrances: readonly [entrance: string, declares: boolean, work: Promise<string>][] = [
        ["the option with an unknown cluster", false, previewed(unknown)],
        ["pulumi import and .get", false, engine.read(urnOf("AgentToken"), text).then(({ id }) => id)],
        ["the command with an unknown cluster", false, byCommand(engine, "AgentToken", text, unknown)],
        ["the option in a preview", true, previewed(args)],
        ["the option in a deployment", true, deployed()],
        ["the command", true, byCommand(engine, "AgentToken", text, args)],
      ];
      const results = entrances.map(async ([entrance, declares, work]) => {
        const result = await outcome(work);
        const context = `${entrance}: ${text}`;
        if (meant === undefined || (fitting.length > 1 && !declares))
          for (const { id, clusterId } of fitting) expect(result, context).toContain(`${clusterId}/${id}`);
        else if (declares && meant.clusterId !== declared.id) expect(result, context).toMatch(/differ/);
        else expect(result, context).toBe(meant.id);
      });
      await Promise.all(results);
      const namesakes = clusters.filter(({ name }) => name === owner.name);
      const found = await outcome(
        engine.invoke("getCluster", { name: owner.name }).then(({ id }) => String(id)),
      );
      for (const { id } of namesakes) expect(found).toContain(id);
      if (fitting.length > 1) seen[meant === undefined ? "several" : "decided"] += 1;
      else if (meant?.clusterId !== declared.id) seen.elsewhere += 1;
    }
  });
  const examples: [Names, number, number][] = [
    [inTwoWays, 0, 0],
    [inTwoWays, 1, 0],
    [twice, 0, 1],
  ];
  await fc.assert(property, { ...RUNS, examples });
  if (isWhole) for (const often of Object.values(seen)) expect(often).toBeGreaterThan(0);
});
