import { expect, test } from "vitest";
import { errorsIn } from "../../../src/commands/shared/pulumi/diagnostics.js";

test("a failed preview's errors are read without colors, and its other messages are left out", () => {
  const printed = JSON.stringify({
    diagnostics: [
      { severity: "error", message: "<{%reset%}>Queue.key: is missing.<{%reset%}>\n" },
      { severity: "warning", message: "A deprecated option." },
      { severity: "info#err", message: "warning: from the provider's process" },
    ],
  });
  expect(errorsIn(printed)).toEqual(["Queue.key: is missing."]);
});

test.each(["", "error: no stack selected", "{}"])("output without messages, %j, has no errors", (printed) => {
  expect(errorsIn(printed)).toEqual([]);
});
