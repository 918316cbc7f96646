import { disappears } from "../../cli/drawing/actions.js";
import {
  type AnyKind,
  kinds,
  levelArgument,
  levelsOf,
  nounOf,
  useArgument,
} from "../../provider/for-commands/kinds.js";
import { alphabetically } from "../../shared/messages/alphabet.js";
import { isShown, UNKNOWN } from "../../shared/protocol/encoded-values.js";
import type { PlannedChange } from "../plan/change.js";
import { liveObjectOf, objectsOf, type PlanObject } from "../plan/objects.js";
import type { Plan } from "../plan/plan.js";
import { joined, listed, plainText, type Text, text } from "../plan/text.js";
import type { Remark } from "./consequences.js";
import type { Live } from "./live.js";

/** Who may do what by the groups that they are in, before and after a deployment. */

/** A group with one of its members or, with levels, with something that it may use. */
interface Pair {
  readonly kind: AnyKind;
  /** What identifies the group, and the other one: a URN or an id. Undefined: it isn't known yet. */
  readonly group: string | undefined;
  readonly other: string | undefined;
  readonly name: string;
  readonly levels: readonly string[];
  /** The other one is one of its members. */
  readonly isMember: boolean;
  /** It has the highest level. */
  readonly isFull: boolean;
  /** The same text for the same other one, and for the same pair. */
  readonly to: string;
  readonly key: string;
}

/** Returns the kinds that say who may do what: pairs, and the groups that they are of. */
export function accessKinds(): string[] {
  const pairs = [...kinds.values()].filter(({ isPair }) => isPair);
  return [...new Set(pairs.flatMap(({ name, parent }) => [parent?.kind ?? "", name]))];
}

/** Returns whether somebody may lose access by a change. */
export function changesAccess(change: PlannedChange): boolean {
  const level = levelArgument(change.kind);
  return (
    accessKinds().includes(change.kind) &&
    (disappears(change) || (change.action === "update" && change.changed.some(({ name }) => name === level)))
  );
}

export class Access {
  readonly #before: readonly Pair[];
  readonly #after: readonly Pair[];
  readonly #groups: ReadonlyMap<string, PlanObject>;
  /** All groups with what they may do were read. Otherwise nothing says what others have. */
  readonly #isComplete: boolean;

