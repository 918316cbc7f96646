import type * as pulumi from "@pulumi/pulumi";
import { CONFIG_NAMESPACE, mistypedSettings, type SettingKey } from "../../shared/configuration/settings.js";
import { shownByEngine } from "../../shared/messages/foreign-text.js";
import { counted } from "../../shared/messages/nouns.js";
import { quoted } from "../../shared/messages/quoted.js";
import { IMPORT, PROBLEMS } from "../../shared/protocol/properties.js";
import { COMPONENT_DATA, promiseOf, sdk } from "../../shared/protocol/sdk.js";
import type { Problem } from "../kind/argument-problems.js";

interface Claimant {
  readonly resource: string;
  readonly secret: boolean;
  readonly imports: boolean;
  /** It didn't choose what it claims. */
  readonly derived: boolean;
}

/** Knowledge that constructors share: declared resources, and the mistake that ended the program. */
export class Deployment {
  /** The declarations that only one resource in a place may make, by the place. */
  readonly #claims = new Map<unknown, Map<string, Claimant>>();
  readonly #resources = new Map<unknown, string>();
  /** Set in a preview with an end that can be waited for. */
  readonly previewEnd: PreviewEnd | undefined;
  /**
   * The organizations that functions read, each by the provider that the function was given. Only in an inline program of
   * the Automation API: there, functions read the environment of this process and resources that of the CLI.
   */
  readonly functionsRead = new Map<pulumi.ProviderResource | undefined, string>();
  /** Whether a resource has the option `import`. */
  hasImports = false;
  #mistake: pulumi.RunError | undefined;

  constructor(stack?: pulumi.Resource) {
    if (stack === undefined || !sdk().runtime.isDryRun()) return;
    this.previewEnd = new PreviewEnd(stack);
    const prefix = `${CONFIG_NAMESPACE}:`;
    const own = Object.keys(sdk().runtime.allConfig()).filter((key) => key.startsWith(prefix));
    const names = own.map((key) => key.slice(prefix.length));
    for (const { warning } of mistypedSettings(names)) void sdk().log.warn(shownByEngine(warning));
  }

  /** @returns who has claimed the same in this place before, if it is another one */
  claim(place: unknown, key: string, claimant: Claimant): Claimant | undefined {
    const claims = this.#claims.get(place) ?? new Map<string, Claimant>();
    this.#claims.set(place, claims);
    const first = claims.get(key);
    // What somebody chose is the better claim.
    if (first === undefined || (first.derived && !claimant.derived)) claims.set(key, claimant);
    return first;
  }

  /** Returns a text that stands for a resource in claims; undefined for anything else. */
  resourceNameOf(value: unknown): string | undefined {
    if (typeof value !== "object" || value === null) return undefined;
    const name = this.#resources.get(value) ?? `resource ${this.#resources.size}`;
    this.#resources.set(value, name);
    return name;
  }

  /** Allows a registration. @throws the mistake that has ended the program */
  goOn(): void {
    if (this.#mistake !== undefined) throw this.#mistake;
  }

  /**
   * Reports the problems of a resource. A preview goes on, so that it reports all of them, and fails in the end; otherwise
   * this throws, and nothing more may be registered.
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
    void sdk().log.warn(shownByEngine(about(resource, problem)));
  }
}

/**
 * Reports at the end of a preview the problems that the provider found, and the number of imports. The engine ends a
 * preview at the first resource that the provider refuses. So in a preview the provider lets such a resource pass and
 * returns its problems: then the preview reports those of all resources.
 */
class PreviewEnd {
  readonly #problems = new Map<string, string[]>();
  #waiting = 0;
  /** An inline program would lose its engine before the report. */
  #done: (() => void) | undefined;
  #imports = 0;
  #reportedImports = 0;

  constructor(private readonly stack: pulumi.Resource) {}

  /** Waits for the preview of a resource, and for the end. Never rejects. */
  async watch(resource: pulumi.CustomResource): Promise<void> {
    this.#waiting += 1;
    this.#done ??= sdk().runtime.rpcKeepAlive();
    const { name, problems, isImported } = await previewOf(resource);
    for (const problem of problems) {
      this.#problems.set(problem, [...(this.#problems.get(problem) ?? []), name]);
    }
    if (isImported) this.#imports += 1;
    await ended(this.stack);
    this.#waiting -= 1;
    // Code that waits for this resource may be about to create another one.
    setImmediate(() => {
      if (this.#waiting > 0) return;
      this.#report();
      this.#done?.();
      this.#done = undefined;
    });
  }

  #report(): void {
    for (const [problem, names] of this.#problems) fail(`${listed(names)}: ${problem}`);
    this.#problems.clear();
    if (this.#imports === this.#reportedImports) return;
    this.#reportedImports = this.#imports;
    void sdk().log.info(`${counted(this.#imports, "resource")} shown as create will be imported instead.`);
  }
}

/** The most resources that are named as having the same problem. */
const MOST_NAMED = 5;

function listed(names: readonly string[]): string {
  const named = names.slice(0, MOST_NAMED).map(quoted);
  const more = names.length - named.length;
  return named.join(", ") + (more > 0 ? ` and ${more} more` : "");
}

async function previewOf(resource: pulumi.CustomResource) {
  const isImported = Object.hasOwn(resource, IMPORT);
  const [problems, id]: readonly unknown[] = await Promise.all([
    promiseOf(PROBLEMS in resource && resource[PROBLEMS]),
    isImported && sdk().runtime.serializeProperty("id", resource.id, new Set()),
  ])
    // Pulumi itself reports why a resource has failed.
    .catch(() => []);
  const texts: readonly unknown[] = Array.isArray(problems) ? problems : [];
  return {
    name: sdk().resourceName(resource),
    problems: texts.map(String),
    // Pulumi knows no id of what it takes for new.
    isImported: isImported && id === sdk().runtime.unknownValue && texts.length === 0,
  };
}

/** Waits for the program's own promise: it has ended then, but for what it makes when an output is known. */
async function ended(stack: pulumi.Resource): Promise<void> {
  try {
    await (COMPONENT_DATA in stack && stack[COMPONENT_DATA]);
  } catch {
    // Pulumi reports why the program has failed.
  }
}

/**
 * Returns an error that Pulumi prints without additions. The SDK would prefix its origin, and print the stack of an
 * error after the program's last line. Only a unit test needs the stack.
 */
export function runError(words: string): pulumi.RunError {
  const text = shownByEngine(words);
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
  if (isInlineProgram()) void sdk().log.error(shownByEngine(text));
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
