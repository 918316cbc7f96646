import { describe, expect, test } from "vitest";
import { PermissionError } from "../../src/client/index.js";
import { scopes } from "../../src/emulator/index.js";
import { cases } from "./all-cases.js";
import { asObject } from "./description.js";
import { documentedOperations, type Row } from "./operations.js";
import { type Case, failureOf, NOW, World } from "./world.js";

const world = World.forAll();

const caseOf = ({ id }: Row) => cases[id](world.places);

/** Fills a path with what is in the world, unless the case says otherwise. */
function fill({ id, path }: Row, ids: Case["ids"]): string {
  const { cluster, queue, token, agent, team, template, suite, run, user, pipeline } = world.places;
  const [group = ""] = id.split(".");
  const inGroup = { clusters: cluster, queues: queue, agentTokens: token, agents: agent };
  const all: Readonly<Record<string, string | number | undefined>> = {
    org_slug: "acme",
    id: Object(inGroup)[group],
    cluster_id: cluster,
    queue_id: queue,
    token_id: token,
    uuid: template,
    team_uuid: team,
    suite_slug: suite,
    run_id: run,
    user_uuid: user,
    pipeline_slug: pipeline,
    ...ids,
  };
  return path.replace(/\{(\w+)\}/g, (_, name: string) => String(all[name] ?? `{${name} is missing}`));
}

test("There is a case for every operation, and none for anything else", () => {
  expect(Object.keys(cases).sort()).toEqual(documentedOperations.map(({ id }) => id).sort());
});

describe.each(documentedOperations)("$id", (row) => {
  test("is sent as documented, done, and answered in the documented shape", async () => {
    const { call, ids, query = {}, body, answer, lacks = [] } = caseOf(row);
    const result = await call(world.client);

    expect(world.emulator.requests).toHaveLength(1);
    const [request] = world.emulator.requests;
    const { id: operation, method, success: status } = row;
    expect(request).toMatchObject({ at: NOW, operation, method, path: fill(row, ids), status });
    const paging = row.list && { per_page: "100" };
    expect(Object.fromEntries(new URLSearchParams(request?.query))).toEqual({ ...query, ...paging });
    expect(request?.body).toEqual(body);
    expect(world.description.problemOfBody(row.id, request?.body)).toBeUndefined();

    const [onWire] = world.answers();
    expect(result).toEqual(onWire?.body);
    if (answer === undefined) expect(result).toBeUndefined();
    else expect(result).toMatchObject(Object(answer));
    for (const entry of [result].flat()) {
      for (const path of lacks) expect(entry).not.toHaveProperty(path);
    }
  });

  test("has every documented property in the body of its case", () => {
    const sent = Object.keys(asObject(caseOf(row).body ?? {})).sort();
    const documented = [...(row.body?.required ?? []), ...(row.body?.optional ?? [])].sort();
    expect(sent).toEqual(documented);
  });

  test("needs the documented scope and no other", async () => {
    const allowed = world.emulator.createAccessToken({ scopes: row.scope === null ? [] : [row.scope] });
    await caseOf(row).call(world.as(allowed));
    expect(world.answers().map(({ status }) => status)).toEqual([row.success]);
  });
});

describe.each(documentedOperations.filter(({ scope }) => scope !== null))("$id", (row) => {
  test("is refused to an access token with every other scope, and the error names it", async () => {
    // A single team is read with either of two scopes.
    const lacking = row.id === "teams.get" ? ["view_teams", "read_teams"] : [row.scope];
    const others = scopes.filter((scope) => !lacking.includes(scope));
    const client = world.as(world.emulator.createAccessToken({ scopes: others }));
    const error = await failureOf(caseOf(row).call(client));
    expect(error).toBeInstanceOf(PermissionError);
    expect(error).toMatchObject({ status: 403, method: row.method });
    expect(lacking).toContain(Object(error).missingScope);
    expect(world.answers().map(({ status }) => status)).toEqual([403]);
  });
});
