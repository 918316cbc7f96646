import { expect, test } from "vitest";
import { Cluster } from "../../src/index.js";
import { TestStack } from "./stack.js";

test("Inline stacks with a folder each run in parallel, every one with its own program and settings", async () => {
  const stackOf = async (organization: string) => ({
    organization,
    stack: await TestStack.start({ organization }),
  });
  const stacks = await Promise.all(["production", "staging", "trial"].map(stackOf));
  const clusters = () =>
    stacks.map(({ stack }) => stack.emulator.organizationData.clusters.list().map(({ name }) => name));

  await Promise.all(
    stacks.map(({ organization, stack }) =>
      stack.up(async () => void new Cluster("linux", { name: `Linux of ${organization}` })),
    ),
  );
  expect(clusters()).toEqual([["Linux of production"], ["Linux of staging"], ["Linux of trial"]]);
  await Promise.all(stacks.map(({ stack }) => stack.destroy()));
  expect(clusters()).toEqual([[], [], []]);
});
