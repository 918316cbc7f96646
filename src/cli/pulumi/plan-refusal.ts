import { errorIn } from "./engine-messages.js";

/** A plan no longer fits. Values of both plans follow, also secret ones, in plain text. */
const REFUSAL = /^(?:resource (?:(urn:.*?) )?violates plan|[a-z-]+ is not allowed by the plan): /;

/** The end of a line of Pulumi's progress that says why a plan no longer fits, before an error says it once more. */
const DIFFERENCES = /( error: resource urn:.*? violates plan: ).*/s;

/**
 * Passes lines on. When a plan no longer fits, the engine prints the differences, secrets in plain text: then only the
 * resource is passed on, and nothing that follows.
 */
export class PlanRefusal {
  isRefused = false;

  constructor(private readonly print: (line: string) => void) {}

  /** Takes a line that Pulumi prints. */
  readonly add = (line: string): void => {
    // Pulumi indents what it lists as diagnostics.
    const message = errorIn(line.trimStart());
    if (message === undefined || !this.refuses({ message })) this.pass(line.replace(DIFFERENCES, "$1…"));
  };

  pass(line: string): void {
    if (!this.isRefused) this.print(line);
  }

  /** Takes an error of the engine. @returns whether it means that a plan no longer fits */
  refuses(error: { readonly message: string; readonly urn?: string | undefined }): boolean {
    const refusal = REFUSAL.exec(error.message);
    if (refusal === null) return false;
    this.print(`The plan no longer fits: ${error.urn ?? refusal[1] ?? "a resource differs from it"}`);
    this.isRefused = true;
    return true;
  }
}
