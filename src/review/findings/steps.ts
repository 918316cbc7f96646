import { disappears } from "../../cli/drawing/actions.js";
import type { LiveObject } from "../../cli/inventory/live-object.js";
import type { Diagnostic } from "../../cli/pulumi/events.js";
import {
  type AnyKind,
  grammar,
  kindNamed,
  kinds,
  namesIn,
  nounOf,
  placeOfKind,
  queueKind,
} from "../../provider/for-commands/kinds.js";
import { nearestName } from "../../shared/messages/nearest-name.js";
import { counted } from "../../shared/messages/nouns.js";
import { isShown, UNKNOWN } from "../../shared/protocol/encoded-values.js";
import { documentDigest, readStepCode, type StepCode } from "../../shared/protocol/message-codes.js";
import { ORGANIZATION } from "../../shared/protocol/properties.js";
import type { PlannedChange } from "../plan/change.js";
import { liveObjectOf, objectsOf, type PlanObject } from "../plan/objects.js";
import type { Plan } from "../plan/plan.js";
import { listed, type Text, text } from "../plan/text.js";
import type { Named, Remark } from "./consequences.js";

/** What steps name, and what is not there afterwards. */

type Names = ReadonlyMap<string, readonly string[]>;

/** Returns what steps name, by kind, with the labels of the steps as far as they have one. Interpolations are left out. */
export function namedIn(configuration: unknown): ReadonlyMap<string, Names> {
  const named = new Map<string, Map<string, string[]>>();
  if (typeof configuration !== "string" || configuration === UNKNOWN) return named;
  for (const { kind, value, label } of namesIn(configuration, grammar)) {
    const own = named.get(kind) ?? new Map<string, string[]>();
    named.set(kind, own.set(value, [...(own.get(value) ?? []), ...(label === undefined ? [] : [label])]));
  }
  return named;
}

/** What the organization has besides the stack: what has steps, and what they name, as far as either was read. */
export interface LiveReferences {
  readonly withSteps: readonly LiveObject[];
  readonly named: ReadonlyMap<string, readonly LiveObject[]>;
  /** Whether a place, by its id, has a default such as a default queue, as far as that was read. */
  readonly hasDefault?: ReadonlyMap<string, boolean>;
}

/** A plan beside what a reading found. */
export interface PlanBeside extends Plan {
  readonly beside?: LiveReferences | undefined;
}

/** Returns the argument of a kind that has steps. */
export function stepsArgument(kind: string): string | undefined {
  const fields = Object.entries(kinds.get(kind)?.arguments ?? {});
  return fields.find(([, { hasSteps }]) => hasSteps)?.[0];
}

/** What a preview said of the steps of a change. */
interface Said {
  readonly change: PlannedChange;
  readonly code: StepCode;
  /** The place in the steps, and a sentence. */
  readonly message: string;
  readonly diagnostic: Diagnostic;
}

export function saidOfSteps({ diagnostics, deployed, masking }: Plan): Said[] {
  return diagnostics.flatMap((diagnostic) => {
    const code = readStepCode(diagnostic.code);
    if (code === undefined) return [];
    return deployed.flatMap((change) => {
      const argument = stepsArgument(change.kind) ?? "";
      const isOfText = code.document !== "" && documentDigest(change.after[argument]) === code.document;
      if (change.urn !== diagnostic.urn && !isOfText) return [];
      const lead = `${change.kind}.${argument}: `;
      const [, ...words] = masking.text(diagnostic.message).split(lead);
      return [{ change, code, message: words.join(lead), diagnostic }];
    });
  });
}

/** An object with steps after the deployment, of its own or of its template, and what they name. */
export interface WithSteps extends Named {
  readonly id: string | undefined;
  readonly steps: BeforeAndAfter<unknown>;
  readonly before: Properties;
  readonly after: Properties;
  readonly names: ReadonlyMap<string, Names>;
  readonly namedBefore: ReadonlyMap<string, Names>;
  /** URN or id of the cluster that it is in; undefined for a template, and where nothing shows it. */
  readonly cluster: string | undefined;
  /** The change of it or, if it stays, of its template. */
  readonly change?: PlannedChange | undefined;
}

