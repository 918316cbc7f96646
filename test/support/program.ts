import type { Clock } from "../../src/client/transport/options.js";
import type { Emulator } from "../../src/emulator/index.js";
import { type Backend, type Properties, plain } from "../stories/histories/engine/backend.js";
import { startProvider } from "../stories/histories/engine/start-provider.js";
import type { Gate } from "../stories/histories/gate.js";
import { someOf } from "./cases.js";
import { SimulatedClock } from "./driver.js";

/** Of both, `npm test` plays one. */
export const BACKENDS = someOf(["dynamic", "plugin"] as const);

/** A resource in state, as the engine keeps it. */
export interface InState {
  readonly id: string;
  readonly inputs: Properties;
  readonly outs: Properties;
  /** The engine updates what an earlier deployment left unfinished, whatever its inputs are. */
  readonly isHalfMade?: true;
}

/** One resource of a program, which each command carries out with a new provider process. */
export class ResourceOfProgram {
  /** What the processes have said so far. */
  readonly said: string[] = [];
  /** What the processes returned last, before the engine reads its marks. */
  returned: Properties = {};

  constructor(
    private readonly backend: (typeof BACKENDS)[number],
    private readonly emulator: Emulator,
    private readonly kind: string,
    private readonly clock: Clock = new SimulatedClock(),
    /** Names of the arguments that the option `ignoreChanges` keeps. */
    private readonly ignores: readonly string[] = [],
    private readonly gate?: Gate,
  ) {}

  /** @throws what the preview refuses */
  async up(args: Properties, state?: InState): Promise<InState> {
    const { provider, inputs, changes } = await this.preview(args, state);
    if (state === undefined)
      return this.#saying(provider, { inputs, ...(await provider.create(this.#resource, inputs)) });
    if (!changes) return { ...state, inputs };
    const outs = await provider.update(this.#resource, state.id, state.outs, inputs, state.inputs);
    return this.#saying(provider, { id: state.id, inputs, outs });
  }

  /** Replaces it as the engine does, the old one after the new one. @param isAsked `--replace` asks for no diff */
  async replace(args: Properties, state: InState, isAsked = true): Promise<InState> {
    const provider = this.#start();
    const { inputs } = await provider.check(this.#resource, state.inputs, args);
    if (isAsked) await provider.diff(this.#resource, state.id, state.outs, inputs, state.inputs);
    await provider.check(this.#resource, {}, args);
    return this.#saying(provider, { inputs, ...(await provider.create(this.#resource, inputs)) });
  }

  async preview(args: Properties, state?: InState) {
    const provider = this.#start();
    const kept = this.ignores.map((name) => [name, state?.inputs[name]]);
    const news = state === undefined ? args : { ...args, ...Object.fromEntries(kept) };
    const { inputs, failures } = await provider.check(this.#resource, state?.inputs ?? {}, news);
    if (failures.length > 0) throw new Error(failures.join("\n"));
    if (state === undefined) return { provider, inputs, changes: true, replaces: [] };
    const { id, outs } = state;
    const { changed, replaces } = await provider.diff(this.#resource, id, outs, inputs, state.inputs);
    this.#saying(provider, state);
    // Without a verdict the engine compares the inputs.
    const differs = JSON.stringify(plain(inputs)) !== JSON.stringify(plain(state.inputs));
    return { provider, inputs, changes: state.isHalfMade ?? changed ?? differs, replaces };
  }

  async refresh({ id, inputs, outs }: InState): Promise<InState | undefined> {
    const provider = this.#start();
    const found = await provider.read(this.#resource, id, outs, inputs);
    this.#saying(provider, found);
    return found.id === "" ? undefined : found;
  }

  /** Imports by the engine's own import or by the option: each backend has one of them. */
  imports(name: string, args: Properties): Promise<InState | undefined> {
    const isOwn = this.backend === "plugin";
    return isOwn ? this.refresh({ id: name, inputs: {}, outs: {} }) : this.up({ ...args, import: name });
  }

  async destroy({ id, inputs, outs }: InState): Promise<void> {
    const provider = this.#start();
    await provider.delete(this.#resource, id, outs, inputs);
    this.#saying(provider, undefined);
  }

  get #resource() {
    return { name: "it", kind: this.kind, ignores: this.ignores };
  }

  #start(): Backend {
    return startProvider(
      {
        backend: this.backend,
        service: this.emulator,
        clock: this.clock,
        ...(this.gate && { gate: this.gate }),
      },
      {},
      (value) => {
        this.returned = { ...Object(value) };
      },
    );
  }

  #saying<State>(provider: Backend, state: State): State {
    this.said.push(...provider.messages);
    return state;
  }
}
