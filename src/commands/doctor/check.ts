export interface Check {
  /** Name of the check: `clock`, `scopes.Queue`. Each occurs once. */
  readonly name: string;
  /** `problem`: deployments will fail or do harm. `warning`: they may. `skipped`: another problem kept it from being looked at. */
  readonly status: "ok" | "warning" | "problem" | "skipped";
  readonly message: string;
  readonly action?: string;
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
