import { createHash } from "node:crypto";
import { z } from "zod";
import type { UserRecord } from "../store/records.js";
import { graphqlId, type View } from "./view.js";
import { address, opaqueId, timestamp, uuid } from "./wire.js";

/** Section 2.1. */
export const userSchema = z
  .object({
    id: uuid,
    graphql_id: opaqueId.optional(),
    name: z.string(),
    email: z.string(),
    avatar_url: address,
    created_at: timestamp,
  })
  .meta({ id: "User" });

/** Section 2.14. */
export const memberSchema = z
  .object({ id: uuid, name: z.string(), email: z.string() })
  .meta({ id: "OrganizationMember" });

/** The user as embedded in what they made, or null when they are gone. */
export function showUser(view: View, id: string | null): z.infer<typeof userSchema> | null {
  const user = id === null ? undefined : view.data.users.get(id);
  return user === undefined ? null : showPerson(view, user);
}

/** A person who need not be a user, such as the author given with a build. */
export function showPerson(view: View, user: Omit<UserRecord, "member">): z.infer<typeof userSchema> {
  return {
    id: user.id,
    ...(view.variations.embeddedUserGraphqlId ? { graphql_id: graphqlId("User", user.id) } : {}),
    name: user.name,
    email: user.email,
    avatar_url: `${view.base}/avatars/${createHash("sha256").update(user.email).digest("hex").slice(0, 32)}`,
    created_at: user.created_at,
  };
}

export function showMember(user: UserRecord): z.infer<typeof memberSchema> {
  return { id: user.id, name: user.name, email: user.email };
}
