import { expect, test } from "vitest";
import { serviceForEach } from "./driver.js";

const service = serviceForEach();
const cluster = (name: string) => [{ name }, { name, organization: "acme" }] as const;

test("an access token whose scopes the service never names delays the preview by one request only", async () => {
  const run = service.impatientRun();
  const fault = service.emulator.fault({ operation: "accessToken.get", times: 100, action: "hang" });
  const reasons = await Promise.all(["a", "b", "c"].map((name) => run.failures("Cluster", ...cluster(name))));
  expect(reasons.flat()).toEqual([]);
  expect(fault.hits).toBe(1);
  expect(run.warnings).toEqual([expect.stringContaining("scopes")]);
  expect(await run.failures("Cluster", { name: "new" })).toEqual([
    expect.stringContaining("the API can't be reached"),
  ]);
  expect(fault.hits).toBe(1);
});
