import type * as z from "zod";
import { entity, text } from "./entity.js";

const user = entity({
  decorative: {
    /** UUID. */
    id: text,
    /** Opaque id of Buildkite's GraphQL API; some responses omit it. */
    graphql_id: text,
    name: text,
    email: text,
    /** Address of a picture. */
    avatar_url: text,
    /** ISO 8601, UTC. */
    created_at: text,
  },
});

/** A person, as other entities contain them. */
export interface User extends z.output<typeof user> {}

export const userSchema: z.ZodType<User> = user;