interface BeforeAndAfter<Value> {
  readonly before: Value;
  readonly after: Value;
}

/** An object that steps may name, after the deployment. */
interface After {
  readonly name: unknown;
  /** The cluster that it is in; undefined for what belongs to the organization. */
  readonly cluster: string | undefined;
  readonly organization: unknown;
}

/** Returns the organization of an object. A program may have several, each of which has names of its own. */
function organizationAt({ before, after }: Pick<PlanObject, "before" | "after">): unknown {
  return after[ORGANIZATION] ?? before[ORGANIZATION];
}

/** Returns whether both may be in one organization. */
function areTogether(one: unknown, other: unknown): boolean {
  return !isShown(one) || !isShown(other) || one === other;
}

type Properties = Readonly<Record<string, unknown>>;

/** Returns the properties by which steps may name an object of a kind. Some have a slug beside their id. */
function nameProperties(kind: AnyKind): string[] {
  const { output = "id" } = grammar.get(kind.name) ?? {};
  return [...new Set([output, ...("slug" in kind.outputs || "slug" in kind.arguments ? ["slug"] : [])])];
}

function namesOf(kind: AnyKind, properties: Properties, id: string | undefined): unknown[] {
  return nameProperties(kind).map((name) => (name === "id" ? id : properties[name]));
}

/** Returns the names that a change takes from its object: all of one that goes, and those that another value changes. */
function lostNames(kind: AnyKind, change: PlannedChange): unknown[] {
  if (disappears(change) || isArchivedBy(change)) return namesOf(kind, change.before, change.id);
  if (change.action !== "update") return [];
  return nameProperties(kind).flatMap((name) => {
    const source = name in kind.arguments ? name : (kind.outputs[name]?.spells ?? "");
    if (!change.changed.some((one) => one.name === source)) return [];
    const [old, next] = [change.before[source], change.after[source]];
    const isSame =
      source === name ? old === next : kind.arguments[source]?.review.compare?.(old, next) === undefined;
    return isSame ? [] : [change.before[name]];
  });
}

/** Returns whether a change archives its object, which then is there and gets nothing any more. */
export function isArchivedBy({ kind, action, before, after }: PlannedChange): boolean {
  const { argument = "" } = kinds.get(kind)?.archiving ?? {};
  return action === "update" && after[argument] === true && before[argument] !== true;
}

/** Returns the changes that take names away from the objects of a kind, by these names. */
export function removedNames(
  kind: AnyKind,
  { deployed }: Plan,
): ReadonlyMap<unknown, readonly PlannedChange[]> {
  const lost = deployed.flatMap((change) =>
    change.kind === kind.name ? lostNames(kind, change).map((name) => ({ name, change })) : [],
  );
  const known = Map.groupBy(
    lost.filter(({ name }) => name !== undefined),
    ({ name }) => name,
  );
  return new Map([...known].map(([name, own]) => [name, own.map(({ change }) => change)]));
}

/** Returns whether a place has something of an object's kind and name after the deployment. */
export function hasAfter(place: string, { kind: name, id, before }: Sought, plan: PlanBeside): boolean {
  const kind = kindNamed(name);
  if (kind === undefined) return false;
  const after = namedAfter(kind, plan).filter(({ cluster }) => cluster === place);
  return namesOf(kind, before, id).every((own) => after.some(({ name }) => name === own));
}

export type Sought = Pick<PlanObject, "kind" | "id" | "before">;

/** Returns what a reading of the organization found that has steps, and that the stack doesn't have. */
export function othersOf(plan: PlanBeside): PlanObject[] {
  const ids = new Set(objectsOf(plan).map(({ id }) => id));
  return (plan.beside?.withSteps ?? [])
    .filter(({ id }) => !ids.has(id))
    .map((one) => liveObjectOf(one, plan));
}

