import { describe, expect, test } from "vitest";
import {
  type BuildPipelineClient,
  mayHaveBeenCarriedOut,
  UnexpectedResponseError,
} from "../../src/client/index.js";
import { BUILD, CLUSTER, connect, json, QUEUE, rejection, serve } from "./service.js";

async function answered<T>(body: unknown, call: (client: BuildPipelineClient) => Promise<T>): Promise<T> {
  const service = await serve((_, response) => json(response, 200, body));
  return call(connect(service.url));
}

describe("an answer that is not what the API document promises", () => {
  const breaches: [string, unknown, (client: BuildPipelineClient) => Promise<unknown>, string, string][] = [
    ["no id", { name: "Linux" }, (c) => c.clusters.get("c-1"), "id", "a string"],
    ["an empty id", { id: "", name: "Linux" }, (c) => c.clusters.get("c-1"), "id", "a non-empty value"],
    ["id null", { id: null, name: "Linux" }, (c) => c.clusters.get("c-1"), "id", "a string"],
    ["a wrong type", { ...CLUSTER, color: 7 }, (c) => c.clusters.get("c-1"), "color", "a string"],
    [
      "inside an object",
      { ...CLUSTER, created_by: { name: 7 } },
      (c) => c.clusters.get("c-1"),
      "created_by.name",
      "a string",
    ],
    ["in a list", [CLUSTER, { name: "x" }], (c) => c.clusters.list().all(), "[1].id", "a string"],
    ["no list", { clusters: [] }, (c) => c.clusters.list().all(), "body", "a list"],
    ["null", null, (c) => c.clusters.get("c-1"), "body", "an object"],
    [
      "a flag as text",
      { ...QUEUE, dispatch_paused: "yes" },
      (c) => c.queues.get("c-1", "q-1"),
      "dispatch_paused",
      "true or false",
    ],
    [
      "deep inside",
      { ...BUILD, jobs: [{ id: "j-1" }, { id: "j-2", agent: { name: "a" } }] },
      (c) => c.builds.get("storefront", 42),
      "jobs[1].agent.id",
      "a string",
    ],
    [
      "a fraction",
      { ...BUILD, number: 1.5 },
      (c) => c.builds.get("storefront", 42),
      "number",
      "a whole number",
    ],
    [
      "neither text nor list",
      { id: "k-1", allowed_ip_addresses: 7 },
      (c) => c.agentTokens.get("c-1", "k-1"),
      "allowed_ip_addresses",
      "a string or a list",
    ],
    [
      "no secret",
      { id: "k-1" },
      (c) => c.agentTokens.create("c-1", { description: "d" }),
      "token",
      "a string",
    ],
    ["scopes", { uuid: "x", scopes: "all" }, (c) => c.accessToken.get(), "scopes", "a list"],
  ];
  test.each(breaches)("%s", async (_, body, call, field, expected) => {
    const error = await rejection(answered(body, call));
    expect(error).toBeInstanceOf(UnexpectedResponseError);
    expect(error).toMatchObject({ field, expected, status: 200, attempts: 1 });
    expect(error).toMatchObject({ message: expect.stringContaining(`${field} is `) });
    expect(error).toMatchObject({ message: expect.stringMatching(/^(GET|POST) \/v2\//) });
  });

  test("is a page for people: the error asks about baseUrl", async () => {
    const service = await serve((_, response) =>
      response.writeHead(200, { "content-type": "text/html" }).end("<html>Welcome</html>"),
    );
    const error = await rejection(connect(service.url).clusters.get("c-1"));
    expect(error).toMatchObject({ name: "UnexpectedResponseError", field: "body", expected: "JSON" });
    expect(error).toMatchObject({ message: expect.stringContaining("baseUrl") });
  });

  test.each([
    ["the page of a login proxy", "text/html", "<!doctype html><title>Sign in</title>", "not JSON"],
    ["text", "text/plain", "Welcome", "not JSON"],
    ["broken JSON", "application/json", '{"id": "0000', "incomplete or broken JSON"],
  ])("is %s in response to an operation without a result", async (_, type, body, received) => {
    const service = await serve((_request, response) =>
      response.writeHead(200, { "content-type": type }).end(body),
    );
    const client = connect(service.url);
    const calls = [
      () => client.clusters.delete("c-1"),
      () => client.agents.stop("a-1"),
      () => client.accessToken.revoke(),
    ];
    for (const call of calls) {
      const error = await rejection(call());
      expect(error).toBeInstanceOf(UnexpectedResponseError);
      expect(error).toMatchObject({ field: "body", expected: "no body or JSON", status: 200 });
      expect(error).toMatchObject({ message: expect.stringContaining(`body is ${received}`) });
      expect(mayHaveBeenCarriedOut(error)).toBe(true);
    }
  });

  test("is nothing at all", async () => {
    const service = await serve((_, response) => response.writeHead(200).end());
    const error = await rejection(connect(service.url).clusters.get("c-1"));
    expect(error).toMatchObject({ name: "UnexpectedResponseError", field: "body" });
  });

  test("is larger than any answer may be", async () => {
    const service = await serve((_, response) => {
      response.writeHead(200, {
        "content-type": "application/json",
        "content-length": String(65 * 1024 * 1024),
      });
      response.write("[");
    });
    const error = await rejection(connect(service.url).clusters.list().all());
    expect(error).toMatchObject({
      name: "UnexpectedResponseError",
      field: "body",
      expected: "a body up to 64 MiB",
    });
  });

  test("grows larger than any answer may be without saying so", async () => {
    const chunk = Buffer.alloc(1024 * 1024, " ");
    const service = await serve((_, response) => {
      response.writeHead(200, { "content-type": "application/json" });
      const more = () => {
        if (!response.destroyed) response.write(chunk, more);
      };
      more();
    });
    const error = await rejection(connect(service.url).clusters.list().all());
    expect(error).toMatchObject({ name: "UnexpectedResponseError", field: "body" });
  });
});

describe("what the document and the live service allow passes", () => {
  const agent = { id: "a-1", name: "agent", job: null, priority: null, last_job_finished_at: null };
  const paused = { ...QUEUE, dispatch_paused: true };

  test.each<[string, object, (client: BuildPipelineClient) => Promise<unknown>]>([
    [
      "fields of later versions",
      { ...CLUSTER, maintainers: { users: ["u-1"] }, created_by: { id: "u-1", badge: 7 } },
      (c) => c.clusters.get("c-1"),
    ],
    [
      "unset fields as null",
      { ...CLUSTER, description: null, emoji: null, color: null, default_queue_id: null, created_by: null },
      (c) => c.clusters.get("c-1"),
    ],
    [
      "unset fields as empty text",
      { ...CLUSTER, description: "", emoji: "", color: "" },
      (c) => c.clusters.get("c-1"),
    ],
    [
      "a paused queue without its note",
      { ...paused, dispatch_paused_note: null, dispatch_paused_by: { id: "u-1" } },
      (c) => c.queues.pauseDispatch("c-1", "q-1", { note: "x" }),
    ],
    [
      "an agent in an undocumented state",
      { ...agent, connection_state: "something new" },
      (c) => c.agents.get("a-1"),
    ],
  ])("%s", async (_, body, call) => {
    expect(await answered(body, call)).toEqual(body);
  });

  test("a build in both shapes of its pipeline", async () => {
    const reduced = {
      id: "p-1",
      slug: "storefront",
      provider: { id: "github", webhook_url: "" },
      created_at: "2024-01-02 03:04:05 UTC",
    };
    const whole = {
      ...reduced,
      web_url: "https://example.com",
      branch_configuration: null,
      default_branch: "main",
      provider: { ...reduced.provider, settings: { build_tags: false, trigger_mode: "code" } },
      waiting_jobs_count: 0,
    };
    const job = {
      id: "j-1",
      type: "waiter",
      exit_status: null,
      matrix: { os: "linux" },
      agent: null,
      retries_count: null,
    };
    for (const pipeline of [reduced, whole]) {
      const body = {
        ...BUILD,
        state: "canceling",
        pipeline,
        jobs: [job],
        env: { A: "1" },
        pull_request: null,
        rebuilt_from: null,
      };
      expect(await answered(body, (c) => c.builds.get("storefront", 42))).toEqual(body);
    }
  });

  test.each([
    ["a message", { message: "gone" }],
    ["the deleted object", CLUSTER],
    ["an empty object", {}],
  ])("a deletion that responds with %s", async (_, body) => {
    expect(await answered(body, (c) => c.clusters.delete("c-1"))).toBeUndefined();
  });

  test.each([200, 202, 204])("a deletion that responds with %s and no body", async (status) => {
    const service = await serve((_, response) => response.writeHead(status).end());
    expect(await connect(service.url).clusters.delete("c-1")).toBeUndefined();
  });

  test("JSON with a byte order mark and another content type", async () => {
    const service = await serve((_, response) =>
      response.writeHead(200, { "content-type": "text/plain" }).end(`\uFEFF${JSON.stringify(CLUSTER)}`),
    );
    expect(await connect(service.url).clusters.get("c-1")).toEqual(CLUSTER);
  });
});

describe("a creation that is answered with something else", () => {
  test.each<[string, unknown]>([
    ["an empty object", {}],
    ["a list", [{ id: "x", name: "Linux", key: "k", token: "t", slug: "s", uuid: "u", configuration: "" }]],
    ["nothing", undefined],
    ["null", null],
    ["text", "created"],
    ["a number as id", { id: 7, uuid: 7, number: "x", name: "Linux", key: "k", slug: "s", token: 7 }],
  ])("such as %s may have been carried out", async (_, body) => {
    for (const status of [200, 201]) {
      const service = await serve((_request, response) => json(response, status, body));
      const client = connect(service.url);
      const creations = [
        client.clusters.create({ name: "x" }),
        client.queues.create("c-1", { key: "x" }),
        client.agentTokens.create("c-1", { description: "x" }),
        client.pipelineTemplates.create({ name: "x", configuration: "" }),
        client.suites.create({ name: "x", default_branch: "main" }),
        client.builds.create("storefront", { commit: "HEAD", branch: "main" }),
      ];
      for (const creation of creations) {
        const error = await rejection(creation);
        expect(error).toBeInstanceOf(UnexpectedResponseError);
        expect(error).toMatchObject({ status, attempts: 1 });
        expect(mayHaveBeenCarriedOut(error)).toBe(true);
      }
      expect(service.seen).toHaveLength(creations.length);
    }
  });
});
