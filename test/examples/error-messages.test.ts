import { afterEach, expect, test, vi } from "vitest";
import { repeatable } from "../support/repeatable.js";
import { provoked, provokers } from "./provokers.js";

afterEach(() => vi.unstubAllEnvs());

/** Node prints a stack around these, which differs between its versions. */
const isByNode = (text: string) => text.includes("\nNode.js v");

test.each(Object.keys(provokers))("The catalog of messages quotes what is printed: %s", async (message) => {
  const printed = await provoked(message);
  expect(printed).toContain(message);
  if (!isByNode(printed)) expect(repeatable(printed)).toMatchSnapshot();
});
