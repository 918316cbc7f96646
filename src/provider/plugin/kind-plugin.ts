import { hasSecret, type Properties, revealAll, secret } from "../../shared/protocol/encoded-values.js";
import {
  IMPORT,
  ORGANIZATION,
  PROBLEMS,
  PROVIDER,
  ROTATION,
  SECRETS,
  secretNames,
  UNKNOWN_AT_IMPORT,
  UNSENT,
} from "../../shared/protocol/properties.js";
import type { AnyKind } from "../kind/kind.js";
import { check } from "../lifecycle/operations/check.js";
import { create } from "../lifecycle/operations/create.js";
import { remove } from "../lifecycle/operations/delete.js";
import {
  creationPreview,
  diff,
  isReplaced,
  stableOutputs,
  updatePreview,
} from "../lifecycle/operations/diff.js";
import { readNamed } from "../lifecycle/operations/imported-state.js";
import { type Found, read } from "../lifecycle/operations/read.js";
import { fitsInError, type Recorded } from "../lifecycle/operations/separate-operations.js";
import { withStated } from "../lifecycle/operations/unreturned.js";
import { update } from "../lifecycle/operations/update.js";
import type { Session } from "../lifecycle/run/session.js";
import { changedNames } from "../lifecycle/values/codec.js";
import {
  type ChangeRequest,
  changeRequest,
  checkRequest,
  inputsIn,
  stateIn,
} from "../lifecycle/values/state.js";
import type { Checked } from "./configuration.js";
import { detailedDiff } from "./detailed-diff.js";
import { HalfMadeError } from "./rpc-error.js";

/** Serves a kind to the engine, with marks on secrets, previews as separate calls, and failures by property. */
export class KindPlugin {
  constructor(
    private readonly session: Session,
    private readonly kind: AnyKind,
  ) {}

