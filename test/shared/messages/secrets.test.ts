import * as fc from "fast-check";
import { expect, test } from "vitest";
import { hiding, withoutCredentials, withoutSecretFields } from "../../../src/shared/messages/secrets.js";

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
  expect(hiding(secrets, "*", { shortest: 1 })(text)).toBe(expected);
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

test.each([
  ["postgres://u:pw@host:1/db", "postgres://[redacted]@host:1/db"],
  ["postgres://u:p@w/x:y@host/db", "postgres://[redacted]@host/db"],
  ["https://t0ken@host", "https://[redacted]@host"],
  [
    'parse "postgres://u:p w@host/db": invalid, ask a@b.example',
    'parse "postgres://[redacted]@host/db": invalid, ask a@b.example',
  ],
  ["see s3://u:pw@b and https://v:pw@c", "see s3://[redacted]@b and https://[redacted]@c"],
  ["s3://b?access_token=hush&region=x", "s3://b?access_token=[redacted]&region=x"],
  ["https://www.npmjs.com/package/@pulumi/pulumi", undefined],
  ["https://host:8080/path, as ada@example.com says", undefined],
  ["git@host:acme/ci.git", undefined],
])("A text is shown without credentials in its addresses: %s", (text, shown = text) => {
  expect(withoutCredentials(text)).toBe(shown);
});