/** Returns whether an object is archived after the deployment, so that it gets nothing to do. */
export function isArchived({ kind, after }: Pick<PlanObject, "kind" | "after">): boolean {
  const { archiving } = kinds.get(kind) ?? {};
  return archiving !== undefined && after[archiving.argument] === true;
}

/** Names a place that `successorsOf` returns. */
export function placeOfKey(key: string, plan: Plan): Text {
  const name = text`${nameOfKey(key, plan)}`;
  const made = plan.deployed.find(({ urn, action }) => urn === key && action === "create");
  return made === undefined ? name : [`the new ${nounOf(made.kind)} `, ...name];
}

/** Returns the kinds that steps name. */
export function namedKinds(): AnyKind[] {
  return [...grammar.keys()].flatMap((name) => kindNamed(name) ?? []);
}

function namedAfter(kind: AnyKind, plan: PlanBeside): After[] {
  const place = kind.parent?.argument ?? "";
  const all = [
    ...objectsOf(plan),
    ...(plan.beside?.named.get(kind.name) ?? []).map((one) => liveObjectOf(one, plan)),
  ].filter((one) => one.kind === kind.name);
  return all.flatMap((one) => {
    const { id, change } = one;
    const isNew = change?.action === "create" || change?.action === "adopt";
    const lost = change === undefined ? [] : lostNames(kind, change);
    const kept = isNew ? [] : namesOf(kind, one.before, id).filter((name) => !lost.includes(name));
    return [
      ...kept.map((name) => ({ name, cluster: one.refersTo(place, "before") })),
      ...(change === undefined ? [] : newNames(kind, change)).map((name) => ({
        name,
        cluster: (change?.movesTo ?? change?.place)?.key,
      })),
    ].flatMap((own) => (own.name === undefined ? [] : { ...own, organization: organizationAt(one) }));
  });
}

/** Returns the names that an object has by a change. Before a creation, a slug follows from the name. */
function newNames(kind: AnyKind, change: PlannedChange): unknown[] {
  const { action, id, after } = change;
  if (action === "delete" || isArchivedBy(change)) return [];
  const isMade = action === "create" || action === "adopt";
  const { form, from = "" } = kind.unique?.derived ?? {};
  return nameProperties(kind).map((name) => {
    if (name !== "id" && !(name in kind.arguments) && !isMade) return undefined;
    return name === "id" ? id : (after[name] ?? (isMade ? form?.(String(after[from])) : undefined));
  });
}

const cache = new WeakMap<PlanBeside, readonly WithSteps[]>();

export function withStepsAfter(plan: PlanBeside): readonly WithSteps[] {
  const all = cache.get(plan) ?? readSteps(plan);
  cache.set(plan, all);
  return all;
}

function readSteps(plan: PlanBeside): readonly WithSteps[] {
  const own = objectsOf(plan);
  const all = [...own, ...othersOf(plan)];
  const byKey = new Map<string | undefined, PlanObject>(all.map((one) => [one.key, one]));
  return all.flatMap((one) => {
    const { id, kind, label, change, refersTo } = one;
    const argument = stepsArgument(kind);
    if (argument === undefined || change?.action === "delete" || isArchived(one)) return [];
    const template = templateArgument(kind) ?? "";
    // A program has the default steps, and an object of the organization without steps may have those of another form.
    const usual = own.includes(one) ? kinds.get(kind)?.arguments[argument]?.default : undefined;
    const stepsAt = (when: "before" | "after") => {
      const from = byKey.get(refersTo(template, when));
      return (
        from?.[when][stepsArgument(from.kind) ?? ""] ??
        one[when][argument] ??
        (one[when][template] ? undefined : usual)
      );
    };
    const steps = { before: stepsAt("before"), after: stepsAt("after") };
    return {
      ...{ kind, label, title: [{ code: label }] },
      id,
      steps,
      before: one.before,
      after: one.after,
      names: namedIn(steps.after),
      namedBefore: namedIn(steps.before),
      cluster: refersTo(placeOfKind(kind).argument ?? "", "after"),
      change: change ?? byKey.get(refersTo(template, "after"))?.change,
    };
  });
}

