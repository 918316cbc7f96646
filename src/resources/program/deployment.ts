import * as pulumi from "@pulumi/pulumi";
import { quoted } from "../../messages/quoted.js";
import type { Problem } from "../rules/problems.js";
import { Claims } from "./claims.js";
import { hasMocks } from "./mocks.js";
import { PreviewEnd } from "./preview-end.js";

/** What constructors know together: what is declared already, and whether a mistake has ended the program. */
export class Deployment {
  readonly claims = new Claims();
  /** Where this is a preview whose end can be waited for. */
  readonly previewEnd: PreviewEnd | undefined;
  #mistake: pulumi.RunError | undefined;

  constructor(stack?: pulumi.Resource) {
    if (stack !== undefined && pulumi.runtime.isDryRun()) this.previewEnd = new PreviewEnd(stack, fail);
  }

  /** To be called before anything is registered. @throws the mistake that has ended the program */
  goOn(): void {
    if (this.#mistake !== undefined) throw this.#mistake;
  }

  /**
   * Tells what is wrong with a resource. A preview goes on, so that it tells everything, and fails in the end; otherwise
   * nothing more may be registered.
   *
   * @throws unless there is nothing to tell, or it is a preview
   */
  refuse(resource: string, problems: readonly Problem[]): void {
    if (problems.length === 0) return;
    const texts = problems.map((problem) => about(resource, problem));
    // A unit test wants to see the error where it is made.
    if (pulumi.runtime.isDryRun() && !hasMocks()) {
      for (const text of texts) fail(text);
      return;
    }
    this.#mistake ??= mistake(texts.join("\n"));
    throw this.#mistake;
  }

  /** Tells what is no mistake, and hardly meant. */
  warn(resource: string, problem: Problem): void {
    void pulumi.log.warn(about(resource, problem));
  }
}

/**
 * An error that is told in its own words alone: the SDK would write before them how it came to it, and print the stack of
 * one that comes after the program's last line. Only a unit test wants the stack.
 */
function mistake(text: string): pulumi.RunError {
  const error = new pulumi.RunError(text);
  if (!hasMocks()) error.stack = text;
  return Object.defineProperty(error, "message", { get: () => text, set: () => undefined });
}

function about(resource: string, { text }: Problem): string {
  return `${quoted(resource)}: ${text}`;
}

/**
 * Makes the program fail at its end, with these words. A message that goes with the resource would be lost when the
 * engine refuses the resource. The CLI goes by the exit code of the program's process, which a rejection decides that
 * nobody handles. An inline program of the Automation API has no process of its own: it fails by its logged errors, and a
 * rejection would be told twice and to everyone in that process who listens for one.
 */
function fail(text: string): void {
  const hasOwnProcess = process.env.PULUMI_NODEJS_MONITOR !== undefined;
  if (hasOwnProcess) void Promise.reject(mistake(text));
  else void pulumi.log.error(text);
}

/**
 * A deployment is known by its stack resource: the CLI makes one for each process, and the Automation API one for each
 * inline program.
 */
const deployments = new WeakMap<pulumi.Resource, Deployment>();

/** The deployment that the program is part of. To be called before anything is awaited. */
export function currentDeployment(): Deployment {
  const stack = pulumi.runtime.getStackResource();
  // Without a stack resource, as in unit tests, the end of a deployment is unknown: nothing is remembered.
  if (stack === undefined) return new Deployment();
  const known = deployments.get(stack) ?? new Deployment(stack);
  deployments.set(stack, known);
  return known;
}
