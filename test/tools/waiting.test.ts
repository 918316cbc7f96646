import { describe, expect, test } from "vitest";
import { waitsAfterwards } from "../../tools/start/waiting.mjs";

const terminal = { env: {}, stdin: { isTTY: true }, stdout: { isTTY: true } };
const pipe = { ...terminal, stdout: {} };
const ci = { ...terminal, env: { CI: "true" } };

describe("npm start", () => {
  test("goes on at a terminal, and ends by itself where there is none", () => {
    expect(waitsAfterwards([], terminal)).toBe(true);
    expect(waitsAfterwards([], pipe)).toBe(false);
    expect(waitsAfterwards([], { ...terminal, stdin: {} })).toBe(false);
    expect(waitsAfterwards([], ci)).toBe(false);
  });

  test("waits or not as the flag says", () => {
    expect(waitsAfterwards(["--wait"], ci)).toBe(true);
    expect(waitsAfterwards(["--no-wait"], terminal)).toBe(false);
    expect(() => waitsAfterwards(["--forever"], terminal)).toThrow(
      /Unknown argument --forever\. Known: --wait/,
    );
  });
});
