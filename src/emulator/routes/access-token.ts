import { accessTokenSchema, showAccessToken } from "../entities/access-token.js";
import { type Operation, operation } from "../http/operation.js";

const path = "/v2/access-token";
const section = "4.10";

/** Section 4.10. */
export const accessTokenOperations: readonly Operation[] = [
  operation({
    id: "accessToken.get",
    method: "GET",
    path,
    section,
    scope: null,
    summary: "Describe the access token of this request",
    response: accessTokenSchema,
    run: ({ token }) => showAccessToken(token),
  }),
  operation({
    id: "accessToken.revoke",
    method: "DELETE",
    path,
    section,
    scope: null,
    summary: "Revoke the access token of this request",
    status: 204,
    run: ({ data, token, now }) => {
      data.accessTokens.update(token.id, { revoked_at: now });
    },
  }),
];
