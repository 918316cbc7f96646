import * as z from "zod";
import { entity, identifier, text } from "./entity.js";
import { type User, userSchema } from "./user.js";

/** A step configuration that pipelines share; Enterprise plan only (section 2.5). */
export interface PipelineTemplate {
  /** UUID. This is the template's id: it has no `id`. */
  uuid: string;
  name: string;
  /** Steps as YAML text. */
  configuration: string;
  /** Opaque id of the service's GraphQL interface. */
  graphql_id?: string | null;
  /** null or "" when unset. */
  description?: string | null;
  /** Whether people who are no admins may assign the template to pipelines. */
  available?: boolean;
  /** Canonical address in the REST interface. */
  url?: string | null;
  /** Address in the web interface. */
  web_url?: string | null;
  /** ISO 8601, UTC. */
  created_at?: string | null;
  created_by?: User | null;
  /** Time of the last update; ISO 8601, UTC. */
  updated_at?: string | null;
  /** Who updated last. */
  updated_by?: User | null;
}

export const pipelineTemplateSchema: z.ZodType<PipelineTemplate> = entity<PipelineTemplate>(
  { uuid: identifier, name: identifier, configuration: z.string() },
  {
    graphql_id: text,
    description: text,
    available: z.boolean(),
    url: text,
    web_url: text,
    created_at: text,
    created_by: userSchema.nullable(),
    updated_at: text,
    updated_by: userSchema.nullable(),
  },
);
