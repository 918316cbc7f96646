import { isDeepStrictEqual } from "node:util";
import type * as pulumi from "@pulumi/pulumi";
import { CONFIG_NAMESPACE, resolveSettings, type Settings } from "../../shared/configuration/settings.js";
import { shownByEngine } from "../../shared/messages/foreign-text.js";
import { type Properties, UNKNOWN, withoutUndefined } from "../../shared/protocol/encoded-values.js";
import { withCode } from "../../shared/protocol/message-codes.js";
import { PROVIDER, ROTATES, ROTATION, SECRETS, withSecretMarks } from "../../shared/protocol/properties.js";
import { type AnyKind, secretArguments } from "../kind/kind.js";
import { check } from "../lifecycle/operations/check.js";
import { create } from "../lifecycle/operations/create.js";
import { remove } from "../lifecycle/operations/delete.js";
import { diff } from "../lifecycle/operations/diff.js";
import { read } from "../lifecycle/operations/read.js";
import { fitsInError, type Recorded } from "../lifecycle/operations/separate-operations.js";
import { update } from "../lifecycle/operations/update.js";
import { changeRequest } from "../lifecycle/operations/write-contents.js";
import { sendableMessage } from "../lifecycle/run/errors.js";
import type { Session } from "../lifecycle/run/session.js";
import { hidden } from "../lifecycle/run/subject.js";
import { changedNames, type Reconciled, reconcile } from "../lifecycle/values/codec.js";
import {
  type ChangeRequest,
  checkRequest,
  inputsIn,
  type ResourceState,
  stateIn,
} from "../lifecycle/values/state.js";

/**
 * Serves the lifecycle of a kind to Pulumi's dynamic-provider host, whose needs only this class knows. Errors have one
 * clean line. Results have no `undefined`. The properties of a half-made resource have `__provider`. Wrong settings fail
 * late, because the host ignores a failed configuration.
 */
