import type * as pulumi from "@pulumi/pulumi";
import type { Engine, Entry, Flags, Result, Step } from "../../stories/histories/engine/engine.js";
import { type Program, referenceOf } from "../../stories/histories/program.js";
import { declare } from "../backends.js";
import { plain } from "../checkpoint.js";
import { type EngineOutcome, nameOf, type Options, type StateResource, type TestStack } from "../stack.js";

/** Pulumi's own engine, with a stack on which histories are played. */
export class RealEngine implements Engine {
  entries: readonly Entry[] = [];
  environment: Readonly<Record<string, string | undefined>> = {};
  /** URNs by the names of resources: of those in the state, and of those that the next program declares. */
  readonly #urns = new Map<string, string>();

  /** @param classes of the resources, by their kinds @param typeOf the type of the resources of a kind */
  constructor(
    private readonly stack: TestStack,
    private readonly classes: object,
    private readonly typeOf: (kind: string) => string,
  ) {}

  get observed(): readonly string[] {
    return this.stack.said;
  }

  up(program: Program, flags: Flags = {}): Promise<Result> {
    const { refresh } = flags;
    const options = {
      ...this.#options(flags, program),
      ...(refresh !== undefined && { refresh: true }),
      ...(refresh === "with the program" && { runProgram: true }),
    };
    return this.#command(this.stack.up(async () => declareAll(this.classes, program), options));
  }

  preview(program: Program, flags: Flags = {}): Promise<Result> {
    const options = this.#options(flags, program);
    return this.#command(this.stack.preview(async () => declareAll(this.classes, program), options));
  }

  refresh(flags: Flags = {}): Promise<Result> {
    return this.#command(this.stack.refresh(this.#options(flags, [])));
  }

  destroy(flags: Flags = {}): Promise<Result> {
    return this.#command(this.stack.destroy(this.#options(flags, [])));
  }

  async forget({ id, kind }: Entry): Promise<void> {
    const state = await this.stack.export();
    const { resources, ...rest } = state.deployment;
    // A default queue has the id of its cluster.
    const kept = resources.filter(
      (resource: { id?: string; type: string }) => resource.id !== id || !resource.type.endsWith(`:${kind}`),
    );
    await this.stack.import({ ...state, deployment: { ...rest, resources: kept } });
    this.entries = (await this.stack.entries()).map(entryIn);
  }

  #options({ target, replace }: Flags, program: Program): Options {
    for (const { name, kind } of program)
      this.#urns.set(name, `urn:pulumi:test::test::${this.typeOf(kind)}::${name}`);
    const urns = (names: readonly string[]) => names.map((name) => this.#urns.get(name) ?? name);
    return {
      env: this.environment,
      ...(target && { target: urns(target) }),
      ...(replace && { replace: urns(replace) }),
    };
  }

  async #command(command: Promise<EngineOutcome>): Promise<Result> {
    const heard = this.observed.length;
    const steps: Record<string, Step> = {};
    let failure: string | undefined;
    try {
      for (const [name, [step]] of Object.entries((await command).steps)) steps[name] = stepOf(step);
    } catch (error) {
      failure = error instanceof Error ? error.message : String(error);
    }
    const resources = await this.stack.entries();
    this.entries = resources.map(entryIn);
    for (const { urn } of resources) this.#urns.set(nameOf(urn), urn);
    if (failure === undefined) return { succeeded: true, steps, errors: [] };
    return { succeeded: false, steps, errors: [...this.observed.slice(heard), failure] };
  }
}

function declareAll(classes: object, program: Program): void {
  const made = new Map<string, pulumi.CustomResource>();
  for (const declared of program) {
    const { name, kind, alias, deleteBeforeReplace, get } = declared;
    const args = Object.entries(declared.args).map(([key, given]) => {
      const to = referenceOf(given);
      return [key, to === undefined ? given : made.get(to)?.id];
    });
    const options = {
      ...(declared.import !== undefined && { import: declared.import }),
      ...(alias !== undefined && { aliases: [{ name: alias }] }),
      ...(deleteBeforeReplace && { deleteBeforeReplace }),
      ...(get !== undefined && { id: get }),
    };
    made.set(name, declare(classes, kind, name, Object.fromEntries(args), options));
  }
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
    inputs: plain(resource.inputs),
    outs: plain(resource.outputs),
    references: {},
    unfinished: (resource.initErrors ?? []).length > 0,
    replaced: resource.delete === true,
    pendingReplacement: resource.pendingReplacement === true,
    external: resource.external === true,
  };
}
