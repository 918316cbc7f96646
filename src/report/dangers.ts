import { capitalized } from "../messages/nouns.js";
import { revokesSecretInUse } from "../review/agent-token.js";
import { type Change, disappears, ofPlace } from "../review/change.js";
import { reviews } from "../review/index.js";
import { grouped, placed, type Sentence } from "../review/sentence.js";
import type { Text } from "../review/text.js";
import { contentKindsOf } from "../topology/kinds.js";
import { nounOf } from "./words.js";

/** Something that a reviewer must not overlook. */
export interface Danger {
  /** `danger`: something is lost or stops. `caution`: people notice it. */
  readonly level: "danger" | "caution";
  readonly message: Text;
}

type Found = Danger & Sentence & { readonly places: string };

/** Returns what would be lost, would stop, or would open up, the worst first. */
export function dangersOf(changes: readonly Change[]): Danger[] {
  const inside = Map.groupBy(changes, ({ place }) => place?.key);
  // The parent's sentence names the objects that are lost with it. One that moves is a danger by itself.
  const lost = new Set(changes.filter(disappears).map(({ urn }) => urn));
  const found = changes
    .filter(
      ({ place, pending, movesTo }) =>
        pending || movesTo !== undefined || place === undefined || !lost.has(place.key),
    )
    .flatMap((change): Found[] => {
      const places = `${nounOf(change.place?.kind ?? "")}s`;
      const rotated = reviews[change.kind]?.rotated?.(change, changes);
      if (rotated !== undefined) return [{ level: "caution", places, ...rotated }];
      const danger = disappears(change) ? lossOf(change, inside.get(change.urn) ?? [], changes) : undefined;
      if (danger !== undefined) return [{ level: "danger", places, ...danger }];
      return cautionsOf(change).map((caution) => ({ level: "caution", places, ...caution }));
    });
  return (["danger", "caution"] as const).flatMap((wanted) =>
    grouped(found.filter(({ level }) => level === wanted)).map(({ level, message }) => ({ level, message })),
  );
}

/** Returns whether a rotation of agent tokens leaves out a generation. */
export function leavesOutGeneration(changes: readonly Change[]): boolean {
  return changes.some((change) => revokesSecretInUse(change, changes));
}

function lossOf(change: Change, inside: readonly Change[], plan: readonly Change[]): Sentence | undefined {
  const contents = contentKindsOf(change.kind).map(({ name }) => ({
    noun: nounOf(name),
    labels: inside
      .filter(({ kind, movesTo }) => kind === name && movesTo === undefined)
      .map(({ label }) => label),
  }));
  const lost = reviews[change.kind]?.lost;
  if (lost !== undefined) return lost(change, contents, plan);
  const predicate = [`is ${change.action}d`];
  if (change.place !== undefined) return placed(subjectOf(change), change, predicate, []);
  return { message: [...subjectOf(change), " ", ...predicate, "."] };
}

function cautionsOf(change: Change): Sentence[] {
  if (change.action !== "update") return [];
  const { cautions = {} } = reviews[change.kind] ?? {};
  return change.changed.flatMap((argument) => {
    const caution = Object.hasOwn(cautions, argument.name) ? cautions[argument.name] : undefined;
    if (caution === undefined) return [];
    if (caution !== "values") return caution(change, argument) ?? [];
    const { name, before, after } = argument;
    const subject = [...subjectOf(change), ...ofPlace(change.place)];
    return { message: [...subject, `: ${name} changes from `, before, " to ", after, "."] };
  });
}

function subjectOf({ kind, label }: Change): Text {
  return [`${capitalized(nounOf(kind))} `, { code: label }];
}
