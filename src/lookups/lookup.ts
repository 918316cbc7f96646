import * as pulumi from "@pulumi/pulumi";
import type { Settings, SettingsInput } from "../configuration/settings.js";
import { asInputs, type InputsOf, spell } from "./asking/arguments.js";
import { resourcesBehind } from "./asking/dependencies.js";
import { Obstacle } from "./asking/obstacle.js";
import type { Request, RequestPart } from "./asking/request.js";
import { currentRun, type Resources, type Run } from "./asking/run.js";
import { known, providerSettings, settingsFrom } from "./asking/settings.js";
import { LookupError } from "./lookup-error.js";

/** What a lookup can ask. */
export interface Service {
  /** Slug of the organization that is asked. */
  readonly organization: string;
  /** Asks, once for each question of a run. */
  ask<Parts extends readonly RequestPart[], Answer>(
    request: Request<Parts, Answer>,
    ...parts: Parts
  ): Promise<Answer>;
}

const NO_RESOURCES: Resources = new Set();

/** A lookup in both its forms, made from the one function that finds. */
export class Lookup<Args extends object, Result> {
  readonly #name: string;
  readonly #find: (service: Service, args: Args) => Promise<Result>;

  constructor(name: string, find: (service: Service, args: Args) => Promise<Result>) {
    this.#name = name;
    this.#find = find;
  }

  /** The plain form: everything is known, the result is a promise. */
  async now(args: Args, opts: pulumi.InvokeOptions = {}): Promise<Result> {
    const run = currentRun();
    try {
      const provider = providerSettings(opts);
      const settings = settingsFrom(provider && (await known(provider)));
      return await this.#findIn(run, settings, args, NO_RESOURCES);
    } catch (error) {
      throw this.#error(error, args, false);
    }
  }

  /** The form of Outputs: waits for what the arguments come from; unknown as long as one of them is. */
  output(args: InputsOf<Args>, opts: pulumi.InvokeOutputOptions = {}): pulumi.Output<Result> {
    const run = currentRun();
    let given: pulumi.Output<Args>;
    let provider: pulumi.Output<SettingsInput | undefined>;
    try {
      // Inputs of Args resolve to Args; the SDK's type for that cannot be followed through a type parameter.
      given = pulumi.output(asInputs(args)) as pulumi.Output<unknown> as pulumi.Output<Args>;
      provider = providerSettings(opts) ?? pulumi.output(undefined);
    } catch (error) {
      const rejected: Promise<never> = Promise.reject(this.#error(error, args, false));
      return pulumi.output(rejected);
    }
    const after = resourcesBehind([given, provider], opts.dependsOn);
    // Unknown as long as one of the resources does not exist: then the service cannot know of it either.
    const ids = pulumi.output(after.then((resources) => pulumi.all([...resources].map(({ id }) => id))));
    const context = { after, secret: pulumi.isSecret(given) };
    return ids.apply(() =>
      given.apply((values) => provider.apply((settings) => this.#findAfter(run, settings, values, context))),
    );
  }

  async #findAfter(
    run: Run,
    provider: SettingsInput | undefined,
    args: Args,
    context: { after: Promise<Resources>; secret: Promise<boolean> },
  ): Promise<Result> {
    const after = await context.after;
    try {
      return await this.#findIn(run, settingsFrom(provider), args, after);
    } catch (cause) {
      const error = this.#error(cause, args, await context.secret);
      // What this preview is about to change may be just what the lookup goes by, such as a name.
      // An Output with this value is an unknown one, whatever its type.
      if (pulumi.runtime.isDryRun() && after.size > 0 && error.missing) return pulumi.unknown as never;
      throw error;
    }
  }

  #findIn(run: Run, settings: Settings, args: Args, after: Resources): Promise<Result> {
    const service = run.service(settings);
    return this.#find(
      { organization: settings.organization, ask: (request, ...parts) => service.ask(request, parts, after) },
      args,
    );
  }

  #error(cause: unknown, args: object, secret: boolean): LookupError {
    const missing = cause instanceof Obstacle ? cause.missing : statusOf(cause) === 404;
    let message = cause instanceof Error ? cause.message : String(cause);
    if (secret) message = withoutValues(message, args);
    // Obstacles are told whole by the message, and a cause would tell the values that the message must not.
    const kept = cause instanceof Obstacle || secret ? undefined : cause;
    return new LookupError(this.#name, `${this.#name}(${spell(args, secret)}): ${message}`, {
      missing,
      cause: kept,
    });
  }
}

/** The status of an error of the client, which cannot be known by its class: that would load the client. */
function statusOf(error: unknown): unknown {
  return error instanceof Error && "status" in error ? error.status : undefined;
}

function withoutValues(message: string, args: object): string {
  return Object.values(args)
    .filter((value) => typeof value === "string" && value !== "")
    .flatMap((value: string) => [value, encodeURIComponent(value)])
    .reduce((text, value) => text.replaceAll(value, "[secret]"), message);
}
