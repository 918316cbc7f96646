import { randomUUID } from "node:crypto";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { afterEach, beforeEach, expect, test } from "vitest";
import { asFile, mostRequests, probe } from "../../../src/commands/probe/probe.js";
import { instantClock, json, type Respond, type Seen, serve } from "../../client/service.js";

type Entity = Record<string, unknown>;

/**
 * A service by the API's documentation alone, with no code of the emulator or the client. Everything that it leaves
 * open is as simple as it can be: no pages, no plan with templates, no agents and no builds.
 */
class PlainService {
  readonly objects = new Map<string, Map<string, Entity>>();
  readonly connections: unknown[] = [];
  headers: Record<string, string> = {};
  /** How many of the next requests fail. */
  failures = 0;

  readonly respond: Respond = (request, response) => {
    this.connections.push(response.socket);
    const [status, body] = this.failures-- > 0 ? [503, {}] : this.#answer(request);
    json(response, status, body, this.headers);
  };

  get size(): number {
    return [...this.objects.values()].reduce((sum, { size }) => sum + size, 0);
  }

  #answer(request: Seen): [status: number, body: unknown] {
    if (request.path === "/v2/access-token") return [200, { uuid: randomUUID(), scopes: ["write_clusters"] }];
    const path = request.path.replace(/^\/v2(\/analytics)?\/organizations\/plain\//, "");
    if (path.startsWith("pipeline-templates")) return [403, { message: "Your plan has no templates" }];
    if (/^(builds|agents|members)/.test(path)) return [200, []];
    const body: Entity = JSON.parse(request.body || "{}");
    const [, place = "", kind = "", id, verb] =
      /^(clusters\/[^/]+\/)?(clusters|queues|tokens|teams|suites)(?:\/([^/]+))?(?:\/(\w+))?$/.exec(path) ??
      [];
    const objects = this.objects.get(place + kind) ?? new Map<string, Entity>();
    this.objects.set(place + kind, objects);
    if (id === undefined)
      return request.method === "GET" ? [200, [...objects.values()]] : made(kind, objects, body);
    const found = objects.get(id) ?? [...objects.values()].find(({ slug }) => slug === id);
    if (found === undefined) return [404, { message: "Not found" }];
    if (request.method === "DELETE") {
      objects.delete(String(found.id));
      for (const inside of this.objects.keys())
        if (inside.startsWith(`clusters/${id}/`)) this.objects.delete(inside);
      return [204, undefined];
    }
    if (verb !== undefined) {
      const isPaused = verb === "pause_dispatch";
      const note = isPaused ? (body.note ?? null) : null;
      Object.assign(found, { dispatch_paused: isPaused, dispatch_paused_note: note });
    } else Object.assign(found, body);
    return [200, found];
  }
}

function made(kind: string, objects: Map<string, Entity>, body: Entity): [number, unknown] {
  if (kind === "suites" && body.default_branch === undefined) return [400, "no default_branch"];
  const id = randomUUID();
  const entity: Entity = { id, slug: id.slice(0, 8), created_by: { id: "u-1", name: "Ada" }, ...body };
  objects.set(id, entity);
  return [201, entity];
}

let directory: string;
let service: PlainService;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "buildpipeline-probe-"));
  service = new PlainService();
});
afterEach(() => rmSync(directory, { recursive: true }));

const probed = async (options: Partial<Parameters<typeof probe>[1]> = {}) => {
  const { url: baseUrl } = await serve(service.respond);
  const settings = { baseUrl, organization: "plain", accessToken: "bpua_plain" };
  return probe(settings, { writes: true, directory, clock: instantClock(), ...options });
};

test("A probe of a service that was written from the documentation alone gives sensible answers and leaves nothing", async () => {
  // Whoever made it has left the organization.
  service.objects.set("clusters", new Map([["c-1", { id: "c-1", name: "Old", created_by: null }]]));
  const result = await probed();
  expect(asFile(result.answers).answers).toMatchObject({
    pauseNoteField: "note",
    unsetText: "absent",
    colorCase: "kept",
    emojiForm: "kept",
    deleteDefaultQueue: "allowed",
    clearDefaultQueue: "allowed",
    allowedAddressesForm: "string",
    allowedAddresses: "kept",
    enterprisePlan: null,
    yamlText: null,
    teamUpdate: "partial",
    teamSlugOnRename: "kept",
    suiteTeamsRequired: false,
    suiteTeamsField: null,
    suiteErrorBody: "text",
    suiteReadReturnsCreateFields: true,
    suiteSlugOnRename: "kept",
    listLag: 0,
    embeddedUserGraphqlId: false,
    agentPriority: null,
  });
  expect(asFile(result.answers).reasons.yamlText).toContain("needs a plan with pipeline templates");
  expect(result.left).toEqual([]);
  expect(service.size).toBe(1);
  expect(readdirSync(directory)).toEqual([]);
  expect(result.requests).toBeLessThanOrEqual(mostRequests(true));
});

test("A probe calls nothing removed after a list that it can't read to its end", async () => {
  // A gateway may leave the address of the API in this header.
  service.headers = { link: '<https://api.example.com/v2/next?page=2>; rel="next"' };
  const { left } = await probed();
  const why = expect.stringContaining("Link header isn't an address of http://127.0.0.1:");
  expect(left.map(({ kind, why }) => [kind, why])).toContainEqual(["suite", why]);
  expect(readdirSync(directory)).toHaveLength(1);
});

test("A probe sends nothing on a connection that was idle for a second", async () => {
  service.headers = { connection: "keep-alive", "keep-alive": "timeout=600" };
  service.failures = 1;
  await probed({ writes: false, clock: { now: Date.now, sleep: () => setTimeout(1_500) } });
  const [failed, repeated] = service.connections;
  expect(repeated).not.toBe(failed);
});
