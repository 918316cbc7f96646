import type { AgentTokenArgs } from "../../../src/index.js";
import type { KindCase } from "./kind-case.js";

export const agentTokenCase: KindCase<AgentTokenArgs> = {
  kind: "AgentToken",
  declare: (classes, name, args, opts) => new classes.AgentToken(name, args, opts),
  get: (classes, name, id, args) => classes.AgentToken.get(name, id, { clusterId: String(args.clusterId) }),
  surroundings: async (colleague) => ({
    cluster: String((await colleague.sends("POST", "/clusters", { name: "Tokens" })).id),
    other: String((await colleague.sends("POST", "/clusters", { name: "Other tokens" })).id),
  }),
  args: ({ cluster = "" }) => ({
    clusterId: cluster,
    description: "build farm",
    allowedIpAddresses: ["10.20.0.0/16", "192.0.2.7"],
  }),
  another: (args, name) => ({ ...args, description: `build farm ${name}` }),
  onService: () => ({ description: "build farm", allowed_ip_addresses: "10.20.0.0/16 192.0.2.7" }),
  changes: ({ other = "" }) => ({
    clusterId: [{ to: other, expect: "replace" }],
    description: [{ to: "new farm", expect: "update", onService: { description: "new farm" } }],
    allowedIpAddresses: [
      {
        to: ["198.51.100.0/24"],
        expect: "update",
        onService: { allowed_ip_addresses: "198.51.100.0/24" },
      },
      { to: undefined, expect: "update" },
    ],
    triggers: [{ to: { rotated: "now" }, expect: "replace" }],
  }),
  drifts: [
    {
      of: ["description", "allowedIpAddresses"],
      body: { description: "by hand", allowed_ip_addresses: "0.0.0.0/0" },
    },
    { of: ["allowedIpAddresses"], body: { allowed_ip_addresses: "" } },
  ],
  path: ({ cluster }, id) => `/clusters/${cluster}/tokens/${id}`,
  list: ({ cluster }) => `/clusters/${cluster}/tokens`,
  updateMethod: "PUT",
  importName: (_, token) => `Tokens/${token.id}`,
  byHand: (colleague, { cluster }) =>
    colleague.sends("POST", `/clusters/${cluster}/tokens`, {
      description: "build farm",
      allowed_ip_addresses: "192.0.2.7/32 10.20.0.0/16",
    }),
  unreturned: { triggers: { rotated: "before" } },
  mismatch: { allowedIpAddresses: ["203.0.113.0/24"] },
};
