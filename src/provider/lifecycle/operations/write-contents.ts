import { isDeepStrictEqual } from "node:util";
import { type Properties, reveal } from "../../../shared/protocol/encoded-values.js";
import { namesAmong } from "../../../shared/protocol/properties.js";
import type { AnyKind } from "../../kind/kind.js";
import type { Arguments, Draft, Observed } from "../../kind/value-roles.js";
import { changedNames, isKept, sameArgument, sameOnService } from "../values/codec.js";
import {
  type Before,
  type ChangeRequest,
  type Inputs,
  inputsIn,
  type ResourceState,
  stateIn,
} from "../values/state.js";
import { isLacked, isUnseen, neverReturned } from "./unreturned.js";

/**
 * What a write contains: what its preview showed. The engine's preview compares the inputs in state with those of the
 * program, so what only the outputs say isn't sent. Names of what the service has otherwise than this stack sent stand in
 * `__unsent`: that counts as changed until it is sent.
 */

/** @param before absent where nobody knows the inputs in state: the outputs stand for them then */
export function changeRequest(
  kind: AnyKind,
  id: string,
  outs: Properties,
  news: Properties,
  before?: Before,
): ChangeRequest {
  const state = stateIn(kind, id, outs, before?.args);
  const { outputs } = state;
  const given = inputsIn(kind, news);
  const held = heldBack(state, given, before);
  const inputs = { ...given, args: { ...given.args, ...held } };
  const args: Draft<Arguments> = { ...state.args, ...firstStatements(state, inputs, before), ...held };
  const unsent = new Set<string>();
  const waiting = namesAmong(state.unsent);
  // The engine keeps the inputs of before an update that failed. What it did until then is in the outputs.
  if (waiting.size > 0)
    for (const name of Object.keys(kind.arguments))
      if (
        !waiting.has(name) &&
        sameOnService(kind, name, inputs.args[name], reveal(outputs[name]) ?? undefined)
      )
        args[name] = inputs.args[name];
  for (const name of waiting) {
    if (typeof name !== "string" || before?.ignored?.has(name)) continue;
    const { creationOnly, returnedAs } = kind.arguments[name] ?? {};
    const found = reveal(outputs[name]) ?? undefined;
    if (creationOnly !== undefined) {
      // Only a creation takes it, and none is repeated for it, also if a refresh has put what it found into the inputs.
      if (sameOnService(kind, name, args[name], found)) args[name] = inputs.args[name];
    } else if (!before?.isImport && inputs.import === undefined && !isGivenUp(kind, name, inputs.args)) {
      if (returnedAs !== undefined) args[name] = found;
      unsent.add(name);
    }
  }
  return { state: { ...state, args }, inputs, unsent };
}

/** Returns what stays as the state has it, because the program leaves alone what it is about. */
function heldBack({ kind, outputs }: ResourceState, { args }: Inputs, before?: Before): Arguments {
  const names = Object.entries(kind.arguments).filter(
    ([name, { isAbout }]) =>
      isAbout !== undefined &&
      args[name] !== undefined &&
      outputs[name] !== undefined &&
      (args[isAbout] === undefined || before?.ignored?.has(isAbout)),
  );
  return Object.fromEntries(names.map(([name]) => [name, reveal(outputs[name])]));
}

/**
 * Returns what a program states first after an import by the engine, as far as it is no change. Of an argument that responses
 * leave out it is none, but if every update sends the argument, only the import takes it: later it is a change, which confirms
 * it. Of one that may stay unmanaged it is none if the object has it: what no response tells isn't believed. What an update
 * sends first is left to the next deployment, because the import sends nothing.
 */
