import fc from "fast-check";
import { expect, test } from "vitest";
import { markup } from "../../../src/cli/drawing/markup.js";
import {
  blanked,
  cut,
  oneLine,
  shownByEngine,
  visible,
  visibleJson,
} from "../../../src/shared/messages/foreign-text.js";
import { character, foreignText, OBEYED, specials } from "../../support/foreign-text.js";

const text = fc.string({ unit: character });
const marked = (foreign: string) => `${markup`${foreign}`}`;
const UNSEEN = /(?!\u200d)[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\ufffe\uffff]/u;

test("Foreign text has no character that nobody sees, in whatever form it is shown, and emoji stay whole", () => {
  fc.assert(
    fc.property(text, (foreign) => {
      const forms = [oneLine(foreign), visible(foreign), blanked(foreign), marked(foreign)];
      for (const form of [...forms, visibleJson(foreign)]) expect(form).not.toMatch(UNSEEN);
      expect(JSON.parse(visibleJson([foreign]))).toEqual([foreign]);
    }),
    {
      examples: [["\u0000\t\r\n\u001b\u0085\u00ad\u200b\u2028\u202e\u2066\ufeff\uffff\u{e0001}"], ["\ud83d"]],
    },
  );
  for (const form of [oneLine, visible, blanked, marked, cut]) expect(form("👩‍🚀 a", 5)).toBe("👩‍🚀 a");
});

test("Foreign text in a message moves no cursor, is no command to a CI system, and no color to Pulumi's CLI", () => {
  fc.assert(
    fc.property(foreignText, (foreign) => {
      for (const form of [oneLine, visible, shownByEngine]) {
        const shown = form(foreign);
        expect(shown).not.toMatch(OBEYED);
        // A message passes several of these functions on its way.
        expect(form(shown)).toBe(shown);
      }
    }),
    { numRuns: 200, examples: specials.map((sign) => [sign]) },
  );
  expect(shownByEngine("<{%x%}> team\n<{% and <{%%}>")).toBe(
    "\\u{3c}{%x%}> team\n\\u{3c}{% and \\u{3c}{%%}>",
  );
});
