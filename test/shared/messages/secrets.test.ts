import * as fc from "fast-check";
import { expect, test } from "vitest";
import { hiding, withoutSecretFields } from "../../../src/shared/messages/secrets.js";

test.each<[what: string, secrets: unknown[], text: string, expected: string]>([
  ["a text", ["hush hush"], "say hush hush, hushed", "say *, hushed"],
  ["texts in a list and a map", [["hush"], { a: { b: "murmur" } }], "hush and murmur", "* and *"],
  ["a number", [4711], "port 4711", "port *"],
  ["an address", ["a b/c"], "/queues/a%20b%2Fc", "/queues/*"],
  ["JSON", ['say "a"'], String.raw`{"x":"say \"a\""}`, '{"x":"*"}'],
  ["base64", ["user:password"], "Basic dXNlcjpwYXNzd29yZA==", "Basic *"],
  ["the longer one first", ["hush", "hush-hush"], "hush-hush", "*"],
  ["signs of patterns", ["a.c$1"], "abc$1 a.c$1", "abc$1 *"],
  ["a short one as a word only", ["gpu"], "gpu, gpus and (gpu)", "*, gpus and (*)"],
  ["no empty one", ["", null, true], "nothing", "nothing"],
])("Secrets are hidden in a text: %s", (_, secrets, text, expected) => {
  expect(hiding(secrets, "*", 1)(text)).toBe(expected);
});

test("A short secret stays where hiding it would garble sentences", () => {
  expect(hiding(["a", "long"], "*")("a long day")).toBe("a * day");
});

test("A copy without secret fields has no text of one, and all else", () => {
  const names = [
    "token",
    "api_token",
    "API_KEY",
    "apiKey",
    "Authorization",
    "client_secret",
    "webhook_url",
    "badgeUrl",
  ];
  const value = fc.jsonValue({ maxDepth: 3 });
  fc.assert(
    fc.property(fc.constantFrom(...names), value, (name, other) => {
      const copy = withoutSecretFields({ list: [{ [name]: "hush", other }] }, "*");
      expect(copy).toEqual({ list: [{ [name]: "*", other: withoutSecretFields(other, "*") }] });
    }),
  );
  const plain = { tokens: ["a"], token: 7, key: "small", secrets: "none" };
  expect(withoutSecretFields(plain, "*")).toEqual(plain);
});
