import type * as pulumi from "@pulumi/pulumi";
import {
  resolveSettings,
  type SettingKey,
  type Settings,
  SettingsError,
  type SettingsInput,
} from "../../../shared/configuration/settings.js";
import { messageOf } from "../../../shared/messages/of-error.js";
import { hiding } from "../../../shared/messages/secrets.js";
import { MASKED } from "../../../shared/protocol/encoded-values.js";
import { withCodeOf } from "../../../shared/protocol/message-codes.js";
import { organizationAt } from "../../../shared/protocol/properties.js";
import { sdk, unknownValue } from "../../../shared/protocol/sdk.js";
import { typeToken } from "../../../shared/protocol/type-token.js";
import { currentDeployment, hasMocks, isInlineProgram, stackSetting } from "../../program/deployment.js";
import { valueIn } from "../../program/settled.js";
import { formatArguments, toInputs } from "./arguments.js";
import { anyWillChange, dependenciesOf } from "./dependencies.js";
import * as engine from "./engine.js";
import { LookupError, LookupFailure } from "./lookup-error.js";
import { currentCaches, type Request, type Resources, type ResponseCache } from "./response-cache.js";

export interface Api {
  readonly organization: string;
  /** Reads, once for equal requests of a deployment. */
  get<Parameters extends readonly unknown[], Response>(
    request: Request<Parameters, Response>,
    ...parameters: Parameters
  ): Promise<Response>;
}

/**
 * The work of each function, by the name by which programs call it. The plugin does it for the engine. The arguments may
 * be anything: those that are neither text nor numbers are refused. `functions/index.ts` loads all of them.
 */
export const functions = new Map<
  string,
  { find(api: Api, args: object): Promise<unknown>; kind: string | undefined }
>();

/** Arguments of a function of Pulumi; `undefined` among their types makes them optional. */
type CallArguments<Args, Options> = undefined extends Args
  ? [args?: Exclude<Args, undefined>, opts?: Options]
  : [args: Args, opts?: Options];

/** Declares a function by what finds its result, and makes its form for known arguments. */
export function getFunction<Args extends object | undefined, Result>(
  name: string,
  findWith: (api: Api, args: Exclude<Args, undefined>) => Promise<Result>,
  kind?: string,
) {
  // Programs without types can pass anything; `findWith` refuses all but text and numbers.
  const find = (api: Api, args: object) => findWith(api, args as Exclude<Args, undefined>);
  functions.set(name, { find, kind });

  async function plain(args: object, opts: pulumi.InvokeOptions): Promise<Result> {
    const caches = currentCaches();
    try {
      const provider = providerSettings(opts);
      const settings = settingsFrom(provider && (await known(provider)));
      return await find(apiOf(caches(settings), settings.organization), args);
    } catch (cause) {
      throw lookupError(name, args, cause, false);
    }
  }

  // The unit test decides what mocks return.
  return (...[args, opts]: CallArguments<Args, pulumi.InvokeOptions>): Promise<Result> =>
    hasMocks() ? engine.plain(name)(args, opts) : plain(args ?? {}, opts ?? {});
}

/** Makes the `…Output` form of a function that {@link getFunction} declares. */
export function outputForm<Args extends object | undefined, Result>(name: string) {
  return (...[args, opts]: CallArguments<Args, pulumi.InvokeOutputOptions>): pulumi.Output<Result> =>
    hasMocks() ? engine.output(name)(args, opts) : output(name, args ?? {}, opts ?? {});
}

