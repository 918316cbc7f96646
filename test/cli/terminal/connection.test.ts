import { expect, test } from "vitest";
import { waitText } from "../../../src/cli/terminal/connection.js";
import { startEmulator } from "../../../src/emulator/index.js";
import { instantClock } from "../../client/service.js";
import { buildpipeline, Scratch, settingsOf } from "../../support/command.js";

test.each([
  [50, 50, ""],
  [151, 50, " 151 requests are left: about 4 minutes at 50 a minute."],
  [151, undefined, ""],
])("A wait with %i requests left and a limit of %s has this estimate: '%s'", (left, limit, estimate) => {
  expect(waitText(41_500, limit, left)).toBe(`Rate limit reached. Resuming in 42s.${estimate}`);
});

test("A command that reads an organization says at a wait how long the rest takes", async () => {
  const clock = instantClock();
  const limits = { userPerMinute: 8 };
  const emulator = await startEmulator({ seed: false, limits, clock: () => new Date(clock.now()) });
  const scratch = new Scratch();
  for (let number = 1; number <= 12; number++)
    emulator.perform("clusters.create", { body: { name: `Cluster ${number}` } });
  emulator.clearRequests();
  const { code, stderr } = await buildpipeline(["adopt", scratch.path("ci")], {
    env: { ...settingsOf(emulator), PATH: "" },
    clock,
  });
  expect(code).toBe(0);
  expect(stderr).toMatch(/Resuming in \d+s\. \d+ requests are left: about \d+ minutes at 8 a minute\.$/m);
  // Each list once, and none that the limit refuses.
  expect(new Set(emulator.requests.map(({ path }) => path)).size).toBe(1 + 3 * 12 + 6);
  expect(emulator.requests.filter(({ status }) => status !== 200)).toEqual([]);
  expect(emulator.requests).toHaveLength(1 + 3 * 12 + 6);
  scratch.remove();
  await emulator.close();
});
