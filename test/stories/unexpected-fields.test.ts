import { isDeepStrictEqual } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Emulator, startEmulator } from "../../src/emulator/index.js";
import { type AnyKind, kinds } from "../../src/provider/for-commands/kinds.js";
import { someOf } from "../support/cases.js";
import { kindOf, minimal, SimulatedClock } from "../support/driver.js";
import { isInnermost, type Path, pathsIn, putting, VALUES } from "../support/unexpected-values.js";
import { type Backend, type Properties, plain } from "./histories/engine/backend.js";
import { startProvider } from "./histories/engine/start-provider.js";

const OPTIONAL: Readonly<Record<string, Properties>> = {
  Cluster: { description: "Machines", emoji: ":gear:", color: "#14cc80" },
  Queue: { description: "Small machines" },
  AgentToken: { allowedIpAddresses: ["192.0.2.0/24"] },
  PipelineTemplate: { description: "Steps", available: true },
  Team: { description: "People", isDefaultTeam: true },
  Suite: { applicationName: "Shop", color: "#14cc80", emoji: ":gear:" },
};

const CHANGES: Readonly<Record<string, Properties>> = { Suite: { defaultBranch: "trunk" } };

const creationOf = (kind: AnyKind) =>
  `${kind.section}.${kind.behavior.list === undefined ? "update" : "create"}`;

/**
 * The types that need no other object but a cluster and a queue, and whose deletion deletes. The client's tests have odd
 * responses of the others.
 */
const KINDS = [...kinds.values()].filter(({ name }) => name in minimal("", "") && name !== "Pipeline");

class World {
  declare emulator: Emulator;
  declare provider: Backend;
  readonly #clock = new SimulatedClock();
  #cluster = "";
  #queue = "";
  #made = 0;

  constructor(readonly backend: "dynamic" | "plugin") {}

