import { inspect } from "node:util";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import * as client from "../../../src/client/index.js";
import { cases } from "../../support/cases.js";
import {
  ACCESS_TOKEN,
  answer,
  create,
  failure,
  json,
  type Respond,
  raw,
  rejection,
  remove,
  start,
} from "../service.js";

/** The error a deletion of a cluster gets when the service answers like this. */
async function refused(respond: Respond): Promise<client.ApiError> {
  const error = await failure(respond, remove, { maxRateLimitWaitMs: 0 });
  if (!(error instanceof client.ApiError)) throw error;
  return error;
}

describe("an error by its status", () => {
  test.each([
    [400, client.BadRequestError, "rejected"],
    [401, client.AuthenticationError, "rejected"],
    [403, client.PermissionError, "rejected"],
    [404, client.NotFoundError, "rejected"],
    [409, client.ConflictError, "rejected"],
    [422, client.ValidationError, "rejected"],
    [429, client.RateLimitError, "rejected"],
    [423, client.UnexpectedStatusError, "rejected"],
    [425, client.UnexpectedStatusError, "rejected"],
    [408, client.UnexpectedStatusError, "unknown"],
    [407, client.UnexpectedStatusError, "rejected"],
    [418, client.UnexpectedStatusError, "rejected"],
    [302, client.UnexpectedStatusError, "unknown"],
    [304, client.UnexpectedStatusError, "unknown"],
    [500, client.ServerError, "unknown"],
    [502, client.ServerError, "unknown"],
    [503, client.ServerError, "unknown"],
    [504, client.ServerError, "unknown"],
  ] as const)("%i", async (status, type, outcome) => {
    const body = status === 304 ? undefined : { message: "No cluster found" };
    const error = await refused(answer(status, body, { "x-request-id": "req-7" }));
    const path = "/v2/organizations/acme/clusters/c-1";
    expect(error).toBeInstanceOf(type);
    expect(error).toBeInstanceOf(client.BuildPipelineError);
    const attempts = status >= 500 || [408, 409, 423, 425].includes(status) ? 5 : 1;
    const sent = { name: type.name, method: "DELETE", path, status, attempts, requestId: "req-7" };
    expect(error).toMatchObject({ ...sent, serviceMessage: status === 304 ? "" : "No cluster found" });
    expect(error.message.startsWith(`DELETE ${path} failed with ${status}`)).toBe(true);
    expect(error.message).not.toContain("\n");
    expect(client.outcomeOf(error)).toBe(outcome);
    expect(client.mayHaveBeenCarriedOut(error)).toBe(outcome === "unknown");
  });

  test("its JSON has the message and the fields, so that a log says all of it", async () => {
    const error = await refused(answer(404, { message: "No cluster found" }));
    const sent = { method: "DELETE", path: "/v2/organizations/acme/clusters/c-1", attempts: 1 };
    const said = {
      code: "not-found",
      message: error.message,
      status: 404,
      serviceMessage: "No cluster found",
    };
    expect(JSON.parse(JSON.stringify(error))).toEqual({ name: "NotFoundError", ...sent, ...said });
  });
});

describe("a 403 names a missing scope only if that is known, and else what to check", () => {
  const forbidden = "Forbidden";
  const blocked = "Your IP address is not allowed to access this organization";
  const lacks = "You lack the write_suites scope";
  const other = "read_suites write_teams";
  const both = { "x-oauth-scopes": other, "x-accepted-oauth-scopes": "write_clusters, admin" };
  interface Known {
    readonly headers?: Record<string, string>;
    readonly scopes?: string[];
  }
  const here = { "x-oauth-scopes": "read_suites, write_clusters" };

  test.each<[said: string, words: string, missing?: string | undefined, known?: Known]>([
    [lacks, "Missing scope: write_suites. Give", "write_suites"],
    ["Add scope: `write_suites`", "Missing scope", "write_suites", { scopes: [] }],
    [forbidden, "Missing scope: write_clusters. Give", "write_clusters", { headers: both }],
    [forbidden, "Missing scope: write_clusters. Give", "write_clusters", { scopes: ["read_clusters"] }],
    [blocked, "has the scope write_clusters: check what its user", undefined, { scopes: ["write_clusters"] }],
    [blocked, "has the scope write_clusters: check", undefined, { headers: here }],
    ["SAML SSO is required", "Check that the access token has the scope"],
    ["The team write_suites says no", "Check that"],
  ])("%j: %s (%s, %j)", async (message, words, missingScope, { headers = {}, scopes } = {}) => {
    const respond: Respond = ({ path }, response) =>
      path === "/v2/access-token" && scopes !== undefined
        ? json(response, 200, { uuid: "u", scopes })
        : json(response, 403, { message }, headers);
    const error = await failure(respond, remove);
    expect(error).toMatchObject({ name: "PermissionError", missingScope });
    expect(error).toMatchObject({ message: expect.stringContaining(words) });
    const isMissing = missingScope !== undefined;
    expect(String(error).includes("Missing scope")).toBe(isMissing);
    expect(String(error).includes("single sign-on")).toBe(!isMissing);
  });

  test("advises about the user where an operation needs no scope, because none can be missing", async () => {
    const error = await failure(answer(403, { message: "Forbidden" }), (c) => c.accessToken.get());
    expect(error).toMatchObject({ missingScope: undefined, message: expect.stringContaining("Check what") });
  });

  test("and asks for the token's scopes once for many refusals", async () => {
    const { client: connected, seen } = await start(answer(403, { message: "Forbidden" }));
    await Promise.all(Array.from({ length: 5 }, () => rejection(remove(connected))));
    await rejection(remove(connected));
    expect(seen.filter(({ path }) => path === "/v2/access-token")).toHaveLength(1);
    expect(seen).toHaveLength(7);
  });

  test("one of two scopes that allow the same is enough", async () => {
    const headers = { "x-oauth-scopes": "view_teams" };
    const error = await failure(answer(403, { message: "Forbidden" }, headers), (c) => c.teams.list().all());
    expect(error).toMatchObject({ missingScope: undefined });
  });
});

