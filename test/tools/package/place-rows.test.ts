import { expect, test } from "vitest";
import { read } from "../../support/checkout.js";
import { PAGE, places, placesIn, withPlaces } from "./place-rows.mjs";

const page = read(PAGE);

test("The page on versions has each place that `npm test -- places` tries, and no other", () => {
  expect(withPlaces(page, new Map())).toBe(page);
  expect(placesIn(page).size).toBe(Object.keys(places).length);
});

test.each(Object.entries(places))(
  "The place %s has its proof in each cell, or says that it is untested",
  (name, { where }) => {
    const [versions, dynamic, plugin, day] = placesIn(page).get(where) ?? [];
    for (const cell of [dynamic, plugin]) {
      expect(cell).toMatch(/^(?:yes: `places |not: `places |untested: \w)/);
      if (cell?.startsWith("untested")) continue;
      expect(cell).toMatch(new RegExp(`^(?:yes: \`places ${name}\`$|not: \`places ${name}\`: .)`));
      expect(versions).toMatch(/\d/);
      expect(day).toMatch(/^\d{4}-\d\d-\d\d$/);
    }
  },
);
