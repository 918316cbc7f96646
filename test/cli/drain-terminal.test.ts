import { spawn } from "node:child_process";
import { once } from "node:events";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { BusyOrganization } from "./busy-organization.js";
import { Scratch, settingsOf } from "./command.js";
import { hasPseudoTerminal, onTerminal } from "./pseudo-terminal.js";

let scratch: Scratch;
let organization: BusyOrganization;
beforeEach(async () => {
  scratch = new Scratch();
  organization = await BusyOrganization.start();
});
afterEach(async () => {
  await organization.close();
  scratch.remove();
});

describe.skipIf(!hasPseudoTerminal)("On a terminal, `drain`", () => {
  test("colors its result, and shows control characters of names", async () => {
    await organization.client.clusters.update(organization.linux, { name: "Li\u001b[31mnux" });
    const { code, written } = await onTerminal(["drain", "small"], {
      cwd: scratch.directory,
      env: settingsOf(organization.emulator),
    });
    expect(code).toBe(0);
    expect(written).toContain(
      "\u001b[32mNo job runs there any more.\u001b[39m Li\\u{1b}[31mnux/small: 0 running",
    );
    expect(written).not.toContain("\\u{1b}[32m");
  });
});

test("Ctrl-C before anything was paused says that nothing was", async () => {
  const child = spawn(
    process.execPath,
    [join(__dirname, "..", "..", "dist", "cli", "main.js"), "drain", "small"],
    {
      cwd: tmpdir(),
      env: { PATH: process.env.PATH, HOME: process.env.HOME, ...settingsOf(organization.emulator) },
      stdio: ["ignore", "ignore", "pipe"],
    },
  );
  organization.emulator.clearRequests();
  // The first read of builds, which comes before the pause, never ends.
  const counted = new Promise<void>((resolve) => {
    organization.emulator.onRequest(({ operation }) => operation === "builds.list" && resolve());
  });
  organization.emulator.fault({ operation: "builds.list", action: "hang" });
  const shown = text(child.stderr);
  await counted;
  child.kill("SIGINT");
  expect((await once(child, "close"))[0]).toBe(1);
  expect(await shown).toBe("Interrupted before any queue was paused.\n");
  expect(organization.emulator.requests.some(({ method }) => method !== "GET")).toBe(false);
});