/** Returns the argument of a kind that names what its steps come from. */
export function templateArgument(kind: string): string | undefined {
  const fields = Object.entries(kinds.get(kind)?.arguments ?? {});
  return fields.find(([, { refersTo = "" }]) => stepsArgument(refersTo) !== undefined)?.[0];
}

/** Returns the steps that a change gives or takes, and that a template outside of the stack has, as far as nobody read it. */
export function unknownSteps(plan: PlanBeside): Text[] {
  const switched = withStepsAfter(plan).filter(({ kind, change }) => {
    const argument = templateArgument(kind) ?? "";
    const isOwn = change?.kind === kind && change.action === "update";
    return isOwn && change.refersTo(argument, "before") !== change.refersTo(argument, "after");
  });
  return (["before", "after"] as const).flatMap((when) => {
    const own = switched.filter(({ steps }) => steps[when] === undefined);
    const [{ kind } = { kind: "" }] = own;
    const whose = `the ${when === "before" ? "former " : ""}steps of ${nounOf(kind)}${own.length === 1 ? "" : "s"}`;
    const names = listed(own.map(({ label }) => label));
    return own.length === 0 ? [] : [text`${[whose]} ${names} from a template outside of this stack`];
  });
}

/** A name in steps that nothing has afterwards. */
interface Lost {
  readonly user: WithSteps;
  readonly of: AnyKind;
  readonly name: string;
  readonly cluster: string | undefined;
  /** The changes that take the name from the last object; none where no object had it. */
  readonly removed: readonly PlannedChange[];
  /** Whether everything is known that may have the name. */
  readonly isKnown: boolean;
  /** What the preview said of it, which knows the organization. */
  readonly said: readonly Said[];
}

/** Returns what steps name in vain: nothing has these names after the deployment, as far as it is known. */
export function lostInSteps(plan: PlanBeside): Lost[] {
  const users = withStepsAfter(plan);
  const all = saidOfSteps(plan);
  return namedKinds().flatMap((of) => {
    const after = namedAfter(of, plan);
    const taken = removedNames(of, plan);
    const isRead = plan.beside?.named.has(of.name) === true;
    return users.flatMap((user) => {
      const cluster = of.parent && user.cluster;
      const organization = organizationAt(user);
      return [...(user.names.get(of.name)?.keys() ?? [])].flatMap((name): Lost[] => {
        const removed = (taken.get(name) ?? []).filter(
          (change) =>
            (cluster === undefined || change.place?.key === cluster) &&
            areTogether(organizationAt(change), organization),
        );
        // What has a name that isn't known yet may have any.
        const isFound = after.some(
          (other) =>
            !isWithout(of, user) &&
            (other.name === name || other.name === UNKNOWN) &&
            (cluster ?? other.cluster) === other.cluster &&
            areTogether(other.organization, organization),
        );
        const said = all.filter(
          ({ change, code }) => change === user.change && code.kind === of.name && code.name === name,
        );
        const isKnown = isRead || said.length > 0 || isWithout(of, user) || isNewCluster(plan, cluster);
        // What stacks leave to others, such as secrets, is missed only where all of it was read.
        const isMissed =
          (of.name === queueKind() || isRead || isLeftBehind(plan, user, of, name)) &&
          isCaused(user, of, name);
        const isLost = removed.length > 0 || said.length > 0 || isMissed;
        return isFound || !isLost ? [] : [{ user, of, name, cluster, removed, isKnown, said }];
      });
    });
  });
}

/** Returns whether something is in no place any more, and so without what only jobs there may use, such as secrets. */
function isWithout(of: AnyKind, { kind, after }: WithSteps): boolean {
  return grammar.get(of.name)?.allowedBy !== undefined && after[placeOfKind(kind).argument ?? ""] === "";
}

