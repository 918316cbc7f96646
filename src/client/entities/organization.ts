import type * as z from "zod";
import { entity, identifier, text } from "./entity.js";

/** An organization (section 2.13). */
export interface Organization {
  /** UUID. */
  id: string;
  /** The name in addresses. */
  slug: string;
  name?: string | null;
  graphql_id?: string | null;
  /** Address in the REST interface. */
  url?: string | null;
  /** Address in the web interface. */
  web_url?: string | null;
  pipelines_url?: string | null;
  agents_url?: string | null;
  emojis_url?: string | null;
  /** ISO 8601, UTC. */
  created_at?: string | null;
}

export const organizationSchema: z.ZodType<Organization> = entity<Organization>(
  { id: identifier, slug: identifier },
  {
    name: text,
    graphql_id: text,
    url: text,
    web_url: text,
    pipelines_url: text,
    agents_url: text,
    emojis_url: text,
    created_at: text,
  },
);
