import { isDeepStrictEqual } from "node:util";
import type { Properties } from "../protocol/encoded-values.js";
import { revealAll } from "../protocol/encoded-values.js";
import { kindOfType, typeToken } from "../protocol/type-token.js";
import { typeOfUrn } from "../protocol/urn.js";
import { requireEngine } from "../provider/run/engine-alive.js";
import { Session } from "../provider/run/session.js";
import { kinds } from "../provider/values/kinds.js";
import { nearestName } from "../resources/rules/nearest-name.js";
import { Cancellation } from "./cancellation.js";
import { checkConfiguration, configuredSettings, type Failure } from "./configuration.js";
import { currentCall, within } from "./current-call.js";
import { withDeadline } from "./deadline.js";
import type { EngineLog } from "./engine-log.js";
import { Functions } from "./functions.js";
import { KindPlugin } from "./kind-plugin.js";

/** One provider instance: its configuration, and what its resources share. The engine starts a process for each. */
export class Plugin {
  readonly #cancellation = new Cancellation();
  readonly #functions = new Functions();
  readonly #log: EngineLog;
  #engine: string | undefined;
  #session: Session | undefined;

  constructor(log: EngineLog) {
    this.#log = log;
  }

  /** @param address where the engine listens; "" if it is unknown */
  connect(address: string): void {
    if (address === "") return;
    this.#engine = address;
    this.#log.connect(address);
  }

  checkConfig(news: Properties): { inputs: Properties; failures: Failure[] } {
    return checkConfiguration(news);
  }

  /** Returns whether settings changed. None of them replaces the provider: its resources have guards of their own. */
  diffConfig(olds: Properties, news: Properties): boolean {
    return !isDeepStrictEqual(revealAll(olds), revealAll(news));
  }

  configure(inputs: Properties): void {
    const settings = configuredSettings(inputs);
    if (settings === undefined) return;
    const cancellation = this.#cancellation;
    this.#functions.forget();
    this.#session = new Session(settings, {
      warn: (message) => this.#log.warning(message),
      progress: (message) => this.#log.progress(message),
      urn: () => currentCall()?.urn,
      pause: (milliseconds) => cancellation.pause(milliseconds),
      clock: cancellation.clock,
      beforeWait: (method) => {
        const call = currentCall();
        if (call !== undefined) call.waiting = method;
      },
      beforeWrite: async () => {
        await requireEngine(this.#engine);
        cancellation.beforeWrite();
      },
    });
  }

  /**
   * Does the work of a call about a resource, which its URN names.
   *
   * @param timeout seconds, from the resource's option `customTimeouts`; 0 for no limit
   * @param withoutChange what a message about the timeout says of a call that sent no change
   */
  about<Result>(
    urn: string,
    work: (kind: KindPlugin) => Promise<Result>,
    timeout = 0,
    withoutChange?: string,
  ): Promise<Result> {
    return this.#call(urn, () =>
      withDeadline(
        timeout,
        () => this.#session?.service.rateLimitWaitMs ?? 0,
        async () => work(new KindPlugin(this.#configured(), kindOf(urn))),
        withoutChange,
      ),
    );
  }

  /** Does work that invalidates the responses of functions. */
  async writing<Result>(work: () => Promise<Result>): Promise<Result> {
    this.#functions.forget();
    try {
      return await work();
    } finally {
      this.#functions.forget();
    }
  }

  invoke(token: string, args: Properties): Promise<Properties> {
    return this.#call(undefined, async () => {
      const session = this.#configured();
      return this.#functions.invoke(
        token,
        args,
        session.service.context(session.settings.organization).client,
      );
    });
  }

  cancel(): void {
    this.#cancellation.cancel();
  }

  async #call<Result>(urn: string | undefined, work: () => Promise<Result>): Promise<Result> {
    try {
      return await within({ urn, wrote: false }, () => this.#cancellation.endWith(work()));
    } finally {
      await this.#log.flushed();
    }
  }

  #configured(): Session {
    if (this.#session !== undefined) return this.#session;
    throw new Error(
      "The provider's settings are not known yet, because they come from a resource that isn't deployed.",
    );
  }
}

/** `urn:pulumi:stack::project::parent$buildpipeline:index:Cluster::name`, or the type of the dynamic backend. */
function kindOf(urn: string) {
  const type = typeOfUrn(urn);
  const name = kindOfType(type) ?? type;
  const kind = kinds.get(name);
  if (kind === undefined) {
    const nearest = nearestName(name, [...kinds.keys()]);
    const hint = nearest === undefined ? "" : ` Did you mean ${typeToken(nearest, "plugin")}?`;
    throw new Error(`This version of pulumi-buildpipeline does not know the kind ${name}.${hint}`);
  }
  return kind;
}
