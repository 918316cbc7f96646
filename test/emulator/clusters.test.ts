import { describe, expect, test } from "vitest";
import { Api } from "./api.js";

const api = Api.forEach({ seed: false });

describe("a cluster", () => {
  test("takes its queues and tokens along when it is deleted, its default queue too", async () => {
    const { id } = await api.cluster();
    const queue = await api.queue(id);
    await api.entity("PUT", `/clusters/${id}`, { default_queue_id: queue.id });
    await api.entity("POST", `/clusters/${id}/tokens`, { description: "x" });
    expect(await api.send("DELETE", `/clusters/${id}`)).toMatchObject({ status: 204, body: "" });
    for (const path of ["", "/queues", "/tokens", `/queues/${queue.id}`]) {
      const gone = await api.send("GET", `/clusters/${id}${path}`);
      expect(gone).toMatchObject({ status: 404, body: { message: "No cluster found" } });
    }
    const { queues, agentTokens } = api.emulator.organizationData;
    expect([queues.size, agentTokens.size]).toEqual([0, 0]);
  });
});
