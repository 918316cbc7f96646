import { describe, expect, test } from "vitest";
import { mayHaveBeenCarriedOut } from "../../../src/client/index.js";
import {
  answer,
  BUILD,
  type Call,
  CLUSTER,
  create,
  failure,
  get,
  list,
  QUEUE,
  type Respond,
  raw,
  rejection,
  remove,
  start,
} from "../service.js";

const getBuild: Call = (c) => c.builds.get("storefront", 42);
const getQueue: Call = (c) => c.queues.get("c-1", "q-1");
const getToken: Call = (c) => c.agentTokens.get("c-1", "k-1");
const createToken: Call = (c) => c.agentTokens.create("c-1", { description: "d" });
const getAccessToken: Call = (c) => c.accessToken.get();

describe("an answer that is not what the API promises", () => {
  const jobs = [{ id: "j-1" }, { id: "j-2", agent: { name: "a" } }];
  const oddAddresses = { id: "k-1", allowed_ip_addresses: 7 };
  const breaches: [string, unknown, Call, string, string][] = [
    ["no id", { name: "Linux" }, get, "id", "a string"],
    ["an empty id", { id: "", name: "Linux" }, get, "id", "a non-empty value"],
    ["id null", { id: null, name: "Linux" }, get, "id", "a string"],
    ["a wrong type", { ...CLUSTER, color: 7 }, get, "color", "a string"],
    ["in a list", [CLUSTER, { name: "x" }], list, "[1].id", "a string"],
    ["no list", { clusters: [] }, list, "body", "a list"],
    ["null", null, get, "body", "an object"],
    ["a flag as text", { ...QUEUE, dispatch_paused: "yes" }, getQueue, "dispatch_paused", "true or false"],
    ["deep inside", { ...BUILD, jobs }, getBuild, "jobs[1].agent.id", "a string"],
    ["a fraction", { ...BUILD, number: 1.5 }, getBuild, "number", "a whole number"],
    ["neither text nor list", oddAddresses, getToken, "allowed_ip_addresses", "a string or a list"],
    ["no secret", { id: "k-1" }, createToken, "token", "a string"],
    ["scopes", { uuid: "x", scopes: "all" }, getAccessToken, "scopes", "a list"],
  ];
  test.each(breaches)("%s", async (_, body, call, field, expected) => {
    const error = await failure(answer(200, body), call);
    const name = "UnexpectedResponseError";
    expect(error).toMatchObject({ name, field, expected, status: 200, attempts: 1 });
    expect(error).toMatchObject({ message: expect.stringContaining(`${field} is `) });
    expect(error).toMatchObject({ message: expect.stringMatching(/^(GET|POST) \/v2\//) });
  });

  const page = "<!doctype html><title>Sign in</title>";
  test.each<[string, Respond, string]>([
    ["the page of a login proxy", raw(200, page, "text/html"), 'a web page ("Sign in")'],
    ["a page without a title", raw(200, "<!doctype html><p>Hello</p>", ""), "a web page;"],
    ["text", raw(200, "Welcome", "text/plain"), "not JSON"],
    ["broken JSON", raw(200, '{"id": "0000'), "incomplete or broken JSON"],
    ["nothing at all", raw(200, ""), "empty"],
  ])("is %s", async (_, respond, received) => {
    const error = await failure(respond, get, { maxRetries: 0 });
    expect(error).toMatchObject({ name: "UnexpectedResponseError", field: "body", expected: "JSON" });
    expect(error).toMatchObject({ message: expect.stringContaining(`body is ${received}`) });
    expect(error).toMatchObject({ message: expect.stringContaining("baseUrl") });
    if (received === "empty") return;
    const withoutResult: Call[] = [remove, (c) => c.agents.stop("a-1"), (c) => c.accessToken.revoke()];
    for (const call of withoutResult) {
      const other = await failure(respond, call);
      expect(other).toMatchObject({ field: "body", expected: "no body or JSON", status: 200 });
      expect(other).toMatchObject({ message: expect.stringContaining(`body is ${received}`) });
      expect(mayHaveBeenCarriedOut(other)).toBe(true);
    }
  });

  test.each([true, false])("is larger than any answer may be; said in a header: %s", async (isSaid) => {
    const chunk = Buffer.alloc(1024 * 1024, " ");
    const length = isSaid ? { "content-length": String(65 * 1024 * 1024) } : {};
    const respond: Respond = (_, response) => {
      response.writeHead(200, { "content-type": "application/json", ...length });
      // Where it is said, nothing more comes: the client must not wait for it.
      const more = () => !response.destroyed && !isSaid && response.write(chunk, more);
      response.write(chunk, more);
    };
    const error = await failure(respond, list);
    expect(error).toMatchObject({ name: "UnexpectedResponseError", expected: "a body up to 64 MiB" });
  });
});

describe("what the documentation and the live service allow passes", () => {
  const agent = { id: "a-1", name: "agent", job: null, priority: null, last_job_finished_at: null };
  const paused = { ...QUEUE, dispatch_paused: true, dispatch_paused_note: null };
  const unset = { description: null, emoji: null, color: null, default_queue_id: null, created_by: null };
  const job = { id: "j-1", type: "waiter", exit_status: null, matrix: { os: "linux" }, agent: null };
  const build = { ...BUILD, env: { A: "1" }, pull_request: null, state: "canceling", jobs: [job] };

  test.each<[string, object, Call]>([
    ["fields of later versions", { ...CLUSTER, more: { a: [1] }, created_by: { id: "u", badge: 7 } }, get],
    ["unset fields as null", { ...CLUSTER, ...unset }, get],
    ["unset fields as empty text", { ...CLUSTER, description: "", emoji: "", color: "" }, get],
    ["a paused queue without its note", { ...paused, dispatch_paused_by: { id: "u-1" } }, getQueue],
    ["an agent in a new state", { ...agent, connection_state: "new" }, (c) => c.agents.get("a-1")],
    ["a build with a job that waits", build, getBuild],
  ])("%s", async (_, body, call) => {
    const { client } = await start(answer(200, body));
    expect(await call(client)).toEqual(body);
  });

  test.each([
    ["decorative fields of another type", { url: 7, created_by: { id: [], name: {}, badge: 7 } }],
    ["a user as text", { created_by: "Ada" }],
  ])("%s, which are left out", async (_, odd) => {
    const { client } = await start(answer(200, { ...CLUSTER, ...odd }));
    const user = typeof odd.created_by === "string" ? {} : { created_by: { badge: 7 } };
    expect(await get(client)).toEqual({ ...CLUSTER, ...user });
  });

  test.each<[string, Respond]>([
    ["a message", answer(200, { message: "gone" })],
    ["the deleted object", answer(200, CLUSTER)],
    ["an empty object", answer(200, {})],
    ...[200, 203, 204, 205].map((status): [string, Respond] => [`${status} and no body`, answer(status)]),
  ])("a deletion that responds with %s", async (_, respond) => {
    const { client } = await start(respond);
    expect(await remove(client)).toBeUndefined();
  });

  test("JSON with a byte order mark and another content type", async () => {
    const { client } = await start(raw(200, `\uFEFF${JSON.stringify(CLUSTER)}`, "text/plain"));
    expect(await get(client)).toEqual(CLUSTER);
  });
});

test.each([201, 202, 206])(
  "a deletion that responds with %i may not have been carried out",
  async (status) => {
    const { client, seen } = await start(answer(status, { message: "queued" }));
    const error = await rejection(remove(client));
    expect(error).toMatchObject({ name: "UnexpectedResponseError", status, field: "status", attempts: 1 });
    expect(mayHaveBeenCarriedOut(error)).toBe(true);
    expect(seen).toHaveLength(1);
  },
);

const creations: Call[] = [
  create,
  createToken,
  (c) => c.queues.create("c-1", { key: "x" }),
  (c) => c.pipelineTemplates.create({ name: "x", configuration: "" }),
  (c) => c.suites.create({ name: "x", default_branch: "main" }),
  (c) => c.builds.create("storefront", { commit: "HEAD", branch: "main" }),
];

test.each<[string, unknown]>([
  ["an empty object", {}],
  ["a list", [{ id: "x", name: "Linux", key: "k", token: "t", slug: "s", uuid: "u", configuration: "" }]],
  ["nothing", undefined],
  ["null", null],
  ["text", "created"],
  ["a number as id", { id: 7, uuid: 7, number: "x", name: "Linux", key: "k", slug: "s", token: 7 }],
])("a creation that is answered with %s may have been carried out", async (_, body) => {
  for (const status of [200, 201]) {
    const { client, seen } = await start(answer(status, body));
    for (const call of creations) {
      const error = await rejection(call(client));
      expect(error).toMatchObject({ name: "UnexpectedResponseError", status, attempts: 1 });
      expect(mayHaveBeenCarriedOut(error)).toBe(true);
    }
    expect(seen).toHaveLength(creations.length);
  }
});
