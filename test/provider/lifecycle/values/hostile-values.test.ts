import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { failure, serviceForEach } from "../../../support/driver.js";

const service = serviceForEach();

/** What moves a terminal's cursor, hides text or turns its direction around. */
const MOVING = /[^\P{Cc}\n]|[\u202a-\u202e\u2066-\u2069\u2028\u2029]/u;
const NASTY = "Li\u001b[2K\rnux\u202e\u0007";

describe("control characters that the service or the program holds reach no terminal", () => {
  test("in a warning about what is there already", async () => {
    await service.colleague.sends("POST", "/clusters", { name: NASTY });
    const [user] = service.emulator.organizationData.users.list();
    service.emulator.organizationData.users.update(user?.id ?? "", { name: NASTY });
    expect(await service.driver.failures("Cluster", { name: NASTY })).toEqual([]);
    expect(service.driver.warnings).toEqual([
      expect.stringContaining("a cluster with the same name already exists"),
    ]);
    expect(service.driver.warnings.join()).not.toMatch(MOVING);
  });

  test("in what an import option says, in check and in create", async () => {
    const reasons = await service.driver.failures("Cluster", { name: "n", import: NASTY });
    expect(reasons).toEqual([expect.stringContaining("Cluster.import")]);
    expect(reasons.join()).not.toMatch(MOVING);
    const provider = await service.driver.kind("Cluster");
    const message = await failure(provider.create({ name: "n", organization: "acme", import: NASTY }));
    expect(message).toContain("import");
    expect(message).not.toMatch(MOVING);
  });
});

test("another object in place of a team sends none of its values in an update", async () => {
  const team = await service.driver.create("Team", { name: "Platform" });
  const [platform] = await service.colleague.list("/teams");
  const other = { ...platform, id: randomUUID(), name: "Other", description: "Of others" };
  service.emulator.fault({ operation: "teams.get", times: 9, action: { status: 200, body: other } });
  const message = await failure(service.newRun().update(team, { privacy: "secret" }));
  expect(message).toContain(`the API returned the team ${other.id} in its place, so nothing was changed.`);
  expect(await service.colleague.list("/teams")).toEqual([platform]);
});

describe("a template's text", () => {
  const reasons = (configuration: string) =>
    service.driver.failures("PipelineTemplate", { name: "n", configuration });

  test("of more than a mebibyte is refused, and the largest one is not", async () => {
    const text = (length: number) => `# ${"x".repeat(length - 3)}\n`;
    expect(await reasons(text(1024 * 1024 + 1))).toEqual([
      expect.stringMatching(/^PipelineTemplate\.configuration: is longer than 1048576 characters/),
    ]);
    expect(await reasons(text(1024 * 1024))).toEqual([]);
  });

  test("with a key that stands twice is refused with the line", async () => {
    const keys = Array.from({ length: 20_000 }, (_, index) => `key${index}: ${index}\n`).join("");
    expect(await reasons(keys)).toEqual([]);
    expect(await reasons(`${keys}key7: again\n`)).toEqual([
      expect.stringMatching(
        /^PipelineTemplate\.configuration: is not valid YAML at line 20001 \(DUPLICATE_KEY\)/,
      ),
    ]);
  });
});