describe("what the service says", () => {
  const errors = [{ field: "commit", code: "missing" }, "branch is odd"];
  test.each<[unknown, string, unknown?]>([
    [{ message: "Validation Failed", errors }, "Validation Failed: commit missing, branch is odd", errors],
    [{ error: "nope" }, "nope"],
    [{ errors: { name: ["is taken", "is short"] } }, "name is taken, is short"],
    [{ message: ["a", "b"] }, "a, b"],
    [["one", "two"], "one, two"],
    ["just text", "just text"],
    [{}, ""],
  ])("is read from %j", async (body, serviceMessage, errors = []) => {
    expect(await refused(answer(422, body))).toMatchObject({ serviceMessage, errors });
  });

  // Elsewhere, only the status of such a refusal was shown.
  const pointer = "#/age";
  const steps = { value: "step ".repeat(400_000), field: "steps", code: "too_many" };
  test.each<[unknown, string]>([
    [{ name: ["has already been taken"] }, "name has already been taken"],
    [{ name: ["is taken", "is short"], base: ["is full"] }, "name is taken, is short, is full"],
    [{ errors: { cluster: { name: ["is taken"] } } }, "cluster name is taken"],
    [{ errors: [{ field: "key", code: "taken", value: "small" }] }, "key taken small"],
    [{ errors: [{ value: "s3cret", field: "api_token", code: "bad" }] }, "api_token bad"],
    [
      { type: "about:blank", title: "Invalid", status: 422, detail: "Name is taken." },
      "Invalid: Name is taken.",
    ],
    [{ title: "Invalid.", errors: [{ detail: "is negative", pointer }] }, "Invalid: #/age is negative"],
    [
      { title: "Bad", "invalid-params": [{ name: "age", reason: "is odd" }] },
      "Bad: invalid-params age is odd",
    ],
    [{ error: { code: 17, message: "No", details: ["x is taken"] } }, "No: details x is taken"],
    [{ detail: [{ loc: ["body", "name"], msg: "is required", type: "missing" }] }, "body, name is required"],
    [{ error: "invalid_request", error_description: "It ended." }, "It ended."],
    [{ errors: [{ source: { pointer: "/name" }, detail: "is taken" }] }, "pointer /name is taken"],
    [{ message: "Name is taken", errors: ["Name is taken"] }, "Name is taken"],
    [{ message: "No", status: 422, url: "https://example.com", list: [{ id: 1 }] }, "No"],
    [{ message: "Invalid", errors: [steps] }, "Invalid: steps too_many step step"],
    [{ cause: { code: 17 }, ok: false }, '{"cause":{"code":17},"ok":false}'],
    [{ ok: false, token: "s3cret" }, '{"ok":false,"token":"[redacted]"}'],
  ])("is, of every form, %#: $1", async (body, serviceMessage) => {
    const error = await refused(answer(422, body));
    const isWhole = error.serviceMessage.length < 400;
    expect(error).toMatchObject({
      serviceMessage: isWhole ? serviceMessage : expect.stringContaining(serviceMessage),
    });
    expect(error.message).toContain(serviceMessage);
  });

  test("keeps every word of a body in an unknown form, because one of them is the reason", async () => {
    // No name of a known form, such as `msg`, beside which other fields are circumstances.
    const words = fc.stringMatching(/^x[a-z]{2,7}$/);
    const tree = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 3 },
        words,
        fc.array(tie("value"), { minLength: 1, maxLength: 3 }),
        tie("fields"),
      ),
      fields: fc.dictionary(words, tie("value"), { minKeys: 1, maxKeys: 3 }),
    }));
    let body: unknown;
    const { client: connected } = await start((...request) => answer(404, body)(...request));
    await fc.assert(
      fc.asyncProperty(
        fc.dictionary(fc.constantFrom("a", "b", "errors"), tree.value, { minKeys: 1 }),
        async (fields) => {
          body = fields;
          const error = await rejection(remove(connected));
          const leaves = (value: unknown): string[] =>
            typeof value === "object" && value !== null
              ? Object.values(value).flatMap(leaves)
              : [String(value)];
          for (const leaf of leaves(fields))
            expect(error).toMatchObject({ serviceMessage: expect.stringContaining(leaf) });
        },
      ),
      { numRuns: cases(100) },
    );
  });

  test.each([{}, { message: "Validation Failed" }, { message: "Validation failed", errors: [] }])(
    "has no advice to correct fields where the service names none: %j",
    async (body) => {
      const error = await failure(answer(422, body), create);
      expect(error).toMatchObject({ message: expect.stringContaining("names no reason") });
      expect(error).toMatchObject({ message: expect.not.stringContaining("Correct the fields") });
    },
  );

  test.each([
    ["", "text/html", "<html><h1>Bad gateway</h1></html>"],
    ["No such host", "text/html", "No such host"],
    ["404 page not found", "text/plain", "404 page not found\n"],
  ])("is %j in a body of type %s", async (said, type, body) => {
    expect((await refused(raw(404, body, type))).serviceMessage).toBe(said);
  });

  test("is cut to 600 characters, so that a page of it doesn't hide the advice", async () => {
    const error = await refused(answer(422, { message: "x".repeat(10_000) }));
    expect(error.serviceMessage.length).toBeLessThan(600);
  });
});

