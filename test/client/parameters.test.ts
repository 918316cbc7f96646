import { describe, expect, test } from "vitest";
import { ArgumentError, type BuildPipelineClient } from "../../src/client/index.js";
import { CLUSTER, connect, json, QUEUE, rejection, serve } from "./service.js";

describe("what is sent", () => {
  test("a body has the JSON content type", async () => {
    const service = await serve((_, response) => json(response, 201, CLUSTER));
    await connect(service.url).clusters.create({ name: "Linux" });
    expect(service.seen[0]?.headers["content-type"]).toBe("application/json");
  });

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

  test.each([
    ["192.0.2.1 10.0.0.1", "192.0.2.1 10.0.0.1"],
    [["192.0.2.1", "10.0.0.1"], "192.0.2.1 10.0.0.1"],
    [[], ""],
  ])("addresses given as %j are one text", async (addresses, sent) => {
    const service = await serve((_, response) => json(response, 200, { id: "k-1" }));
    await connect(service.url).agentTokens.update("c-1", "k-1", { allowed_ip_addresses: addresses });
    expect(JSON.parse(service.seen[0]?.body ?? "")).toEqual({ allowed_ip_addresses: sent });
  });

  test("another organization can be read by its slug", async () => {
    const service = await serve((_, response) => json(response, 200, { id: "o-2", slug: "other" }));
    await connect(service.url).organizations.get("other");
    expect(service.seen[0]?.target).toBe("/v2/organizations/other");
  });
});

describe("ids no request can be made of are refused before one is sent", () => {
  const refused: [string, (client: BuildPipelineClient) => Promise<unknown>, string][] = [
    ["empty", (c) => c.clusters.get(""), "id"],
    ["blank", (c) => c.clusters.delete("  "), "id"],
    ["a dot", (c) => c.clusters.get("."), "id"],
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