export class KindProvider implements pulumi.dynamic.ResourceProvider<Properties, Properties> {
  #session = (): Session => {
    // Error not-configured: The engine called the provider before it sent the configuration. This is a bug.
    // Fix: Run the command again. If the error persists, report it with the command and the versions of `pulumi about`.
    throw new Error(withCode("The provider was not configured.", "not-configured"));
  };

  constructor(
    private readonly kind: AnyKind,
    private readonly sessions: (settings: Settings) => Session,
  ) {}

  async configure({ config }: pulumi.dynamic.ConfigureRequest): Promise<void> {
    try {
      const settings = resolveSettings((name) => config.get(`${CONFIG_NAMESPACE}:${name}`), process.env);
      const session = this.sessions(settings);
      this.#session = () => session;
    } catch (error) {
      this.#session = () => {
        throw error;
      };
    }
  }

  async check(olds: Properties, news: Properties): Promise<pulumi.dynamic.CheckResult<Properties>> {
    // Without a list, nobody knows what is secret.
    const known = [olds, { ...news, [SECRETS]: news[SECRETS] ?? UNKNOWN }];
    return this.#about(known, undefined, async (session) => {
      const { inputs, problems } = await check(session, checkRequest(this.kind, olds, news));
      return {
        // A transform may have taken the mark of a secret.
        inputs: withSecretMarks(withoutUndefined(inputs), secretArguments(this.kind)),
        // The engine prints the value of a property that a failure names, even a secret one: name none.
        failures: problems.map(({ text }) => ({ property: "", reason: shownByEngine(hidden(text)) })),
      };
    });
  }

  async diff(id: string, outs: Properties, news: Properties): Promise<pulumi.dynamic.DiffResult> {
    return this.#about([outs, news], id, async (session) => {
      // The plugin created it. Pulumi destroys and refreshes only resources with `__provider` in their outputs, so an
      // update writes it there.
      const comesFromPlugin = news[PROVIDER] !== undefined && outs[PROVIDER] === undefined;
      const request = this.#changeRequest(session, id, outs, news);
      const { changed, onlyUnsent, replaces, deleteBeforeReplace } = await diff(session, request);
      if (!changed) return { changes: comesFromPlugin };
      // The inputs are the same, so the engine would find no change.
      if (onlyUnsent) return { changes: true };
      // Without a verdict the engine compares the inputs itself, and its options on changes work.
      return { replaces: [...replaces], deleteBeforeReplace };
    });
  }

  async create(inputs: Properties): Promise<pulumi.dynamic.CreateResult<Properties>> {
    return this.#about([inputs], undefined, async (session) =>
      this.#recorded(session, await create(session, inputsIn(this.kind, inputs)), inputs),
    );
  }

  async read(id: string, props: Properties = {}): Promise<pulumi.dynamic.ReadResult<Properties>> {
    return this.#about([props], id, async (session) => {
      const state = stateIn(this.kind, id, props);
      const found = await read(session, state);
      if (found === undefined) return { id: "", props: {} };
      const result = { id: found.id ?? id, props: withoutUndefined(found.outs) };
      // The engine keeps the inputs in state where it gets none.
      if (props[ROTATES] === true && isAsRecorded(state, found))
        return { ...result, props: { ...result.props, [ROTATES]: true } };
      return { ...result, inputs: withoutUndefined(found.inputs) };
    });
  }

  async update(
    id: string,
    olds: Properties,
    news: Properties,
  ): Promise<pulumi.dynamic.UpdateResult<Properties>> {
    return this.#about([olds, news], id, async (session) =>
      this.#recorded(session, await update(session, this.#changeRequest(session, id, olds, news)), news),
    );
  }

  /** Only a check gets the inputs in state. */
  #changeRequest({ entries }: Session, id: string, outs: Properties, news: Properties): ChangeRequest {
    return changeRequest(this.kind, id, outs, news, entries.before(inputsIn(this.kind, news), outs));
  }

  async delete(id: string, outs: Properties): Promise<void> {
    return this.#about([outs], id, (session) => remove(session, stateIn(this.kind, id, outs)));
  }

  /** @throws if the object isn't as it should be: the engine records it with the error, and the next update repairs it */
  #recorded(
    { reporter }: Session,
    { id, outs: own, initializationError: why }: Recorded,
    inputs: Properties,
  ): { id: string; outs: Properties } {
    const { args } = stateIn(this.kind, id, own);
    const differs = changedNames(this.kind, args, inputsIn(this.kind, inputs).args).size > 0;
    const rotates = inputs[ROTATION] !== undefined && !differs;
    const outs = withoutUndefined({ ...own, ...(rotates && { [ROTATES]: true }) });
    if (why === undefined || !fitsInError(reporter, outs, why)) return { id, outs };
    const properties = withoutUndefined({ ...outs, [PROVIDER]: inputs[PROVIDER] });
    const reason = sendableMessage(hidden(why));
    throw plainError(reason, { id, properties, reasons: [reason] });
  }

  /** Works for a resource. An error is one clean line. @param known the properties that the engine sent */
  async #about<Result>(
    known: readonly Properties[],
    id: string | undefined,
    work: (session: Session) => Promise<Result>,
  ): Promise<Result> {
    try {
      const session = this.#session();
      return await session.about(this.kind, known, id, () => work(session));
    } catch (error) {
      throw error instanceof Error && "reasons" in error ? error : plainError(error);
    }
  }
}

function isAsRecorded(state: ResourceState, { inputs }: Reconciled): boolean {
  const { organization, unsent } = state;
  if (organization === undefined || unsent !== undefined) return false;
  return isDeepStrictEqual(reconcile({ ...state, organization }).inputs, inputs);
}

/** Texts that the host is going to print of errors that it responds with as well, each once. */
const answered: string[] = [];

/** The host prints `${error}: ${error.stack}`, and the engine shows it all: without name and stack, it is one line. */
export function plainError(cause: unknown, extra: object = {}): Error {
  const error = new Error(sendableMessage(cause));
  error.name = "";
  error.stack = "";
  answered.push(`${error}: ${error.stack}`);
  return Object.assign(error, extra);
}

/** Omits what the host prints of those errors: the engine shows each with its resource, so the user sees it once. */
export function withoutAnswered(print: (...values: unknown[]) => void): (...values: unknown[]) => void {
  return (...values) => {
    const at = values.length > 1 ? -1 : answered.indexOf(String(values[0]));
    if (at === -1) print(...values);
    else answered.splice(at, 1);
  };
}