describe("secrets", () => {
  const agentToken = "agent-secret-ABCDEFGH";
  const suiteToken = "suite-secret-ABCDEFGH";
  const basic = "c29tZS1vdGhlci1jcmVkZW50aWFs";
  const odd = "odd/secret+ABCDEFGH=";
  const secrets = [ACCESS_TOKEN, agentToken, suiteToken, odd, encodeURIComponent(odd), basic];

  function everythingOf(error: unknown): string {
    const own =
      error instanceof Error ? [error.message, error.stack, inspect(error.cause, { depth: 10 })] : [];
    return [...own, JSON.stringify(error), inspect(error, { depth: 10, showHidden: true })].join("\n");
  }

  test.each([
    { message: `Bad header Authorization: Bearer ${ACCESS_TOKEN}` },
    { message: `unknown token ${ACCESS_TOKEN}.` },
    { message: `Authorization: Basic ${basic}` },
    { message: `token ${agentToken} is taken`, token: agentToken },
    { message: `no ?token=${encodeURIComponent(odd)}`, token: odd },
    { errors: [{ field: "api_token", api_token: suiteToken }, `see ${suiteToken}`, ACCESS_TOKEN] },
    { errors: { headers: { authorization: `Bearer ${ACCESS_TOKEN}` } } },
    { message: "slow down", scope: ACCESS_TOKEN },
    [ACCESS_TOKEN],
    `Bearer ${ACCESS_TOKEN}`,
  ])("echoed by the service stay out of the error: %j", async (body) => {
    const headers = { "x-request-id": ACCESS_TOKEN, "ratelimit-scope": ACCESS_TOKEN };
    for (const status of [400, 401, 403, 422, 429, 500]) {
      const all = everythingOf(await refused(answer(status, body, headers)));
      for (const secret of secrets) expect(all).not.toContain(secret);
    }
  });

  test('the words "API Access Token" in the service\'s 401 are no secret, so they stay readable', async () => {
    const message =
      "Authentication required. Please supply a valid API Access Token: https://docs.example.com/rest";
    expect((await refused(answer(401, { message }))).serviceMessage).toBe(message);
  });

  test.each([
    ["a creation that breaks the API's word", answer(201, { id: 7, token: agentToken }), "id"],
    ["a body that is no JSON", raw(201, `{"token":"${agentToken}",`), "body"],
  ])("of %s stay out of the error", async (_, respond, field) => {
    const error = await failure(respond, (c) => c.agentTokens.create("c-1", { description: "d" }));
    expect(error).toMatchObject({ name: "UnexpectedResponseError", status: 201, field });
    expect(everythingOf(error)).not.toContain(agentToken);
  });
});

test.each([
  ["a webhook", "https://webhook.buildkite.com/deliver/0123456789abcdef0123456789"],
  ["a badge", "https://badge.buildkite.com/0123456789abcdef0123456789.svg?branch=main"],
])("the address of %s stays out of errors", async (_, address) => {
  const errors = [{ field: "name", webhook_url: address, badge_url: address, value: { provider: address } }];
  const service = await start(answer(422, { message: `${address} is in use`, errors }));
  const error = await rejection(service.client.pipelines.update("storefront", { name: "x" }));
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
      const service = await start(answer(422, echo(value)));
      const calls = [
        service.client.clusterSecrets.create("c-1", { key: "A", value }),
        service.client.clusterSecrets.updateValue("c-1", "s-1", { value }),
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
