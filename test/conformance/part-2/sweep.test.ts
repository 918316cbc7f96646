import { describe, expect, onTestFinished, test } from "vitest";
import { emulatorOperations, scopes } from "../../../src/emulator/index.js";
import { asObject } from "../description.js";
import { shapeOf } from "../operations.js";
import { World } from "../world.js";
import { caseOf, cases, plantPart2 } from "./cases.js";
import { type OperationOfPart2, operationsOfPart2 } from "./operations.js";

type Fact = Pick<OperationOfPart2, "id" | "method" | "path" | "scope">;

const world = World.forAll(plantPart2);

test("The emulator has every operation of the table in its order, and no other of part 2", () => {
  const fact = ({ id, method, path, scope }: Fact) => [id, method, shapeOf(path), scope].join(" ");
  const own = emulatorOperations.filter(({ isNewer }) => isNewer);
  expect(own.map(fact)).toEqual(operationsOfPart2.map(fact));
});

test("There is a case for every operation, and none for anything else", () => {
  expect(Object.keys(cases).sort()).toEqual(operationsOfPart2.map(({ id }) => id).sort());
});

describe.each(operationsOfPart2)("$id", (row) => {
  const ask = (token?: string, method: string = row.method) => {
    const { path, body } = caseOf(row.id);
    return world.send(method, path, body, token);
  };

  test("is done, answered in the described shape, and shows what its case expects", async () => {
    const answer = await ask();
    expect(answer.status).toBe(row.success);
    const { expected } = caseOf(row.id);
    if (expected === undefined) expect(answer.body).toBeUndefined();
    else expect(answer.body).toMatchObject(Object(expected));
    expect(world.emulator.requests.map(({ operation }) => operation)).toEqual([row.id]);
    world.answers();
  });

  test("takes a slash at the end of its path, as some clients send it", async () => {
    const { path, body } = caseOf(row.id);
    expect((await world.send(row.method, `${path}/`, body)).status).toBe(row.success);
  });

  test.runIf(row.also !== undefined)("is done by its second method as well", async () => {
    expect((await ask(undefined, row.also)).status).toBe(row.success);
  });

  test("describes the body and the query of the document in /openapi.json, from which clients are made", () => {
    const { json } = world.description.operation(row.id);
    const sent = asObject(caseOf(row.id).body ?? {});
    expect(world.description.problemOfBody(row.id, row.body && sent)).toBeUndefined();
    const documented = [...(row.body?.required ?? []), ...(row.body?.optional ?? [])].sort();
    expect(propertiesOf(json.requestBody)).toEqual(documented);
    const text = JSON.stringify(json);
    for (const name of row.query ?? []) expect(text).toContain(`"name":"${name}","in":"query"`);
  });

  test("needs its scope, and is refused with every other", async () => {
    // Sources disagree on the scope that reads what teams have.
    const enough = row.scope === "view_teams" ? ["view_teams", "read_teams"] : [String(row.scope)];
    for (const scope of enough) {
      const allowed = world.emulator.createAccessToken({ scopes: [scope] });
      expect((await ask(allowed)).status).toBe(row.success);
    }
    const others = scopes.filter((scope) => !enough.includes(scope));
    const refused = await ask(world.emulator.createAccessToken({ scopes: others }));
    expect([refused.status, Object(refused.body).message]).toEqual([403, expect.stringContaining(" scope")]);
    expect((await ask("bpua_unknown")).status).toBe(401);
  });

  test("of what isn't there is a 404", async () => {
    const { path, body } = caseOf(row.id);
    const nowhere = path.replace(/[0-9a-f-]{36}|storefront/, (one) =>
      one === "storefront" ? "nowhere" : "99999999-9999-4999-8999-999999999999",
    );
    if (nowhere === path) return;
    const { status, body: answer } = await world.send(row.method, nowhere, body);
    expect([status, Object(answer).message]).toEqual([404, expect.stringMatching(/^No .+ found$/)]);
  });
});

test("Each of them is a 404 on a service without part 2", async () => {
  const old = await World.start({ variations: { newerApi: false } });
  onTestFinished(() => old.close());
  for (const { id, method } of operationsOfPart2) {
    const { path, body } = caseOf(id);
    const answer = await old.send(method, path, body);
    expect([id, answer.status, answer.body]).toEqual([id, 404, { message: "Not Found" }]);
  }
});

function propertiesOf(requestBody: unknown): string[] {
  if (requestBody === undefined) return [];
  const { schema } = asObject(asObject(asObject(asObject(requestBody).content)["application/json"]));
  return Object.keys(asObject(asObject(schema).properties)).sort();
}
