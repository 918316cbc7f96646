import type { DocumentedOperation } from "./operations.js";

/**
 * The operations of the second part of the API document, row by row, written down from it and from nothing else. Paths have no
 * slash at their end, as published clients send them.
 */
const organization = "/v2/organizations/{org_slug}";
const team = `${organization}/teams/{team_uuid}` as const;
const members = `${team}/members` as const;
const secrets = `${organization}/clusters/{cluster_id}/secrets` as const;

const invalid = { status: 422, message: "Validation failed: …" } as const;
const reason = { status: 422, message: "reason" } as const;

// biome-ignore format: a row of the document is a line or two here.
const rows = [
  { id: "teamMembers.list", method: "GET", path: members, section: "II.4.1", scope: "view_teams", success: 200, list: "whole" },
  { id: "teamMembers.get", method: "GET", path: `${members}/{user_uuid}`, section: "II.4.1", scope: "view_teams", success: 200 },
  { id: "teamMembers.create", method: "POST", path: members, section: "II.4.1", scope: "write_teams", success: 201,
    body: { required: ["user_id", "role"], optional: [] }, errors: [invalid] },
  { id: "teamMembers.update", method: "PATCH", path: `${members}/{user_uuid}`, section: "II.4.1", scope: "write_teams", success: 200,
    body: { required: ["role"], optional: [] }, errors: [invalid] },
  { id: "teamMembers.delete", method: "DELETE", path: `${members}/{user_uuid}`, section: "II.4.1", scope: "write_teams", success: 204, errors: [reason] },

  { id: "clusterSecrets.list", method: "GET", path: secrets, section: "II.6", scope: "read_secrets_details", success: 200, list: "pages" },
  { id: "clusterSecrets.get", method: "GET", path: `${secrets}/{id}`, section: "II.6", scope: "read_secrets_details", success: 200 },
  { id: "clusterSecrets.create", method: "POST", path: secrets, section: "II.6", scope: "write_secrets", success: 201,
    body: { required: ["key", "value"], optional: ["description", "policy"] } },
  { id: "clusterSecrets.update", method: "PUT", path: `${secrets}/{id}`, section: "II.6", scope: "write_secrets", success: 200,
    body: { required: [], optional: ["description", "policy"] } },
  { id: "clusterSecrets.updateValue", method: "PUT", path: `${secrets}/{id}/value`, section: "II.6", scope: "write_secrets", success: 200,
    body: { required: ["value"], optional: [] } },
  { id: "clusterSecrets.delete", method: "DELETE", path: `${secrets}/{id}`, section: "II.6", scope: "write_secrets", success: 204 },
] as const satisfies readonly DocumentedOperation[];

export type SecondPartId = (typeof rows)[number]["id"];

export const secondPart: readonly (DocumentedOperation & { readonly id: SecondPartId })[] = rows;
