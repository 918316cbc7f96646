import type * as pulumi from "@pulumi/pulumi";
import { CONFIG_NAMESPACE, mistypedSettings, type SettingKey } from "../../shared/configuration/settings.js";
import { quoted } from "../../shared/messages/quoted.js";
import { sdk } from "../../shared/protocol/sdk.js";
import type { Problem } from "../kind/argument-problems.js";
import { PreviewEnd } from "./preview-end.js";

export interface Claimant {
  readonly resource: string;
  readonly secret: boolean;
  /** True if it imports an object that is there. */
  readonly imports: boolean;
}

/** Knowledge that constructors share: declared resources, and the mistake that ended the program. */
export class Deployment {
  /** The declarations that only one resource in a place may make, by the place. */
  readonly #claims = new Map<unknown, Map<string, Claimant>>();
  /** Set in a preview with an end that can be waited for. */
  readonly previewEnd: PreviewEnd | undefined;
  /**
   * The organizations that functions read, each by the provider that the function was given. Only in an inline program of
   * the Automation API: there, functions read the environment of this process and resources that of the CLI.
   */
  readonly functionsRead = new Map<pulumi.ProviderResource | undefined, string>();
  #mistake: pulumi.RunError | undefined;

  constructor(stack?: pulumi.Resource) {
    if (stack === undefined || !sdk().runtime.isDryRun()) return;
    this.previewEnd = new PreviewEnd(stack, fail);
    const prefix = `${CONFIG_NAMESPACE}:`;
    const own = Object.keys(sdk().runtime.allConfig()).filter((key) => key.startsWith(prefix));
    const names = own.map((key) => key.slice(prefix.length));
    for (const { warning } of mistypedSettings(names)) void sdk().log.warn(warning);
  }

  /** @returns who has claimed the same in this place before, if it is another one */
  claim(place: unknown, key: string, claimant: Claimant): Claimant | undefined {
    const claims = this.#claims.get(place) ?? new Map<string, Claimant>();
    this.#claims.set(place, claims);
    const first = claims.get(key) ?? claimant;
    claims.set(key, first);
    return first === claimant ? undefined : first;
  }

  /** Allows a registration. @throws the mistake that has ended the program */
  goOn(): void {
    if (this.#mistake !== undefined) throw this.#mistake;
  }

  /**
   * Reports the problems of a resource. A preview goes on, so that it reports all of them, and fails in the end; otherwise
   * nothing more may be registered.
   *
   * @throws where there are problems, except in a preview
   */
  refuse(resource: string, problems: readonly Problem[]): void {
    if (problems.length === 0) return;
    const texts = problems.map((problem) => about(resource, problem));
    // A unit test wants to see the error where it is made.
    // Without an end that can be waited for, as in a component that the plugin constructs, there is no later.
    if (this.previewEnd !== undefined && !hasMocks()) {
      for (const text of texts) fail(text);
      return;
    }
    this.#mistake ??= runError(texts.join("\n"));
    throw this.#mistake;
  }

  warn(resource: string, problem: Problem): void {
    void sdk().log.warn(about(resource, problem));
  }
}

/**
 * Returns an error that Pulumi prints without additions. The SDK would prefix its origin, and print the stack of an
 * error after the program's last line. Only a unit test needs the stack.
 */
export function runError(text: string): pulumi.RunError {
  const error = new (sdk().RunError)(text);
  if (!hasMocks()) error.stack = text;
  return Object.defineProperty(error, "message", { get: () => text, set: () => undefined });
}

function about(resource: string, { text }: Problem): string {
  return `${quoted(resource)}: ${text}`;
}

/**
 * Makes the program fail at its end, with this message. A message with a resource would be lost if the engine refuses
 * the resource. The CLI reads the exit code of the program's process, which an unhandled rejection sets. An inline
 * program of the Automation API has no separate process, and fails by its logged errors. There, a rejection would be
 * printed twice and reach every listener.
 */
function fail(text: string): void {
  if (isInlineProgram()) void sdk().log.error(text);
  else void Promise.reject(runError(text));
}

/** Checks whether the program is a function that the Automation API runs, in a process that the CLI didn't start. */
export function isInlineProgram(): boolean {
  return process.env.PULUMI_NODEJS_MONITOR === undefined;
}

/**
 * Checks whether a unit test has called `pulumi.runtime.setMocks`. The SDK does not export the class of the monitor that it
 * then uses, which is the only one that has mocks.
 */
export function hasMocks(): boolean {
  const monitor: object | undefined = sdk().runtime.getMonitor();
  return monitor !== undefined && "mocks" in monitor;
}

/** Returns a setting of the stack's configuration, secrets in plain text. Undefined if it isn't set. */
export function stackSetting(name: SettingKey): string | undefined {
  return new (sdk().Config)(CONFIG_NAMESPACE).get(name);
}

/**
 * Returns a function that returns what each deployment has one of. It must be called before anything is awaited. The
 * stack resource identifies a deployment: the CLI makes one for each process, and the Automation API one for each inline
 * program.
 *
 * @param make gets no stack resource in unit tests, where the end of a deployment is unknown and nothing is remembered
 */
export function perDeployment<Value>(make: (stack: pulumi.Resource | undefined) => Value): () => Value {
  const known = new WeakMap<pulumi.Resource, Value>();
  return () => {
    const stack = sdk().runtime.getStackResource();
    if (stack === undefined) return make(stack);
    const value = known.get(stack) ?? make(stack);
    known.set(stack, value);
    return value;
  };
}

export const currentDeployment = perDeployment((stack) => new Deployment(stack));
