import * as pulumi from "@pulumi/pulumi";
import { afterEach, beforeAll, expect, test } from "vitest";
import { Cluster } from "../../../src/index.js";

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

test.each([
  ["a missing name", "", {}, "Missing resource name"],
  ["a parent that is text", "linux", { parent: "farm" }, "Resource parent is not a valid Resource: farm"],
  ["a parent that is an object", "linux", { parent: {} }, "Resource parent is not a valid Resource"],
  ["a provider that is none", "linux", { provider: {} }, "getPackage is not a function"],
] as const)("Pulumi's error about %s has the user's line in its stack trace", (_, name, options, message) => {
  const limit = Error.stackTraceLimit;
  let thrown: unknown;
  try {
    // Programs without types can give anything.
    new Cluster(name, { name: "Linux" }, options as pulumi.CustomResourceOptions);
  } catch (error) {
    thrown = error;
  }
  expect(thrown).toMatchObject({ message: expect.stringContaining(message) });
  expect(thrown).toMatchObject({ stack: expect.stringContaining("stack-traces.test.ts") });
  expect(Error.stackTraceLimit).toBe(limit);
});
