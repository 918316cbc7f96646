import { describe, expect, onTestFinished, test } from "vitest";
import { startEmulator } from "../../src/emulator/index.js";
import { readJson } from "../support/checkout.js";
import { BACKENDS } from "../support/program.js";
import { lifeOfFirstKinds } from "./life-of-first-kinds.js";

/** What the last version sent that knew no other resource types. */
const before: Record<string, Record<string, string[]>> = readJson(
  "test/support/recorded/requests-of-first-kinds.json",
);

/** Before a cluster is deleted, the provider also lists the secrets in it. */
const SECRETS = "GET /v2/organizations/acme/clusters/id 1/secrets";

describe.each(BACKENDS)("A program of the first seven resource types, by the backend %s,", (backend) => {
  test.each([
    ["a service with the newer API", {}],
    ["an older service", { variations: { newerApi: false } }],
  ])("sends to %s what it sent before there were others, and one list of secrets", async (_, options) => {
    const emulator = await startEmulator({ seed: false, ...options });
    onTestFinished(() => emulator.close());
    const sent = await lifeOfFirstKinds(emulator, backend);
    const deletion = "Cluster is deleted";
    const lists = sent[deletion]?.filter((request) => request === SECRETS) ?? [];
    // Of a cluster that is seconds old, a list that is missing is asked for again.
    if ("variations" in options) expect(lists).toContain(SECRETS);
    else expect(lists).toHaveLength(1);
    const without = sent[deletion]?.filter((request) => request !== SECRETS);
    expect({ ...sent, [deletion]: without }).toEqual(before[backend]);
  });

  test("needs no scope of the newer API, if its clusters allow the deletion of what is in them", async () => {
    const emulator = await startEmulator({ seed: false });
    onTestFinished(() => emulator.close());
    const scopes = ["read", "write"].flatMap((can) =>
      ["clusters", "pipeline_templates", "teams", "suites"].map((what) => `${can}_${what}`),
    );
    const accessToken = emulator.createAccessToken({ scopes });
    const life = lifeOfFirstKinds(Object.assign(Object.create(emulator), { accessToken }), backend);
    // Secrets that nobody may list would be deleted unseen.
    await expect(life).rejects.toThrow(/secrets in it could not be listed.*forceDestroy: true/s);
  });
});
