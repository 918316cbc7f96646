import { join } from "node:path";
import { expect, test } from "vitest";
import {
  type AnyKind,
  type ArgumentReview,
  directionOf,
  kinds,
  type Meaning,
} from "../../../src/provider/for-commands/kinds.js";
import { CHECKOUT } from "../../support/checkout.js";
import { valuesOf } from "./argument-cases.js";

/** What each change means for people: what a report of it says, or nothing. It stands beside the arguments in the descriptions. */

/** An argument, or an entry of a map, with what is between each two of its values. */
interface Reviewed {
  readonly name: string;
  readonly review: ArgumentReview;
  /** The directions of its changes; that of a flag which has no meaning by its value. */
  readonly directions: ReadonlySet<string>;
}

const reviewed = ({ arguments: fields }: AnyKind): Reviewed[] =>
  Object.entries(fields).flatMap(([name, { review, whenOmitted, default: usual }]) =>
    [
      // What the program leaves out stays as it is, or is the default.
      { name, review, isGivenUp: whenOmitted !== "cleared" || usual !== undefined },
      ...Object.entries(review.entries ?? {}).map(([key, own]) => ({
        ...{ name: `${name}.${key}`, review: own, isGivenUp: true },
      })),
    ].map(({ isGivenUp, ...one }) => {
      const values = valuesOf(one.name.split(".").at(-1) ?? "", one.review);
      const all = values.flatMap((before) =>
        values.flatMap((after) => {
          if (before === after || (after === undefined && isGivenUp)) return [];
          const direction = directionOf(one.review, before, after);
          return direction === "changed" && typeof after === "boolean" ? `${after}` : (direction ?? []);
        }),
      );
      return { ...one, directions: new Set(all) };
    }),
  );

const COLUMNS = ["type", "argument", "change", "effect", "level", "words"];
const quoted = (cell: string) => (/[",\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);

function table(): string {
  const cells = (meaning: Meaning | undefined) =>
    meaning === undefined
      ? ["nothing", "", ""]
      : [meaning.effect, meaning.level, [meaning.words, meaning.rest ?? ""].filter(Boolean).join(". ")];
  const rows = [...kinds.values()].flatMap((kind) => {
    const { created, deleted = [], replaced = [] } = kind.review ?? {};
    const whole = (
      what: string,
      all: readonly (Meaning & { readonly if?: object; readonly changing?: unknown })[],
    ) =>
      all.map(({ if: values, changing, ...meaning }) => {
        const where = [values && JSON.stringify(values), changing && `changing ${changing}`].filter(Boolean);
        return [kind.name, "", [what, ...where].join(", "), ...cells(meaning)];
      });
    return [
      ...whole("created", created ? [created] : []),
      ...whole("deleted", deleted),
      ...whole("replaced", replaced),
      ...reviewed(kind).flatMap(({ name, review, directions }) =>
        review.isElsewhere && Object.keys(review.means).length === 0
          ? [[kind.name, name, "any", "replaces the object", "", ""]]
          : [
              ...[...directions].sort().map((direction) => {
                const meaning = review.means[direction];
                return [kind.name, name, direction, ...cells(meaning)];
              }),
              ...(review.filteredBy ? [[kind.name, name, "filtered out", ...cells(review.filteredBy)]] : []),
            ],
      ),
    ];
  });
  return `${[COLUMNS, ...rows].map((row) => row.map(quoted).join(",")).join("\n")}\n`;
}

test("The table of what each change means is that of the descriptions", async () => {
  const file = join(CHECKOUT, "docs/internals/consequences.csv");
  await expect(table(), "run `npm run generate`").toMatchFileSnapshot(file);
});

test("Each meaning of an argument has a change that goes in its direction", () => {
  const missed = [...kinds.values()].flatMap((kind) =>
    reviewed(kind).flatMap(({ name, review, directions }) =>
      Object.keys(review.means).flatMap((direction) =>
        directions.has(direction) ? [] : `${kind.name}.${name}: ${direction}`,
      ),
    ),
  );
  expect(missed).toEqual([]);
});
