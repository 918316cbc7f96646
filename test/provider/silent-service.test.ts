import { expect, test } from "vitest";
import { serviceForEach } from "./driver.js";

const service = serviceForEach();
const cluster = (name: string) => [{ name }, { name, organization: "acme" }] as const;

test("an access token whose scopes are never told holds the preview for one request, and no longer", async () => {
  const fault = service.emulator.fault({ operation: "accessToken.get", times: 100, action: "hang" });
  const reasons = await Promise.all(
    ["a", "b", "c"].map((name) => service.driver.failures("Cluster", ...cluster(name))),
  );
  expect(reasons.flat()).toEqual([]);
  expect(fault.hits).toBe(1);
  expect(service.driver.warnings).toEqual([expect.stringContaining("scopes")]);
  expect(await service.driver.failures("Cluster", { name: "new" })).toEqual([
    expect.stringContaining("the API can't be reached"),
  ]);
  expect(fault.hits).toBe(1);
});
