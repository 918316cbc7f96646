import { describe, expect, test } from "vitest";
import { Api } from "./api.js";

const api = Api.forEach();

async function agentToken() {
  const { id: clusterId } = await api.entity("POST", "/clusters", { name: "Linux" });
  const path = `/clusters/${clusterId}/tokens`;
  const { id, token } = await api.entity("POST", path, { description: "farm" });
  return { clusterId, path: `${path}/${id}`, secret: String(token) };
}

/** Starts an agent as Buildkite's agent does. */
function start(authorization: string, body?: unknown): Promise<Response> {
  return fetch(`${api.emulator.url}/v3/register`, {
    method: "POST",
    headers: { authorization, "content-type": "application/json" },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
}

describe("An agent that starts", () => {
  test("connects to the cluster of its token", async () => {
    const { clusterId, secret } = await agentToken();
    const response = await start(`Token ${secret}`, { name: "boot-1" });
    expect(response.status).toBe(200);
    const { id, name } = (await response.json()) as { id: string; name: string };
    expect(name).toBe("boot-1");
    const agent = api.emulator.organizationData.agents.get(id);
    expect(agent).toMatchObject({ connection_state: "connected", cluster_id: clusterId });
    expect((await start(`Token ${secret}`)).status).toBe(200);
  });

  test("is refused with a revoked token, while connected agents stay connected", async () => {
    const { path, secret } = await agentToken();
    const agent = api.emulator.connectAgent({ token: secret });
    await api.send("DELETE", path);
    expect((await start(`Token ${secret}`)).status).toBe(401);
    for (const known of [{}, { id: agent.id }]) {
      const connect = () => api.emulator.connectAgent({ ...known, token: secret });
      expect(connect).toThrow("There is no agent token with this secret.");
    }
    expect(api.emulator.organizationData.agents.get(agent.id)?.connection_state).toBe("connected");
  });

  test.each(["", "Token", "Token unknown", "Bearer unknown", "Token {access token}"])(
    "is refused with %j",
    async (authorization) => {
      const { accessToken } = api.emulator;
      expect((await start(authorization.replace("{access token}", accessToken))).status).toBe(401);
    },
  );
});
