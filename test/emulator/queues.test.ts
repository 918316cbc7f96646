import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { Api } from "./api.js";

let api: Api;
let queues: string;
beforeEach(async () => {
  api = await Api.start({ seed: false });
  queues = `/clusters/${(await api.cluster()).id}/queues`;
});
afterEach(() => api.emulator.close());

describe("a queue", () => {
  test("is created with every documented field", async () => {
    const { status, body } = await api.send("POST", queues, { key: "macos_14-M2", description: "Macs" });
    expect(status).toBe(201);
    expect(body).toMatchObject({
      key: "macos_14-M2",
      description: "Macs",
      dispatch_paused: false,
      dispatch_paused_by: null,
      dispatch_paused_at: null,
      dispatch_paused_note: null,
      cluster_url: expect.stringContaining(queues.slice(0, -"/queues".length)),
      created_by: { name: "Ada Archer" },
    });
  });

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

  test("is paused with a note and resumed", async () => {
    const { id } = await api.entity("POST", queues, { key: "default" });
    const paused = await api.entity("POST", `${queues}/${id}/pause_dispatch`, {
      dispatch_paused_note: "Disk full",
    });
    expect(paused).toMatchObject({
      dispatch_paused: true,
      dispatch_paused_by: { name: "Ada Archer" },
      dispatch_paused_at: expect.any(String),
      dispatch_paused_note: "Disk full",
    });
    const again = await api.send("POST", `${queues}/${id}/pause_dispatch`, {});
    expect(again).toMatchObject({ status: 422, body: { message: "Cluster queue is already paused" } });
    expect(await api.entity("POST", `${queues}/${id}/resume_dispatch`)).toMatchObject({
      dispatch_paused: false,
      dispatch_paused_by: null,
      dispatch_paused_at: null,
      dispatch_paused_note: null,
    });
    const more = await api.send("POST", `${queues}/${id}/resume_dispatch`);
    expect(more).toMatchObject({ status: 422, body: { message: "Cluster queue is not paused" } });
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
    await other.emulator.close();
  });

  test("is not deleted while it is the default, or has connected agents", async () => {
    const cluster = queues.slice(0, -"/queues".length);
    const { id } = await api.entity("POST", queues, { key: "default" });
    await api.entity("PUT", cluster, { default_queue_id: id });
    expect(await api.send("DELETE", `${queues}/${id}`)).toMatchObject({ status: 422 });
    await api.entity("PUT", cluster, { default_queue_id: null });
    const agent = api.emulator.connectAgent({ queueId: String(id) });
    expect(await api.send("DELETE", `${queues}/${id}`)).toMatchObject({ status: 422 });
    api.emulator.disconnectAgent(agent.id);
    expect(await api.send("DELETE", `${queues}/${id}`)).toMatchObject({ status: 204 });
  });

  test("leaves its cluster without a default where the service lets it go", async () => {
    const other = await Api.start({ variations: { deleteDefaultQueue: "allowed" } });
    const { id: clusterId } = await other.cluster();
    const { id } = await other.queue(clusterId);
    await other.entity("PUT", `/clusters/${clusterId}`, { default_queue_id: id });
    expect(await other.send("DELETE", `/clusters/${clusterId}/queues/${id}`)).toMatchObject({ status: 204 });
    expect(await other.entity("GET", `/clusters/${clusterId}`)).toMatchObject({ default_queue_id: null });
    await other.emulator.close();
  });

  test("is found through its own cluster only", async () => {
    const { id } = await api.entity("POST", queues, { key: "default" });
    const other = await api.cluster({ name: "Other" });
    expect(await api.send("GET", `/clusters/${other.id}/queues/${id}`)).toMatchObject({ status: 404 });
  });
});