  async start(): Promise<void> {
    this.emulator = await startEmulator({
      seed: false,
      clock: () => new Date(this.#clock.now()),
      variations: { agentTokenExpiresAt: "shown" },
    });
    this.newRun();
    this.#cluster = (await this.create(kindOf("Cluster"))).id;
    this.#queue = (await this.create(kindOf("Queue"))).id;
  }

  newRun(): void {
    this.provider = startProvider({ backend: this.backend, service: this.emulator, clock: this.#clock }, {});
  }

  async create(kind: AnyKind) {
    const { label } = kind.words;
    this.#made += 1;
    const named = label === undefined ? {} : { [label]: `it_${this.#made}` };
    const args = { ...minimal(this.#cluster, this.#queue)[kind.name], ...OPTIONAL[kind.name], ...named };
    const resource = { name: "it", kind: kind.name };
    const { inputs, failures } = await this.provider.check(resource, {}, { ...args, __secrets: [] });
    expect(failures).toEqual([]);
    return { resource, inputs, ...(await this.provider.create(resource, inputs)) };
  }

  /** The ids of the objects of a kind. A view has those of the objects that it belongs to. */
  ids(kind: AnyKind): string[] {
    return this.#collection(kind)
      .list()
      .map(({ id }) => id);
  }

  remove(kind: AnyKind, id: string): void {
    this.#collection(kind).delete(id);
  }

  /** The secret of an agent token; undefined for anything else. */
  secretOf(id: string): string | undefined {
    return this.emulator.organizationData.agentTokens.list().find((token) => token.id === id)?.token;
  }

  #collection(kind: AnyKind): { list(): readonly { readonly id: string }[]; delete(id: string): void } {
    return Reflect.get(this.emulator.organizationData, kind.section);
  }

  /** Changes responses of operations until it is removed. */
  change(isIt: (operation: string) => boolean, change: (body: unknown) => unknown) {
    return this.emulator.fault({
      matches: ({ operation = "" }) => isIt(operation),
      times: Number.POSITIVE_INFINITY,
      when: "after",
      action: { change },
    });
  }

  async creation(kind: AnyKind): Promise<object> {
    let body: object = {};
    const fault = this.change(
      (operation) => operation === creationOf(kind),
      (given) => {
        body = Object(given);
        return given;
      },
    );
    await this.create(kind);
    fault.remove();
    return body;
  }
}

/** Whether identity, secrets or arguments of a kind, or of a kind with the same responses, need a field. */
function isNeeded({ section }: AnyKind, [field = ""]: Path, body: object): boolean {
  const sharing = [...kinds.values()].filter((kind) => kind.section === section);
  return sharing.some(({ identify, importing, behavior, ...kind }) => {
    const fields = [
      ...Object.values(kind.arguments),
      ...Object.values(kind.outputs).filter(({ secret }) => secret),
    ];
    const address = (entity: object) => [
      identify(entity),
      ...((behavior.reusesAddresses && importing?.names(entity)) || []),
    ];
    return (
      fields.some(({ returnedAs }) => returnedAs === field) ||
      !isDeepStrictEqual(address(body), address({ ...body, [field]: "other" }))
    );
  });
}

/** Expects that each output has the type that the schema promises, or is absent. */
function expectTypes(kind: AnyKind, outs: Properties): void {
  for (const [name, { user, default: whenAbsent }] of Object.entries(kind.outputs)) {
    const value = plain(outs)[name];
    if (!user || value === undefined)
      expect(["string", "undefined", typeof whenAbsent], name).toContain(typeof value);
    else {
      expect(value, name).toMatchObject({ id: expect.any(String) });
      for (const text of Object.values(Object(value))) expect(typeof text, name).toBe("string");
    }
  }
}

describe.each(["dynamic", "plugin"] as const)("In a response to the backend %s", (backend) => {
  const world = new World(backend);
  beforeAll(() => world.start());
  afterAll(() => world.emulator.close());

  test.each(KINDS)("a field that $name doesn't need may be anything", async (kind) => {
    const body = await world.creation(kind);
    const decorative = pathsIn(body).filter((path) => !isNeeded(kind, path, body));
    expect(decorative.length).toBeGreaterThan(2);
    // All fields have a value at a time, each another one, and each has each value once.
    for (const paths of [decorative.filter(({ length }) => length === 1), decorative.filter(isInnermost)])
      for (const turn of someOf([...VALUES.keys()])) {
        const puts = paths.map((path, index) => putting(path, VALUES[(turn + index) % VALUES.length]));
        await live(kind, `turn ${turn}`, (found) => puts.reduce((before, put) => put(before), found));
      }
  });

  /** Creates, reads, lists, updates and deletes while every response is changed. */
  async function live(kind: AnyKind, what: string, change: (body: unknown) => unknown): Promise<void> {
    world.newRun();
    const before = world.ids(kind);
    const fault = world.change((operation) => operation.startsWith(`${kind.section}.`), change);
    world.emulator.clearRequests();
    const { resource, id, inputs, outs } = await world.create(kind);
    const creations = world.emulator.requests.filter(({ operation }) => operation === creationOf(kind));
    expect(creations, what).toHaveLength(1);
    if (kind.behavior.list !== undefined) expect(world.ids(kind), what).toEqual([...before, id]);
    expect(plain(outs).token, what).toBe(world.secretOf(id));

    const read = await world.provider.read(resource, id, outs, inputs);
    const changes = CHANGES[kind.name] ?? ("description" in kind.arguments ? { description: "New" } : {});
    const updated = await world.provider.update(resource, id, outs, { ...inputs, ...changes }, inputs);
    expect(plain(updated), what).toMatchObject(changes);
    // Two reads of one refresh come from the list.
    const others = kind.behavior.list === undefined ? [] : [id, String(before[0])];
    const listed = await Promise.all(
      others.map((one) => world.provider.read(resource, one, updated, inputs)),
    );
    expect(
      [read, ...listed].map((found) => found.id),
      what,
    ).toEqual([id, ...others]);
    for (const found of [outs, updated, read.outs, ...listed.map((one) => one.outs)])
      expectTypes(kind, found);
    await world.provider.delete(resource, id, updated, inputs);
    if (kind.behavior.list !== undefined) expect(world.ids(kind), what).toEqual(before);
    expect(world.provider.messages, what).toEqual([]);
    fault.remove();
  }

  test.each(KINDS)("a field that $name needs decides what becomes of it", async (kind) => {
    const body = await world.creation(kind);
    const needed = Object.entries(body).filter(([name]) => isNeeded(kind, [name], body));
    expect(needed.length).toBeGreaterThan(1);
    for (const [row, [name, right]] of needed.entries())
      for (const value of someOf(VALUES, row))
        if (typeof value !== typeof right) await damage(kind, name, value, right);
  });

  test("a creator of another type is no mismatch after a lost response", async () => {
    const kind = kindOf("Cluster");
    world.newRun();
    // The provider then knows its user.
    await world.create(kind);
    for (const value of VALUES) {
      const creation = { operation: "clusters.create", when: "after", action: "drop" } as const;
      world.emulator.fault(creation);
      const fault = world.change(
        (operation) => operation === "clusters.list",
        putting(["created_by"], value),
      );
      const { id } = await world.create(kind);
      expect(world.ids(kind).at(-1)).toBe(id);
      fault.remove();
    }
    expect(world.provider.messages).toHaveLength(VALUES.length);
  });

  /** Creates an object, of which the first response has the value in place of the right one. */
  async function damage(kind: AnyKind, name: string, value: unknown, right: unknown): Promise<void> {
    const what = `${name}: ${JSON.stringify(value)}`;
    world.newRun();
    const before = new Set(world.ids(kind));
    let left = 1;
    const fault = world.change(
      (operation) => operation === creationOf(kind) && left-- > 0,
      putting([name], value),
    );
    const made = await world.create(kind).catch((error: unknown) => String(error));
    fault.remove();
    const news = world.ids(kind).filter((id) => !before.has(id));
    const messages = [made, ...world.provider.messages].join();
    if (typeof made === "string") {
      expect(news.length, what).toBeLessThanOrEqual(1);
      expect(messages, what).toMatch(/could not confirm|exists, but is not finished: the API didn't keep/);
      for (const id of news) expect(messages, what).toContain(id);
    } else {
      expectTypes(kind, made.outs);
      const argument = Object.entries(kind.arguments).find(
        ([argument, field]) =>
          field.returnedAs === name &&
          (field.whenOmitted !== "unmanaged" || made.inputs[argument] !== undefined),
      )?.[0];
      const isText = right === null && typeof value === "string";
      const isOfType = value === null || isDeepStrictEqual(value, []) || isText;
      if (argument !== undefined && !isOfType)
        expect(plain(made.outs)[argument] ?? null, what).toEqual(made.inputs[argument] ?? right);
      if (kind.behavior.list === undefined) return;
      const others = news.filter((id) => id !== made.id);
      expect(news, what).toContain(made.id);
      expect(plain(made.outs).token, what).toBe(world.secretOf(made.id));
      expect(others.length, what).toBe(kind.outputs.token && messages.includes("lost") ? 1 : 0);
      for (const id of others) expect(messages, what).toContain(id);
    }
    for (const id of news) world.remove(kind, id);
  }
});
