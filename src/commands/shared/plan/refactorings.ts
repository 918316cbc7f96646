import { isDeepStrictEqual } from "node:util";
import { nounOf } from "../../../provider/lifecycle/values/kinds.js";
import { UNKNOWN } from "../../../shared/protocol/encoded-values.js";
import { kindOfUrn } from "../../../shared/protocol/type-token.js";
import { nameOfUrn, typesOfUrn } from "../../../shared/protocol/urn.js";
import type { State, Step } from "../pulumi/state.js";
import type { Change } from "./change.js";
import type { Managed } from "./plan.js";
import { listed, type Text, text } from "./text.js";

/** A resource that the program moved or renamed, so that Pulumi would delete the object and create another. */
export interface Refactoring {
  readonly kind: string;
  /** The URN of the resource that is deleted. */
  readonly from: string;
  /** The option of the new resource that keeps the object, as TypeScript writes it. */
  readonly code: string;
  /** Languages have the option in common, and how it is written only if the program's is known. */
  readonly isTypeScript: boolean;
}

type Replaced = { readonly step: Step; readonly state: State; readonly kind: string };

/**
 * Returns deletions that have a creation of the same type and name under another parent, or with equal arguments.
 */
export function refactoringsOf(steps: readonly Step[]): Refactoring[] {
  const own = (op: string, of: "oldState" | "newState") =>
    steps.flatMap((step): Replaced[] => {
      const [kind, state] = [kindOfUrn(step.urn), step[of]];
      return step.op === op && kind !== undefined && state ? [{ step, state, kind }] : [];
    });
  const created = own("create", "newState");
  return own("delete", "oldState").flatMap((deleted) => {
    const { kind } = deleted;
    const others = created.filter((one) => one.kind === kind);
    const sameName = others.find(({ step }) => nameOfUrn(step.urn) === nameOfUrn(deleted.step.urn));
    const equal = others.filter(({ state }) => haveEqualArguments(deleted.state, state));
    const next = sameName ?? (equal.length === 1 ? equal[0] : undefined);
    if (next === undefined) return [];
    created.splice(created.indexOf(next), 1);
    const isTypeScript = /\.[cm]?[jt]sx?#/.test(next.state.sourcePosition ?? "");
    return [{ kind, from: deleted.step.urn, code: aliasOf(deleted, next), isTypeScript }];
  });
}

/** Values that are not known yet equal any other: an object that is moved with its cluster gets its new id. */
function haveEqualArguments({ inputs: old }: State, { inputs: next }: State): boolean {
  const names = new Set([...Object.keys(old), ...Object.keys(next)]);
  return [...names].every(
    (name) => name.startsWith("__") || next[name] === UNKNOWN || isDeepStrictEqual(old[name], next[name]),
  );
}

function aliasOf({ step: old, state }: Replaced, { step: next }: Replaced): string {
  const name =
    nameOfUrn(old.urn) === nameOfUrn(next.urn) ? [] : [`name: ${JSON.stringify(nameOfUrn(old.urn))}`];
  const isTop = /:pulumi:pulumi:Stack::/.test(state.parent ?? ":pulumi:pulumi:Stack::");
  const parent = isTop ? "pulumi.rootStackResource" : JSON.stringify(state.parent);
  const moved = typesOfUrn(old.urn) === typesOfUrn(next.urn) ? [] : [`parent: ${parent}`];
  return `{ aliases: [{ ${[...name, ...moved].join(", ")} }] }`;
}

/** Returns a sentence for each alias: what it is for, and its code or its URNs. */
export function refactoringsInWords(all: readonly Refactoring[], changes: readonly Change[]): Text[] {
  return [...Map.groupBy(all, ({ code, isTypeScript, from }) => (isTypeScript ? code : from)).values()].map(
    (own) => {
      const [first] = own;
      const labels = own.map(({ from, kind }): Text => {
        const change = changes.find(({ urn }) => urn === from);
        return [`${nounOf(kind)} `, { code: change?.label ?? nameOfUrn(from) }];
      });
      const option = { code: first?.code ?? "" };
      const ask = "deleted and created again. If the program only renamed or moved";
      if (own.length > 1) {
        const lead = [...listed(labels, 20), ` are ${ask} them, add to each `];
        return [...lead, option, ", and nothing happens to them."];
      }
      const add = first?.isTypeScript
        ? [option, " to its options"]
        : ["the option ", { code: "aliases" }, " with ", { code: first?.from ?? "" }];
      return [...listed(labels, 20), ` is ${ask} it, add `, ...add, ", and nothing happens to it."];
    },
  );
}

/**
 * Returns the objects of the stack whose names errors of a preview call taken: the program declares each again under
 * another name or parent. The other errors are returned as they are.
 */
export function takenByOwn(errors: readonly string[], managed: readonly Managed[]) {
  const own = new Set<Managed>();
  const others = errors.filter((error) => {
    const [, id] = / is taken by the [\w ]+ ([\w-]+)\./.exec(error) ?? [];
    const holder = managed.find((one) => one.id === id);
    if (holder !== undefined) own.add(holder);
    return holder === undefined;
  });
  return { own: [...own], others };
}

/** Says once what the program did, with the alias of each object that keeps it. */
export function takenInWords(own: readonly Managed[]): { message: Text; details: Text[] } {
  const names = own.map(({ kind, label }) => text`${[nounOf(kind)]} ${label}`);
  return {
    message: text`The program declares again what this stack has under another name or parent: ${listed(names)}. If it only renamed or moved ${[own.length === 1 ? "it, add to its options" : "them, add to the options of each"]}:`,
    details: own.map(({ label, urn }) => text`${label}: ${`aliases: [${JSON.stringify(urn)}]`}`),
  };
}
