import { capitalized } from "../messages/nouns.js";
import { reviews } from "../review/index.js";
import type { SeenChange } from "../review/review.js";
import { grouped, placed, type Sentence } from "../review/sentence.js";
import { type Text, text } from "../review/text.js";
import { contentKindsOf } from "../topology/kinds.js";
import type { ResourceChange } from "./changes.js";

import { nounOf } from "./words.js";

/** Something that a reviewer must not overlook. */
export interface Danger {
  /** `danger`: something is lost or stops. `caution`: people notice it. */
  readonly level: "danger" | "caution";
  readonly message: Text;
}

type Found = Danger & Sentence & { readonly places: string };

/** Returns what would be lost, would stop, or would open up, the worst first. */
export function dangersOf(
  changes: readonly ResourceChange[],
  nameOfParent: (parent: string) => string,
): Danger[] {
  const inside = new Map<string, ResourceChange[]>();
  for (const change of changes) {
    if (change.parent === undefined) continue;
    const own = inside.get(change.parent.key);
    if (own === undefined) inside.set(change.parent.key, [change]);
    else own.push(change);
  }
  const isLost = ({ action }: ResourceChange) => action === "delete" || action === "replace";
  // The parent's sentence names the objects that are lost with it.
  const lost = new Set(changes.filter(isLost).map(({ urn }) => urn));
  const found = changes
    .filter(({ parent }) => parent === undefined || !lost.has(parent.key))
    .flatMap((change): Found[] => {
      const seen = seenChange(change, inside.get(change.urn) ?? [], nameOfParent);
      const places = `${nounOf(change.parent?.kind ?? "")}s`;
      const danger = isLost(change) ? lossOf(change, seen) : undefined;
      if (danger !== undefined) return [{ level: "danger", places, ...danger }];
      return cautionsOf(change, seen).map((caution) => ({ level: "caution", places, ...caution }));
    });
  return (["danger", "caution"] as const).flatMap((wanted) =>
    grouped(found.filter(({ level }) => level === wanted)).map(({ level, message }) => ({ level, message })),
  );
}

function seenChange(
  { kind, action, label, parent, properties }: ResourceChange,
  inside: readonly ResourceChange[],
  nameOfParent: (parent: string) => string,
): SeenChange {
  return {
    action,
    label,
    where: parent === undefined ? "" : nameOfParent(parent.key),
    changed: properties,
    contents: contentKindsOf(kind).map(({ name }) => ({
      noun: nounOf(name),
      labels: inside.filter((one) => one.kind === name).map((one) => one.label),
    })),
  };
}

function lossOf(change: ResourceChange, seen: SeenChange): Sentence | undefined {
  const review = reviews[change.kind];
  if (review?.lost !== undefined) return review.lost(seen);
  return sentence(change, seen, [`is ${change.action}d`]);
}

function cautionsOf(change: ResourceChange, seen: SeenChange): Sentence[] {
  if (change.action !== "update") return [];
  const { cautions = {} } = reviews[change.kind] ?? {};
  return seen.changed.flatMap((argument) => {
    const caution = cautions[argument.name];
    if (caution === undefined) return [];
    if (caution !== "values") return caution(seen, argument) ?? [];
    const { name, before, after } = argument;
    const subject = [...subjectOf(change), ...(change.parent ? text` of ${seen.where}` : [])];
    return { message: [...subject, `: ${name} changes from `, before, " to ", after, "."] };
  });
}

function subjectOf({ kind, label }: ResourceChange): Text {
  return [`${capitalized(nounOf(kind))} `, { code: label }];
}

function sentence(change: ResourceChange, { where }: SeenChange, predicate: Text): Sentence {
  const subject = subjectOf(change);
  if (change.parent !== undefined) return placed(subject, where, predicate, []);
  return { message: [...subject, " ", ...predicate, "."] };
}
