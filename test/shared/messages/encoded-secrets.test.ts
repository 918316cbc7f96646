import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { hiding } from "../../../src/shared/messages/secrets.js";
import { cases } from "../../support/cases.js";

/** How services spell what they were sent, and how anybody reads that again. Both are simpler than the code under test. */
interface Spelling {
  readonly encode: (text: string) => string;
  readonly decode: (text: string) => readonly string[];
}

const bytesOf = (text: string) => [...Buffer.from(text, "utf8")];
const hex = (code: number, digits = 2) => code.toString(16).padStart(digits, "0");
const units = (text: string) => text.split("").map((unit) => unit.charCodeAt(0));

const entity = (write: (code: number) => string): Spelling => ({
  encode: (text) => [...text].map((one) => write(one.codePointAt(0) ?? 0)).join(""),
  decode: (text) => [
    text
      .replace(/&#x([\da-f]+);/gi, (_, code) => String.fromCodePoint(Number.parseInt(code, 16)))
      .replace(/&#(\d+);/g, (_, code) => String.fromCodePoint(Number(code))),
  ],
});
const NAMES: Readonly<Record<string, string>> = {
  "&": "amp",
  "<": "lt",
  ">": "gt",
  '"': "quot",
  "'": "apos",
};
const percent = (encode: (text: string) => string): Spelling => ({
  encode,
  decode: (text) => [
    text.replaceAll("+", " ").replace(/(?:%[\da-f]{2})+/gi, (codes) => {
      return Buffer.from(codes.replaceAll("%", ""), "hex").toString("utf8");
    }),
  ],
});
const base64 = (form: "base64" | "base64url"): Spelling => ({
  encode: (text) => Buffer.from(text).toString(form),
  decode: (text) =>
    (text.match(/[\w+/-]+/g) ?? []).flatMap((run) =>
      [0, 1, 2, 3].map((skipped) => Buffer.from(run.slice(skipped), "base64").toString("utf8")),
    ),
});

const SPELLINGS: Readonly<Record<string, Spelling>> = {
  "HTML by names": {
    encode: (text) => text.replace(/[&<>"']/g, (one) => `&${NAMES[one]};`),
    decode: (text) => [
      text.replace(
        /&(\w+);/g,
        (code, name) => Object.entries(NAMES).find(([, own]) => own === name)?.[0] ?? code,
      ),
    ],
  },
  "HTML in decimal": entity((code) => `&#${code};`),
  "HTML in hexadecimal": entity((code) => `&#x${hex(code)};`),
  JSON: {
    encode: (text) => JSON.stringify(text).slice(1, -1).replaceAll("/", "\\/"),
    decode: (text) => [
      text
        .replace(/\\u([\da-f]{4})/gi, (_, code) => String.fromCharCode(Number.parseInt(code, 16)))
        .replace(/\\(["\\/])/g, "$1")
        .replace(/\\[nrtbf]/g, " "),
    ],
  },
  "JSON with codes": {
    encode: (text) =>
      units(text)
        .map((code) => `\\u${hex(code, 4)}`)
        .join(""),
    decode: (text) => [
      text.replace(/\\u([\da-f]{4})/gi, (_, code) => String.fromCharCode(Number.parseInt(code, 16))),
    ],
  },
  "an address": percent(encodeURIComponent),
  "an address in lower case": percent((text) =>
    bytesOf(text)
      .map((byte) => `%${hex(byte)}`)
      .join(""),
  ),
  "a form": percent((text) => new URLSearchParams({ a: text }).toString().slice(2)),
  base64: base64("base64"),
  base64url: base64("base64url"),
};

const CASES = [
  (text: string) => text,
  (text: string) => text.toUpperCase(),
  (text: string) => text.toLowerCase(),
];

const spaced = (text: string) => text.replace(/[\s+\p{Cc}\p{Cf}\p{Zl}\p{Zp}\ufffe\uffff]+/gu, " ").trim();
/** What looks the same to a reader. */
const alike = (text: string) => spaced(text.normalize("NFKD").toUpperCase().toLowerCase());

const MARK = "\u0001";

/** Everything that a person can read out of a text by decoding it in any order. */
function readBy(spellings: readonly Spelling[], text: string): Set<string> {
  let read = new Set([text]);
  for (const { decode } of spellings.toReversed()) {
    read = new Set([...read, ...[...read].flatMap((one) => decode(one))]);
  }
  return read;
}

function survivor(
  secret: string,
  spellings: readonly Spelling[],
  shown: string,
  cut: boolean,
): string | undefined {
  const whole = [...alike(secret)];
  const runs = Array.from({ length: whole.length - 5 }, (_, start) =>
    whole.slice(start, start + 6).join(""),
  ).filter(
    // A code that is cut off begins like these signs.
    (run) => !cut || !/[&%\\]/.test(run),
  );
  for (const piece of shown.split(MARK))
    for (const read of readBy(spellings, piece)) {
      const text = alike(read);
      const found = runs.find((run) => text.includes(run));
      if (found !== undefined)
        return `${JSON.stringify(found)} in ${JSON.stringify(read)} of ${JSON.stringify(shown)}`;
    }
  return undefined;
}

const secrets = fc
  .oneof(
    fc.string({ unit: "grapheme-ascii", minLength: 6, maxLength: 40 }),
    fc.string({ unit: "grapheme", minLength: 6, maxLength: 20 }),
    fc
      .array(fc.constantFrom("%41", "&lt;", "\\u0041", "+", "ab", "Zq9", "é", "/", '"', "\n", "  "), {
        minLength: 4,
        maxLength: 12,
      })
      .map((parts) => parts.join("")),
  )
  .filter((text) => text.isWellFormed() && [...alike(text)].length >= 6);
const names = fc.array(fc.constantFrom(...Object.keys(SPELLINGS)), { maxLength: 3 });
const around = fc.constantFrom("", "Invalid value: ", '{"message":"', "…", "key=", "x");

describe("No six characters of a secret that stand together can be read out of a message", () => {
  test("however the service spells the secret, and wherever it cuts the message off", () => {
    fc.assert(
      fc.property(
        ...([secrets, names, fc.constantFrom(...CASES), around, around, fc.nat(), fc.nat()] as const),
        (secret, chosen, inCase, before, after, from, to) => {
          const spellings = chosen.flatMap((name) => SPELLINGS[name] ?? []);
          const spelled = spellings.reduce(
            (text, { encode }) => encode(text),
            `${before}${inCase(secret)}${after}`,
          );
          const characters = [...spelled];
          const [start = 0, end] = [from, to].map((at) => at % (characters.length + 1)).sort((a, b) => a - b);
          const part = (first: number, last?: number) => characters.slice(first, last).join("");
          for (const said of [spelled, `${part(0, end)}...`, `…${part(start)}`, part(start, end)])
            expect(survivor(secret, spellings, hiding([secret], MARK)(said), said !== spelled)).toBe(
              undefined,
            );
        },
      ),
      { numRuns: cases(250) },
    );
  });

  test.each(Object.entries(SPELLINGS))("in %s, twice", (_, { encode }) => {
    const secret = "Hunter2 & <friends>/é?";
    expect(hiding([secret], "*")(`a: ${encode(encode(secret))}, b`)).toMatch(/^a: \*=*, b$/);
  });
});

test("What stands before and after a secret within a code stays, wherever its bytes begin and end in characters", () => {
  const secret = "hunter2-hunter2";
  const short = fc.string({ unit: fc.constantFrom(..."abc "), maxLength: 9 });
  fc.assert(
    fc.property(short, short, (before, after) => {
      const code = Buffer.from(`${before}${secret}${after}`).toString("base64");
      const shown = hiding([secret], "*")(`a: ${code}, b`);
      const [kept = "", rest = ""] = shown.slice("a: ".length, -", b".length).split("*");
      // A character of the code has six bits, so one that has any of the secret goes. Its last byte takes the padding along.
      expect(kept).toBe(code.slice(0, Math.floor((before.length * 8) / 6)));
      const end = Math.ceil(((before.length + secret.length) * 8) / 6);
      expect(rest).toBe(after === "" ? "" : code.slice(end));
    }),
  );
});

test("All else stays as it is, whatever codes it has", () => {
  const secret = "0123456789abcdef0123456789abcdef";
  const other = fc.array(
    fc.oneof(
      fc.constantFrom(...Object.values(SPELLINGS)).map(({ encode }) => encode("Linux & <gpu> é")),
      fc.lorem({ maxCount: 5 }),
    ),
  );
  fc.assert(
    fc.property(other, (parts) => {
      const text = parts.join(" ");
      expect(hiding([secret], "*")(text)).toBe(text);
    }),
  );
});

test("A message that decodes to ever more text is hidden as a whole", () => {
  const endless = "%25".repeat(2) + "25".repeat(20_000);
  expect(hiding(["hunter2"], "*")(`${endless}hunter2`)).not.toContain("hunter2");
});
