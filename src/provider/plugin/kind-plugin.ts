import { enumerated } from "../../shared/messages/nouns.js";
import { hasSecret, isUnknown, type Properties, revealAll } from "../../shared/protocol/encoded-values.js";
import { withCode } from "../../shared/protocol/message-codes.js";
import {
  IMPORT,
  ORGANIZATION,
  PROBLEMS,
  PROVIDER,
  ROTATION,
  SECRETS,
  secretNames,
  UNKNOWN_AT_IMPORT,
  withSecretMarks,
} from "../../shared/protocol/properties.js";
import { type AnyKind, secretArguments } from "../kind/kind.js";
import { argumentsOfPaths } from "../kind/paths.js";
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
import { argumentsFor, readNamed } from "../lifecycle/operations/imported-state.js";
import { type Found, read } from "../lifecycle/operations/read.js";
import { fitsInError, type Recorded } from "../lifecycle/operations/separate-operations.js";
import { update } from "../lifecycle/operations/update.js";
import { changeRequest } from "../lifecycle/operations/write-contents.js";
import type { Session } from "../lifecycle/run/session.js";
import { hidden } from "../lifecycle/run/subject.js";
import { changedNames } from "../lifecycle/values/codec.js";
import {
  type Before,
  beforeIn,
  type ChangeRequest,
  type CheckRequest,
  checkRequest,
  inputsIn,
  mayQuote,
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
    const request = checkRequest(this.kind, this.#plain(olds), given);
    return this.#about([olds, given], undefined, async () => {
      // A program gives none. `pulumi import` gives what it read, and writes that into a program; `pulumi do` writes none.
      if (news[ORGANIZATION] !== undefined && !this.session.entries.isCommand) this.#warnOfUnwritten();
      const { inputs, problems } = await check(this.session, request);
      return {
        inputs: withMarks(inputs),
        failures: problems.map(({ argument, text }) => ({
          property: mayNameProperty(request, argument) ? argument : "",
          reason: hidden(text),
        })),
      };
    });
  }

  async diff(
    id: string,
    olds: Properties,
    news: Properties,
    oldInputs: Properties,
    ignored: readonly string[],
  ) {
    this.#requireMarks(news);
    const [outs, next] = [this.#plain(olds), this.#plain(news)];
    const isImport = this.session.entries.isEngineImport();
    const request = this.#changeRequest(id, outs, next, oldInputs, { ignored, isImport });
    const found = await this.#about([outs, next], id, () => diff(this.session, request));
    const names = new Set([...found.names, ...found.replaces]);
    if (outs[IMPORT] !== next[IMPORT]) names.add(IMPORT);
    const old = { ...outs, ...request.state.args };
    return {
      changed: found.changed,
      replaces: found.replaces,
      deleteBeforeReplace: found.deleteBeforeReplace,
      stables: found.replaces.length > 0 ? [] : stableOutputs(this.kind, found.names),
      changes: found.changed ? detailedDiff(old, next, names, found.replaces) : new Map(),
    };
  }

  async create(news: Properties, preview: boolean): Promise<{ id: string; outs: Properties }> {
    this.#requireMarks(news);
    const properties = this.#plain(news);
    const inputs = inputsIn(this.kind, properties);
    if (preview) {
      const found = properties[PROBLEMS] === undefined ? {} : { [PROBLEMS]: properties[PROBLEMS] };
      return { id: "", outs: { ...withMarks(creationPreview(inputs)), ...found } };
    }
    return this.#about([properties], undefined, async () =>
      this.#recorded(await create(this.session, inputs), news, {}),
    );
  }

  async update(
    id: string,
    olds: Properties,
    news: Properties,
    oldInputs: Properties,
    { preview, ignored }: { readonly preview: boolean; readonly ignored: readonly string[] },
  ) {
    const [outs, next] = [this.#plain(olds), this.#plain(news)];
    const request = this.#changeRequest(id, outs, next, oldInputs, { ignored });
    const kept = keptReference(olds);
    if (this.session.entries.isCommand) this.#refuseReplacement(request);
    if (preview) return { ...withMarks(updatePreview(request)), ...kept };
    return this.#about(
      [outs, next],
      id,
      async () => this.#recorded(await update(this.session, request), news, kept).outs,
    );
  }

  /** @returns undefined if it was deleted */
  async read(id: string, properties: Properties, oldInputs: Properties) {
    // Somebody may have emptied the outputs in the state.
    const isEmpty = properties[ORGANIZATION] === undefined && oldInputs[ORGANIZATION] !== undefined;
    const props = this.#plain(isEmpty ? { ...oldInputs, ...properties } : properties);
    const byName = props[ORGANIZATION] === undefined;
    const found = await this.#about(
      [props],
      id,
      (): Promise<Found | undefined> =>
        byName
          ? readNamed(this.session, this.kind, id, props)
          : read(this.session, stateIn(this.kind, id, props, this.#before(oldInputs)?.args)),
    );
    if (found === undefined) return undefined;
    if (byName) {
      // What a creation gives by itself isn't lost.
      const unwritten = Object.entries(argumentsFor(this.kind, this.#plain(found.outs))).flatMap(
        ([name, value]) => {
          const { lostWhenReplaced: lost } = this.kind.arguments[name] ?? {};
          return found.inputs[name] !== undefined || (lost && lost.is(value) === undefined) ? [] : [name];
        },
      );
      this.session.entries.noteReadByName({ name: id, id: found.id ?? id, unwritten });
    }
    return {
      id,
      // A resource that was read by a name has another id.
      ...found,
      outs: { ...withMarks(found.outs), ...keptReference(properties) },
      inputs: {
        ...withMarks(found.inputs),
        [ROTATION]: oldInputs[ROTATION],
        [UNKNOWN_AT_IMPORT]: this.session.entries.isCommand
          ? undefined
          : (oldInputs[UNKNOWN_AT_IMPORT] ?? found.inputs[UNKNOWN_AT_IMPORT]),
      },
    };
  }

  async delete(id: string, outs: Properties, oldInputs: Properties): Promise<void> {
    const known = this.#plain(outs);
    const state = stateIn(this.kind, id, known, this.#before(oldInputs)?.args);
    await this.#about([known], id, () => remove(this.session, state));
  }

  #about<Result>(known: readonly Properties[], id: string | undefined, work: () => Promise<Result>) {
    return this.session.about(this.kind, known, id, work);
  }

  #warnOfUnwritten(): void {
    const names = this.session.entries.unwritten;
    const { name, words } = this.kind;
    if (names.length === 0) return;
    this.session.reporter.warnOfFirst(
      `${name}: Pulumi writes no line for ${enumerated(names)} of this ${words.noun}. The same is true of other imported ` +
        `${words.noun}s, and is said once. The import changes nothing, but if the program ever creates another ${words.noun} in ` +
        "its place, that one lacks them. Copy the " +
        "values from the outputs in pulumi stack export, or let pulumi-buildpipeline adopt write the program.",
    );
  }

  /** Refuses secrets without marks, which the engine would store and show: after a policy changed them, it asks no check. */
  #requireMarks(news: Properties): void {
    // What a refresh compares is in the state already.
    if (!this.session.entries.knowsProgram) return;
    const { name, arguments: fields } = this.kind;
    for (const secretName of secretNames(news).union(new Set(secretArguments(this.kind)))) {
      const argument = String(secretName);
      const value = Object.hasOwn(fields, argument) ? news[argument] : undefined;
      if (value == null || isUnknown(value) || hasSecret(value)) continue;
      throw new Error(
        `${name}.${argument}: is a secret without its mark, so the state would have it in plain text. Nothing was sent. A ` +
          "policy's remediation that returns a copy of the properties loses the marks: change args.props in place, and " +
          "return it.",
      );
    }
  }

  #before(oldInputs: Properties): Before | undefined {
    return beforeIn(this.kind, this.#plain(oldInputs));
  }

  #changeRequest(
    id: string,
    outs: Properties,
    next: Properties,
    oldInputs: Properties,
    { ignored, isImport = false }: { readonly ignored: readonly string[]; readonly isImport?: boolean },
  ): ChangeRequest {
    const before = this.#before(oldInputs);
    return changeRequest(
      this.kind,
      this.session.entries.idOf(id),
      outs,
      next,
      before && { ...before, ignored: argumentsOfPaths(ignored), isImport },
    );
  }

  /** Refuses to update what only a replacement changes: `pulumi do patch` updates whatever a diff says. */
  #refuseReplacement(request: ChangeRequest): void {
    const { state, inputs } = request;
    const { name, words } = this.kind;
    for (const argument of changedNames(this.kind, state.args, inputs.args))
      if (isReplaced(request, argument))
        throw new Error(
          // Error patch-replaces: `pulumi do patch` updates in place, and this argument can't be changed in place.
          // Fix: Create another object with the new value, and delete the old one.
          withCode(
            `${name}.${argument}: changing it replaces the ${words.noun}, so nothing was sent. Create another ${words.noun} ` +
              `with the new value, and delete ${state.id} when nothing uses it any more.`,
            "patch-replaces",
          ),
        );
  }

  /** Returns what the engine records of an object. @throws if it isn't as it should be, with what to record */
  #recorded({ id, outs: own, initializationError: why }: Recorded, inputs: Properties, kept: Properties) {
    const outs = { ...withMarks(own), ...kept };
    if (why !== undefined && fitsInError(this.session.reporter, { outs, inputs }, why))
      throw new HalfMadeError(id, outs, inputs, hidden(why));
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
function withMarks(properties: Properties): Properties {
  return withSecretMarks(properties, secretNames(properties));
}

/**
 * Returns whether a failure may name an argument as its property. The engine then prints the program's value of it, which
 * may be another one than the provider got: with `ignoreChanges` that is the state's, or none.
 */
function mayNameProperty(request: CheckRequest, argument: string): boolean {
  const { kind, given, isNew } = request;
  return (
    Object.hasOwn(kind.arguments, argument) &&
    mayQuote(request)(argument) &&
    (isNew || given[argument] !== undefined)
  );
}
