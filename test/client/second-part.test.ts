import { describe, expect, test } from "vitest";
import { outcomeOf } from "../../src/client/index.js";
import { type SecondPartId, secondPart } from "../conformance/second-part.js";
import { cases } from "./second-part-cases.js";
import { answer, hangUp, inTurn, json, type Respond, rejection, start } from "./service.js";

/** Requests whose address others can reuse, and those that would do something a second time. */
const SENT_ONCE: readonly SecondPartId[] = [
  "teamMembers.create",
  "teamMembers.update",
  "teamMembers.delete",
  "clusterSecrets.create",
];

describe.each(secondPart)("$id", (row) => {
  const { call, ids, query = {}, body, response } = cases[row.id];

  test("is sent as documented, and its response is returned", async () => {
    const page: Respond = (request, to) =>
      request.query.has("page")
        ? json(to, 200, [response])
        : json(to, 200, [response], { link: `<${request.target}&page=2>; rel="next"` });
    const respond = row.list === undefined ? answer(row.success, response) : page;
    const { client, seen } = await start(respond);
    const result = await call(client);

    const values = ["acme", ...ids].values();
    const path = row.path.replace(/\{\w+\}/g, () => String(values.next().value));
    expect(values.next().done).toBe(true);
    const [request] = seen;
    expect(request).toMatchObject({ method: row.method, path });
    const paging = row.list && { per_page: "100" };
    expect(Object.fromEntries(request?.query ?? [])).toEqual({ ...query, ...paging });
    expect(request?.body && JSON.parse(request.body)).toEqual(body ?? "");
    expect(seen).toHaveLength(row.list ? 2 : 1);
    expect(result).toEqual(row.list ? [response, response] : response);
  });

  test("has every documented property in the body and the query of its case", () => {
    const documented = [...(row.body?.required ?? []), ...(row.body?.optional ?? [])];
    expect(Object.keys(body ?? {}).sort()).toEqual(documented.sort());
    expect(Object.keys(query).sort()).toEqual([...(row.query ?? [])].sort());
  });

  test("names its scope if the access token lacks it", async () => {
    const { client } = await start(answer(403, { message: "Your access token lacks a scope" }));
    expect(await rejection(call(client))).toMatchObject({ name: "PermissionError", missingScope: row.scope });
  });

  test("is repeated after a lost response unless a second request could do something else", async () => {
    const { client, seen } = await start(inTurn(hangUp, answer(row.success, row.list ? [] : response)));
    if (!SENT_ONCE.includes(row.id)) await call(client);
    else expect(outcomeOf(await rejection(call(client)))).toBe("unknown");
    expect(seen).toHaveLength(SENT_ONCE.includes(row.id) ? 1 : 2);
  });
});

describe("the value of a secret stays out of errors", () => {
  const echoes: [string, (value: string) => unknown][] = [
    ["in a sentence", (value) => ({ message: `Validation failed: ${value} is too short` })],
    ["in the list of errors", (value) => ({ message: "no", errors: [{ field: "value", code: "x", value }] })],
    ["without the blanks at its ends", (value) => ({ message: value.trim() })],
    ["as plain text", (value) => value],
  ];
  test.each(echoes)("that the API repeats %s", async (_, echo) => {
    for (const value of ["correct horse", "-----BEGIN KEY-----\nabc\n-----END KEY-----\n", "x9"]) {
      const { client } = await start(answer(422, echo(value)));
      const calls = [
        client.clusterSecrets.create("c-1", { key: "A", value }),
        client.clusterSecrets.updateValue("c-1", "s-1", { value }),
      ];
      for (const call of calls) {
        const error = await rejection(call);
        expect(error).toMatchObject({ name: "ValidationError" });
        const shown = [Object(error).message, JSON.stringify(error), JSON.stringify(Object(error).errors)];
        expect(shown.filter((text) => text.includes(value.trim().split("\n")[0]))).toEqual([]);
      }
    }
  });
});