function output<Result>(name: string, args: object, opts: pulumi.InvokeOutputOptions): pulumi.Output<Result> {
  const caches = currentCaches();
  let given: pulumi.Output<object>;
  let provider: pulumi.Output<SettingsInput | undefined>;
  try {
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
      const work = functions.get(name);
      if (sdk().runtime.isDryRun() && (await anyWillChange(waitedFor, work?.kind))) return unknownValue();
      try {
        const settings = settingsFrom(inputs);
        const api = apiOf(caches(settings), settings.organization, waitedFor.all);
        // Both forms are declared with the same result.
        return (await work?.find(api, values)) as Result;
      } catch (cause) {
        const error = lookupError(name, values, cause, await sdk().isSecret(given));
        // This preview may be about to change the very property that the function searches by, such as a name.
        if (sdk().runtime.isDryRun() && waitedFor.all.size > 0 && error.missing) return unknownValue();
        throw error;
      }
    });
}

export function apiOf(cache: ResponseCache, organization: string, after: Resources = new Set()): Api {
  return { organization, get: (request, ...parameters) => cache.get(request, parameters, after) };
}

export function lookupError(name: string, args: object, cause: unknown, secret: boolean): LookupError {
  const failure = cause instanceof LookupFailure ? cause : undefined;
  const message = messageOf(cause);
  const shown = secret ? hiding([args], MASKED, { shortest: 1 })(message) : message;
  return new LookupError(name, withCodeOf(`${name}(${formatArguments(args, secret)}): ${shown}`, cause), {
    missing: failure === undefined ? statusOf(cause) === 404 : failure.missing,
    // The message describes a failure fully. A cause would have values that the message must not quote.
    cause: failure !== undefined || secret ? undefined : cause,
  });
}

/** Returns the status of an error of the client, which cannot be known by its class: that would load the client. */
function statusOf(error: unknown): unknown {
  return error instanceof Error && "status" in error ? error.status : undefined;
}

/**
 * Returns the settings of the provider that a function was given, or inherits from its parent. Functions run in the
 * program, not in the engine, so no provider is configured for them. They follow the same order as resources: an explicit
 * `Provider` of this package, which remembers its arguments, then the stack's configuration, then the environment.
 *
 * A program that changes its own environment, and an inline program, which doesn't see that of the CLI, may read another
 * organization than the resources are in, which then refuse that. Call this before anything is awaited: a resource may use
 * what the function returns.
 */
function providerSettings(opts: pulumi.InvokeOptions): pulumi.Output<SettingsInput> | undefined {
  // Only the token's package counts, which all resource types share.
  const provider = opts.provider ?? opts.parent?.getProvider(typeToken("any"));
  const { functionsRead } = currentDeployment();
  const note = (inputs: SettingsInput | undefined) =>
    functionsRead.set(provider, organizationAt(settingsFrom(inputs)));
  if (provider === undefined) {
    try {
      note(undefined);
    } catch {
      // The function itself reports settings that are missing.
    }
    return undefined;
  }
  // By its shape and not its class: a project may have this package twice.
  if (!("settings" in provider) || !sdk().Output.isInstance<SettingsInput>(provider.settings)) {
    throw new LookupFailure("the provider has no settings. Pass a `Provider` of pulumi-buildpipeline.");
  }
  // The access token makes all of it secret; the result of the function is not.
  const settings = sdk().unsecret(provider.settings);
  if (isInlineProgram()) settings.apply(note);
  return settings;
}

/** Returns the settings of a provider, or without one, of the stack and the environment. */
function settingsFrom(provider: SettingsInput | undefined): Settings {
  const configured = provider === undefined ? stackSetting : (name: SettingKey) => provider[name];
  try {
    return resolveSettings(configured, process.env);
  } catch (error) {
    if (!(error instanceof SettingsError) || !isInlineProgram()) throw error;
    throw new SettingsError(
      `${error.message} In an inline program of the Automation API, functions don't see the workspace's envVars.`,
    );
  }
}

/** Returns the value of a provider's settings, for a function that cannot wait for a deployment to know them. */
async function known(settings: pulumi.Output<SettingsInput>): Promise<SettingsInput> {
  const there = await valueIn(settings);
  if (there !== undefined) return there.value;
  throw new LookupFailure(
    "the provider's settings are known only once something else is deployed. Use the function's …Output form, " +
      "with a result that is unknown until then.",
  );
}
