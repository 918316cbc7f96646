import type * as z from "zod";
import { entity, identifier, text } from "./entity.js";

/** A test suite of the analytics part (section 2.7). Requests address it by `slug`. */
export interface Suite {
  /** UUID. */
  id: string;
  /** The name in addresses, unique in the organization. */
  slug: string;
  name: string;
  /** Opaque id of the service's GraphQL interface. */
  graphql_id?: string | null;
  /** Address in the REST interface. */
  url?: string | null;
  /** Address in the web interface. */
  web_url?: string | null;
  /** Branch whose trends are shown first; data is collected for all. */
  default_branch?: string | null;
  /** Named for the answer to a creation; may be missing elsewhere. */
  application_name?: string | null;
  /** Hex color code. Named for the answer to a creation; may be missing elsewhere. */
  color?: string | null;
  /** Emoji syntax, `:name:`, or a literal emoji. Named for the answer to a creation; may be missing elsewhere. */
  emoji?: string | null;
  /** Secret. Only where `show_api_token` was sent as true with the creation. */
  api_token?: string | null;
}

export const suiteSchema: z.ZodType<Suite> = entity<Suite>(
  { id: identifier, slug: identifier, name: identifier },
  {
    graphql_id: text,
    url: text,
    web_url: text,
    default_branch: text,
    application_name: text,
    color: text,
    emoji: text,
    api_token: text,
  },
);
