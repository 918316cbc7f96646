import { describe, expect, test } from "vitest";
import { ArgumentError, type BuildPipelineClient } from "../../src/client/index.js";
import { BUILD, connect, json, QUEUE, rejection, serve } from "./service.js";

const org = "/v2/organizations/acme";

describe("what is sent", () => {
  test("resuming has the JSON content type and no body", async () => {
    const service = await serve((_, response) => json(response, 200, QUEUE));
    await connect(service.url).queues.resumeDispatch("c-1", "q-1");
    expect(service.seen[0]?.headers).toMatchObject({
      "content-type": "application/json",
      "content-length": "0",
    });
  });

  test("pausing without a note sends none", async () => {
    const service = await serve((_, response) => json(response, 200, { ...QUEUE, dispatch_paused: true }));
    await connect(service.url).queues.pauseDispatch("c-1", "q-1");
    expect(service.seen[0]?.body).toBe("{}");
  });

  test("stopping without options sends no body", async () => {
    const service = await serve((_, response) => response.writeHead(204).end());
    await connect(service.url).agents.stop("a-1");
    expect(service.seen[0]?.body).toBe("");
  });

  test("addresses given as text go out as they are", async () => {
    const service = await serve((_, response) => json(response, 201, { id: "k-1", token: "secret" }));
    await connect(service.url).agentTokens.create("c-1", {
      description: "d",
      allowed_ip_addresses: "10.0.0.1",
    });
    expect(JSON.parse(service.seen[0]?.body ?? "")).toEqual({
      description: "d",
      allowed_ip_addresses: "10.0.0.1",
    });
  });

  test("builds.list takes a pipeline, too", async () => {
    const service = await serve((_, response) => json(response, 200, [BUILD]));
    await connect(service.url).builds.list("storefront", { branch: "main" }).all();
    expect(service.seen[0]?.target).toBe(`${org}/pipelines/storefront/builds?branch=main&per_page=100`);
  });

  test("another organization can be read by its slug", async () => {
    const service = await serve((_, response) => json(response, 200, { id: "o-2", slug: "other" }));
    await connect(service.url).organizations.get("other");
    expect(service.seen[0]?.target).toBe("/v2/organizations/other");
  });

  test("all parameters of a build list", async () => {
    const service = await serve((_, response) => json(response, 200, []));
    await connect(service.url)
      .builds.listAll({
        branch: ["main", "feature/x&y"],
        commit: "abc",
        created_from: new Date(Date.UTC(2024, 0, 2, 3, 4, 5)),
        created_to: "2024-02-01T00:00:00Z",
        finished_from: new Date(0),
        creator: "u-1",
        include_retried_jobs: true,
        meta_data: { "release id": "1=2" },
        state: ["running", "finished"],
      })
      .all();
    expect([...(service.seen[0]?.query ?? [])]).toEqual([
      ["branch[]", "main"],
      ["branch[]", "feature/x&y"],
      ["commit", "abc"],
      ["created_from", "2024-01-02T03:04:05.000Z"],
      ["created_to", "2024-02-01T00:00:00Z"],
      ["finished_from", "1970-01-01T00:00:00.000Z"],
      ["creator", "u-1"],
      ["include_retried_jobs", "true"],
      ["meta_data[release id]", "1=2"],
      ["state[]", "running"],
      ["state[]", "finished"],
      ["per_page", "100"],
    ]);
  });

  test("include_retried_jobs counts when given, so false is left out", async () => {
    const service = await serve((_, response) => json(response, 200, BUILD));
    await connect(service.url).builds.get("storefront", 42, { include_retried_jobs: false });
    expect(service.seen[0]?.target).toBe(`${org}/pipelines/storefront/builds/42`);
  });
});

describe("ids no request can be made of are refused before one is sent", () => {
  const refused: [string, (client: BuildPipelineClient) => Promise<unknown>, string][] = [
    ["empty", (c) => c.clusters.get(""), "id"],
    ["blank", (c) => c.clusters.delete("  "), "id"],
    ["dots", (c) => c.queues.get("c-1", ".."), "queue_id"],
    ["in a list", (c) => c.queues.list("").all(), "cluster_id"],
    ["half a character", (c) => c.suites.get("\ud800"), "suite_slug"],
    ["a fraction", (c) => c.builds.get("storefront", 1.5), "number"],
    ["not a number", (c) => c.builds.cancel("storefront", Number.NaN), "number"],
    ["an empty slug", (c) => c.organizations.get(""), "org_slug"],
    ["an invalid date", (c) => c.builds.list({ created_from: new Date(Number.NaN) }).all(), "created_from"],
  ];
  test.each(refused)("%s", async (_, call, argument) => {
    const service = await serve((_request, response) => json(response, 200, []));
    const error = await rejection(call(connect(service.url)));
    expect(error).toBeInstanceOf(ArgumentError);
    expect(error).toMatchObject({ argument });
    expect(service.seen).toEqual([]);
  });
});
