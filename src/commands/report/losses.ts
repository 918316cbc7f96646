import { defaultSetBy, kindNamed, nounOf } from "../../provider/lifecycle/values/kinds.js";
import { capitalized } from "../../shared/messages/nouns.js";
import { kindOfUrn } from "../../shared/protocol/type-token.js";
import { nameOfUrn } from "../../shared/protocol/urn.js";
import type { Change } from "../shared/plan/change.js";
import type { OutOfBand } from "../shared/plan/changes.js";
import type { Plan } from "../shared/plan/plan.js";
import { listed, type Text, text } from "../shared/plan/text.js";
import type { Danger } from "./dangers.js";
import { reviews } from "./remarks/index.js";
import { sentence } from "./sentences.js";

/** An object that somebody deleted outside of the program. */
interface Lost extends Pick<OutOfBand, "urn" | "kind" | "label" | "place"> {
  /** The change that it is about, if there is one. */
  readonly change: Change | undefined;
  readonly fate: OutOfBand["fate"] | "open";
}

/** Says what was lost outside of the program: in drift, what it means; in a preview, what the deployment doesn't restore. */
export function lossesOf(plan: Plan): Danger[] {
  const all = lostIn(plan);
  const lost = new Set(all.map(({ urn }) => urn));
  // The parent's sentence names what was lost with it.
  return all
    .filter(({ place }) => place === undefined || !lost.has(place.key))
    .map((one): Danger => {
      const inside = all.filter(({ place }) => place?.key === one.urn);
      const { lost: losses, remains = [] } = reviews[one.kind]?.vanished ?? DEFAULT;
      const isUndone = one.fate === "undone";
      const isSet = defaultSetBy(one.kind) !== undefined;
      const isRestored = isUndone && remains.length === 0;
      const remark = {
        subject: isSet
          ? [`The ${nounOf(one.kind)}`]
          : [capitalized(nounOf(one.kind)), ...spaced(titleOf(one))],
        predicate: [
          `was ${isSet ? "removed" : "deleted"} outside of the program`,
          ...(inside.length > 0 ? text`, with ${listed(inside.map(named))}` : []),
          {
            undone: `, and this deployment ${isSet ? "sets" : "creates"} it again`,
            kept: `, and this deployment doesn't ${isSet ? "set" : "create"} it again`,
            open: "",
          }[one.fate],
        ],
        rest: [
          isRestored ? [] : losses,
          one.fate === "kept" ? [] : remains,
          ...[one, ...inside].map((lost) => deliveryOf(lost, plan)),
        ].flatMap((text) => (text.length > 0 ? [{ text }] : [])),
      };
      return {
        level: isRestored ? "caution" : "danger",
        message: sentence(remark, one.place ? [one.place] : []),
        of: [one, ...inside].flatMap(({ change }) => change ?? []),
      };
    });
}

const DEFAULT: { readonly lost: Text; readonly remains?: Text } = {
  lost: [],
  remains: ["A new object has another id."],
};

/** Returns what somebody deleted outside of the program, as far as a refresh shows it. */
export function lostIn({ drift, changes, outOfBand }: Plan): Lost[] {
  if (drift)
    return changes
      .filter(({ action, pending }) => action === "delete" && !pending)
      .map((change) => ({ ...change, change, fate: "open" }));
  return outOfBand
    .filter(({ gone }) => gone)
    .map((one) => ({ ...one, change: changes.find(({ urn }) => urn === one.urn) }));
}

function titleOf({ kind, label, place }: Lost): Text {
  // A property of its parent is named by it.
  return defaultSetBy(kind) !== undefined && place ? [] : [{ code: label }];
}

function named(one: Lost): Text {
  return [nounOf(one.kind), ...spaced(titleOf(one))];
}

function spaced(sentence: Text): Text {
  return sentence.length === 0 ? [] : [" ", ...sentence];
}

/** Returns to which resources of other packages the outputs of an object with a secret go. */
function deliveryOf({ kind, urn, label }: Lost, { steps }: Plan): Text {
  if (!Object.values(kindNamed(kind)?.outputs ?? {}).some(({ secret }) => secret)) return [];
  const to = steps.flatMap(({ urn: own, oldState, newState }) => {
    const from = Object.values((newState ?? oldState)?.propertyDependencies ?? {}).flat();
    return from.includes(urn) && kindOfUrn(own) === undefined ? [nameOfUrn(own)] : [];
  });
  return to.length === 0 ? [] : text`The outputs of ${label} go to ${listed([...new Set(to)])}.`;
}
