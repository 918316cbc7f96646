import { randomBytes } from "node:crypto";
import { insertAgent } from "./agents.js";
import { type Answer, jsonAnswer } from "./http/answer.js";
import type { OrganizationData, RecordIn } from "./store/organization-data.js";
import type { Store } from "./store/store.js";

/** A request of an agent that starts: its `Authorization` header and its body. */
export type RegisterAgent = (authorization: string | undefined, body: unknown) => Answer;

/**
 * Makes `POST /v3/register` of the agent API, by which an agent starts or reconnects. The document of the REST API doesn't
 * have it: tests ask with it whether an agent can start now.
 */
export function agentRegistration(store: Store, clock: () => Date): RegisterAgent {
  return (authorization, body) => {
    const secret = /^Token\s+(\S+)\s*$/i.exec(authorization ?? "")?.[1] ?? "";
    const token = agentTokenOf(store.data, secret);
    if (token === undefined) return jsonAnswer(401, { message: "Invalid agent token" });
    const given: unknown = typeof body === "object" && body !== null ? Reflect.get(body, "name") : undefined;
    const agent = store.transaction(() =>
      insertAgent(store.data, {
        name: typeof given === "string" ? given : `agent-${store.data.agents.size + 1}`,
        cluster_id: token.cluster_id,
        created_at: clock().toISOString(),
        created_by: token.created_by,
      }),
    );
    const { id, name, meta_data } = agent;
    return jsonAnswer(200, { id, name, meta_data, access_token: randomBytes(20).toString("hex") });
  };
}

/** Returns the agent token with a secret; undefined if there is none, or it was revoked. */
export function agentTokenOf(data: OrganizationData, secret: string): RecordIn<"agentTokens"> | undefined {
  return data.agentTokens.list().find(({ token }) => token === secret);
}
