import { argumentsOf, EACH_KIND, referencesOf, USER } from "../../support/each-kind.js";
import { Served, type State, urnOf } from "./served.js";

/** A kind, and those that it must refer to. */
function withReferred(kind: string): string[] {
  return [kind, ...referencesOf(kind).flatMap(([, of]) => withReferred(of))];
}

/**
 * Deploys an object of each kind, all in one cluster, or of some kinds and what they refer to.
 *
 * @returns their states by kind, and another run of the engine
 */
export async function withEachKind(...some: readonly string[]) {
  const first = await Served.configured();
  first.emulator.organizationData.users.insert(USER);
  const wanted = new Set(some.flatMap(withReferred));
  const deployed = new Map<string, State>();
  for (const kind of Object.keys(EACH_KIND)) {
    if (wanted.size > 0 && !wanted.has(kind)) continue;
    deployed.set(
      kind,
      await first.deploy(
        urnOf(kind),
        argumentsOf(kind, (of) => deployed.get(of)?.id),
      ),
    );
  }
  return { engine: await Served.beside(first), deployed };
}
