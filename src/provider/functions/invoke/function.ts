import type * as pulumi from "@pulumi/pulumi";
import type { Settings, SettingsInput } from "../../../shared/configuration/settings.js";
import { messageOf } from "../../../shared/messages/of-error.js";
import { hiding } from "../../../shared/messages/secrets.js";
import { MASKED } from "../../../shared/protocol/encoded-values.js";
import { sdk, unknownValue } from "../../../shared/protocol/sdk.js";
import { currentDeployment, hasMocks } from "../../program/deployment.js";
import { formatArguments, toInputs } from "./arguments.js";
import { anyWillChange, dependenciesOf } from "./dependencies.js";
import * as engine from "./engine.js";
import { known, noteRead, providerSettings, settingsFrom } from "./function-settings.js";
import { LookupError, LookupFailure } from "./lookup-error.js";
import {
  type CacheFor,
  currentCaches,
  type Request,
  type Resources,
  type ResponseCache,
} from "./response-cache.js";

export interface Api {
  readonly organization: string;
  /** Reads, once for equal requests of a deployment. */
  get<Parameters extends readonly unknown[], Response>(
    request: Request<Parameters, Response>,
    ...parameters: Parameters
  ): Promise<Response>;
}

/** A function in the two forms that Pulumi has of each. */
export interface GetFunction<Args, OutputArgs, Result> {
  readonly plain: (...call: CallArguments<Args, pulumi.InvokeOptions>) => Promise<Result>;
  readonly output: (...call: CallArguments<OutputArgs, pulumi.InvokeOutputOptions>) => pulumi.Output<Result>;
}

/**
 * The work of each function, by the name by which programs call it, as the plugin does it for the engine. The arguments may
 * be anything: those that are neither text nor numbers are refused. `functions/index.ts` loads all of them.
 */
export const functions = new Map<string, (api: Api, args: object) => Promise<unknown>>();

/** Arguments of a function of Pulumi; `undefined` among their types makes them optional. */
type CallArguments<Args, Options> = undefined extends Args
  ? [args?: Exclude<Args, undefined>, opts?: Options]
  : [args: Args, opts?: Options];

/** Makes both forms of a function from the one that finds. */
export function getFunction<Args extends object | undefined, OutputArgs extends object | undefined, Result>(
  name: string,
  findWith: (api: Api, args: Exclude<Args, undefined>) => Promise<Result>,
  kind?: string,
): GetFunction<Args, OutputArgs, Result> {
  // Programs without types can pass anything; `findWith` refuses all but text and numbers.
  const find = (api: Api, args: object) => findWith(api, args as Exclude<Args, undefined>);
  functions.set(name, find);

  function findIn(cacheFor: CacheFor, settings: Settings, args: object, after: Resources): Promise<Result> {
    return find(apiOf(cacheFor(settings), settings.organization, after), args);
  }

  async function plain(args: object, opts: pulumi.InvokeOptions): Promise<Result> {
    const caches = currentCaches();
    try {
      noteRead(currentDeployment(), opts);
      const provider = providerSettings(opts);
      const settings = settingsFrom(provider && (await known(provider)));
      return await findIn(caches, settings, args, new Set());
    } catch (cause) {
      throw lookupError(name, args, cause, false);
    }
  }

  function output(args: object, opts: pulumi.InvokeOutputOptions): pulumi.Output<Result> {
    const caches = currentCaches();
    let given: pulumi.Output<object>;
    let provider: pulumi.Output<SettingsInput | undefined>;
    try {
      noteRead(currentDeployment(), opts);
      given = sdk().output(toInputs(args));
      provider = providerSettings(opts) ?? sdk().output(undefined);
    } catch (cause) {
      const rejected: Promise<never> = Promise.reject(lookupError(name, args, cause, false));
      return sdk().output(rejected);
    }
    const dependencies = dependenciesOf([given, provider], opts.dependsOn);
    // Unknown as long as one of the resources does not exist: then the service cannot know of it either.
    const ids = sdk().output(dependencies.then(({ all }) => sdk().all([...all].map(({ id }) => id))));
    return sdk()
      .all([given, provider, ids])
      .apply(async ([values, inputs]) => {
        const waitedFor = await dependencies;
        if (sdk().runtime.isDryRun() && (await anyWillChange(waitedFor, kind))) return unknownValue();
        try {
          return await findIn(caches, settingsFrom(inputs), values, waitedFor.all);
        } catch (cause) {
          const error = lookupError(name, values, cause, await sdk().isSecret(given));
          // This preview may be about to change the very property that the function searches by, such as a name.
          if (sdk().runtime.isDryRun() && waitedFor.all.size > 0 && error.missing) return unknownValue();
          throw error;
        }
      });
  }

  // The unit test decides what mocks return.
  return {
    plain: (...[args, opts]) => (hasMocks() ? engine.plain(name)(args, opts) : plain(args ?? {}, opts ?? {})),
    output: (...[args, opts]) =>
      hasMocks() ? engine.output(name)(args, opts) : output(args ?? {}, opts ?? {}),
  };
}

export function apiOf(cache: ResponseCache, organization: string, after: Resources = new Set()): Api {
  return { organization, get: (request, ...parameters) => cache.get(request, parameters, after) };
}

/** Returns the error for a function that failed. It shows no arguments that came from a secret. */
export function lookupError(name: string, args: object, cause: unknown, secret: boolean): LookupError {
  const failure = cause instanceof LookupFailure ? cause : undefined;
  const message = messageOf(cause);
  return new LookupError(
    name,
    `${name}(${formatArguments(args, secret)}): ${secret ? hiding([args], MASKED, 1)(message) : message}`,
    {
      missing: failure === undefined ? statusOf(cause) === 404 : failure.missing,
      // The message describes a failure fully. A cause would have values that the message must not quote.
      cause: failure !== undefined || secret ? undefined : cause,
    },
  );
}

/** Returns the status of an error of the client, which cannot be known by its class: that would load the client. */
function statusOf(error: unknown): unknown {
  return error instanceof Error && "status" in error ? error.status : undefined;
}
