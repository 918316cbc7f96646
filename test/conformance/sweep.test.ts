import { describe, expect, onTestFinished, test } from "vitest";
import { BuildPipelineClient, outcomeOf, PermissionError } from "../../src/client/index.js";
import { scopes } from "../../src/emulator/index.js";
import { SimulatedClock } from "../support/driver.js";
import { additions, cases } from "./all-cases.js";
import { plantAccess } from "./cases-of-access.js";
import { asObject } from "./description.js";
import { documentedOperations, isNewer, isResent, type Row } from "./operations.js";
import { type Case, failureOf, NOW, World } from "./world.js";

const world = World.forAll(plantAccess);

const caseOf = ({ id }: Row) => cases[id](world.places);

/** The cases of an operation, with what an older service doesn't know. */
const casesOf = (row: Row) => [
  caseOf(row),
  ...additions.flatMap(([id, make]) => (id === row.id ? [make(world.places)] : [])),
];

function fill({ path }: Row, ids: Case["ids"]): string {
  const all: Case["ids"] = { org_slug: "acme", ...ids };
  return path.replace(/\{(\w+)\}/g, (_, name: string) => String(all[name]));
}

/** The body as requests are noted: the value of a secret is left out. */
function noted(body: unknown): unknown {
  if (typeof body !== "object" || body === null) return body;
  if ("value" in body && typeof body.value === "string") return { ...body, value: "[secret]" };
  const { settings } = Object(body);
  return settings?.headers ? { ...body, settings: { ...settings, headers: "[secret]" } } : body;
}

describe.each(documentedOperations)("$id", (row) => {
  test("is sent as documented, done, and answered in the documented shape", async () => {
    const start = world.emulator.snapshot();
    for (const one of casesOf(row)) {
      world.emulator.restore(start);
      world.forget();
      const { ids, query = {}, body, answer, lacks = [] } = one;
      const result = await world.call(one);

      expect(world.emulator.requests).toHaveLength(1);
      const [request] = world.emulator.requests;
      const { id: operation, method, success: status } = row;
      expect(request).toMatchObject({ at: NOW, operation, method, path: fill(row, ids), status });
      const paging = row.list && { per_page: "100" };
      expect(Object.fromEntries(new URLSearchParams(request?.query))).toEqual({ ...query, ...paging });
      expect(request?.body).toEqual(noted(body));
      expect(world.description.problemOfBody(row.id, request?.body)).toBeUndefined();

      const [onWire] = world.answers();
      expect(result).toEqual(row.list === "cursor" ? Object(onWire?.body).items : onWire?.body);
      if (answer === undefined) expect(result).toBeUndefined();
      else expect(result).toMatchObject(Object(answer));
      for (const entry of [result].flat()) {
        for (const path of lacks) expect(entry).not.toHaveProperty(path);
      }
    }
  });

  test("has every documented property in the bodies of its cases", () => {
    const sent = casesOf(row).flatMap(({ body }) => Object.keys(asObject(body ?? {})));
    const { required = [], optional = [], newer = [] } = row.body ?? {};
    // A maintainer is either of the two.
    const either = row.id === "clusterMaintainers.create" ? ["user"] : [];
    expect([...new Set([...sent, ...either])].sort()).toEqual([...required, ...optional, ...newer].sort());
  });

  test("needs the documented scope and no other", async () => {
    const allowed = world.emulator.createAccessToken({ scopes: row.scope === null ? [] : [row.scope] });
    await world.call(caseOf(row), world.as(allowed));
    expect(world.answers().map(({ status }) => status)).toEqual([row.success]);
  });

  test("is repeated after a lost response, unless a second request could do something else", async () => {
    const { url: baseUrl, organization, accessToken } = world.emulator;
    const clock = new SimulatedClock();
    const client = new BuildPipelineClient({ baseUrl, organization, accessToken, clock });
    onTestFinished(() => client.close());
    world.emulator.fault({ operation: row.id, action: "drop" });
    const call = world.call(caseOf(row), client);
    if (isResent(row)) await call;
    else expect(outcomeOf(await failureOf(call))).toBe("unknown");
    expect(world.emulator.requests).toHaveLength(isResent(row) ? 2 : 1);
  });

  test("is done by its second method, and with a slash at the end of its path, as published clients send it", async () => {
    const { before, ids, body } = caseOf(row);
    const path = fill(row, ids);
    const start = world.emulator.snapshot();
    for (const [method, target] of [
      [row.method, `${path}/`],
      [row.also ?? row.method, path],
    ] as const) {
      world.emulator.restore(start);
      before?.(world.emulator.organizationData);
      expect((await world.send(method, target, body)).status).toBe(row.success);
    }
  });
});

const scoped = documentedOperations.flatMap((row) =>
  row.scope === null ? [] : [{ ...row, scope: row.scope }],
);

describe.each(scoped)("$id", (row) => {
  test("is refused to an access token with every other scope, and the error names it", async () => {
    // A single team, and what teams have, is read with either of two scopes.
    const lacking = row.scope === "view_teams" ? ["view_teams", "read_teams"] : [row.scope];
    const others = scopes.filter((scope) => !lacking.includes(scope));
    const client = world.as(world.emulator.createAccessToken({ scopes: others }));
    const error = await failureOf(world.call(caseOf(row), client));
    expect(error).toBeInstanceOf(PermissionError);
    expect(error).toMatchObject({ status: 403, method: row.method });
    expect(lacking).toContain(Object(error).missingScope);
    expect(world.answers().map(({ status }) => status)).toEqual([403]);
  });

  test("names its scope where the response doesn't say why it is forbidden", async () => {
    const action = { status: 403, body: { message: "Forbidden" } };
    for (const operation of [row.id, "accessToken.get"]) world.emulator.fault({ operation, action });
    expect(await failureOf(world.call(caseOf(row)))).toMatchObject({
      missingScope: undefined,
      message: expect.stringContaining(`Check that the access token has the scope ${row.scope},`),
    });
  });
});

test("Each newer operation is a 404 on an older service", async () => {
  const old = await World.start({ variations: { newerApi: false } });
  onTestFinished(() => old.close());
  for (const row of documentedOperations.filter(isNewer)) {
    const failure = await failureOf(cases[row.id](old.places).call(old.client));
    expect([row.id, failure]).toEqual([row.id, expect.objectContaining({ status: 404 })]);
  }
});
