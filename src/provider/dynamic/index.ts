import { withCode } from "../../shared/protocol/message-codes.js";
import "../../shared/process/node-version.js";
import { keepCompiledCode } from "../../shared/process/compile-cache.js";

import { requireEngine } from "../lifecycle/run/engine-alive.js";
import { sessionPool } from "../lifecycle/run/session.js";
import { kinds } from "../lifecycle/values/kinds.js";
import { KindProvider, plainError, withoutAnswered } from "./host.js";

/**
 * The dynamic-provider host loads this entry. Every resource in every user's state refers to this entry, to the
 * function below and to the names of kinds. These may never change.
 */
const sessions = sessionPool({ beforeWrite: requireEngine });

/** The time between two looks at the engine. The API access token is in the memory of this process. */
const WATCH_MS = 1_000;
// A killed engine leaves its provider behind, and no process would end it.
setInterval(() => void requireEngine(), WATCH_MS).unref();
keepCompiledCode();

/** Prepares the host's process, which asks for a provider. Whoever only imports this module keeps its own. */
let prepare: (() => void) | undefined = () => {
  prepare = undefined;
  // The SDK's host answers every uncaught error by writing to standard error. Once the engine is gone that fails, is
  // uncaught in its turn, and the host would go on for ever.
  process.stderr.on("error", () => process.exit(1));
  console.error = withoutAnswered(console.error);
};

/** Returns the provider of a kind of resource, by its class name. */
export function provider(name: string): KindProvider {
  prepare?.();
  const kind = kinds.get(name);
  if (kind !== undefined) return new KindProvider(kind, sessions);
  throw plainError(
    // Error kind-unknown: A newer version of this package deployed the stack, or a type is mistyped in `pulumi import`.
    // Fix: Install that version, or use the type that the message suggests.
    withCode(
      `This version of pulumi-buildpipeline does not know the kind ${name}. Install the version that deployed it.`,
      "kind-unknown",
    ),
  );
}
