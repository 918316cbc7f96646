import { expect, test } from "vitest";
import { waitText } from "../../../../src/commands/shared/terminal/waits.js";
import { startEmulator } from "../../../../src/emulator/index.js";
import { buildpipeline, clientOf, Scratch, settingsOf } from "../../../support/command.js";

test.each([
  { left: 50, text: "Rate limit reached. Resuming in 42s." },
  {
    left: 151,
    text: "Rate limit reached. Resuming in 42s. 151 requests are left: about 4 minutes at 50 a minute.",
  },
])("$left requests are left at the wait", ({ left, text }) => {
  expect(waitText(41_500, 50, left)).toBe(text);
});

test("A wait of which the API reports no limit has no estimate", () => {
  expect(waitText(41_500, undefined, 151)).toBe("Rate limit reached. Resuming in 42s.");
});

test("A command that reads an organization says at a wait how long the rest takes", async () => {
  const emulator = await startEmulator({ seed: false, limits: { userPerMinute: 8, windowSeconds: 1 } });
  const client = clientOf(emulator);
  const scratch = new Scratch();
  for (let number = 1; number <= 12; number++) await client.clusters.create({ name: `Cluster ${number}` });
  emulator.clearRequests();
  const { code, stderr } = await buildpipeline(["adopt", scratch.path("ci")], {
    env: { ...settingsOf(emulator), PATH: "" },
  });
  expect(code).toBe(0);
  expect(stderr).toMatch(/Resuming in \d+s\. \d+ requests are left: about \d+ minutes at 8 a minute\.$/m);
  // On a busy machine a window of one second can end between the client's look and its request.
  const allowed = emulator.requests.filter(({ status }) => status !== 429);
  expect(allowed).toHaveLength(1 + 2 * 12 + 3);
  scratch.remove();
  await client.close();
  await emulator.close();
});
