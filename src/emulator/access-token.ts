import { randomBytes } from "node:crypto";
import { z } from "zod";
import { deletion, reading, section } from "./http/operation.js";
import * as model from "./model/entity.js";
import type { OrganizationData, StoredRecord } from "./store/collection.js";

const fields = {
  uuid: model.derived(model.uuid, ({ id }: StoredRecord) => id),
  scopes: z.array(z.string()).readonly(),
  description: model.inNewerApi(z.string().nullable()),
  created_at: model.inNewerApi(model.timestamp),
  expires_at: model.inNewerApi(model.timestamp.nullable()),
};

const holder = z.object({ name: z.string(), email: z.string() });

/** An API access token. `purpose` marks the ones the emulator hands out itself. */
export interface AccessTokenRecord extends model.RecordOf<typeof fields> {
  readonly id: string;
  /** The secret. */
  readonly token: string;
  readonly user_id: string;
  /** True if its user administers the organization. */
  readonly admin: boolean;
  /** True if it can read secret teams without its user as a member. */
  readonly sees_secret_teams: boolean;
  /** True if it can read pipelines of teams that its user isn't in. Files of earlier versions lack it: true. */
  readonly sees_all_pipelines?: boolean;
  readonly purpose: "full" | "read-only" | "spare" | null;
  readonly revoked_at: string | null;
}

const accessTokenDescription = model.entity<AccessTokenRecord>("AccessTokenDescription", {
  ...fields,
  user: model.derived(holder.optional(), ({ user_id }: { user_id: string }, { data, variations }) => {
    const user = variations.newerApi ? data.users.get(user_id) : undefined;
    return user && { name: user.name, email: user.email };
  }),
});

const path = "/v2/access-token";

export const accessToken = section("accessToken", null, {
  get: reading(
    path,
    "Describe the access token of this request",
    accessTokenDescription,
    ({ token }) => token,
  ),
  revoke: deletion(path, "Revoke the access token of this request", null, ({ data, token, now }) =>
    data.accessTokens.update(token.id, { revoked_at: now }),
  ),
});

/** @param made its `created_at` is that of its user by default */
export function insertAccessToken(
  data: OrganizationData,
  made: Pick<AccessTokenRecord, "scopes" | "user_id"> & Partial<AccessTokenRecord>,
): AccessTokenRecord {
  return data.accessTokens.insert({
    id: crypto.randomUUID(),
    token: `bpua_${randomBytes(20).toString("hex")}`,
    admin: true,
    sees_secret_teams: true,
    sees_all_pipelines: true,
    description: null,
    created_at: data.users.get(made.user_id)?.created_at ?? new Date(0).toISOString(),
    expires_at: null,
    purpose: null,
    revoked_at: null,
    ...made,
  });
}
