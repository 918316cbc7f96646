import { readdirSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, test, vi } from "vitest";
import { messageLiterals } from "../../tools/generate/message-literals.js";
import { messagesOf, readCatalog } from "../../tools/generate/messages.js";
import { CHECKOUT, read } from "../support/checkout.js";
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

const catalog = messagesOf(readCatalog(CHECKOUT));
const quotes = catalog.flatMap(({ says }) => says);
const literals = messageLiterals(CHECKOUT);

describe("The catalog of messages, from which the error reference is made", () => {
  test("has every message of the source", () => {
    const known = catalog.flatMap(({ says, parts = [] }) => [...says, ...parts]);
    const missing = literals.filter(({ text }) => !known.some((constant) => text.includes(constant)));
    expect(missing, "add a cause and a fix to tools/generate/messages.yaml").toEqual([]);
  });

  test("has an index whose words are in the rows that it names, so that a search of the page finds them", () => {
    const { symptoms, others } = readCatalog(CHECKOUT);
    const lost = [...symptoms, ...others].flatMap(({ title, find, messages }) => {
      const rows = messages
        .flatMap(({ says, cause, fix }) => [...says, cause, fix])
        .join("\n")
        .toLowerCase();
      return find.filter((word) => !rows.includes(word.toLowerCase())).map((word) => `${title}: ${word}`);
    });
    expect(lost).toEqual([]);
  });

  test("gives no cause and fix twice, because texts that differ only in a name are one row", () => {
    const said = catalog.map(({ cause, fix }) => `${cause} ${fix}`.replaceAll(/`[^`]*`/g, "…"));
    const twice = said.filter((text, index) => said.indexOf(text) !== index);
    expect(twice).toEqual([]);
  });

  test("has no message that the source lacks", () => {
    const source = readdirSync(join(CHECKOUT, "src"), { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".ts"))
      .map((file) => read("src", file));
    const found = (constant: string) =>
      constant in provokers ||
      literals.some(({ text }) => text.includes(constant)) ||
      source.some((text) => text.includes(constant));
    expect(quotes.filter((quote) => !found(quote))).toEqual([]);
    expect(Object.keys(provokers).filter((quote) => !quotes.includes(quote))).toEqual([]);
    expect(quotes).toEqual([...new Set(quotes)]);
  });
});
