import type * as z from "zod";
import { entity, text } from "./entity.js";

/** A person, as embedded in other entities (section 2.1). */
export interface User {
  /** UUID. */
  id?: string | null;
  /** Opaque id of the service's GraphQL interface; absent in some places. */
  graphql_id?: string | null;
  name?: string | null;
  email?: string | null;
  /** Address of a picture. */
  avatar_url?: string | null;
  /** ISO 8601, UTC. */
  created_at?: string | null;
}

export const userSchema: z.ZodType<User> = entity<User>(
  {},
  { id: text, graphql_id: text, name: text, email: text, avatar_url: text, created_at: text },
);
