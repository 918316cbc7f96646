import type * as pulumi from "@pulumi/pulumi";
import type {
  Declared,
  Engine,
  Entry,
  Program,
  Result,
  Step,
} from "../../provider/histories/model-engine.js";
import type { Classes } from "../backends.js";
import { nameOf, type Outcome, type StateResource, type TestStack } from "../stack.js";

type Properties = Readonly<Record<string, unknown>>;

/** Pulumi's own engine, with a stack on which histories are played. */
export class RealEngine implements Engine {
  entries: readonly Entry[] = [];
  readonly #stack: TestStack;
  readonly #classes: Classes;

  constructor(stack: TestStack, classes: Classes) {
    this.#stack = stack;
    this.#classes = classes;
  }

  get told(): readonly string[] {
    return this.#stack.told;
  }

  up(program: Program): Promise<Result> {
    return this.#command(this.#stack.up(async () => declare(this.#classes, program)));
  }

  preview(program: Program): Promise<Result> {
    return this.#command(this.#stack.preview(async () => declare(this.#classes, program)));
  }

  refresh(): Promise<Result> {
    return this.#command(this.#stack.refresh());
  }

  async #command(command: Promise<Outcome>): Promise<Result> {
    const heard = this.told.length;
    const steps: Record<string, Step> = {};
    let failure: string | undefined;
    try {
      for (const [name, [step]] of Object.entries((await command).steps)) steps[name] = stepOf(step);
    } catch (error) {
      failure = error instanceof Error ? error.message : String(error);
    }
    this.entries = (await this.#stack.entries()).map(entryIn);
    if (failure === undefined) return { succeeded: true, steps, errors: [] };
    return { succeeded: false, steps, errors: [...this.told.slice(heard), failure] };
  }
}

/** Declares the resources of a program. */
function declare(classes: Classes, program: Program): void {
  const made = new Map<string, pulumi.CustomResource>();
  for (const { name, kind, args } of program)
    made.set(name, construct(classes, kind, name, resolved(args, made)));
}

function construct(classes: Classes, kind: string, name: string, args: Properties): pulumi.CustomResource {
  const found: unknown = Reflect.get(classes, kind);
  if (typeof found !== "function") throw new Error(`There is no kind ${kind}.`);
  return Reflect.construct(found, [name, args]);
}

function resolved(
  args: Declared["args"],
  made: ReadonlyMap<string, pulumi.CustomResource>,
): Record<string, unknown> {
  const value = (given: unknown) =>
    typeof given === "object" && given !== null && "idOf" in given ? made.get(String(given.idOf))?.id : given;
  return Object.fromEntries(Object.entries(args).map(([name, given]) => [name, value(given)]));
}

function stepOf(step: string | undefined): Step {
  if (step === "create" || step === "update" || step === "same" || step === "delete") return step;
  return "replace";
}

/** An entry of the state as histories know it. */
function entryIn(resource: StateResource, index: number): Entry {
  return {
    serial: index,
    name: nameOf(resource.urn),
    kind: resource.type.slice(resource.type.lastIndexOf(":") + 1),
    id: resource.id,
    inputs: revealed(resource.inputs),
    outs: revealed(resource.outputs),
    references: {},
    unfinished: (resource.initErrors ?? []).length > 0,
    replaced: resource.delete === true,
  };
}

/** With secrets in plain text, as `pulumi stack export --show-secrets` tells them. */
function revealed(properties: Properties): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(properties).map(([name, value]) => {
      const plaintext =
        typeof value === "object" && value !== null ? Reflect.get(value, "plaintext") : undefined;
      return [name, typeof plaintext === "string" ? JSON.parse(plaintext) : value];
    }),
  );
}
