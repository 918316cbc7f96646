import { describe, expect, test } from "vitest";
import {
  answer,
  BUILD,
  type Call,
  CLUSTER,
  failure,
  get,
  inTurn,
  list,
  QUEUE,
  raw,
  start,
} from "./service.js";

/** What went wrong for people with other clients of this API, in our own words. */

describe("clearing a value was silently not sent", () => {
  const cluster: Call = (c) =>
    c.clusters.update("c-1", { description: "", color: null, default_queue_id: null });
  const template: Call = (c) => c.pipelineTemplates.update("t-1", { available: false, description: "" });
  const token: Call = (c) =>
    c.agentTokens.update("c-1", "a-1", { allowed_ip_addresses: "", description: "" });

  test.each<[string, Call, object, object]>([
    ["empty text and null", cluster, CLUSTER, { description: "", color: null, default_queue_id: null }],
    ["false", template, { uuid: "t-1", name: "n", configuration: "" }, { available: false, description: "" }],
    ["no address", token, { id: "a-1", description: "" }, { allowed_ip_addresses: "", description: "" }],
  ])("%s", async (_, call, response, sent) => {
    const { client, seen } = await start(answer(200, response));
    await call(client);
    expect(seen.map(({ body }) => JSON.parse(body))).toEqual([sent]);
  });
});

test("one field of another form broke a whole list", async () => {
  const clusters = [
    { ...CLUSTER, created_by: "Ada" },
    { ...CLUSTER, id: "c-2", web_url: { href: "x" } },
    CLUSTER,
  ];
  const { client } = await start(answer(200, clusters));
  expect(await list(client)).toMatchObject(clusters.map(({ id }) => ({ id })));
});

test("an object of another form in a build broke the whole build", async () => {
  const { client } = await start(answer(200, { ...BUILD, creator: "Ada", pull_request: [], env: null }));
  expect(await client.builds.get("storefront", 42)).toMatchObject(BUILD);
});

describe("after several tries, the status and the service's explanation were lost", () => {
  test("and only the last connection's failure was shown", async () => {
    const error = await failure(answer(503, { message: "Down for maintenance" }), get);
    expect(error).toMatchObject({ status: 503, attempts: 5, serviceMessage: "Down for maintenance" });
    expect(error).toMatchObject({
      message: expect.stringContaining("503 (sent 5 times): Down for maintenance."),
    });
  });

  test("or a page of HTML was shown in their place", async () => {
    const page = raw(502, "<!doctype html><html><h1>Bad gateway</h1></html>", "text/html");
    const error = await failure(page, get);
    expect(error).toMatchObject({ status: 502, attempts: 5, serviceMessage: "" });
    const words =
      "failed with 502 (sent 5 times), with a web page in place of JSON. The service has a problem.";
    expect(error).toMatchObject({ message: expect.stringContaining(words) });
    expect(error).toMatchObject({ message: expect.not.stringContaining("<") });
  });

  test.each([
    [503, "The service has a problem. Try again later."],
    [404, "A gateway may have answered in place of the API: check baseUrl first. Check the ids"],
  ])("or nothing said that a page for people came: %i", async (status, advice) => {
    const page = raw(status, `<html><head><title>\n Down for "a" while</title></head></html>`, "text/html");
    const message = String(await failure(page, get));
    expect(message).toContain(`with a web page ("Down for \\"a\\" while") in place of JSON. ${advice}`);
  });
});

test("unchanged properties, which need more rights, were sent with each update", async () => {
  const { client, seen } = await start(inTurn(answer(200, QUEUE), answer(200, QUEUE)));
  await client.queues.update("c-1", "q-1", { description: "builds" });
  expect(seen.map(({ body }) => body)).toEqual(['{"description":"builds"}']);
});
