import {
  areWhole,
  grammar,
  kinds,
  levelArgument,
  levelsOf,
  nounOf,
  useArgument,
} from "../../provider/for-commands/kinds.js";
import { alphabetically } from "../../shared/messages/alphabet.js";
import { counted } from "../../shared/messages/nouns.js";
import type { PlannedChange } from "../plan/change.js";
import { objectsOf } from "../plan/objects.js";
import type { Plan } from "../plan/plan.js";
import { listed, type Text, text } from "../plan/text.js";
import { isNewGroup } from "./access.js";
import type { Remark } from "./consequences.js";
import { mayUse, remainingOf, shownOr } from "./remaining.js";
import { type LiveReferences, namedKinds, nameOfKey, type WithSteps, withStepsAfter } from "./steps.js";

/** Says with remarks which jobs read what has a policy: those whose code somebody else decides then, and those that it denies. */
export function readersOf(plan: Plan, live: LiveReferences | undefined): (remark: Remark) => Remark {
  let read: readonly WithSteps[] | undefined;
  const users = () => {
    read ??= withStepsAfter(plan, live);
    return read;
  };
  const usersIn = (own: readonly Remark[]) => {
    const keys = own.flatMap(({ of }) => of.flatMap(decidedBy));
    return users().filter(({ kind, id, change }) =>
      keys.includes((id === undefined ? change?.urn : plan.keyOf(kind, id)) ?? ""),
    );
  };
  return (remark) => {
    const [change] = remark.of;
    if (remark.runsCode) {
      const isOfPair = change !== undefined && kinds.get(change.kind)?.isPair === true;
      return {
        ...remark,
        ofAll: (own) => [
          ...(isOfPair ? whoDecides(own, usersIn(own), plan) : []),
          ...readBy(usersIn(own), plan),
        ],
      };
    }
    const denied =
      change === undefined || remark.effect === "opened" ? [] : deniedBy(change, remark, users());
    return denied.length === 0 ? remark : { ...remark, details: [...(remark.details ?? []), ...denied] };
  };
}

/** Returns what identifies the objects whose code somebody decides by a change: its own or, with the highest level, a pair's. */
function decidedBy(change: PlannedChange): string[] {
  const kind = kinds.get(change.kind);
  if (!kind?.isPair) return [change.urn];
  const level = change.after[levelArgument(kind.name) ?? ""];
  const used = change.refersTo(useArgument(kind) ?? "", "after");
  return used !== undefined && level === levelsOf(kind).at(-1) ? [used] : [];
}

/** Returns what the jobs of a pipeline may read, that which its steps name first. */
function secretsOf(user: WithSteps, plan: Plan) {
  return namedKinds().flatMap((kind) => {
    const { allowedBy, output = "" } = grammar.get(kind.name) ?? {};
    if (allowedBy === undefined) return [];
    const here = remainingOf(kind, plan).filter(({ cluster }) => cluster === user.cluster);
    const isDenied = ({ after }: (typeof here)[number]) =>
      !mayUse(user, allowedBy.claims, after[allowedBy.argument], "after");
    const nameOf = ({ label, after }: (typeof here)[number]) => shownOr(label, after[output]);
    const denied = here.filter(isDenied).map(nameOf);
    const named = [...(user.names.get(kind.name)?.keys() ?? [])].filter((name) => !denied.includes(name));
    const others = here.map(nameOf).filter((name) => ![...denied, ...named].includes(name));
    return [
      ...named.map((name) => ({ kind: kind.name, name, isNamed: true })),
      ...others.map((name) => ({ kind: kind.name, name, isNamed: false })),
    ];
  });
}

function readBy(users: readonly WithSteps[], plan: Plan): Text[] {
  const all = users.map((user) => ({ user, secrets: secretsOf(user, plan) }));
  const groups = Map.groupBy(
    all.filter(({ secrets }) => secrets.length > 0),
    ({ secrets }) => JSON.stringify(secrets),
  );
  return [...groups.values()].flatMap((own) =>
    own.slice(0, 1).map(({ secrets }) => {
      const [{ kind } = { kind: "" }, ...others] = secrets;
      const noun = `${nounOf(kind)}${others.length > 0 ? "s" : ""}`;
      return text`Jobs of ${labelsOf(own.map(({ user }) => user))} may read the ${[noun]} ${listed(secrets.map(({ name }) => name))}.`;
    }),
  );
}

function labelsOf(users: readonly WithSteps[]): Text {
  return listed(users.map(({ label }) => label).sort(alphabetically));
}

/** Says who decides what jobs run, by a level that a group has on what they belong to. */
function whoDecides(own: readonly Remark[], users: readonly WithSteps[], plan: Plan): Text[] {
  if (users.length === 0) return [];
  const groups = new Set(
    own.flatMap(({ of }) => of.flatMap((one) => one.refersTo(placeArgument(one.kind), "after") ?? [])),
  );
  const members = objectsOf(plan).filter((one) => {
    const kind = kinds.get(one.kind);
    const isMember = kind?.isPair && useArgument(kind) === undefined && one.change?.action !== "delete";
    return isMember && groups.has(one.refersTo(placeArgument(one.kind), "after") ?? "");
  });
  const made = objectsOf(plan).filter(isNewGroup);
  const areKnown = [...groups].every((group) => made.some(({ key }) => key === group));
  const who = members.length === 0 || !areKnown ? "members" : counted(members.length, "member");
  const places = [
    ...new Set(users.flatMap(({ cluster }) => (cluster === undefined ? [] : nameOfKey(cluster, plan)))),
  ];
  const where: Text = places.length === 0 ? [] : [" in ", ...listed(places.sort(alphabetically))];
  return [text`Its ${[who]} can then change the steps that run${where}.`];
}

const placeArgument = (kind: string) => kinds.get(kind)?.parent?.argument ?? "";

/** Says of a narrower policy whose jobs it still lets read something, and whose it doesn't. */
function deniedBy(change: PlannedChange, { argument }: Remark, users: readonly WithSteps[]): Text[] {
  const { allowedBy, output = "" } = grammar.get(change.kind) ?? {};
  if (allowedBy === undefined || argument !== allowedBy.argument) return [];
  const cluster = change.refersTo(placeArgument(change.kind), "after");
  const mayRead = (user: WithSteps, when: "before" | "after") =>
    mayUse(user, allowedBy.claims, change[when][allowedBy.argument], when);
  const here = users.filter((user) => user.cluster === cluster);
  const lost = here.filter((user) => mayRead(user, "before") && !mayRead(user, "after"));
  const namingAs = (name: unknown) =>
    here.filter(({ names }) => names.get(change.kind)?.has(String(name)) === true);
  const naming = namingAs(change.after[output]);
  const isNamed = naming.length > 0 || namingAs(change.before[output]).length > 0;
  const kept = naming.filter((user) => mayRead(user, "after"));
  return [
    ...(lost.length === 0 ? [] : [text`Jobs of ${labelsOf(lost)} can no longer read it.`]),
    ...(kept.length === 0 ? [] : [text`Jobs of ${labelsOf(kept)}, whose steps name it, may still read it.`]),
    ...(!isNamed && here.every(({ steps }) => areWhole(steps.after))
      ? [["No steps of this stack's pipelines name it."]]
      : []),
  ];
}
