import { randomBytes } from "node:crypto";
import { z } from "zod";
import { deletion, reading, section } from "./http/operation.js";
import * as model from "./model/entity.js";
import type { OrganizationData, StoredRecord } from "./store/collection.js";

const fields = {
  uuid: model.derived(model.uuid, ({ id }: StoredRecord) => id),
  scopes: z.array(z.string()).readonly(),
};

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
  readonly purpose: "full" | "read-only" | "spare" | null;
  readonly revoked_at: string | null;
}

const accessTokenDescription = model.entity<AccessTokenRecord>("AccessTokenDescription", fields);

const path = "/v2/access-token";

export const accessToken = section("accessToken", "4.10", null, {
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

export function insertAccessToken(
  data: OrganizationData,
  made: Pick<AccessTokenRecord, "scopes" | "user_id"> & Partial<AccessTokenRecord>,
): AccessTokenRecord {
  return data.accessTokens.insert({
    id: crypto.randomUUID(),
    token: `bpua_${randomBytes(20).toString("hex")}`,
    admin: true,
    sees_secret_teams: true,
    purpose: null,
    revoked_at: null,
    ...made,
  });
}
