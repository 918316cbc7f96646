import * as pulumi from "@pulumi/pulumi";
import { beforeAll, expect, onTestFinished, test } from "vitest";
import { settled } from "../../../src/provider/program/settled.js";

class Password extends pulumi.CustomResource {
  declare readonly result: pulumi.Output<string>;

  constructor(name: string) {
    super("test:index:Password", name, { result: undefined });
  }
}

beforeAll(() => {
  // A preview, in which no resource has an id or outputs.
  const mocks = { newResource: () => ({ id: undefined, state: {} }), call: () => ({}) };
  pulumi.runtime.setMocks(mocks, "project", "stack", true);
});

test("The unknown id of a resource is no secret", async () => {
  const { id } = new Password("one");
  expect(await settled(id)).toMatchObject({ known: false, secret: false });
  expect(await settled([id, "another"])).toMatchObject({ known: false, secret: false });
});

test("Another unknown output may turn out to be secret", async () => {
  const { id, result } = new Password("two");
  expect(await settled(result)).toMatchObject({ known: false, secret: undefined });
  expect(await settled([id, result])).toMatchObject({ secret: undefined });
  expect(await settled(pulumi.interpolate`${id}-${result}`)).toMatchObject({ secret: undefined });
});

test("An error of the program keeps its message", async () => {
  // The SDK leaves rejections of an output unhandled.
  const listeners = process.rawListeners("unhandledRejection") as NodeJS.UnhandledRejectionListener[];
  process.removeAllListeners("unhandledRejection").on("unhandledRejection", () => undefined);
  onTestFinished(() => {
    process.removeAllListeners("unhandledRejection");
    for (const listener of listeners) process.on("unhandledRejection", listener);
  });
  const error = new Error("No such file");
  expect(await settled(pulumi.output(Promise.reject(error)))).toMatchObject({ known: false });
  expect(error.message).toBe("No such file");
  await new Promise((resolve) => setImmediate(resolve));
});
