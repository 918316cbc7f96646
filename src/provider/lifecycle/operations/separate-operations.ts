import { resultOf } from "../../../client/write.js";
import type { Properties } from "../../../shared/protocol/encoded-values.js";
import { isSameObject } from "../../../shared/protocol/identity.js";
import { inSentence, withCode } from "../../../shared/protocol/message-codes.js";
import type { Context } from "../../kind/behavior.js";
import type { AnyArgumentField } from "../../kind/field.js";
import type { AnyKind } from "../../kind/kind.js";
import type { Arguments, Observed, Outputs } from "../../kind/value-roles.js";
import { getOwn } from "../missing/marks.js";
import { messageOf } from "../run/errors.js";
import type { Reporter } from "../run/reporter.js";
import { decode, observedIn, sameOnService } from "../values/codec.js";
import type { ResourceRef } from "../values/state.js";

export interface ObjectWrite {
  readonly context: Context;
  readonly ref: ResourceRef;
  readonly args: Arguments;
  /** Checks whether to carry out an argument with a separate operation. */
  isDue(name: string, field: AnyArgumentField): boolean;
}

export interface Completed {
  readonly observed: Observed;
  /** Arguments with values that the service doesn't have yet. */
  readonly unsent?: readonly string[];
  readonly initializationError?: string;
}

type Apply = NonNullable<AnyKind["arguments"][string]["apply"]>;

/**
 * Completes an object that was just written. It exists, so a failure isn't thrown: the state must record it.
 *
 * @param first arguments that an update sends before
 */
export async function complete(
  write: ObjectWrite,
  observed: Observed,
  failing: string,
  first?: { readonly names: readonly string[]; send(): Promise<Observed> },
): Promise<Completed> {
  const { kind, id } = write.ref;
  try {
    const sent = await first?.send();
    return { observed: { ...observed, ...sent, ...(await runSeparateOperations(write, observed)) } };
  } catch (error) {
    const text = `The ${kind.words.noun} ${id} ${failing}: ${messageOf(error)}`;
    const initializationError = withCode(text, "unfinished");
    return { observed, unsent: [...(first?.names ?? []), ...operationsOf(write)], initializationError };
  }
}

function operationsOf({ ref, args, isDue }: ObjectWrite): string[] {
  return Object.entries(ref.kind.arguments).flatMap(([name, field]) =>
    field.apply !== undefined && args[name] !== undefined && isDue(name, field) ? [name] : [],
  );
}

/**
 * Sends what has a separate operation, such as pausing, where the service doesn't have the value yet.
 *
 * @returns what the service has now; undefined if nothing was sent
 */
export async function runSeparateOperations(
  write: ObjectWrite,
  observed: Observed,
): Promise<Observed | undefined> {
  const { ref, args } = write;
  let after: Observed | undefined;
  for (const name of operationsOf(write)) {
    const apply = ref.kind.arguments[name]?.apply;
    if (apply === undefined) continue;
    if (name in observed && sameOnService(ref.kind, name, args[name], observed[name])) continue;
    after = { ...after, ...(await runOperation(write, name, apply)) };
  }
  return after;
}

function runOperation({ context, ref, args }: ObjectWrite, name: string, apply: Apply): Promise<Observed> {
  const { kind, id } = ref;
  const isSeen = kind.arguments[name]?.returnedAs !== undefined;
  const isDone = (found: Observed) => !isSeen || sameOnService(kind, name, args[name], found[name]);
  return resultOf({
    send: () => apply(context, ref, args),
    accept(response) {
      requireOwn(ref, response, name);
      const found = decode(kind, response);
      // What the API never returns is done after any success.
      if (isDone(found)) return isSeen ? found : { ...found, [name]: args[name] };
      throw new Error(
        `The API responded with success to ${name} of the ${kind.words.noun} ${id}, but has another value. Run ` +
          "pulumi up --refresh.",
      );
    },
    async look(_, error) {
      const live = await getOwn(context, ref).catch(() => {
        throw error;
      });
      const found = live === undefined ? {} : decode(kind, live);
      return isSeen && isDone(found) ? found : undefined;
    },
    // The client repeats what only sets a value again.
    repeats: kind.behavior.reusesAddresses ? "looked up" : isSeen ? "never" : "by the client",
    pause: context.pause,
  });
}

/** @throws if the response to a write describes another object, which the write may have changed: with what was sent */
export function requireOwn(ref: ResourceRef, response: object, written: string, sent = [written]): void {
  const { kind, id } = ref;
  const { id: other, observed } = observedIn(ref, response);
  if (isSameObject(other, id)) return;
  const { noun } = kind.words;
  const slug = typeof observed.slug === "string" ? ` (${observed.slug})` : "";
  throw new Error(
    kind.behavior.reusesAddresses && other !== ""
      ? `${kind.name}: the response to ${written} of the ${noun} ${id} describes the ${noun} ${other}${slug}, to which somebody ` +
          `probably gave its address meanwhile. Then that one has what was sent: ${sent.join(", ")}. Correct it, and run ` +
          "pulumi up --refresh."
      : `The response to ${written} of the ${noun} ${id} describes another object. Check that baseUrl is the ` +
          "address of the API, then run pulumi up --refresh.",
  );
}

export interface Recorded {
  readonly id: string;
  readonly outs: Outputs;
  /** It exists, but isn't as it should be: why. */
  readonly initializationError?: string;
}

/**
 * Bytes of properties that an error can carry. An error travels in HTTP/2 trailers, of which Node sends 64 KB at most:
 * for larger ones it sends nothing, and the engine waits forever. The rest is for base64 and the message.
 */
const LARGEST = 24_000;
/** An upper bound of what protobuf adds to a value: tags and lengths of the value, its name and its entry. */
const OVERHEAD = 24;

/**
 * Decides how the engine learns that an object exists unfinished. An error with its properties makes the next update
 * repair it. If they are too large for one, this warns, and the call is to succeed so that the resource is recorded.
 */
export function fitsInError(reporter: Reporter, properties: Properties, why: string): boolean {
  if (sizeOf(properties) <= LARGEST) return true;
  const next = "The resource is recorded in state. Run pulumi up to complete it.";
  reporter.warn(inSentence(why, (text) => `${text} ${next}`));
  return false;
}

function sizeOf(value: unknown): number {
  if (typeof value === "string") return OVERHEAD + Buffer.byteLength(value);
  if (typeof value !== "object" || value === null) return OVERHEAD;
  return Object.entries(value).reduce(
    (size, [name, entry]) => (entry === undefined ? size : size + Buffer.byteLength(name) + sizeOf(entry)),
    OVERHEAD,
  );
}
