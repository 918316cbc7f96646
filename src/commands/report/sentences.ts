import { nounOf } from "../../provider/lifecycle/values/kinds.js";
import { capitalized } from "../../shared/messages/nouns.js";
import { type Change, ofPlace, type Place, placeText } from "../shared/plan/change.js";
import { byText, listed, type Marked, type Text } from "../shared/plan/text.js";
import type { WholeRemark } from "./remarks/review.js";

/** Writes a remark on one object, or on equal objects in several places. @param load what runs there now, if it is known */
export function sentence(
  { subject, predicate, rest = [] }: Omit<WholeRemark, "level">,
  places: readonly Place[] = [],
  load?: Marked[number],
): Marked {
  const [first, ...others] = places;
  const isMany = others.length > 0;
  const names = places.map(placeText).sort(byText);
  const what = [...subject, ...(isMany ? [] : ofPlace(first)), " ", ...predicate];
  const where = isMany ? [` in ${places.length} ${nounOf(first?.kind ?? "")}s`] : [];
  const now = load === undefined ? [] : [isMany ? ", each with " : ": ", load];
  const end = isMany ? [": ", ...listed(names), "."] : ["."];
  const sentences = rest.flatMap(({ text, unlessLoadKnown }) =>
    unlessLoadKnown && load !== undefined ? [] : [" ", ...text],
  );
  return [...what, ...where, ...now, ...end, ...sentences];
}

/** `` Agent token `build` `` */
export function subjectOf({ kind, title }: Pick<Change, "kind" | "title">): Text {
  return [`${capitalized(nounOf(kind))} `, ...title];
}
