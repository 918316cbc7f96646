import { randomBytes } from "node:crypto";
import { z } from "zod";
import { agentFields, agentJob, agentOrigin, buildOfJob, showAgentJob } from "./builds/jobs.js";
import { cancelBuild } from "./builds/progress.js";
import { type Answer, jsonAnswer } from "./http/answer.js";
import { type Call, listing, operation, reading, section } from "./http/operation.js";
import { type EmulatedService, isPast } from "./http/service.js";
import { optionalFlag } from "./model/body.js";
import * as model from "./model/entity.js";
import { found, Refusal } from "./model/refusals.js";
import type { OrganizationData, StoredRecord } from "./store/collection.js";

interface Agent extends StoredRecord {
  /** The job it runs now. */
  readonly job_id: string | null;
  readonly created_by: string;
}

const fields = {
  ...agentFields,
  /** `connected` and `disconnected` are documented; services also show `stopping`, `stopped`, `lost`, `never_connected`. */
  connection_state: agentFields.connection_state,
  version: z.string(),
  ...agentOrigin,
  job: model.derived(agentJob.schema.nullable(), ({ job_id }: Agent, view) => showAgentJob(view, job_id)),
  last_job_finished_at: model.keptAs(
    z.union([model.timestamp, z.number()]).nullable(),
    (kept: string | null, { variations }) =>
      kept !== null && variations.lastJobFinishedAt === "epoch" ? Math.floor(Date.parse(kept) / 1000) : kept,
  ),
  priority: model.keptAs(
    z.union([z.number(), z.string()]).nullable(),
    (kept: number | null, { variations }) =>
      kept !== null && variations.agentPriority === "string" ? String(kept) : kept,
  ),
  meta_data: z.array(z.string()),
};

export interface AgentRecord extends model.RecordOf<typeof fields>, Agent {
  readonly cluster_id: string | null;
  readonly cluster_queue_id: string | null;
}

const agent = model.entity<AgentRecord>("Agent", fields);

const collection = "/v2/organizations/{org_slug}/agents";
const single = `${collection}/{id}`;
const filters = { name: "The agent's name.", hostname: "Its host's name.", version: "Its exact version." };
const parameters = ["name", "hostname", "version"] as const;

export const agents = section("agents", "agents", {
  list: listing(
    collection,
    "List the connected agents",
    agent,
    ({ data, query, variations }) => {
      const matches = (one: AgentRecord, parameter: keyof typeof filters) => {
        const wanted = query.one(parameter) ?? "";
        const isExact = variations.agentFilter === "exact" || parameter === "version";
        return wanted === "" || (isExact ? one[parameter] === wanted : one[parameter].includes(wanted));
      };
      const connected = data.agents.list("connection_state", "connected");
      return connected.filter((one) => parameters.every((parameter) => matches(one, parameter)));
    },
    { query: filters },
  ),
  get: reading(single, "Get an agent, connected or not", agent, findAgent),
  stop: operation("PUT", `${single}/stop`, "Have an agent accept no new jobs and shut down", {
    body: z.object({ force: optionalFlag(true) }),
    errors: { 400: "the agent is not connected", 403: "the user does not administer the organization" },
    run: (call) => {
      const { data, body, token, now } = call;
      if (!token.admin) throw new Refusal(403, "Only organization admins can stop agents");
      const { id, connection_state, job_id } = findAgent(call);
      if (connection_state !== "connected") throw new Refusal(400, "Can only stop connected agents");
      if (body.force && job_id !== null) {
        const build = buildOfJob(data, job_id);
        if (build !== undefined) cancelBuild(data, build, "Agent was stopped", now);
      }
      return data.agents.update(id, { connection_state: "stopping", ...(body.force && { job_id: null }) });
    },
  }),
});

function findAgent({ data, params }: Call<"id">): AgentRecord {
  return found(data.agents.get(params.id.toLowerCase()), "agent");
}

export function insertAgent(
  data: OrganizationData,
  made: Pick<AgentRecord, "name" | "created_at" | "created_by"> & Partial<AgentRecord>,
): AgentRecord {
  const version = made.version ?? "3.90.0";
  return data.agents.insert({
    id: crypto.randomUUID(),
    connection_state: "connected",
    hostname: `${made.name}.internal`,
    ip_address: "192.0.2.99",
    user_agent: `build-agent/${version} (linux; amd64)`,
    version,
    priority: null,
    meta_data: ["queue=default"],
    cluster_id: null,
    cluster_queue_id: null,
    job_id: null,
    last_job_finished_at: null,
    ...made,
  });
}

/**
 * Answers `POST /v3/register` of the agent API, by which an agent starts or reconnects. The REST API doesn't have it: tests
 * ask with it whether an agent can start now.
 */
export function registerAgent({ store, clock }: EmulatedService, authorization = "", body: unknown): Answer {
  const { data } = store;
  const secret = /^Token\s+(\S+)\s*$/i.exec(authorization)?.[1] ?? "";
  const token = data.agentTokens.find("token", secret);
  if (token === undefined || isPast(token.expires_at, clock())) {
    return jsonAnswer(401, { message: "Invalid agent token" });
  }
  const given = typeof body === "object" && body !== null && "name" in body ? body.name : undefined;
  const { id, name, meta_data } = insertAgent(data, {
    name: typeof given === "string" ? given : `agent-${data.agents.size + 1}`,
    cluster_id: token.cluster_id,
    created_at: clock().toISOString(),
    created_by: token.created_by,
  });
  return jsonAnswer(200, { id, name, meta_data, access_token: randomBytes(20).toString("hex") });
}
