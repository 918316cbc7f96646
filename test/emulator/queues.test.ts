import { beforeEach, describe, expect, test } from "vitest";
import { Api } from "./api.js";

const api = Api.forEach({ seed: false });
let queues: string;
beforeEach(async () => {
  queues = `/clusters/${(await api.cluster()).id}/queues`;
});

describe("a queue", () => {
  test.each(["has blank", "umlaut-ü", "dot.dot", "", null, 7])("cannot have the key %j", async (key) => {
    const answer = await api.send("POST", queues, { key });
    expect(answer).toMatchObject({
      status: 422,
      body: { message: expect.stringMatching(/^Validation failed: Key /) },
    });
  });

  test("has a key that its cluster has once, and another cluster may have too", async () => {
    await api.entity("POST", queues, { key: "default" });
    expect(await api.send("POST", queues, { key: "default" })).toMatchObject({
      status: 422,
      body: { message: "Validation failed: Key has already been taken" },
    });
    const other = await api.cluster({ name: "Other" });
    expect(await api.queue(other.id, "default")).toMatchObject({ key: "default" });
  });

  test("keeps its key for ever", async () => {
    const { id } = await api.entity("POST", queues, { key: "default" });
    expect(await api.entity("PUT", `${queues}/${id}`, { key: "other", description: "x" })).toMatchObject({
      key: "default",
      description: "x",
    });
  });

  test("has 49 others beside it at most", async () => {
    for (let index = 0; index < 50; index++) await api.entity("POST", queues, { key: `q${index}` });
    expect(await api.send("POST", queues, { key: "one-more" })).toMatchObject({ status: 422 });
    expect(await api.list(`${queues}?per_page=100`)).toHaveLength(50);
  });

  test("is paused without a body, and without a content type", async () => {
    const { id } = await api.entity("POST", queues, { key: "default" });
    expect(await api.entity("POST", `${queues}/${id}/pause_dispatch`)).toMatchObject({
      dispatch_paused: true,
      dispatch_paused_note: null,
    });
  });

  test.each([
    ["dispatch_paused_note", "left"],
    ["note", "right"],
    ["both", "left"],
  ] as const)("takes its note from %s where the service does", async (pauseNoteField, expected) => {
    const other = await Api.start({ variations: { pauseNoteField } });
    const { id: clusterId } = await other.cluster();
    const { id } = await other.queue(clusterId);
    const path = `/clusters/${clusterId}/queues/${id}/pause_dispatch`;
    const paused = await other.entity("POST", path, { dispatch_paused_note: "left", note: "right" });
    expect(paused.dispatch_paused_note).toBe(expected);
  });

  test("leaves its cluster without a default where the service lets it go", async () => {
    const other = await Api.start({ variations: { deleteDefaultQueue: "allowed" } });
    const { id: clusterId } = await other.cluster();
    const { id } = await other.queue(clusterId);
    await other.entity("PUT", `/clusters/${clusterId}`, { default_queue_id: id });
    expect(await other.send("DELETE", `/clusters/${clusterId}/queues/${id}`)).toMatchObject({ status: 204 });
    expect(await other.entity("GET", `/clusters/${clusterId}`)).toMatchObject({ default_queue_id: null });
  });

  test("is found through its own cluster only", async () => {
    const { id } = await api.entity("POST", queues, { key: "default" });
    const other = await api.cluster({ name: "Other" });
    expect(await api.send("GET", `/clusters/${other.id}/queues/${id}`)).toMatchObject({ status: 404 });
  });
});
