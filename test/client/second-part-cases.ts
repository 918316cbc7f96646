import type { SecondPartId } from "../conformance/second-part.js";
import type { Call } from "./service.js";

/** A call of an operation, and what it is on the wire. */
export interface WireCase {
  readonly call: Call;
  /** What stands in the path for the placeholders, the organization apart. */
  readonly ids: readonly string[];
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: object;
  /** The response, or the entry of a list; without it, the response has no body. */
  readonly response?: object;
}

const at = "2026-04-01T10:00:00.000Z";
const ada = { id: "u-1", graphql_id: "VXNlcg==", name: "Ada", email: "ada@example.com", created_at: at };

const member = { user_id: "u-1", user_name: "Ada", role: "maintainer", created_at: at };
const secret = {
  id: "s-1",
  graphql_id: "U2VjcmV0",
  key: "DEPLOY_KEY",
  description: "",
  policy: null,
  url: "https://api.example.com/v2/organizations/acme/clusters/c-1/secrets/s-1",
  cluster_url: "https://api.example.com/v2/organizations/acme/clusters/c-1",
  created_at: at,
  created_by: ada,
  updated_at: at,
  updated_by: null,
  last_read_at: null,
  organization: { id: "o-1", slug: "acme", url: "https://api.example.com/v2/organizations/acme" },
};
const policy = "- pipeline_slug: storefront\n";

export const cases: Readonly<Record<SecondPartId, WireCase>> = {
  "teamMembers.list": { call: (c) => c.teamMembers.list("t-1").all(), ids: ["t-1"], response: member },
  "teamMembers.get": {
    call: (c) => c.teamMembers.get("t-1", "u-1"),
    ids: ["t-1", "u-1"],
    response: member,
  },
  "teamMembers.create": {
    call: (c) => c.teamMembers.create("t-1", { user_id: "u-1", role: "maintainer" }),
    ids: ["t-1"],
    body: { user_id: "u-1", role: "maintainer" },
    response: member,
  },
  "teamMembers.update": {
    call: (c) => c.teamMembers.update("t-1", "u-1", { role: "member" }),
    ids: ["t-1", "u-1"],
    body: { role: "member" },
    response: { ...member, role: "member" },
  },
  "teamMembers.delete": { call: (c) => c.teamMembers.delete("t-1", "u-1"), ids: ["t-1", "u-1"] },

  "clusterSecrets.list": { call: (c) => c.clusterSecrets.list("c-1").all(), ids: ["c-1"], response: secret },
  "clusterSecrets.get": {
    call: (c) => c.clusterSecrets.get("c-1", "s-1"),
    ids: ["c-1", "s-1"],
    response: secret,
  },
  "clusterSecrets.create": {
    call: (c) =>
      c.clusterSecrets.create("c-1", { key: "DEPLOY_KEY", value: "hush\n", description: "Deploys", policy }),
    ids: ["c-1"],
    body: { key: "DEPLOY_KEY", value: "hush\n", description: "Deploys", policy },
    response: { ...secret, description: "Deploys", policy },
  },
  "clusterSecrets.update": {
    call: (c) => c.clusterSecrets.update("c-1", "s-1", { description: "", policy }),
    ids: ["c-1", "s-1"],
    body: { description: "", policy },
    response: { ...secret, policy, updated_by: ada },
  },
  "clusterSecrets.updateValue": {
    call: (c) => c.clusterSecrets.updateValue("c-1", "s-1", { value: "hush" }),
    ids: ["c-1", "s-1"],
    body: { value: "hush" },
    response: { ...secret, updated_by: ada },
  },
  "clusterSecrets.delete": { call: (c) => c.clusterSecrets.delete("c-1", "s-1"), ids: ["c-1", "s-1"] },
};