  async check(olds: Properties, news: Properties): Promise<Checked> {
    // The engine marks all secrets, so an argument without a mark is none.
    const given = { [SECRETS]: [], ...this.#plain(news) };
    const { inputs, problems } = await check(this.session, checkRequest(this.kind, this.#plain(olds), given));
    return {
      inputs: withSecretMarks(inputs),
      failures: problems.map(({ argument, text }) => ({
        // The engine prints the value of the property that a failure names.
        property:
          Object.hasOwn(this.kind.arguments, argument) && !secretNames(given).has(argument) ? argument : "",
        reason: text,
      })),
    };
  }

  async diff(id: string, olds: Properties, news: Properties, oldInputs: Properties) {
    const next = this.#plain(news);
    const isImport = this.session.entries.isEngineImport();
    const old = withStated(this.kind, this.#plain(olds), this.#plain(oldInputs), next, isImport);
    if (isImport) leaveToNextDeployment(this.kind, old, next);
    const request = changeRequest(this.kind, this.session.entries.idOf(id), old, next);
    const found = await diff(this.session, request);
    const names = new Set([...found.names, ...found.replaces]);
    if (old[IMPORT] !== next[IMPORT]) names.add(IMPORT);
    return {
      changed: found.changed,
      replaces: found.replaces,
      deleteBeforeReplace: found.deleteBeforeReplace,
      stables: found.replaces.length > 0 ? [] : stableOutputs(this.kind, found.names),
      changes: found.changed ? detailedDiff(old, next, names, found.replaces) : new Map(),
    };
  }

  async create(news: Properties, preview: boolean): Promise<{ id: string; outs: Properties }> {
    const properties = this.#plain(news);
    const inputs = inputsIn(this.kind, properties);
    if (preview) {
      const found = properties[PROBLEMS] === undefined ? {} : { [PROBLEMS]: properties[PROBLEMS] };
      return { id: "", outs: { ...withSecretMarks(creationPreview(inputs)), ...found } };
    }
    return this.#recorded(await create(this.session, inputs), news, {});
  }

  async update(id: string, olds: Properties, news: Properties, oldInputs: Properties, preview: boolean) {
    const next = this.#plain(news);
    const old = withStated(this.kind, this.#plain(olds), this.#plain(oldInputs), next);
    const request = changeRequest(this.kind, this.session.entries.idOf(id), old, next);
    const kept = keptReference(olds);
    this.#refuseReplacement(request);
    if (preview) return { ...withSecretMarks(updatePreview(request)), ...kept };
    return this.#recorded(await update(this.session, request), news, kept).outs;
  }

  /** @returns undefined if it was deleted */
  async read(id: string, properties: Properties, oldInputs: Properties) {
    const props = withStated(this.kind, this.#plain(properties), this.#plain(oldInputs));
    const byName = props[ORGANIZATION] === undefined;
    const found: Found | undefined = byName
      ? await readNamed(this.session, this.kind, id, props)
      : await read(this.session, stateIn(this.kind, id, props));
    if (found === undefined) return undefined;
    if (byName) this.session.entries.noteReadByName(id, found.id ?? id);
    return {
      id,
      // A resource that was read by a name has another id.
      ...found,
      outs: { ...withSecretMarks(found.outs), ...keptReference(properties) },
      inputs: {
        ...withSecretMarks(found.inputs),
        [ROTATION]: oldInputs[ROTATION],
        [UNKNOWN_AT_IMPORT]: this.session.entries.isCommand
          ? undefined
          : (oldInputs[UNKNOWN_AT_IMPORT] ?? found.inputs[UNKNOWN_AT_IMPORT]),
      },
    };
  }

  async delete(id: string, outs: Properties, oldInputs: Properties): Promise<void> {
    const known = withStated(this.kind, this.#plain(outs), this.#plain(oldInputs));
    await remove(this.session, stateIn(this.kind, id, known));
  }

  /** Refuses to update what only a replacement changes: `pulumi do patch` updates whatever a diff says. */
  #refuseReplacement(request: ChangeRequest): void {
    const { state, inputs } = request;
    const { name, words } = this.kind;
    for (const argument of changedNames(this.kind, state.args, inputs.args))
      if (isReplaced(request, argument))
        throw new Error(
          `${name}.${argument}: changing it replaces the ${words.noun}, so nothing was sent. Create another ${words.noun} ` +
            `with the new value, and delete ${state.id} when nothing uses it any more.`,
        );
  }

  /** Returns what the engine records of an object. @throws if it isn't as it should be, with what to record */
  #recorded({ id, outs: own, initializationError: why }: Recorded, inputs: Properties, kept: Properties) {
    const outs = { ...withSecretMarks(own), ...kept };
    if (why !== undefined && fitsInError(this.session.reporter, { outs, inputs }, why))
      throw new HalfMadeError(id, outs, inputs, why);
    return { id, outs };
  }

  /** Converts properties for the lifecycle: plain values, and the names of the arguments that are marked as secret. */
  #plain(properties: Properties): Properties {
    const names = new Set(secretNames(properties));
    const plain = Object.entries(properties).flatMap(([name, value]) => {
      if (name === PROVIDER || name === SECRETS) return [];
      if (Object.hasOwn(this.kind.arguments, name) && hasSecret(value)) names.add(name);
      return [[name, revealAll(value)]];
    });
    // Not one by one: an assignment to `__proto__` is lost.
    return Object.fromEntries(names.size > 0 ? [...plain, [SECRETS, [...names]]] : plain);
  }
}

/** A stack can migrate back only with it: the dynamic backend destroys and refreshes no resource without `__provider`. */
function keptReference(outs: Properties): Properties {
  return outs[PROVIDER] === undefined ? {} : { [PROVIDER]: outs[PROVIDER] };
}

/** Marks secrets again: the engine keeps no mark itself for a provider that accepts secrets, and would show them. */
function withSecretMarks(properties: Properties): Properties {
  const marked = [...secretNames(properties)]
    .map(String)
    .filter((name) => properties[name] != null && !hasSecret(properties[name]));
  return { ...properties, ...Object.fromEntries(marked.map((name) => [name, secret(properties[name])])) };
}

/** An import sends nothing: the next deployment sends what is unsent, and what comes first, as `archived` does. */
function leaveToNextDeployment({ arguments: fields }: AnyKind, old: Properties, next: Properties): void {
  delete old[UNSENT];
  for (const [name, { isFirst, default: usual }] of Object.entries(fields))
    if (isFirst) old[name] = next[name] ?? usual;
}