function firstStatements(
  { kind, outputs, args }: ResourceState,
  { args: next }: Inputs,
  before?: Before,
): Arguments {
  const names = Object.entries(kind.arguments).filter(([name, field]) => {
    const { whenOmitted, inEveryUpdate, isFirst, apply, sentAs } = field;
    if (before?.isImport && isFirst) return true;
    if (args[name] !== undefined || !before?.unspoken?.has(name)) return false;
    const found = reveal(outputs[name]) ?? undefined;
    if (whenOmitted === "unmanaged")
      return found !== undefined && sameOnService(kind, name, next[name], found);
    // Nothing but its operation does what it asks for.
    const isAsked = apply !== undefined && sentAs === undefined;
    return found === undefined && isLacked(kind, name) && (before.isImport || !(inEveryUpdate || isAsked));
  });
  return Object.fromEntries(names.map(([name]) => [name, next[name]]));
}

/** Returns whether the program leaves out an argument that it then doesn't manage: the object keeps its value. */
export function isGivenUp({ arguments: fields }: AnyKind, name: string, args: Arguments): boolean {
  const { whenOmitted, clearedBy } = fields[name] ?? {};
  return args[name] === undefined && whenOmitted === "unmanaged" && clearedBy === undefined;
}

/** Returns the names of the arguments that an update is about: those that change, and what is sent again with them. */
export function namesToSend({ state, inputs: { args }, unsent }: ChangeRequest): Set<string> {
  const { kind, args: old } = state;
  const waiting = namesAmong(state.unsent).difference(unsent);
  const changed = changedNames(kind, old, args);
  const more = Object.entries(kind.arguments).flatMap(([name, { apply, secret, changesWith = [] }]) => {
    const isSentAgain =
      (apply ?? secret) !== undefined &&
      args[name] !== undefined &&
      !waiting.has(name) &&
      changesWith.some((other) => changed.has(other));
    const isLeft = isUnseen(kind, name) && unsent.has(name) && args[name] !== undefined;
    return isSentAgain || isLeft ? [name] : [];
  });
  return changed.union(new Set(more));
}

/** Returns the arguments as an update sends them: of a map that the service merges, the entries that change. */
export function changedParts(kind: AnyKind, old: Arguments, next: Arguments): Arguments {
  const parts: Draft<Arguments> = { ...next };
  for (const [name, { isMerged }] of Object.entries(kind.arguments)) {
    // What is sent again unchanged is sent whole.
    if (!isMerged || next[name] === undefined || sameArgument(kind, name, old[name], next[name])) continue;
    const before: object = { ...Object(old[name]) };
    const entries = Object.entries(Object(next[name])).filter(
      ([key, value]) => !Object.hasOwn(before, key) || !isDeepStrictEqual(Reflect.get(before, key), value),
    );
    parts[name] = entries.length > 0 ? Object.fromEntries(entries) : undefined;
  }
  return parts;
}

/** Returns the names of what is unsent after a write of `due`; undefined if everything is sent. */
export function unsentAfter(
  { kind, unsent }: Pick<ResourceState, "kind" | "unsent">,
  args: Arguments,
  due: ReadonlySet<string>,
  failed: readonly string[] = [],
): readonly string[] | undefined {
  const waiting = [...namesAmong(unsent)]
    .map(String)
    .filter((name) => !due.has(name) && !isGivenUp(kind, name, args));
  const names = [...new Set([...waiting, ...failed])];
  return names.length === 0 ? undefined : names;
}

/** Returns the names of the arguments that an import leaves to the next deployment, because it sends nothing. */
export function leftByImport(kind: AnyKind): string[] {
  const first = Object.keys(kind.arguments).filter((name) => kind.arguments[name]?.isFirst);
  return [...new Set([...neverReturned(kind), ...first])];
}

/** Returns the names of the arguments among those of a creation that the service has otherwise than they were sent. */
export function notKept(kind: AnyKind, args: Arguments, observed: Observed): string[] {
  return Object.entries(kind.arguments).flatMap(([name, { apply, sentAs }]) =>
    sentAs !== undefined &&
    apply === undefined &&
    args[name] !== undefined &&
    isKept(kind, name, args, observed) === false
      ? [name]
      : [],
  );
}
