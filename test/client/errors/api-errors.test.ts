import { inspect } from "node:util";
import { describe, expect, test } from "vitest";
import * as client from "../../../src/client/index.js";
import { ACCESS_TOKEN, answer, type Call, failure, type Respond, raw, remove } from "../service.js";

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
    [408, client.UnexpectedStatusError, "rejected"],
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
    const attempts = status >= 500 ? 5 : 1;
    const sent = { name: type.name, method: "DELETE", path, status, attempts, requestId: "req-7" };
    expect(error).toMatchObject({ ...sent, serviceMessage: status === 304 ? "" : "No cluster found" });
    expect(error.message.startsWith(`DELETE ${path} failed with ${status}`)).toBe(true);
    expect(error.message).not.toContain("\n");
    expect(client.outcomeOf(error)).toBe(outcome);
    expect(client.mayHaveBeenCarriedOut(error)).toBe(outcome === "unknown");
  });

  test("its JSON has the message and the fields", async () => {
    const error = await refused(answer(404, { message: "No cluster found" }));
    const sent = { method: "DELETE", path: "/v2/organizations/acme/clusters/c-1", attempts: 1 };
    const said = { message: error.message, status: 404, serviceMessage: "No cluster found" };
    expect(JSON.parse(JSON.stringify(error))).toEqual({ name: "NotFoundError", ...sent, ...said });
  });
});

test.each<[string, Call, string, string | undefined]>([
  ["the one that the service names", remove, "You lack the write_suites scope", "write_suites"],
  ["the documented one where the service names none", remove, "Forbidden", "write_clusters"],
  ["unknown where none is documented", (c) => c.accessToken.get(), "Forbidden", undefined],
])("a missing scope is %s", async (_, call, message, missingScope) => {
  const error = await failure(answer(403, { message }), call);
  const said = missingScope === undefined ? "Check what" : `Missing scope: ${missingScope}`;
  const words = expect.stringContaining(said);
  expect(error).toMatchObject({ name: "PermissionError", missingScope, message: words });
});

describe("what the service says", () => {
  const errors = [{ field: "commit", code: "missing" }, "branch is odd"];
  test.each<[unknown, string, unknown?]>([
    [{ message: "Validation Failed", errors }, "Validation Failed: commit missing, branch is odd", errors],
    [{ error: "nope" }, "nope"],
    [{ errors: { name: ["is taken", "is short"] } }, "is taken, is short"],
    [{ message: ["a", "b"] }, "a, b"],
    [["one", "two"], "one, two"],
    ["just text", "just text"],
    [{}, ""],
  ])("is read from %j", async (body, serviceMessage, errors = []) => {
    expect(await refused(answer(422, body))).toMatchObject({ serviceMessage, errors });
  });

  test.each([
    ["", "text/html", "<html><h1>Bad gateway</h1></html>"],
    ["No such host", "text/html", "No such host"],
    ["404 page not found", "text/plain", "404 page not found\n"],
  ])("is %j in a body of type %s", async (said, type, body) => {
    expect((await refused(raw(404, body, type))).serviceMessage).toBe(said);
  });

  test("is cut where it is very long", async () => {
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

  test("the service's own 401 stays readable", async () => {
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
