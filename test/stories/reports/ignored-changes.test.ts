import fc from "fast-check";
import { expect, test } from "vitest";
import { cases } from "../../support/cases.js";
import { serviceForEach } from "../../support/driver.js";

/** Paths in `ignoreChanges` that were accepted, and ignored more or less than they said. */

const service = serviceForEach();

async function importing(importIgnoreChanges: readonly string[], allowedIpAddresses: readonly string[]) {
  const { driver, colleague } = service;
  const { id: clusterId } = await driver.create("Cluster", { name: "Linux" });
  const { id } = await colleague.sends("POST", `/clusters/${clusterId}/tokens`, {
    description: "farm",
    allowed_ip_addresses: "10.0.0.0/8 192.0.2.7",
  });
  const provider = await service.newRun().kind("AgentToken");
  const { inputs = {}, failures = [] } = await provider.check(
    {},
    {
      ...{ clusterId, description: "farm", allowedIpAddresses, importIgnoreChanges, __secrets: [] },
      import: `Linux/${id}`,
    },
  );
  return { addresses: inputs.allowedIpAddresses, failures: failures.map(({ reason }) => reason).join() };
}

test("The path of one entry doesn't hide from an import that another entry differs", async () => {
  const { failures } = await importing(["allowedIpAddresses[1]"], ["10.9.0.0/16", "172.16.0.0/12"]);
  expect(failures).toContain(
    'the program has ["10.9.0.0/16","192.0.2.7"], the service has ["10.0.0.0/8","192.0.2.7"]',
  );
});

test("An entry whose changes are ignored is imported as the object has it", async () => {
  const { addresses, failures } = await importing(["allowedIpAddresses[1]"], ["10.0.0.0/8", "172.16.0.0/12"]);
  expect(failures).toBe("");
  expect(addresses).toEqual(["10.0.0.0/8", "192.0.2.7"]);
});

test.each([["allowedIpAddresses"], ["allowedIpAddresses[*]"], ["*"], ['["allowedIpAddresses"]']])(
  "The path %s ignores each entry",
  async (path) => {
    const { addresses, failures } = await importing([path], ["172.16.0.0/12", "172.17.0.0/16"]);
    expect(failures).toBe("");
    expect(addresses).toEqual(["10.0.0.0/8", "192.0.2.7"]);
  },
);

test("No path of an entry hides an entry that the path doesn't name, nor another number of entries", async () => {
  const entries = fc.subarray(["10.0.0.0/8", "192.0.2.7", "172.16.0.0/12", "172.17.0.0/16"], {
    minLength: 1,
  });
  const paths = fc.subarray([0, 1, 2, 3]);
  await fc.assert(
    fc.asyncProperty(entries, paths, async (declared, ignored) => {
      await service.start({});
      const live = ["10.0.0.0/8", "192.0.2.7"];
      const { failures } = await importing(
        ignored.map((index) => `allowedIpAddresses[${index}]`),
        declared,
      );
      // The order means nothing to the service.
      const applied = declared.map((entry, index) =>
        ignored.includes(index) ? (live[index] ?? entry) : entry,
      );
      expect(failures === "").toBe(new Set(applied).size === 2 && live.every((one) => applied.includes(one)));
    }),
    { numRuns: cases(40) },
  );
});