/** Something moves out of a place in which this stack has what its steps name. */
function isLeftBehind(plan: Plan, { change, kind: user }: WithSteps, kind: AnyKind, name: string): boolean {
  const from = change?.refersTo(placeOfKind(user).argument ?? "", "before");
  return objectsOf(plan).some(
    ({ kind: own, id, before, refersTo }) =>
      own === kind.name &&
      from !== undefined &&
      refersTo(kind.parent?.argument ?? "", "before") === from &&
      namesOf(kind, before, id).includes(name),
  );
}

/** A new cluster has only what the plan puts into it. */
export function isNewCluster({ deployed }: Plan, cluster: string | undefined): boolean {
  return deployed.some(({ urn, action }) => urn === cluster && ["create", "replace"].includes(action));
}

/** Where nothing goes, steps matter that are new, or in another cluster. A template is used by anything. */
function isCaused({ kind, change, names, namedBefore }: WithSteps, of: AnyKind, name: string): boolean {
  if (change === undefined) return of.name === queueKind() && isAnywhere(kind);
  return !namedBefore.get(of.name)?.has(name) || (of.parent !== undefined && names.size > 0 && moves(change));
}

/** A template is in no cluster. */
export function isAnywhere(kind: string): boolean {
  return placeOfKind(kind).argument === undefined;
}

export function moves(change: PlannedChange | undefined): boolean {
  const { argument } = placeOfKind(change?.kind ?? "");
  return change?.action === "update" && change.changed.some(({ name }) => name === argument);
}

/** Says what follows for whom. The same missing object is as grave, whatever causes it. */
export function stepRemarks(plan: PlanBeside): Remark[] {
  const lost = lostInSteps(plan);
  const groups = Map.groupBy(lost, ({ user: { kind, change }, of, name, cluster, removed }) =>
    JSON.stringify([
      of.name,
      name,
      cluster,
      moves(change),
      removed.map(({ urn }) => urn),
      kind,
      change !== undefined,
    ]),
  );
  // The preview may have looked before it met what the same update makes.
  const isMade = ({ code }: Said) =>
    namedKinds().some(
      (kind) => kind.name === code.kind && namedAfter(kind, plan).some(({ name }) => name === code.name),
    );
  const known = [...lost.flatMap(({ said }) => said), ...saidOfSteps(plan).filter(isMade)];
  return [
    ...[...groups.values()].flatMap((about) =>
      about.slice(0, 1).flatMap((one) => lostRemark(one, about, plan)),
    ),
    ...mistakesIn(plan, new Set(known.map(idOf))),
  ];
}

