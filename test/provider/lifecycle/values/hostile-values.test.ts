import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { failure, serviceForEach } from "../../../support/driver.js";

const service = serviceForEach();

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
