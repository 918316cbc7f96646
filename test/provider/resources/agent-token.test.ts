import { expect, test } from "vitest";
import { getAgentToken, getAgentTokens } from "../../../src/index.js";
import { Driver } from "../../support/driver.js";
import { surroundings } from "../functions/surroundings.js";

const at = surroundings();
const EXPIRES_AT = "2031-01-01T00:00:00.000Z";

/** A token in state, which the service returns with another expiry than at its creation, where there is one. */
async function refreshed(expires_at?: unknown) {
  const driver = Driver.for(at.emulator);
  const { id: clusterId } = await at.client.clusters.create({ name: "Linux" });
  const created = await driver.create("AgentToken", { clusterId, description: "farm", __secrets: [] });
  expect(created.outs).not.toHaveProperty("expiresAt");
  if (expires_at !== undefined) {
    const change = (body: unknown) =>
      Array.isArray(body) ? body.map((one) => ({ ...one, expires_at })) : { ...Object(body), expires_at };
    at.emulator.fault({ times: Number.POSITIVE_INFINITY, when: "after", action: { change } });
  }
  const { id, inputs } = created;
  const { props: outs = {} } = await driver.read(created);
  expect(await driver.plan({ ...created, outs })).toEqual({ changes: false });
  const updated = await driver.update({ kind: "AgentToken", id, inputs, outs }, { description: "other" });
  const results = [
    await getAgentToken({ clusterId, id }),
    ...(await getAgentTokens({ clusterId })).agentTokens,
  ];
  return [outs, updated.outs ?? {}, ...results];
}

test("An agent token has the output expiresAt, and functions return it, where the service does", async () => {
  for (const outputs of await refreshed(EXPIRES_AT)) expect(outputs).toMatchObject({ expiresAt: EXPIRES_AT });
});

test.each([[undefined], [null], [7], [{ at: EXPIRES_AT }]])(
  "The expiry %j of an agent token is none: neither the state nor a function's result has the field",
  async (expires_at) => {
    for (const outputs of await refreshed(expires_at)) expect(outputs).not.toHaveProperty("expiresAt");
  },
);
