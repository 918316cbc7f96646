import { defaultSetBy, kindNamed, nounOf } from "../../provider/lifecycle/values/kinds.js";
import { kindOfUrn } from "../../shared/protocol/type-token.js";
import { nameOfUrn } from "../../shared/protocol/urn.js";
import type { Change } from "../shared/plan/change.js";
import type { Plan } from "../shared/plan/plan.js";
import { listed, type Text, text } from "../shared/plan/text.js";
import { type Danger, dangerOf, subjectOf } from "./dangers.js";
import { reviews } from "./remarks/index.js";
import type { WholeRemark } from "./remarks/review.js";

/** Says what was lost outside of the program: in drift, what it means; in a preview, what the deployment doesn't restore. */
export function lossesOf(plan: Plan): Danger[] {
  const all = lostIn(plan);
  const lost = new Set(all.map(({ urn }) => urn));
  // The parent's sentence names what was lost with it.
  return all
    .filter(({ place }) => place === undefined || !lost.has(place.key))
    .map((one): Danger => {
      const { urn, kind, label, place, fate } = one;
      const inside = all.filter((other) => other.place?.key === urn);
      const { lost: losses, remains = [] } = reviews[kind]?.vanished ?? DEFAULT;
      const isSet = defaultSetBy(kind) !== undefined;
      const isRestored = fate === "undone" && remains.length === 0;
      const remark: WholeRemark = {
        level: isRestored ? "caution" : "danger",
        subject: isSet ? [`The ${nounOf(kind)}`] : subjectOf({ kind, title: [{ code: label }] }),
        predicate: [
          `was ${isSet ? "removed" : "deleted"} outside of the program`,
          ...(inside.length > 0 ? text`, with ${listed(inside.map(named))}` : []),
          {
            undone: `, and this deployment ${isSet ? "sets" : "creates"} it again`,
            kept: `, and this deployment doesn't ${isSet ? "set" : "create"} it again`,
            open: "",
          }[fate],
        ],
        rest: [
          isRestored ? [] : losses,
          fate === "kept" ? [] : remains,
          ...[one, ...inside].map((each) => deliveryOf(each, plan)),
        ].filter((text) => text.length > 0),
      };
      const of = [one, ...inside].flatMap(
        (each) => plan.changes.find((change) => change.urn === each.urn) ?? [],
      );
      return dangerOf(remark, of, place ? [place] : []);
    });
}

const DEFAULT: { readonly lost: Text; readonly remains?: Text } = {
  lost: [],
  remains: ["A new object has another id."],
};

/** Returns what somebody deleted outside of the program, as far as a refresh shows it. */
export function lostIn({ drift, changes, outOfBand }: Plan) {
  return drift
    ? changes
        .filter(({ action, pending }) => action === "delete" && !pending)
        .map((one) => ({ ...one, fate: "open" as const }))
    : outOfBand.filter(({ action }) => action === "delete");
}

/** A property of its parent is named by it. */
function named({ kind, label }: Change): Text {
  return defaultSetBy(kind) === undefined ? text`${[nounOf(kind)]} ${label}` : [nounOf(kind)];
}

/** Returns to which resources of other packages the outputs of an object with a secret go. */
function deliveryOf({ kind, urn, label }: Change, { steps }: Plan): Text {
  if (!Object.values(kindNamed(kind)?.outputs ?? {}).some(({ secret }) => secret)) return [];
  const to = steps.flatMap(({ urn: own, oldState, newState }) => {
    const from = Object.values((newState ?? oldState)?.propertyDependencies ?? {}).flat();
    return from.includes(urn) && kindOfUrn(own) === undefined ? [nameOfUrn(own)] : [];
  });
  return to.length === 0 ? [] : text`The outputs of ${label} go to ${listed([...new Set(to)])}.`;
}