  constructor(
    private readonly plan: Plan,
    private readonly live: Live | undefined,
  ) {
    const isRead = live !== undefined && plan.deployed.some(changesAccess);
    this.#isComplete = isRead && !accessKinds().some((kind) => live.unread.has(kind));
    const own = objectsOf(plan);
    const shown = (live?.objects ?? []).map((one) => {
      const used = plan.managed.find(({ id }) => id === one.observed[useArgument(one.kind) ?? ""]);
      return { ...liveObjectOf(one, plan), label: used?.label ?? one.label };
    });
    this.#groups = new Map([...shown, ...own].map((one) => [one.key, one]));
    const gone = new Set<unknown>(plan.deployed.filter(disappears).map(({ urn }) => urn));
    const known = this.#isComplete ? shown : own.filter(({ id }) => id !== undefined);
    // Access to what disappears is no loss.
    this.#before = known
      .flatMap((one) => pairOf(one, one.change?.label ?? one.label, "before"))
      .filter(({ other }) => !gone.has(other));
    const changed = new Set(
      plan.deployed
        .filter(changesAccess)
        .flatMap((one) => pairOf(one, one.label, "before").map(({ key }) => key)),
    );
    const next = plan.deployed.filter(({ action }) => action !== "delete" && action !== "release");
    this.#after = [
      ...this.#before.filter((pair) => !gone.has(pair.group) && !changed.has(pair.key)),
      ...next.flatMap((one) => pairOf(one, one.nextLabel, "after")),
    ];
  }

  /** Says what only admins can change afterwards, if that is known. */
  remarks(): Remark[] {
    if (!this.#isComplete) return [];
    return [...Map.groupBy(this.#lostByAll(), ({ kind }) => kind)].map(([kind, lost]): Remark => {
      const keys = new Set(lost.map(({ key }) => key));
      return {
        effect: "lost",
        level: "danger",
        subject: ["Nobody but admins"],
        words: "can change {what} afterwards",
        rest: "No team that the access token may see keeps {level}.",
        todo: "Give {level} to another team.",
        values: { what: namesOf(lost), level: [{ code: levelsOf(kind).at(-1) ?? "" }] },
        of: this.plan.deployed.filter((change) => this.#takenBy(change).some(({ key }) => keys.has(key))),
      };
    });
  }

  /** Returns pairs with the highest level, of which no group keeps one. */
  #lostByAll(): Pair[] {
    const full = (pairs: readonly Pair[]) => pairs.filter(({ isMember, isFull }) => !isMember && isFull);
    const kept = new Set(full(this.#after).map(({ to }) => to));
    const lost = full(this.#before).filter(
      ({ kind, to }) => !kept.has(to) && !kept.has(`${kind.name} ${undefined}`),
    );
    return [...new Map(lost.map((pair) => [pair.to, pair])).values()];
  }

  /** Returns what a change takes from a group. */
  #takenBy(change: PlannedChange): Pair[] {
    if (!changesAccess(change)) return [];
    if (kinds.get(change.kind)?.isPair) return pairOf(change, change.label, "before");
    return this.#before.filter(({ group }) => group === change.urn);
  }

  /** A new pair of something that isn't known yet may give back what a change takes. */
  #surelyTakenBy(change: PlannedChange): Pair[] {
    return this.#after.some(({ other }) => other === undefined) ? [] : this.#takenBy(change);
  }

  /** Says of one change what only admins can change afterwards. */
  lastOf(change: PlannedChange): Text[] {
    const taken = new Set(this.#surelyTakenBy(change).map(({ to }) => to));
    const lost = this.#lostByAll().filter(({ to }) => taken.has(to));
    return this.#isComplete && lost.length > 0
      ? [
          text`No team that the access token may see has full access to ${namesOf(lost)} afterwards, so only admins can change ${[lost.length === 1 ? "it" : "them"]}.`,
        ]
      : [];
  }

  /** Returns a remark that something is opened as one that nothing is, if everybody concerned has as much already. */
  asKnown(remark: Remark): Remark {
    const [change, ...others] = remark.of;
    const [pair] = change === undefined || others.length > 0 ? [] : pairOf(change, change.nextLabel, "after");
    if (remark.effect !== "opened" || pair === undefined) return remark;
    const { group, levels, isMember } = pair;
    const whole = this.#groups.get(group ?? "");
    const isNew = whole?.change?.action === "create";
    const ofGroup = this.#after.filter((one) => one.group === group);
    const people = isMember ? [pair] : ofGroup.filter((one) => one.isMember);
    const given = isMember ? ofGroup.filter((one) => !one.isMember) : [pair];
    // A role above the lowest one lets a person change the group itself.
    const isOpen = (isMember || isNew) && whole !== undefined && opensMore(whole);
    const isMore = isOpen || (isMember && levels.length > 1);
    if (isMore || !(isNew || this.#isComplete)) return remark;
    const sources = people.flatMap(({ other }) =>
      given.map((one) =>
        reach(this.#before, other).find(
          (had) => had.to === one.to && one.levels.every((level) => had.levels.includes(level)),
        ),
      ),
    );
    const by = new Set(sources.map((had) => had && (this.#groups.get(had.group ?? "")?.label ?? had.group)));
    if (by.size === 0 || by.has(undefined)) return remark;
    const names = [...by].flatMap((name) => name ?? []).sort(alphabetically);
    const who = isMember
      ? `What the ${nounOf(whole?.kind ?? "")} may use, this person may use already`
      : "All of its members have this already";
    const already = text`${[who]}, by ${listed(names)}.`;
    return { ...remark, effect: "noticed", details: [...(remark.details ?? []), already] };
  }

  /** Returns what people lose with a change, and what remains to them: a sentence for those who lose the same. */
  detailsOf(change: PlannedChange): Text[] {
    const taken = this.#surelyTakenBy(change);
    const [first] = taken;
    if (first === undefined) return [];
    const unread = taken.filter(({ isMember, isFull }) => !isMember && isFull);
    const isOne = first.isMember && kinds.get(change.kind)?.isPair;
    const people = this.#before.filter(
      ({ isMember, group, other }) => isMember && group === first.group && (!isOne || other === first.other),
    );
    const lines = people.map(({ name, other }) => ({ name, lost: this.#lossOf(other) }));
    const groups = Map.groupBy(
      lines.filter(({ lost }) => lost.length > 0),
      ({ lost }) => plainText(lost),
    );
    return [
      ...(this.live !== undefined && !this.#isComplete && unread.length > 0
        ? [text`Whether another team has full access to ${namesOf(unread)} was not read.`]
        : []),
      ...[...groups.values()].map((own) => [
        ...listed(own.map(({ name }) => name)),
        own.length === 1 ? " loses " : " lose ",
        ...(own[0]?.lost ?? []),
      ]),
    ];
  }

  /** `` `manage_build_and_read` on 2 pipelines (`a`, `b`), keeping `read_only` by `Everyone`. `` */
  #lossOf(user: string | undefined): Text {
    const [before, after] = [reach(this.#before, user), reach(this.#after, user)];
    const highest = (pairs: readonly Pair[], kind: AnyKind) =>
      levelsOf(kind).findLast((level) => pairs.some(({ levels }) => levels.includes(level)));
    const lost = [...Map.groupBy(before, ({ to }) => to)].flatMap(([to, was]) => {
      const pair = was.at(-1);
      const is = after.filter((one) => one.to === to);
      const isLess = was.some(({ levels }) =>
        levels.some((level) => !is.some((one) => one.levels.includes(level))),
      );
      const by = [...new Set(is.map(({ group = "" }) => this.#groups.get(group)?.label ?? group))];
      return pair && isLess
        ? [{ pair, had: highest(was, pair.kind) ?? "", keeps: highest(is, pair.kind), by }]
        : [];
    });
    const groups = Map.groupBy(lost, ({ pair, had, keeps, by }) =>
      JSON.stringify([pair.kind.name, had, keeps, by]),
    );
    const end = this.#isComplete ? "." : ", as far as this stack shows.";
    const parts = [...groups.values()].map((own): Text => {
      const [{ had, keeps, by } = { had: "", keeps: undefined, by: [] }] = own;
      const rest = keeps === undefined ? [", keeping nothing"] : text`, keeping ${keeps} by ${listed(by)}`;
      return text`${had} on ${namesOf(own.map(({ pair }) => pair))}${rest}`;
    });
    return parts.length === 0 ? [] : [...joined(parts, "; "), end];
  }
}

/** Returns whether all members of a group are known: it is made here, and nobody else joins it by itself. */
export function isNewGroup(group: PlanObject): boolean {
  return group.change?.action === "create" && !opensMore(group);
}

/** Returns whether a group opens more to people than its pairs do: by a flag, or to others than its members. */
function opensMore({ kind, before, after }: PlanObject): boolean {
  return Object.entries(kinds.get(kind)?.arguments ?? {}).some(([name, { review }]) => {
    const value = after[name] ?? before[name];
    return review.means.true?.effect === "opened" && (value === true || (value != null && !isShown(value)));
  });
}

/** Returns what a person may use by groups. */
function reach(pairs: readonly Pair[], user: string | undefined): Pair[] {
  const groups = new Set(
    pairs.filter(({ isMember, other }) => isMember && other === user).map(({ group }) => group),
  );
  return pairs.filter(({ isMember, group }) => !isMember && groups.has(group));
}

function pairOf(
  one: Pick<PlanObject, "kind" | "before" | "after" | "refersTo">,
  name: string,
  when: "before" | "after",
): Pair[] {
  const kind = kinds.get(one.kind);
  if (!kind?.isPair) return [];
  const use = useArgument(kind);
  const order = levelsOf(kind);
  const group = one.refersTo(kind.parent?.argument ?? "", when);
  const other = use === undefined ? textOf(one[when][kind.words.label ?? ""]) : one.refersTo(use, when);
  const levels = levelsIn(one[when][levelArgument(kind.name) ?? ""], order);
  const isFull = levels.includes(order.at(-1) ?? "");
  const to = `${kind.name} ${other}`;
  const isMember = use === undefined;
  return [{ kind, group, other, name, levels, isMember, isFull, to, key: `${kind.name} ${group} ${other}` }];
}

function levelsIn(level: unknown, order: readonly string[]): readonly string[] {
  // What isn't known yet may be anything, so that nobody seems to lose it.
  if (level === UNKNOWN) return order;
  return Array.isArray(level) ? level.map(textOf) : order.slice(0, order.indexOf(textOf(level)) + 1);
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** `` pipeline `a` ``, or `` 2 pipelines (`a`, `b`) `` */
function namesOf(pairs: readonly Pair[]): Text {
  const names = [...new Set(pairs.map(({ name }) => name))].sort(alphabetically);
  const [first] = pairs;
  const noun = nounOf(first?.kind.arguments[useArgument(first.kind) ?? ""]?.refersTo ?? "");
  return names.length === 1
    ? text`${[noun]} ${names[0] ?? ""}`
    : text`${[`${names.length} ${noun}s`]} (${listed(names)})`;
}