/** Says of which objects some steps name one in vain. */
function lostRemark(first: Lost, about: readonly Lost[], plan: PlanBeside): Remark[] {
  const { user, of, name, cluster, removed, isKnown, said } = first;
  const { change, kind } = user;
  const others = namedAfter(of, plan).flatMap((one) =>
    (one.cluster === cluster || isAnywhere(kind)) &&
    typeof one.name === "string" &&
    areTogether(one.organization, organizationAt(user))
      ? [one.name]
      : [],
  );
  const isMoved = of.parent !== undefined && moves(change);
  const isRemoved = removed.length > 0;
  if (!isRemoved && !isMoved && !isKnown && (change === undefined || others.length === 0)) return [];
  const isArchived = isRemoved && removed.every(isArchivedBy);
  const { level = "danger", stops: follows = "" } = grammar.get(of.name) ?? {};
  const near = nearestName(name, others);
  const place = clusterName(plan, first);
  const steps = about.length === 1 ? (user.names.get(of.name)?.get(name) ?? []) : [];
  const isOfAll = of.parent === undefined;
  const isPlaced = cluster !== undefined;
  const where: Text = isOfAll ? ["the organization"] : isPlaced ? text`cluster ${place}` : ["no cluster"];
  const lacks = `${isPlaced || isOfAll ? "lacks" : "has"}${isKnown ? "" : " as far as this stack shows"}`;
  const isRenamed = removed.every(({ action }) => action === "update");
  const takes = isArchived ? "archives" : isRenamed ? "renames" : "takes away";
  const noun = nounOf(of.name);
  const [words, inGeneral] = isMoved
    ? isWithout(of, user)
      ? [
          `{leaves|leave} behind the ${noun} {key} that {its|their} steps name`,
          `{leaves|leave} behind a ${noun} that {its|their} steps name`,
        ]
      : [
          `{moves|move} to {where}, which has {no} ${noun} {key} that {its|their} steps name`,
          `{moves|move} to a cluster without the ${noun} that {its|their} steps name`,
        ]
    : isRemoved
      ? [
          `still {names|name} in {its|their} steps the ${noun} {key}{of}, which this deployment ${takes}`,
          `still {names|name} the ${noun} {key} in {its|their} steps, which this deployment ${takes}`,
        ]
      : [
          `{names|name} the ${noun} {key} in {its|their} steps, which {where} ${lacks}`,
          `{names|name} a ${noun} in {its|their} steps that ${isOfAll ? "the organization" : "{its|their} cluster"} lacks`,
        ];
  const stops = isArchived ? "it gets no builds then" : follows;
  const isCertain = isRemoved || (isKnown && change !== undefined);
  return [
    {
      effect: "stops",
      level: isCertain ? level : "caution",
      about: about.map((one) => one.user),
      of: [...new Set(isRemoved ? removed : about.flatMap((one) => one.user.change ?? []))],
      words: `${words}: ${stops}`,
      inGeneral: `${inGeneral}: ${stops}`,
      todo:
        !isPlaced || isRemoved
          ? "Change the steps first."
          : `Add the ${noun} {key} to {where}, or change the steps.`,
      values: {
        key: [{ code: name }],
        where,
        of: isPlaced ? [" of ", ...where] : [],
        no: [isKnown ? "no" : "no known"],
      },
      details:
        said.length > 0
          ? said.map(({ message }): Text => [{ code: message }])
          : [
              ...(steps.length === 0 ? [] : [text`The steps are ${listed([...new Set(steps)], 3)}.`]),
              ...(near === undefined ? [] : [text`Is ${near} meant?`]),
              ...(others.length === 0 || !isPlaced
                ? []
                : [text`${place} has the ${[noun]}s ${listed([...new Set(others)].sort())}.`]),
            ],
    },
  ];
}

function idOf({ change, diagnostic }: Said): string {
  return JSON.stringify([change.urn, diagnostic.message]);
}

/** Says what else a preview remarked on steps. */
function mistakesIn(plan: Plan, known: ReadonlySet<string>): Remark[] {
  const all = saidOfSteps(plan).filter((one) => !known.has(idOf(one)));
  const groups = Map.groupBy(all, ({ change, code }) => JSON.stringify([change.urn, code.isRejected]));
  return [...groups.values()].flatMap((own) =>
    own.slice(0, 1).map(({ change, code: { isRejected } }): Remark => {
      const details = own.slice(0, MOST_MISTAKES).map(({ message }): Text => [{ code: message }]);
      const more = own.length - details.length;
      return {
        effect: isRejected ? "stops" : "noticed",
        level: "caution",
        of: [change],
        words: isRejected
          ? "{has|have} steps that Buildkite rejects"
          : "{has|have} steps that do something else than is meant",
        todo: "Correct the steps.",
        details: [...details, ...(more > 0 ? [[`And ${counted(more, "more remark")} of this kind.`]] : [])],
      };
    }),
  );
}

const MOST_MISTAKES = 5;

/** Returns the name of what identifies an object, or else that itself. */
export function nameOfKey(key: string, { managed, deployed }: Plan, unknown = key): string {
  return [...managed, ...deployed].find(({ urn, id }) => urn === key || id === key)?.label ?? unknown;
}

function clusterName(plan: Plan, { cluster, user: { change, kind }, removed }: Lost): string {
  const { argument } = placeOfKind(kind);
  const given = argument && change?.value(argument, "after");
  const told = typeof given === "object" && "code" in given ? given.code : removed[0]?.place?.name;
  return cluster === undefined ? (told ?? "") : nameOfKey(cluster, plan, told);
}
