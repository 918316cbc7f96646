import * as pulumi from "@pulumi/pulumi";
import { afterEach, beforeAll, expect, test } from "vitest";
import { Cluster } from "../../src/index.js";

beforeAll(() => {
  pulumi.runtime.setMocks({
    newResource: ({ name, inputs }) => ({ id: `${name}-id`, state: inputs }),
    call: () => ({}),
  });
});

const { prepareStackTrace } = Error;
afterEach(() => {
  Error.prepareStackTrace = prepareStackTrace;
});

/** How many frames of stack traces some work has written out. */
function framesOf(work: () => void): number {
  let frames = 0;
  Error.prepareStackTrace = (_, sites) => {
    frames += sites.length;
    return "";
  };
  work();
  Error.prepareStackTrace = prepareStackTrace;
  return frames;
}

test("A resource costs two stack traces to find the user's line, and none for its properties", () => {
  class Bare extends pulumi.CustomResource {}
  const bare = framesOf(() => new Bare("test:index:Bare", "bare", {}));
  const withProperty = framesOf(() => new Bare("test:index:Bare", "property", { name: "Linux" }));
  const cluster = framesOf(() => new Cluster("linux", { name: "Linux" }));
  expect(withProperty).toBeGreaterThan(bare);
  expect(cluster).toBeLessThan(withProperty);
});

test("An error of Pulumi's while a resource is registered has the user's line in its stack trace", () => {
  const limit = Error.stackTraceLimit;
  let thrown: unknown;
  try {
    new Cluster("", { name: "Linux" });
  } catch (error) {
    thrown = error;
  }
  expect(thrown).toMatchObject({ message: expect.stringContaining("name") });
  expect(thrown).toMatchObject({ stack: expect.stringContaining("stack-traces.test.ts") });
  expect(Error.stackTraceLimit).toBe(limit);
});
