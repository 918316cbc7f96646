import { afterEach, describe, expect, test, vi } from "vitest";
import { plainError, withoutAnswered } from "../../../../src/provider/dynamic/host.js";
import { messageOf, sendableMessage } from "../../../../src/provider/lifecycle/run/errors.js";
import { failure, serviceForEach } from "../../../support/driver.js";

const service = serviceForEach();

describe("The text of what was thrown", () => {
  const withoutText = {
    toString() {
      throw new Error("No text");
    },
  };

  test.each([
    [new Error("Broken."), "Broken."],
    ["a text", "a text"],
    [7, "7"],
    [false, "false"],
    [new Error(""), "Error"],
    [undefined, "Failed without a message."],
    [null, "Failed without a message."],
    [withoutText, "Failed without a message."],
  ])("of %o", (thrown, text) => {
    expect(messageOf(thrown)).toBe(text);
  });

  test("goes to the engine without what a terminal obeys, and with its lines", () => {
    expect(sendableMessage(new Error("a\u001b[2Jb\u202ec\nd"))).toBe("a [2Jb c\nd");
  });

  test("goes to the engine with at most 2,000 characters", () => {
    expect(sendableMessage("x".repeat(2_000))).toHaveLength(2_000);
    expect(sendableMessage("x".repeat(2_001))).toBe(`${"x".repeat(2_000)}…`);
    const coded = sendableMessage(new Error(`${"x".repeat(2_001)} [buildpipeline:taken q-1]`));
    expect(coded).toBe(`${"x".repeat(2_000)}… [buildpipeline:taken q-1]`);
  });
});

describe("What the host prints beside its answers", () => {
  const printed: unknown[][] = [];
  const print = withoutAnswered((...values) => printed.push(values));
  afterEach(() => printed.splice(0));

  test("lacks the errors of this package, which the engine shows with their resource", async () => {
    const provider = await service.newRun({ "buildpipeline:accessToken": "revoked" }).kind("Team");
    const inState = { organization: "acme" };
    const calls = [() => provider.check({}, { name: "t" }), () => provider.delete("id", inState)];
    for (const call of calls) {
      const error = await call().then(
        () => undefined,
        (caught: Error) => caught,
      );
      expect(error?.message).toContain("401");
      // As the SDK's host words it.
      print(`${error}: ${error?.stack}`);
    }
    expect(printed).toEqual([]);
  });

  test("is printed by the console of whoever only imports the provider", async () => {
    const { error } = console;
    const { provider } = await import("../../../../src/provider/dynamic/index.js");
    expect(console.error).toBe(error);
    provider("Cluster");
    expect(console.error).not.toBe(error);
    console.error = error;
  });

  test("has everything else, also what only begins like such an error", () => {
    const error = plainError("Cluster: broken");
    print(`${error}`);
    print(`${error}: ${error.stack}`, "more");
    print(new Error("of another package"));
    expect(printed).toHaveLength(3);
  });
});

describe("A refused access token", () => {
  const id = "11111111-2222-4333-8444-555555555555";
  const cluster = { kind: "Cluster", id, outs: { organization: "acme", name: "Linux" } };
  afterEach(() => vi.unstubAllEnvs());

  test("of the configuration: refresh and destroy say that Pulumi uses the one of the last deployment", async () => {
    const run = service.newRun({ "buildpipeline:accessToken": "revoked" });
    for (const call of [() => run.read(cluster), () => run.delete(cluster)]) {
      const message = await failure(call());
      expect(message).toMatch(/failed with 401: Authentication required/);
      for (const way of ["last pulumi up", "--run-program", "BUILDPIPELINE_ACCESS_TOKEN"])
        expect(message).toContain(way);
      expect(message).not.toContain("revoked");
    }
  });

  test.each([
    ["The token expired. Ask for a new one. ", "The token expired. Ask for a new one."],
    ["The token expired..", "The token expired."],
    ["The token expired", "The token expired."],
  ])("with the service's words %o is one sentence", async (said, sentence) => {
    service.emulator.fault({ operation: "clusters.get", action: { status: 401, body: { message: said } } });
    expect(await failure(service.driver.read(cluster))).toContain(
      `failed with 401: ${sentence} pulumi refresh and`,
    );
  });

  test("of the environment, which Pulumi reads each time, is what is wrong", async () => {
    vi.stubEnv("BUILDPIPELINE_ACCESS_TOKEN", "revoked");
    const run = service.newRun({ "buildpipeline:accessToken": undefined });
    const message = await failure(run.read(cluster));
    expect(message).toContain("it is mistyped, revoked, expired, or for another service");
    expect(message).not.toContain("--run-program");
  });

  test("in a deployment that deletes is today's, too", async () => {
    const kept = await service.driver.create("Cluster", { name: "Kept" });
    const gone = await service.driver.create("Cluster", { name: "Gone" });
    const later = service.newRun();
    await later.plan(kept);
    service.emulator.fault({ operation: "clusters.delete", action: { status: 401, body: {} } });
    expect(await failure(later.delete(gone))).not.toContain("--run-program");
  });
});
