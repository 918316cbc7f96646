import type { ScopeChoice } from "../../provider/for-commands/kinds.js";

export interface Check {
  /** Name of the check: `clock`, `scopes.Queue`. Each occurs once. */
  readonly name: string;
  /** `problem`: deployments will fail or do harm. `warning`: they may. `skipped`: another problem kept it from being looked at. */
  readonly status: "ok" | "warning" | "problem" | "skipped";
  readonly message: string;
  readonly action?: string;
  /** What it says of one kind, as it is said of several; those of one form are one line for people. */
  readonly ofKind?: {
    readonly kind: string;
    readonly scopes: readonly ScopeChoice[];
    readonly form: ScopeForm;
  };
}

/** Words for the scopes of some kinds. */
export type ScopeForm = (
  kinds: readonly string[],
  scopes: readonly ScopeChoice[],
) => Pick<Check, "status" | "message" | "action">;

export function ofKind(kind: string, scopes: readonly ScopeChoice[], form: ScopeForm): Check {
  return { name: `scopes.${kind}`, ...form([kind], scopes), ofKind: { kind, scopes, form } };
}

/** Returns checks with one in place of all that say the same of several kinds. */
export function joined(checks: readonly Check[]): Check[] {
  const groups = Map.groupBy(checks, (check) => check.ofKind?.form ?? check);
  return [...groups.values()].flatMap(([first, ...more]) => {
    if (first?.ofKind === undefined || more.length === 0) return first ?? [];
    const all = [first, ...more].flatMap((check) => check.ofKind ?? []);
    const scopes = new Map(all.flatMap((one) => one.scopes).map((choice) => [choice.join(), choice]));
    return {
      name: first.name,
      ...first.ofKind.form(
        all.map(({ kind }) => kind),
        [...scopes.values()],
      ),
    };
  });
}

export function ok(name: string, message: string): Check {
  return { name, status: "ok", message };
}

export function warning(name: string, message: string, action: string): Check {
  return { name, status: "warning", message, action };
}

export function problem(name: string, message: string, action: string): Check {
  return { name, status: "problem", message, action };
}

export function skipped(name: string, message: string): Check {
  return { name, status: "skipped", message };
}
