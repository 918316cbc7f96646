import * as z from "zod";
import { entity, identifier, text } from "./entity.js";
import { type User, userSchema } from "./user.js";

/** A credential that connects agents to a cluster (section 2.4). Without its secret: see {@link CreatedAgentToken}. */
export interface AgentToken {
  /** UUID. Not secret. */
  id: string;
  /** Opaque id of the service's GraphQL interface. */
  graphql_id?: string | null;
  description?: string | null;
  /**
   * IPv4 addresses in CIDR notation from which agents may use the token, as the service gives them: one string
   * separated by spaces, or a list; null or "" when every address is allowed.
   */
  allowed_ip_addresses?: string | string[] | null;
  /** Canonical address in the REST interface. */
  url?: string | null;
  /** Address of the owning cluster in the REST interface. */
  cluster_url?: string | null;
  /** ISO 8601, UTC. */
  created_at?: string | null;
  created_by?: User | null;
}

/** An agent token in the one answer that carries its secret: the answer to its creation (section 2.4). */
export interface CreatedAgentToken extends AgentToken {
  /** The secret value agents connect with. The service never shows it again: store it now. */
  token: string;
}

const tolerated = {
  graphql_id: text,
  description: text,
  allowed_ip_addresses: z.union([z.string(), z.array(z.string())]).nullable(),
  url: text,
  cluster_url: text,
  created_at: text,
  created_by: userSchema.nullable(),
};

export const agentTokenSchema: z.ZodType<AgentToken> = entity<AgentToken>({ id: identifier }, tolerated);

export const createdAgentTokenSchema: z.ZodType<CreatedAgentToken> = entity<CreatedAgentToken>(
  { id: identifier, token: identifier },
  tolerated,
);
