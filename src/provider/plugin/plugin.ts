import type {
  ConstructRequest,
  ConstructResponse,
  ListRequest,
  ListResponse,
} from "@pulumi/pulumi/proto/provider_pb.js";
import { withCode } from "../../shared/protocol/message-codes.js";
import "../functions/index.js";
import { nearestName } from "../../shared/messages/nearest-name.js";
import { hasSecret, type Properties, revealAll } from "../../shared/protocol/encoded-values.js";
import { functionOfToken, kindOfType, typeToken } from "../../shared/protocol/type-token.js";
import { typeOfUrn } from "../../shared/protocol/urn.js";
import { apiOf, functions, lookupError } from "../functions/invoke/function.js";
import { ResponseCache } from "../functions/invoke/response-cache.js";
import { requireEngine } from "../lifecycle/run/engine-alive.js";
import { Session } from "../lifecycle/run/session.js";
import { kinds } from "../lifecycle/values/kinds.js";
import { configuredSettings } from "./configuration.js";
import { currentCall, EngineCalls, type Limit } from "./engine-call.js";
import type { EngineLog } from "./engine-log.js";
import { KindPlugin } from "./kind-plugin.js";
import { Listings } from "./listings.js";

/** One provider instance: its configuration, and what its resources share. The engine starts a process for each. */
export class Plugin {
  readonly #calls = new EngineCalls();
  #engine: string | undefined;
  #session: Session | undefined;
  #listings: Listings | undefined;
  /** Responses of functions: equal reads send one request, until something is written. */
  #responses: ResponseCache | undefined;

  constructor(private readonly log: EngineLog) {}

  /** @param address "" if it is unknown */
  connect(address: string): void {
    if (address === "") return;
    this.#engine = address;
    this.log.connect(address);
  }

  configure(inputs: Properties): void {
    const settings = configuredSettings(inputs);
    if (settings === undefined) return;
    this.#responses = undefined;
    this.#listings = undefined;
    this.#session = new Session(settings, {
      warn: (message) => this.log.warning(message),
      inform: (message) => this.log.remark(message),
      progress: (message) => this.log.progress(message),
      urn: () => currentCall()?.urn,
      pause: (milliseconds) => this.#calls.pause(milliseconds),
      clock: this.#calls.clock,
      beforeWait: (method) => {
        const call = currentCall();
        if (call !== undefined) call.waiting = method;
      },
      beforeWrite: async () => {
        await requireEngine(this.#engine);
        this.#calls.beforeWrite();
      },
    });
  }

  /** @param writes true if it changes something, so that the responses of functions are no longer valid */
  async about<Result>(
    request: { getUrn(): string; getTimeout?(): number },
    work: (kind: KindPlugin) => Promise<Result>,
    { writes = false, withoutChange }: { writes?: boolean; withoutChange?: string } = {},
  ): Promise<Result> {
    const urn = request.getUrn();
    // Older SDKs have no timeout for reads.
    const seconds = request.getTimeout?.() ?? 0;
    const ofKind = async () => work(new KindPlugin(this.#configured(), kindOf(typeOfUrn(urn))));
    const rateLimitWaitMs = () => this.#session?.service.rateLimitWaitMs ?? 0;
    if (writes) this.#responses = undefined;
    try {
      return await this.#call(urn, ofKind, { seconds, withoutChange, rateLimitWaitMs });
    } finally {
      if (writes) this.#responses = undefined;
    }
  }

  invoke(token: string, given: Properties): Promise<Properties> {
    return this.#call(undefined, async () => {
      const { service, settings } = this.#configured();
      const { client } = service.context(settings.organization);
      const name = functionOfToken(token) ?? token;
      const work = functions.get(name);
      // Error function-unknown: The plugin is older than the SDK that the program uses.
      // Fix: Install the plugin's version that the SDK names.
      if (work === undefined) throw new Error(withCode(`There is no function ${token}.`, "function-unknown"));
      const args = Object.fromEntries(Object.entries(given).map(([key, value]) => [key, revealAll(value)]));
      this.#responses ??= new ResponseCache(async () => client, true);
      try {
        return { ...Object(await work.find(apiOf(this.#responses, client.organization), args)) };
      } catch (cause) {
        throw lookupError(name, args, cause, hasSecret(given));
      }
    });
  }

  list(request: ListRequest): Promise<ListResponse[]> {
    return this.#call(undefined, async () => {
      const kind = kindOf(request.getToken());
      this.#listings ??= new Listings(this.#configured().service);
      return this.#listings.page(kind, request);
    });
  }

  /** Constructs a component. Its module loads the SDK's runtime, which no other call needs. */
  async construct(request: ConstructRequest): Promise<ConstructResponse> {
    if (this.#engine === undefined) throw new Error("The engine's address is unknown.");
    const { construct } = await import("./construct.js");
    return construct(request, this.#engine);
  }

  cancel(): void {
    this.#calls.cancel();
  }

  async #call<Result>(urn: string | undefined, work: () => Promise<Result>, limit?: Limit): Promise<Result> {
    try {
      return await this.#calls.run(urn, work, limit);
    } finally {
      await this.log.flushed();
    }
  }

  #configured(): Session {
    if (this.#session !== undefined) return this.#session;
    throw new Error(
      // Error settings-unknown: With the plugin, an argument of an explicit `Provider` is the output of a resource that
      // isn't deployed.
      // Fix: Deploy that resource first, or set the value in the stack's configuration.
      withCode(
        "The provider's settings are not known yet, because they come from a resource that isn't deployed.",
        "settings-unknown",
      ),
    );
  }
}

/** @param type `buildpipeline:index:Cluster`, or the type of the dynamic backend */
function kindOf(type: string) {
  const name = kindOfType(type) ?? type;
  const kind = kinds.get(name);
  if (kind === undefined) {
    const nearest = nearestName(name, [...kinds.keys()]);
    const hint =
      nearest === undefined
        ? "Install the version that deployed it."
        : `Did you mean ${typeToken(nearest, "plugin")}?`;
    throw new Error(
      withCode(
        `This version of pulumi-buildpipeline does not know the kind ${name}. ${hint}`,
        "kind-unknown",
      ),
    );
  }
  return kind;
}
