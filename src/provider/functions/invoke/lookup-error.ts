import { RunError } from "@pulumi/pulumi/errors.js";
import { shownByEngine } from "../../../shared/messages/foreign-text.js";

/**
 * A function found no object, found several, or could not reach the service. The message is one line: the function and
 * its arguments, the problem, and what to do. The Pulumi CLI shows it without a stack.
 *
 * @example
 * ```ts
 * const shared = await getCluster({ name: "Shared" }).catch((error: unknown) => {
 *   if (error instanceof LookupError && error.missing) return undefined;
 *   throw error;
 * });
 * ```
 */
export class LookupError extends RunError {
  static {
    LookupError.prototype.name = "LookupError";
  }

  /** Name of the function that was called, such as `getCluster`. */
  readonly lookup: string;
  /** True if the API responded and the object doesn't exist, or the access token may not see it. */
  readonly missing: boolean;

  /** @internal */
  constructor(lookup: string, message: string, { missing, cause }: { missing: boolean; cause: unknown }) {
    super(shownByEngine(message), cause === undefined ? undefined : { cause });
    this.lookup = lookup;
    this.missing = missing;
  }
}

/** Why a lookup has no result. The message follows the name and the arguments of the lookup in its LookupError. */
export class LookupFailure extends Error {
  readonly missing: boolean;

  constructor(message: string, { missing = false }: { missing?: boolean } = {}) {
    super(message);
    this.missing = missing;
  }
}
