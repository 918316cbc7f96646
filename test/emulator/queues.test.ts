import { beforeEach, describe, expect, test } from "vitest";
import { Api } from "./api.js";

const api = Api.forEach({ seed: false });
let cluster: string;
let queues: string;
beforeEach(async () => {
  cluster = String((await api.cluster()).id);
  queues = `/clusters/${cluster}/queues`;
});

describe("a queue", () => {
  test("has a key that its cluster has once, and another cluster may have too", async () => {
    await api.entity("POST", queues, { key: "default" });
    const body = { message: "Validation failed: Key has already been taken" };
    expect(await api.send("POST", queues, { key: "default" })).toMatchObject({ status: 422, body });
    const other = await api.cluster({ name: "Other" });
    expect(await api.queue(other.id, "default")).toMatchObject({ key: "default" });
  });

  test("is refused beside 50 others in its cluster, which is the limit of Buildkite", async () => {
    const params = { cluster_id: cluster };
    for (let index = 0; index < 50; index++)
      api.emulator.perform("queues.create", { params, body: { key: `q${index}` } });
    expect(await api.send("POST", queues, { key: "one-more" })).toMatchObject({ status: 422 });
    expect(await api.list(`${queues}?per_page=100`)).toHaveLength(50);
  });

  test("is a 404 below another cluster, because its address has its own", async () => {
    const { id } = await api.entity("POST", queues, { key: "default" });
    const other = await api.cluster({ name: "Other" });
    expect(await api.send("GET", `/clusters/${other.id}/queues/${id}`)).toMatchObject({ status: 404 });
  });
});
