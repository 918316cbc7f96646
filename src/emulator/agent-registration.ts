import { randomBytes } from "node:crypto";
import { insertAgent } from "./agents.js";
import { type Answer, jsonAnswer } from "./http/answer.js";
import type { Service } from "./http/service.js";
import type { OrganizationData, RecordIn } from "./store/organization-data.js";

/**
 * Answers `POST /v3/register` of the agent API, by which an agent starts or reconnects. The document of the REST API doesn't
 * have it: tests ask with it whether an agent can start now.
 */
export function registerAgent(
  { store, clock }: Service,
  authorization: string | undefined,
  body: unknown,
): Answer {
  const { data } = store;
  const secret = /^Token\s+(\S+)\s*$/i.exec(authorization ?? "")?.[1] ?? "";
  const token = agentTokenOf(data, secret);
  if (token === undefined) return jsonAnswer(401, { message: "Invalid agent token" });
  const given: unknown = typeof body === "object" && body !== null ? Reflect.get(body, "name") : undefined;
  const { id, name, meta_data } = insertAgent(data, {
    name: typeof given === "string" ? given : `agent-${data.agents.size + 1}`,
    cluster_id: token.cluster_id,
    created_at: clock().toISOString(),
    created_by: token.created_by,
  });
  return jsonAnswer(200, { id, name, meta_data, access_token: randomBytes(20).toString("hex") });
}

/** Returns the agent token with a secret; undefined if there is none, or it was revoked. */
export function agentTokenOf(data: OrganizationData, secret: string): RecordIn<"agentTokens"> | undefined {
  return data.agentTokens.find("token", secret);
}
