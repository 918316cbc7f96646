import { messageOf } from "../../shared/messages/of-error.js";
import { lockInWords, locksOf, unknownLockInWords } from "../shared/pulumi/lock.js";
import { LOCK_ADVICE, type Project } from "../shared/pulumi/pulumi.js";
import { type Check, ok, problem, skipped } from "./check.js";

/** Checks whether something locks the stack, so that a deployment would be refused. */
export async function checkLock(project: Project): Promise<Check> {
  try {
    const { backend, locks } = await locksOf(project);
    if (locks === undefined) return skipped("lock", unknownLockInWords(backend));
    if (locks.length === 0) return ok("lock", "The stack isn't locked.");
    return problem("lock", locks.map(lockInWords).join(" "), LOCK_ADVICE);
  } catch (error) {
    return skipped("lock", `Whether the stack is locked is unknown: ${messageOf(error)}.`);
  }
}
