import { createHash } from "node:crypto";
import { z } from "zod";
import { entity, type RecordOf } from "./entity.js";
import * as field from "./fields.js";

const fields = {
  id: field.uuid,
  graphql_id: field.derived(z.string().optional(), (user: { id: string }, view) =>
    view.variations.embeddedUserGraphqlId ? field.graphqlId("User").derive(user, view) : undefined,
  ),
  name: z.string(),
  email: z.string(),
  avatar_url: field.addressAt(({ email }: { email: string }) => {
    return `/avatars/${createHash("sha256").update(email).digest("hex").slice(0, 32)}`;
  }),
  created_at: field.timestamp,
};

/** A person who need not be a user, such as the author given with a build. */
export interface Person extends RecordOf<typeof fields> {}

/** A person. Only members appear in the organization's member list. */
export interface UserRecord extends Person {
  readonly member: boolean;
}

export const person = entity<Person>("User", fields);

/** A field that keeps a user's id and shows the user, or null when they are gone. */
export const user = field.keptAs(person.schema.nullable(), (id: string, view) => {
  const found = view.data.users.get(id);
  return found === undefined ? null : person.show(view, found);
});

export const userOrNull = field.keptAs(user.schema, (id: string | null, view) =>
  id === null ? null : user.show(id, view),
);
