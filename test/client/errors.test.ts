import { inspect } from "node:util";
import { describe, expect, test } from "vitest";
import {
  ApiError,
  AuthenticationError,
  BadRequestError,
  BuildPipelineError,
  ConflictError,
  NotFoundError,
  PermissionError,
  RateLimitError,
  ServerError,
  UnexpectedStatusError,
  ValidationError,
} from "../../src/client/index.js";
import { ACCESS_TOKEN, connect, json, rejection, serve } from "./service.js";

/** The error a deletion of a cluster gets when the service answers like this. */
async function refused(
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<ApiError> {
  const service = await serve((_, response) => json(response, status, body, headers));
  const error = await rejection(connect(service.url, { maxRetries: 0 }).clusters.delete("c-1"));
  if (!(error instanceof ApiError)) throw error;
  return error;
}

describe("an error by its status", () => {
  test.each([
    [400, BadRequestError, "BadRequestError"],
    [401, AuthenticationError, "AuthenticationError"],
    [403, PermissionError, "PermissionError"],
    [404, NotFoundError, "NotFoundError"],
    [409, ConflictError, "ConflictError"],
    [422, ValidationError, "ValidationError"],
    [429, RateLimitError, "RateLimitError"],
    [500, ServerError, "ServerError"],
    [503, ServerError, "ServerError"],
    [418, UnexpectedStatusError, "UnexpectedStatusError"],
    [304, UnexpectedStatusError, "UnexpectedStatusError"],
  ])("%i", async (status, type, name) => {
    const error = await refused(status, status === 304 ? undefined : { message: "No cluster found" }, {
      "x-request-id": "req-7",
    });
    expect(error).toBeInstanceOf(type);
    expect(error).toBeInstanceOf(BuildPipelineError);
    expect(error).toMatchObject({
      name,
      method: "DELETE",
      path: "/v2/organizations/acme/clusters/c-1",
      status,
      serviceMessage: status === 304 ? "" : "No cluster found",
      attempts: 1,
      requestId: "req-7",
    });
    expect(error.message.startsWith(`DELETE /v2/organizations/acme/clusters/c-1 failed with ${status}`)).toBe(
      true,
    );
    expect(error.message).not.toContain("\n");
  });

  test("its JSON has the message and the fields", async () => {
    const error = await refused(404, { message: "No cluster found" });
    expect(JSON.parse(JSON.stringify(error))).toEqual({
      name: "NotFoundError",
      message: error.message,
      method: "DELETE",
      path: "/v2/organizations/acme/clusters/c-1",
      status: 404,
      serviceMessage: "No cluster found",
      attempts: 1,
    });
  });
});

describe("a missing scope", () => {
  test("is the one the service names", async () => {
    const error = await refused(403, {
      message: "Your access token doesn't have the write_pipeline_templates scope",
    });
    expect(error).toMatchObject({ missingScope: "write_pipeline_templates" });
    expect(error.message).toContain("Missing scope: write_pipeline_templates.");
  });

  test("is the documented one where the service names none", async () => {
    const error = await refused(403, { message: "Forbidden" });
    expect(error).toMatchObject({ missingScope: "write_clusters" });
    expect(error.message).toContain("Missing scope: write_clusters");
  });

  test("is unknown where none is documented", async () => {
    const service = await serve((_, response) => json(response, 403, { message: "Forbidden" }));
    const error = await rejection(connect(service.url).accessToken.get());
    expect(error).toBeInstanceOf(PermissionError);
    expect(error).toMatchObject({ missingScope: undefined });
  });
});

describe("what the service says", () => {
  test("lists single problems", async () => {
    const errors = [{ field: "commit", code: "missing" }, "branch is odd"];
    const error = await refused(422, { message: "Validation Failed", errors });
    expect(error).toMatchObject({
      errors,
      serviceMessage: "Validation Failed: commit missing, branch is odd",
    });
  });

  test.each<[unknown, string]>([
    [{ error: "nope" }, "nope"],
    [{ errors: { name: ["is taken", "is short"] } }, "is taken, is short"],
    [{ message: ["a", "b"] }, "a, b"],
    [["one", "two"], "one, two"],
    ["just text", "just text"],
    [{}, ""],
    [{ message: "two\nlines\u001b[31m" }, "two lines [31m"],
  ])("in another form: %j", async (body, said) => {
    expect((await refused(422, body)).serviceMessage).toBe(said);
  });

  test("is cut where it is very long", async () => {
    const error = await refused(422, { message: "x".repeat(10_000) });
    expect(error.serviceMessage.length).toBeLessThan(600);
  });

  test("is nothing where it is a page for people", async () => {
    const service = await serve((_, response) =>
      response.writeHead(502, { "content-type": "text/html" }).end("<html><h1>Bad gateway</h1></html>"),
    );
    const error = await rejection(connect(service.url, { maxRetries: 0 }).clusters.delete("c-1"));
    expect(error).toBeInstanceOf(ServerError);
    expect(error).toMatchObject({ serviceMessage: "" });
  });

  test("may be plain text", async () => {
    const service = await serve((_, response) =>
      response.writeHead(404, { "content-type": "text/plain" }).end("404 page not found\n"),
    );
    const error = await rejection(connect(service.url).clusters.get("c-1"));
    expect(error).toMatchObject({ serviceMessage: "404 page not found" });
  });
});

describe("secrets", () => {
  const agentToken = "agent-secret-ABCDEFGH";
  const suiteToken = "suite-secret-ABCDEFGH";
  const secrets = [
    ACCESS_TOKEN,
    agentToken,
    suiteToken,
    encodeURIComponent(ACCESS_TOKEN),
    "c29tZS1vdGhlci1jcmVkZW50aWFs",
  ];

  function everythingOf(error: unknown): string {
    const own =
      error instanceof Error ? [error.message, error.stack, inspect(error.cause, { depth: 10 })] : [];
    return [...own, JSON.stringify(error), inspect(error, { depth: 10, showHidden: true })].join("\n");
  }

  test.each([
    { message: `Bad header Authorization: Bearer ${ACCESS_TOKEN}` },
    { message: `unknown token ${ACCESS_TOKEN}.` },
    { message: "Authorization: Basic c29tZS1vdGhlci1jcmVkZW50aWFs" },
    { message: `token ${agentToken} is taken`, token: agentToken },
    {
      message: "no",
      errors: [{ field: "api_token", api_token: suiteToken }, `see ${suiteToken}`, ACCESS_TOKEN],
    },
    { errors: { headers: { authorization: `Bearer ${ACCESS_TOKEN}` } } },
    [ACCESS_TOKEN],
    `Bearer ${ACCESS_TOKEN}`,
  ])("echoed by the service stay out of the error: %j", async (body) => {
    for (const status of [400, 401, 403, 422, 500]) {
      const all = everythingOf(await refused(status, body, { "x-request-id": ACCESS_TOKEN }));
      for (const secret of secrets) expect(all).not.toContain(secret);
    }
  });

  test("the service's own 401 stays readable", async () => {
    const message =
      "Authentication required. Please supply a valid API Access Token: https://docs.example.com/rest";
    expect((await refused(401, { message })).serviceMessage).toBe(message);
  });

  test("of a creation that breaks the API's word stay out of the error", async () => {
    const service = await serve((_, response) => json(response, 201, { id: 7, token: agentToken }));
    const error = await rejection(connect(service.url).agentTokens.create("c-1", { description: "d" }));
    expect(error).toMatchObject({ name: "UnexpectedResponseError", field: "id" });
    expect(everythingOf(error)).not.toContain(agentToken);
  });

  test("in a body that is no JSON stay out of the error", async () => {
    const service = await serve((_, response) =>
      response.writeHead(201, { "content-type": "application/json" }).end(`{"token":"${agentToken}",`),
    );
    const error = await rejection(connect(service.url).agentTokens.create("c-1", { description: "d" }));
    expect(error).toMatchObject({ name: "UnexpectedResponseError", status: 201, field: "body" });
    expect(everythingOf(error)).not.toContain(agentToken);
  });
});
