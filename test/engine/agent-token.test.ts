import { describe, expect, test } from "vitest";
import type { AgentTokenArgs } from "../../src/index.js";
import { AgentToken, Cluster, throughEither } from "./doors.js";
import { lifecycle } from "./lifecycle.js";
import { TestStack } from "./stack.js";

lifecycle<AgentTokenArgs>({
  kind: "AgentToken",
  declare: (classes, name, args, opts) => new classes.AgentToken(name, args, opts),
  get: (classes, name, id, args) => classes.AgentToken.get(name, id, { clusterId: String(args.clusterId) }),
  surroundings: async (colleague) => ({
    cluster: String((await colleague.sends("POST", "/clusters", { name: "Linux" })).id),
    other: String((await colleague.sends("POST", "/clusters", { name: "Other" })).id),
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
  importName: (_, token) => `Linux/${token.id}`,
  byHand: (colleague, { cluster }) =>
    colleague.sends("POST", `/clusters/${cluster}/tokens`, {
      description: "build farm",
      allowed_ip_addresses: "192.0.2.7/32 10.20.0.0/16",
    }),
  mismatch: { allowedIpAddresses: ["203.0.113.0/24"] },
});

describe(throughEither("The secret of an agent token on the real engine"), () => {
  const stack = TestStack.forAll();

  const program =
    (args: Partial<AgentTokenArgs> = {}) =>
    async () => {
      const linux = new Cluster("linux", { name: "Linux" });
      const token = new AgentToken("token", { clusterId: linux, description: "farm", ...args });
      return { secret: token.token };
    };

  test("is kept through refresh and update, encrypted, and shows nowhere", async () => {
    const { outputs, output } = await stack.up(program());
    const secret = String(outputs.secret);
    expect(secret.length).toBeGreaterThan(10);
    const printed = [output];
    printed.push((await stack.refresh()).output);
    printed.push((await stack.up(program({ description: "another" }))).output);
    const again = await stack.preview(program({ description: "third", triggers: { rotated: "1" } }));
    printed.push(again.output);
    expect((await stack.up(program({ description: "third" }))).outputs.secret).toBe(secret);
    for (const text of [...printed, stack.files()]) expect(text).not.toContain(secret);
  });

  test("is rotated by triggers: the new token is made before the old one is revoked", async () => {
    const before = (await stack.up(program())).outputs.secret;
    stack.requests();
    const { outputs, steps } = await stack.up(program({ triggers: { rotated: "2" } }));
    expect(outputs.secret).not.toBe(before);
    expect(steps.token).toEqual(["create-replacement", "replace", "delete-replaced"]);
    const writes = stack.requests().filter((request) => !request.startsWith("GET"));
    expect(writes.map((request) => request.split(" ")[0])).toEqual(["POST", "DELETE"]);
    const { linux } = await stack.state();
    expect(await stack.colleague.list(`/clusters/${linux?.id}/tokens`)).toHaveLength(1);
    for (const value of [before, outputs.secret]) expect(stack.files()).not.toContain(String(value));
  });

  test("is undefined for an adopted token, with advice", async () => {
    const { linux } = await stack.state();
    const token = await stack.colleague.sends("POST", `/clusters/${linux?.id}/tokens`, {
      description: "old",
    });
    const { outputs, output } = await stack.up(async () => {
      const cluster = new Cluster("linux", { name: "Linux" });
      const adopted = new AgentToken(
        "adopted",
        { clusterId: cluster, description: "old" },
        { import: `Linux/${token.id}` },
      );
      return { adopted: adopted.token };
    });
    expect(outputs.adopted ?? undefined).toBeUndefined();
    expect(output).toContain("triggers");
  });
});
