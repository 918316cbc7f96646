import { isDeepStrictEqual } from "node:util";
import * as yaml from "yaml";
import { z } from "zod";
import type { AnyKind, Known, Toolkit } from "../resources/kind.js";
import { canonicalText } from "../resources/sameness.js";
import { isUnknown, type Properties, reveal, secret } from "./engine-values.js";

/**
 * Between what the user wrote, what the service says and what the state keeps.
 *
 * The invariant: for every argument the outputs equal the inputs, in the user's own spelling, unless the
 * service's value means something else. A refresh reaches the provider with outputs only, so the inputs are
 * rebuilt from them.
 */

export const toolkit: Toolkit = { z, yaml };

/** Names in the state beside arguments and outputs. */
export const ORGANIZATION = "organization";
export const IMPORT = "import";
/**
 * Which arguments that can be left unmanaged are managed. Their outputs tell the service's value either way, so
 * the state needs a mark to rebuild the inputs. Internal to the engine by its leading underscores.
 */
const MANAGED = "__managed";

type Arguments = Known<Properties>;

/** A value as the service's answers spell it. */
function returned(entity: object, name: string): unknown {
  return Object.hasOwn(entity, name) ? Reflect.get(entity, name) : undefined;
}

/**
 * What the service says of each argument. One that it always tells and that the answer lacks is unset; one that
 * it tells only sometimes is missing here.
 */
export function liveArguments(kind: AnyKind, entity: object): Arguments {
  const live: Arguments = {};
  for (const [name, field] of Object.entries(kind.arguments)) {
    if (field.returnedAs === undefined) continue;
    if (field.returnedSometimes && !Object.hasOwn(entity, field.returnedAs)) continue;
    const value = returned(entity, field.returnedAs);
    const decoded = field.decode ? field.decode(value) : value;
    live[name] = canonicalText(decoded) === undefined ? undefined : decoded;
  }
  return live;
}

/** Whether two values of an argument are no change. */
export function sameArgument(kind: AnyKind, name: string, a: unknown, b: unknown): boolean {
  const canonical = kind.arguments[name]?.canonical ?? canonicalText;
  return isDeepStrictEqual(canonical(a), canonical(b));
}

/** Whether the service's value of an argument means the same as what the user wrote. */
export function sameOnService(kind: AnyKind, name: string, a: unknown, b: unknown): boolean {
  const field = kind.arguments[name];
  if (field?.canonicalOnService === undefined) return sameArgument(kind, name, a, b);
  return isDeepStrictEqual(field.canonicalOnService(a, toolkit), field.canonicalOnService(b, toolkit));
}

/** The arguments among some inputs, without what else travels with them. */
export function argumentsOf(kind: AnyKind, inputs: Properties): Arguments {
  const found: Arguments = {};
  for (const name of Object.keys(kind.arguments)) {
    const value = reveal(inputs[name]);
    if (value !== undefined && value !== null) found[name] = value;
  }
  return found;
}

/** The arguments that led to some outputs. */
export function managedArguments(kind: AnyKind, outs: Properties): Arguments {
  const managed = new Set(Array.isArray(outs[MANAGED]) ? outs[MANAGED] : []);
  const found = argumentsOf(kind, outs);
  for (const [name, field] of Object.entries(kind.arguments)) {
    if (field.leftOut === "unmanaged" && !managed.has(name)) delete found[name];
  }
  return found;
}

/** Arguments as they should stand in state, now that the service has answered. */
export function reconciled(kind: AnyKind, args: Arguments, entity: object): Arguments {
  const live = liveArguments(kind, entity);
  const result: Arguments = {};
  for (const [name, field] of Object.entries(kind.arguments)) {
    const wanted = args[name];
    const unmanaged = field.leftOut === "unmanaged" && wanted === undefined;
    const keep = unmanaged || !(name in live) || sameOnService(kind, name, wanted, live[name]);
    const value = keep
      ? (wanted ?? (name in live ? field.default : undefined))
      : (live[name] ?? field.default);
    if (value !== undefined) result[name] = value;
  }
  return result;
}

