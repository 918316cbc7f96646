import * as pulumi from "@pulumi/pulumi";
import { afterEach, beforeAll, expect, onTestFinished, test } from "vitest";
import { Cluster } from "../../../src/index.js";

beforeAll(() => {
  pulumi.runtime.setMocks({
    newResource: ({ name, inputs }) => {
      if (name === "refused") throw new Error("The engine refuses it");
      return { id: `${name}-id`, state: inputs };
    },
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

test("A resource costs the stack traces of no property, whatever it has", () => {
  class Bare extends pulumi.CustomResource {}
  const withProperties = (...names: string[]) => {
    const props = Object.fromEntries(names.map((name) => [name, "Linux"]));
    return framesOf(() => new Bare("test:index:Bare", ["bare", ...names].join("-"), props));
  };
  const none = withProperties();
  expect(withProperties("name")).toBeGreaterThan(none);
  expect(framesOf(() => new Cluster("linux", { name: "Linux", color: "#ffffff" }))).toBeLessThanOrEqual(none);
});

test("A transformation of the program has stack traces, and so has a mistake in it", () => {
  const limit = Error.stackTraceLimit;
  const limits: number[] = [];
  const mistaken: pulumi.ResourceTransformation = ({ props, opts }) => {
    limits.push(Error.stackTraceLimit);
    if (props.color === "#ffffff") throw new Error(`White is for ${Object.keys({ ...props }).at(-1)}`);
    return { props: { ...props }, opts: { ...opts, protect: true } };
  };
  class Platform extends pulumi.ComponentResource {}
  const parent = new Platform("test:index:Platform", "platform", {}, { transformations: [mistaken] });
  new Cluster("own", { name: "Linux" }, { transformations: [mistaken] });
  new Cluster("inherited", { name: "Linux" }, { parent });
  let thrown: unknown;
  try {
    new Cluster("white", { name: "Linux", color: "#ffffff" }, { parent });
  } catch (error) {
    thrown = error;
  }
  expect(thrown).toMatchObject({ stack: expect.stringMatching(/at .*mistaken.*stack-traces\.test\.ts/) });
  expect(new Set([...limits, Error.stackTraceLimit])).toEqual(new Set([limit]));
});

test("The engine's refusal of a resource has the user's line in its stack trace", async () => {
  const refusal = new Promise<unknown>((resolve) => {
    const listeners = process.rawListeners("unhandledRejection") as NodeJS.UnhandledRejectionListener[];
    process.removeAllListeners("unhandledRejection").on("unhandledRejection", resolve);
    onTestFinished(() => {
      process.removeAllListeners("unhandledRejection");
      for (const listener of listeners) process.on("unhandledRejection", listener);
    });
  });
  new Cluster("refused", { name: "Linux" });
  expect(await refusal).toMatchObject({ message: expect.stringContaining("The engine refuses it") });
  expect(await refusal).toMatchObject({ stack: expect.stringContaining("stack-traces.test.ts") });
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
