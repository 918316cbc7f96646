import { nameOfUrn } from "../../shared/protocol/urn.js";
import { text } from "../shared/plan/text.js";
import { engineEvent } from "../shared/pulumi/events.js";
import type { Danger } from "./dangers.js";

/**
 * Reads the policy violations among events, one on each line: of `pulumi policy analyze --json`, or of a preview's event
 * log. Breaking a mandatory rule is a danger.
 *
 * @throws if the lines aren't such events
 */
export function readViolations(lines: readonly unknown[]): Danger[] {
  return lines.flatMap((line) => {
    const event = engineEvent(line);
    if (event?.sequence === undefined) throw new Error("is not what `pulumi policy analyze --json` prints.");
    if (event.policyEvent === undefined) return [];
    const { policyName, resourceUrn = "", message, enforcementLevel } = event.policyEvent;
    const name = nameOfUrn(resourceUrn);
    // The first line describes the rule, and the others this violation.
    const [rule = "", ...details] = message.split("\n");
    const why = details.join(" ").trim() || rule;
    return {
      of: [],
      level: enforcementLevel === "mandatory" ? "danger" : "caution",
      message: text`${policyName} is broken${name === "" ? [] : text` by ${name}`}: ${[why]}`,
    };
  });
}
