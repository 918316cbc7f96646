import { describe, expect, test } from "vitest";
import { outcomeOf } from "../../src/client/index.js";
import { type SecondPartId, secondPart } from "../conformance/second-part.js";
import { pathsIn, putting, VALUES } from "../support/unexpected-values.js";
import { additions, cases } from "./second-part-cases.js";
import { answer, hangUp, inTurn, json, type Respond, rejection, start } from "./service.js";

/** Requests whose address others can reuse, and those that would do something a second time. */
const SENT_ONCE: readonly SecondPartId[] = [
  "pipelines.create",
  "pipelines.update",
  "pipelines.delete",
  "pipelines.archive",
  "pipelines.unarchive",
  "pipelines.createWebhook",
  "pipelineSchedules.create",
  "teamPipelines.create",
  "teamPipelines.update",
  "teamPipelines.delete",
  "teamSuites.create",
  "teamSuites.update",
  "teamSuites.delete",
  "clusterMaintainers.create",
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
    // A maintainer is either of the two.
    const either = row.id === "clusterMaintainers.create" ? ["user"] : [];
    expect([...Object.keys(body ?? {}), ...either].sort()).toEqual(documented.sort());
    expect(Object.keys(query).sort()).toEqual([...(row.query ?? [])].sort());
  });

  test("names its scope if the access token lacks it", async () => {
    const named = await start(
      answer(403, { message: `Your access token doesn't have the ${row.scope} scope` }),
    );
    const error = { name: "PermissionError", missingScope: row.scope };
    expect(await rejection(call(named.client))).toMatchObject(error);
    const { client } = await start(answer(403, { message: "Forbidden" }));
    const advice = expect.stringContaining(`Check that the access token has the scope ${row.scope},`);
    expect(await rejection(call(client))).toMatchObject({ missingScope: undefined, message: advice });
  });

  test("is repeated after a lost response unless a second request could do something else", async () => {
    const { client, seen } = await start(inTurn(hangUp, answer(row.success, row.list ? [] : response)));
    if (!SENT_ONCE.includes(row.id)) await call(client);
    else expect(outcomeOf(await rejection(call(client)))).toBe("unknown");
    expect(seen).toHaveLength(SENT_ONCE.includes(row.id) ? 1 : 2);
  });
});

/** Fields of responses that identify, or that a request sets: one of another type is an error, and not an absent one. */
const DECIDING: readonly [SecondPartId, readonly string[]][] = [
  [
    "pipelines.get",
    [
      "id name slug repository branch_configuration default_branch configuration",
      "pipeline_template_uuid cluster_id description visibility tags emoji color clone_mirror_url archived_at",
      "skip_queued_branch_builds skip_queued_branch_builds_filter allow_rebuilds",
      "cancel_running_branch_builds cancel_running_branch_builds_filter",
    ],
  ],
  ["pipelineSchedules.get", ["id cronline label message commit branch env enabled"]],
  ["teamMembers.get", ["user_id role"]],
  ["teamPipelines.get", ["pipeline_id access_level"]],
  ["teamSuites.get", ["suite_id access_level"]],
  ["clusterMaintainers.get", ["id actor actor.id actor.type"]],
  ["clusterSecrets.get", ["id key description policy"]],
];

const kindOf = (value: unknown) => (Array.isArray(value) ? "array" : typeof value);

test.each(DECIDING)(
  "a response to %s may have anything in a field that decides nothing",
  async (id, lines) => {
    const { call, response = {} } = cases[id];
    const deciding = lines.flatMap((line) => line.split(" "));
    let body: unknown;
    const { client } = await start((...request) => answer(200, body)(...request));
    const failing = new Set<string>();
    for (const path of pathsIn(response))
      for (const value of VALUES) {
        body = putting(path, value)(response);
        const [field = ""] = path;
        const result = await call(client).catch(() => field);
        if (result === field) failing.add(path.join("."));
        else {
          const [found, right] = [result, response].map((entity) => Object(entity)[field]);
          if (found != null && right !== null) expect(kindOf(found), path.join(".")).toBe(kindOf(right));
        }
      }
    expect([...failing].sort()).toEqual(deciding.sort());
  },
);

describe.each(additions)("%s with the fields of the second part", (_, call, body, response) => {
  test("sends and returns them", async () => {
    const { client, seen } = await start(answer(200, response));
    expect(await call(client)).toEqual(response);
    expect(seen[0]?.body && JSON.parse(seen[0].body)).toEqual(body ?? "");
  });

  test("has a result without them, or if they have another type", async () => {
    const settled =
      "id key name slug uuid scopes token dispatch_paused description default default_member_role api_token";
    const added = Object.keys(response).filter((name) => !settled.split(" ").includes(name));
    for (const value of [undefined, ...VALUES]) {
      const odd = added.reduce((before, name) => putting([name], value)(before), response as unknown);
      const { client } = await start(answer(200, odd));
      const result = await call(client);
      const kept = Object.entries(response).filter(([name]) => !added.includes(name));
      expect(result).toMatchObject(Object.fromEntries(kept));
    }
    expect(added.length).toBeGreaterThan(0);
  });
});

test.each([
  ["a webhook", "https://webhook.buildkite.com/deliver/0123456789abcdef0123456789"],
  ["a badge", "https://badge.buildkite.com/0123456789abcdef0123456789.svg?branch=main"],
])("the address of %s stays out of errors", async (_, address) => {
  const errors = [{ field: "name", webhook_url: address, badge_url: address, value: { provider: address } }];
  const { client } = await start(answer(422, { message: `${address} is in use`, errors }));
  const error = await rejection(client.pipelines.update("storefront", { name: "x" }));
  expect(error).toMatchObject({ serviceMessage: expect.stringContaining("is in use") });
  expect([Object(error).message, JSON.stringify(Object(error).errors)].join()).not.toContain("0123456789");
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
