import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { startEmulator } from "../../src/emulator/index.js";
import { read } from "../support/checkout.js";
import { settingsOf } from "../support/command.js";

const page = read("docs", "guides", "recover.md");

test("The guide to recover quotes messages that the error reference explains", () => {
  const reference = read("docs", "reference", "errors.md");
  for (const message of ["already exists: ", "is taken by the"]) {
    expect(page).toContain(`\`${message}\``);
    expect(reference).toContain(`\`${message}\``);
  }
});

test("The guide's request revokes a token", async () => {
  const [, request = ""] = /```sh\n( *curl [\s\S]+?)```/.exec(page) ?? [];
  const emulator = await startEmulator({ seed: false });
  onTestFinished(() => emulator.close());
  const made = (operation: string, params: Record<string, string>, body: object) =>
    String(Reflect.get(Object(emulator.perform(operation, { params, body }).body), "id"));
  const cluster = made("clusters.create", {}, { name: "Linux" });
  const token = made("agentTokens.create", { cluster_id: cluster }, { description: "Lost" });
  const line = request.replace("<cluster id>", cluster).replace("<token id>", token);
  await promisify(execFile)("bash", ["-euc", line], { env: { ...process.env, ...settingsOf(emulator) } });
  expect(emulator.organizationData.agentTokens.list()).toEqual([]);
});