/**
 * Outputs for the state: the arguments, what the service answered, and what only an earlier answer told. Secrets
 * are the old ones: what is adopted or only read has none, even where the service still tells it.
 *
 * @param args the arguments, already {@link reconciled}
 * @param old outputs so far
 */
export function outputs(
  kind: AnyKind,
  args: Arguments,
  entity: object,
  identity: { organization: string; import?: unknown },
  old: Properties = {},
): Properties {
  const live = liveArguments(kind, entity);
  const outs: Properties = { [ORGANIZATION]: identity.organization };
  if (identity.import !== undefined) outs[IMPORT] = identity.import;
  const managed: string[] = [];
  for (const [name, field] of Object.entries(kind.arguments)) {
    outs[name] = args[name];
    if (field.leftOut !== "unmanaged") continue;
    if (args[name] === undefined) outs[name] = name in live ? live[name] : old[name];
    else managed.push(name);
  }
  if (managed.length > 0) outs[MANAGED] = managed;
  for (const [name, field] of Object.entries(kind.outputs)) {
    const told = Object.hasOwn(entity, field.returnedAs);
    if (field.secret) continue;
    const value = told ? returned(entity, field.returnedAs) : old[name];
    outs[name] = told && field.user ? embeddedUser(value) : value;
  }
  return { ...outs, ...secretOutputs(kind, old) };
}

/** The secrets that only the answer to the creation tells, under their names in the state. */
export function toldSecrets(kind: AnyKind, entity: object): Properties {
  const told: Properties = {};
  for (const [name, field] of Object.entries(kind.outputs)) {
    if (field.secret) told[name] = returned(entity, field.returnedAs);
  }
  return told;
}

function secretOutputs(kind: AnyKind, old: Properties): Properties {
  const secrets: Properties = {};
  for (const [name, field] of Object.entries(kind.outputs)) {
    const value = reveal(old[name]);
    if (field.secret && value !== undefined && value !== null) secrets[name] = secret(value);
  }
  return secrets;
}

/** Outputs after an update that sent nothing: the old ones with the new arguments. */
export function unsentOutputs(
  kind: AnyKind,
  args: Arguments,
  identity: { organization: string; import?: unknown },
  old: Properties,
): Properties {
  const asBefore: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(kind.outputs)) asBefore[field.returnedAs] = old[name];
  for (const [name, field] of Object.entries(kind.arguments)) {
    if (field.leftOut === "unmanaged" && field.returnedAs) asBefore[field.returnedAs] = old[name];
  }
  return outputs(kind, args, asBefore, identity, old);
}

function embeddedUser(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return undefined;
  const { id, name, email }: { id?: unknown; name?: unknown; email?: unknown } = value;
  return { id, name, email };
}

/** The names of the arguments that differ between two states of affairs; unknown counts as different. */
export function changedNames(kind: AnyKind, old: Arguments, next: Arguments): Set<string> {
  const names = Object.keys(kind.arguments);
  return new Set(
    names.filter((name) => isUnknown(next[name]) || !sameArgument(kind, name, old[name], next[name])),
  );
}

/** Bodies for the wire: all that is set, and only what changed (with what was left out cleared). */
export function bodies(
  kind: AnyKind,
  args: Arguments,
  names: ReadonlySet<string> = new Set(),
): { whole: Properties; changed: Properties } {
  const whole: Properties = {};
  const changed: Properties = {};
  for (const [name, field] of Object.entries(kind.arguments)) {
    if (field.sentAs === undefined) continue;
    const value = args[name];
    const encoded = value === undefined || !field.encode ? value : field.encode(value, toolkit);
    if (value !== undefined) whole[field.sentAs] = encoded;
    if (!names.has(name) || field.sentOnceOnly) continue;
    // The document has text here, so empty text clears.
    changed[field.sentAs] = value !== undefined ? encoded : "";
  }
  return { whole, changed };
}
