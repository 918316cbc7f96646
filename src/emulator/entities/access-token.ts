import { z } from "zod";
import type { AccessTokenRecord } from "../store/records.js";
import { uuid } from "./wire.js";

/** Section 2.15. */
export const accessTokenSchema = z
  .object({ uuid, scopes: z.array(z.string()) })
  .meta({ id: "AccessTokenDescription" });

export function showAccessToken(token: AccessTokenRecord): z.infer<typeof accessTokenSchema> {
  return { uuid: token.id, scopes: [...token.scopes] };
}
