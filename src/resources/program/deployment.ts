import type * as pulumi from "@pulumi/pulumi";
import { mistypedSetting, SETTING_KEYS } from "../../configuration/settings.js";
import { unknownKeys } from "../../configuration/stack.js";
import { quoted } from "../../messages/quoted.js";
import { sdk } from "../../protocol/sdk.js";
import { nearestName } from "../rules/nearest-name.js";
import type { Problem } from "../rules/problems.js";
import { Claims } from "./claims.js";
import { hasMocks } from "./mocks.js";
import { PreviewEnd } from "./preview-end.js";

/** Knowledge that constructors share: declared resources, and the mistake that ended the program. */
export class Deployment {
  readonly claims = new Claims();
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
    for (const name of unknownKeys()) {
      const nearest = nearestName(name, SETTING_KEYS);
      if (nearest !== undefined) void sdk().log.warn(mistypedSetting(name, nearest));
    }
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
    if (sdk().runtime.isDryRun() && !hasMocks()) {
      for (const text of texts) fail(text);
      return;
    }
    this.#mistake ??= runError(texts.join("\n"));
    throw this.#mistake;
  }

  /** Warns of a declaration that is allowed and probably not intended. */
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
 * Deployments by their stack resource: the CLI makes one for each process, and the Automation API one for each
 * inline program.
 */
const deployments = new WeakMap<pulumi.Resource, Deployment>();

/** Returns the deployment that the program is part of. Call it before anything is awaited. */
export function currentDeployment(): Deployment {
  const stack = sdk().runtime.getStackResource();
  // Without a stack resource, as in unit tests, the end of a deployment is unknown: nothing is remembered.
  if (stack === undefined) return new Deployment();
  const known = deployments.get(stack) ?? new Deployment(stack);
  deployments.set(stack, known);
  return known;
}
