import type { Api } from "./lookup.js";

/** Finds what a lookup is about. The arguments are whatever somebody gave. */
type Find = (api: Api, args: object) => Promise<unknown>;

const lookups = new Map<string, Find>();

/** Notes a lookup, so that it can be asked for by its name. */
export function register(name: string, find: Find): void {
  lookups.set(name, find);
}

/** The lookup with a name, once the module that makes it was loaded. */
export function lookupNamed(name: string): Find | undefined {
  return lookups.get(name);
}
