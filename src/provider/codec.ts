import {
  ADOPTION,
  EXTERNAL,
  IMPORT,
  MANAGED,
  ORGANIZATION,
  ORIGIN,
  SECRETS,
  secretNames,
  TOKEN_ID,
  UNKNOWN_AT_IMPORT,
} from "../protocol/properties.js";
import { type Properties, reveal, secret, withoutUndefined } from "../protocol/values.js";
import { canonicalText } from "../resources/canonical.js";
import type { AnyKind } from "../resources/kind.js";
import { toolkit } from "../resources/rules/toolkit.js";
import { sameOnService } from "./equality.js";
import type { Identity } from "./state.js";

/**
 * The way of values between a program, the API and the state, in three verbs: arguments are encoded into a body, an
 * answer is decoded into what it tells, and both are reconciled into what the state keeps.
 */

/**
 * A body: every argument that is set, to create; or those in `changed`, with what was left out cleared, to update.
 */
export function encode(kind: AnyKind, args: Properties, changed?: ReadonlySet<string>): Properties {
  const body: Properties = {};
  for (const [name, field] of Object.entries(kind.arguments)) {
    if (field.sentAs === undefined) continue;
    const value = args[name];
    if (changed === undefined ? value === undefined : field.creationOnly || !changed.has(name)) continue;
    const encoded = field.encode && value !== undefined ? field.encode(value, toolkit) : value;
    body[field.sentAs] = value === undefined ? (field.clearedBy ?? "") : encoded;
  }
  return body;
}

/**
 * What an answer tells, arguments and outputs by their names in the program. One that it tells to be unset is here as
 * undefined; one that it does not tell is not here at all.
 */
export function decode(kind: AnyKind, answer: object): Properties {
  const observed: Properties = {};
  for (const [name, field] of Object.entries(kind.arguments)) {
    if (field.returnedAs === undefined) continue;
    const value = valueIn(answer, field.returnedAs);
    // An argument with a default always has a value, so null doesn't return one.
    const isLeftOut = field.default === undefined ? !Object.hasOwn(answer, field.returnedAs) : value == null;
    if (field.returnedSometimes && isLeftOut) continue;
    observed[name] = canonicalText(field.decode ? field.decode(value) : value);
  }
  for (const [name, field] of Object.entries(kind.outputs)) {
    if (!Object.hasOwn(answer, field.returnedAs)) continue;
    const value = valueIn(answer, field.returnedAs);
    observed[name] = field.user ? embeddedUser(value) : value;
  }
  return observed;
}

/** What the state keeps. */
export interface Reconciled {
  readonly inputs: Properties;
  readonly outs: Properties;
}

/**
 * What the state keeps, now that the service has answered.
 *
 * For every argument the outputs equal the inputs, in the user's own spelling, unless the service's value means
 * something else. A refresh reaches the provider with outputs only, so the inputs are rebuilt from them.
 *
 * @param args what the program says
 * @param told what the service says, {@link decode decoded}; empty when it was not asked
 * @param old outputs so far: what the service did not tell stays
 * @param secrets where one-time secrets are found: in the answer to the creation, or else in the old outputs
 */
export function reconcile(
  kind: AnyKind,
  identity: Identity,
  args: Properties,
  observed: Properties,
  old: Properties,
  secrets: Properties = old,
): Reconciled {
  const inputs: Properties = {
    [ORGANIZATION]: identity.organization,
    [IMPORT]: identity.import,
    [SECRETS]: identity.secrets,
  };
  const hidden = secretNames(inputs);
  const outs: Properties = {
    ...inputs,
    [ADOPTION]: identity.adoption,
    [ORIGIN]: identity.origin,
    [TOKEN_ID]: identity.tokenId,
    [EXTERNAL]: identity.external,
  };
  const managed: string[] = [];
  const unknownAtImport = stillUnknown(identity, args);
  if (unknownAtImport.length > 0) outs[UNKNOWN_AT_IMPORT] = unknownAtImport;
  for (const [name, field] of Object.entries(kind.arguments)) {
    if (unknownAtImport.includes(name)) continue;
    const unmanaged = field.whenOmitted === "unmanaged" && args[name] === undefined;
    inputs[name] = unmanaged ? undefined : settled(kind, name, args[name], observed);
    outs[name] = unmanaged ? (name in observed ? observed[name] : old[name]) : inputs[name];
    if (field.whenOmitted === "unmanaged" && !unmanaged) managed.push(name);
  }
  if (managed.length > 0) outs[MANAGED] = managed;
  for (const [name, field] of Object.entries(kind.outputs)) {
    if (!field.secret) {
      const value = reveal(name in observed ? observed[name] : old[name]);
      outs[name] =
        field.spells !== undefined && hidden.has(field.spells) && value != null ? secret(value) : value;
    } else if (reveal(secrets[name]) != null) outs[name] = secret(reveal(secrets[name]));
  }
  return { inputs: withoutUndefined(inputs), outs: withoutUndefined(outs) };
}

/** What an import was not told and the program still does not say: nobody manages it. */
function stillUnknown({ unknownAtImport }: Identity, args: Properties): unknown[] {
  return Array.isArray(unknownAtImport) ? unknownAtImport.filter((name) => args[name] === undefined) : [];
}

/** An argument's value: the user's spelling, unless the service has something else. */
function settled(kind: AnyKind, name: string, wanted: unknown, observed: Properties): unknown {
  const standard = kind.arguments[name]?.default;
  if (!(name in observed)) return wanted;
  return sameOnService(kind, name, wanted, observed[name])
    ? (wanted ?? standard)
    : (observed[name] ?? standard);
}

/** A field of an answer, whatever its name: never what an object has by its prototype. */
function valueIn(answer: object, name: string): unknown {
  return Object.hasOwn(answer, name) ? Reflect.get(answer, name) : undefined;
}

function embeddedUser(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return undefined;
  const { id, name, email }: { id?: unknown; name?: unknown; email?: unknown } = value;
  return { id, name, email };
}
