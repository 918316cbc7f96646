import { counted } from "../../shared/messages/nouns.js";
import { nameOfUrn, typeOfUrn } from "../../shared/protocol/urn.js";
import { PlanRefusal } from "../projects/run.js";
import { engineEvent } from "../shared/pulumi/events.js";
import { LOCKED } from "../shared/pulumi/pulumi.js";

/** Steps that change nothing outside of the state. */
const QUIET = new Set(["same", "refresh", "read", "read-replacement", "discard"]);

/** Turns the engine's events into lines that say what a deployment did, without what didn't change and without secrets. */
export class DeploymentLog {
  readonly errors: string[] = [];
  isLocked = false;
  readonly #refusal: PlanRefusal;

  constructor(log: (line: string) => void) {
    this.#refusal = new PlanRefusal(log);
  }

  /** The plan no longer fits. */
  get isRefused(): boolean {
    return this.#refusal.isRefused;
  }

  /** Adds a line of standard error. */
  readonly text = (line: string): void => {
    this.isLocked ||= LOCKED.test(line);
    if (line.startsWith("error: ")) this.errors.push(line.slice("error: ".length));
    this.#refusal.add(line);
  };

  /** Adds a line of `pulumi up --json`. */
  readonly event = (line: string): void => {
    const event = eventIn(line);
    if (event === undefined) return;
    const { resOutputsEvent: done, resOpFailedEvent: failed, diagnosticEvent, summaryEvent: summary } = event;
    if (done && !done.planning && !QUIET.has(done.metadata.op))
      this.#refusal.add(`  ${inWords(done.metadata)}`);
    if (failed && !failed.planning) this.#refusal.add(`  failed: ${inWords(failed.metadata)}`);
    for (const { severity, message } of diagnosticEvent ?? [])
      if (severity !== "debug")
        for (const part of message.split("\n")) {
          // A warning that the preview in the deployment gave comes once more.
          this.text(severity === "error" || severity === "warning" ? `${severity}: ${part}` : part);
        }
    if (summary && summary.isPreview !== true) this.#refusal.add(sumsIn(summary.resourceChanges ?? {}));
  };
}

function eventIn(line: string): ReturnType<typeof engineEvent> {
  try {
    return engineEvent(JSON.parse(line));
  } catch {
    // Pulumi prints some text between its events.
    return undefined;
  }
}

function inWords({ op, urn }: { readonly op: string; readonly urn: string }): string {
  const type = typeOfUrn(urn);
  return `${op} ${type.slice(type.lastIndexOf(":") + 1)} ${nameOfUrn(urn)}`;
}

function sumsIn(changes: Readonly<Record<string, number>>): string {
  const { same = 0, ...others } = changes;
  const parts = Object.entries(others).map(([op, count]) => `${count} to ${op}`.replace(" to ", " × "));
  return `${parts.join(", ") || "Nothing changed"}; ${counted(same, "resource")} unchanged.`;
}
