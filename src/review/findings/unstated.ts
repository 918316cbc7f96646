import { type ArgumentReview, kinds, nounOf } from "../../provider/for-commands/kinds.js";
import { isShown } from "../../shared/protocol/encoded-values.js";
import { unnamedIn } from "../plan/change.js";
import type { Plan } from "../plan/plan.js";
import { listed, type Text, text } from "../plan/text.js";
import { meaningOf } from "./remarks.js";

/** Names what is open to outsiders of the organization, and neither stated by the program nor changed just now. */
export function unstatedNote({ resources, managed, outOfBand }: Plan): Text {
  const changed = new Set(
    outOfBand.flatMap(({ urn, changed }) => changed.map(({ name }) => `${urn} ${name}`)),
  );
  const found = resources.flatMap(({ urn, kind, pending, before, after = before, change }): Text[] => {
    if (pending || after === undefined || change?.action === "delete") return [];
    const open = Object.entries(kinds.get(kind)?.arguments ?? {}).flatMap(([name, field]) =>
      field.whenOmitted !== "unmanaged" || changed.has(`${urn} ${name}`)
        ? []
        : openIn(
            name,
            field.review,
            field.default,
            unnamedIn(after)[name] ?? after.properties[name],
            after.inputs[name],
          ),
    );
    const label = managed.find((one) => one.urn === urn)?.label;
    return open.length === 0 || label === undefined
      ? []
      : [text`${[nounOf(kind)]} ${label} (${listed(open.toSorted())})`];
  });
  return found.length === 0
    ? []
    : text`Open to outsiders, without being stated by the program: ${listed(found)}.`;
}

/** Returns the argument, or the entries of its map, that are open by their values and not stated. */
function openIn(
  name: string,
  review: ArgumentReview,
  usual: unknown,
  value: unknown,
  stated: unknown,
): string[] {
  if (!isShown(value)) return [];
  const isOpen = (one: ArgumentReview, before: unknown, now: unknown) => {
    const meaning = meaningOf(one, before, now);
    return meaning?.effect === "opened" && meaning.level === "danger";
  };
  const entries = Object.entries(review.entries ?? {}).flatMap(([key, one]) =>
    Object.hasOwn(Object(value), key) &&
    !Object.hasOwn(Object(stated), key) &&
    isOpen(one, undefined, Reflect.get(Object(value), key))
      ? [`${name}.${key}`]
      : [],
  );
  return stated === undefined && isOpen(review, usual, value) ? [name, ...entries] : entries;
}
