import { describe, expect, test } from "vitest";
import { serviceForEach } from "../../support/driver.js";

const service = serviceForEach();

const NAME = "<{%x%}> team";
const PANIC = /contains \\u\{3c\}\{%, .* can end with a panic, .* --color never/;

describe("Pulumi's CLI gets each value as it is, so a value that the CLI takes for a color is announced", () => {
  test("by each preview, which quotes a new value", async () => {
    const cluster = await service.driver.create("Cluster", { name: NAME, __secrets: [] });
    expect(cluster.outs.name).toBe(NAME);
    await service.driver.plan(cluster);
    expect(service.driver.warnings).toEqual([expect.stringMatching(PANIC), expect.stringMatching(PANIC)]);
    expect(service.driver.warnings[0]).toContain('Cluster.name: "\\u{3c}{%x%}> team" contains');
  });

  test("by a refresh that finds it, before the engine shows the difference", async () => {
    const cluster = await service.driver.create("Cluster", { name: "Linux" });
    await service.colleague.sends("PUT", `/clusters/${cluster.id}`, { name: NAME });
    const { props } = await service.driver.read(cluster);
    expect(props?.name).toBe(NAME);
    expect(service.driver.warnings).toEqual([expect.stringMatching(PANIC)]);
    expect(service.driver.warnings[0]).toContain('cluster "Linux": Cluster.name: the value contains ');
  });

  test("by `.get`, and without the value of a secret, which the CLI masks", async () => {
    const { id } = await service.driver.create("Cluster", { name: NAME, __secrets: ["name"] });
    expect(service.driver.warnings).toEqual([]);
    await service.driver.read({ kind: "Cluster", id, outs: {} });
    expect(service.driver.warnings).toEqual([expect.stringMatching(PANIC)]);
  });

  test("but nothing else is", async () => {
    const name = "{%x%}> <{ % <% 100 %}";
    const cluster = await service.driver.create("Cluster", { name, __secrets: [] });
    await service.driver.read(cluster);
    expect(service.driver.warnings).toEqual([]);
  });
});
