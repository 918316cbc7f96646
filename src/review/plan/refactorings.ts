import { isDeepStrictEqual } from "node:util";
import type { Diagnostic } from "../../cli/pulumi/events.js";
import type { State, Step } from "../../cli/pulumi/state.js";
import { nounOf } from "../../provider/for-commands/kinds.js";
import { UNKNOWN } from "../../shared/protocol/encoded-values.js";
import { kindOfUrn } from "../../shared/protocol/type-token.js";
import { nameOfUrn, typesOfUrn } from "../../shared/protocol/urn.js";
import type { PlannedChange } from "./change.js";
import type { Managed } from "./plan.js";
import { listed, type Text, text } from "./text.js";

/** A resource that the program moved or renamed, so that Pulumi would delete the object and create another. */
type Refactoring = ReturnType<typeof refactoringsOf>[number];

/** Returns deletions that have a creation of the same type and name under another parent, or with equal arguments. */
export function refactoringsOf(steps: readonly Step[]) {
  const statesOf = (op: string, of: "oldState" | "newState") =>
    steps.flatMap((step) => (step.op === op && kindOfUrn(step.urn) !== undefined ? (step[of] ?? []) : []));
  const created = statesOf("create", "newState");
  return statesOf("delete", "oldState").flatMap((deleted) => {
    const others = created.filter(({ kind }) => kind === deleted.kind);
    const sameName = others.find(({ urn }) => nameOfUrn(urn) === nameOfUrn(deleted.urn));
    const equal = others.filter((one) => haveEqualArguments(deleted, one));
    const next = sameName ?? (equal.length === 1 ? equal[0] : undefined);
    if (next === undefined) return [];
    created.splice(created.indexOf(next), 1);
    return {
      kind: deleted.kind ?? "",
      from: deleted.urn,
      /** The option of the new resource that keeps the object, as TypeScript writes it. */
      code: aliasOf(deleted, next),
      /** Languages have the option in common, and how it is written only if the program's is known. */
      isTypeScript: /\.[cm]?[jt]sx?#/.test(next.sourcePosition ?? ""),
    };
  });
}

/** Values that are not known yet equal any other: an object that is moved with its cluster gets its new id. */
function haveEqualArguments({ inputs: old }: State, { inputs: next }: State): boolean {
  const names = new Set([...Object.keys(old), ...Object.keys(next)]);
  return [...names].every(
    (name) => name.startsWith("__") || next[name] === UNKNOWN || isDeepStrictEqual(old[name], next[name]),
  );
}

function aliasOf(old: State, next: State): string {
  const [before, after] = [nameOfUrn(old.urn), nameOfUrn(next.urn)];
  const name = before === after ? [] : [`name: ${JSON.stringify(before)}`];
  const isTop = /:pulumi:pulumi:Stack::/.test(old.parent ?? ":pulumi:pulumi:Stack::");
  const parent = isTop ? "pulumi.rootStackResource" : JSON.stringify(old.parent);
  const moved = typesOfUrn(old.urn) === typesOfUrn(next.urn) ? [] : [`parent: ${parent}`];
  return `{ aliases: [{ ${[...name, ...moved].join(", ")} }] }`;
}

export function refactoringsInWords(all: readonly Refactoring[], changes: readonly PlannedChange[]): Text[] {
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

/** Returns the object of the stack that has the name of a resource that the program declares under another name or parent. */
export function holderOf({ code, urn = "" }: Diagnostic, managed: readonly Managed[]): Managed | undefined {
  // A property of an object has its id.
  const kind = kindOfUrn(urn);
  const isSought = (one: Managed) =>
    one.id === code?.id && one.urn !== urn && (kind === undefined || one.kind === kind);
  return code?.name === "taken" ? managed.find(isSought) : undefined;
}

/** Says once what the program did, with the alias of each object that keeps it. */
export function takenInWords(own: readonly Managed[]): { message: Text; details: Text[] } {
  const names = own.map(({ kind, label }) => text`${[nounOf(kind)]} ${label}`);
  return {
    message: text`The program declares again what this stack has under another name or parent: ${listed(names)}. If it only renamed or moved ${[own.length === 1 ? "it, add to its options" : "them, add to the options of each"]}:`,
    details: own.map(({ label, urn }) => text`${label}: ${`aliases: [${JSON.stringify(urn)}]`}`),
  };
}
