import { defaultSetBy, kindNamed, kinds, type Meaning, nounOf } from "../../provider/for-commands/kinds.js";
import { kindOfUrn } from "../../shared/protocol/type-token.js";
import { nameOfUrn } from "../../shared/protocol/urn.js";
import type { PlannedChange } from "../plan/change.js";
import { type Plan, vanishedIn } from "../plan/plan.js";
import { joined, listed, type Text, text } from "../plan/text.js";
import type { Remark } from "./consequences.js";

/** Says what was lost outside of the program: in drift, what it means; in a preview, what the deployment doesn't restore. */
export function vanishedRemarks(plan: Plan): Remark[] {
  const all = vanishedIn(plan);
  const gone = new Set(all.map(({ urn }) => urn));
  // The parent's sentence names what was lost with it.
  return all
    .filter(({ place }) => place === undefined || !gone.has(place.key))
    .map((one): Remark => {
      const { urn, kind, fate } = one;
      const inside = all.filter((other) => other.place?.key === urn);
      const { lost, remains } = kinds.get(kind)?.review?.vanished ?? {
        remains: "A new object has another id.",
      };
      const isSet = defaultSetBy(kind) !== undefined;
      const isRestored = fate === "undone" && remains === undefined;
      const [was, does] = isSet ? ["removed", "set"] : ["deleted", "create"];
      const end = {
        undone: `, and this deployment ${does}s it again`,
        kept: `, and this deployment doesn't ${does} it again`,
        open: "",
      }[fate];
      const level: Pick<Meaning, "effect" | "level"> = isRestored
        ? { effect: "noticed", level: "caution" }
        : { effect: "lost", level: "danger" };
      const sentences: Text[] = [
        isRestored || lost === undefined ? [] : [lost],
        fate === "kept" || remains === undefined ? [] : [remains],
        ...[one, ...inside].map((each) => deliveryOf(each, plan)),
      ].filter((each) => each.length > 0);
      return {
        ...level,
        about: [{ ...one, title: [{ code: one.label }] }],
        words: `was ${was} outside of the program{inside}${end}`,
        values: {
          inside: inside.length === 0 ? [] : text`, with ${listed(inside.map(named))}`,
          rest: joined(sentences, " "),
        },
        ...(sentences.length > 0 && { rest: "{rest}" }),
        of: [one, ...inside].flatMap((each) => plan.changes.find((change) => change.urn === each.urn) ?? []),
      };
    });
}

/** A property of its parent is named by it. */
function named({ kind, label }: PlannedChange): Text {
  return defaultSetBy(kind) === undefined ? text`${[nounOf(kind)]} ${label}` : [nounOf(kind)];
}

/** Returns to which resources of other packages the outputs of an object with a secret go. */
function deliveryOf({ kind, urn, label }: PlannedChange, { steps }: Plan): Text {
  if (!Object.values(kindNamed(kind)?.outputs ?? {}).some(({ secret }) => secret)) return [];
  const to = steps.flatMap(({ urn: own, oldState, newState }) => {
    const from = Object.values((newState ?? oldState)?.propertyDependencies ?? {}).flat();
    return from.includes(urn) && kindOfUrn(own) === undefined ? [nameOfUrn(own)] : [];
  });
  return to.length === 0 ? [] : text`The outputs of ${label} go to ${listed([...new Set(to)])}.`;
}
