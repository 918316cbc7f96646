import * as pulumi from "@pulumi/pulumi";
import { expect, onTestFinished, test } from "vitest";
import { Cluster } from "../../../src/index.js";
import { startEngine } from "../functions/surroundings.js";

test("An error of the program keeps its message in a preview that watches the resources", async () => {
  const monitor = process.env.PULUMI_NODEJS_MONITOR;
  process.env.PULUMI_NODEJS_MONITOR = "an engine, so that this is no inline program";
  const listeners = process.rawListeners("unhandledRejection") as NodeJS.UnhandledRejectionListener[];
  process.removeAllListeners("unhandledRejection").on("unhandledRejection", () => undefined);
  onTestFinished(() => {
    process.removeAllListeners("unhandledRejection");
    for (const listener of listeners) process.on("unhandledRejection", listener);
    if (monitor === undefined) delete process.env.PULUMI_NODEJS_MONITOR;
    else process.env.PULUMI_NODEJS_MONITOR = monitor;
  });
  await startEngine({ preview: true });
  const error = new Error("No such file");
  await pulumi.runtime.runInPulumiStack(async () => {
    new Cluster("linux", { name: pulumi.output(Promise.reject(error)) });
  });
  await new Promise((resolve) => setImmediate(resolve));
  // The SDK itself names the argument.
  expect(error.message).toBe('error serializing property "name": No such file');
});
