import type { KindProvider } from "../../../../src/provider/dynamic/host.js";
import {
  type Backend,
  type Difference,
  failed,
  InitializationError,
  type Properties,
  plain,
  type Resource,
} from "./backend.js";

export type HostedProvider = Pick<KindProvider, "check" | "diff" | "create" | "read" | "update" | "delete">;

/** Where the providers of resource types come from, and what they reported. */
interface Host {
  readonly warnings: readonly string[];
  readonly observed: readonly string[];
  kind(name: string): Promise<HostedProvider>;
}

/** The dynamic provider, as Pulumi's dynamic-provider process calls it: secrets arrive in plain text. */
export class DynamicBackend implements Backend {
  readonly enginesImport = false;

  /** @param inspect sees everything that the provider returns, before the engine does */
  constructor(
    private readonly host: Host,
    private readonly inspect: (value: unknown) => void = () => {},
  ) {}

  get messages(): readonly string[] {
    return [...this.host.warnings, ...this.host.observed];
  }

  async check({ kind, ignores }: Resource, olds: Properties, news: Properties) {
    const provider = await this.host.kind(kind);
    // The constructor lists the secret arguments, none of these, and the ignored ones.
    const added = { __secrets: [], ...(ignores && { importIgnoreChanges: ignores }) };
    const { inputs = {}, failures = [] } = await provider.check(olds, { ...added, ...news });
    return { inputs: this.#kept(inputs), ...failed(failures) };
  }

  async diff({ kind }: Resource, id: string, outs: Properties, news: Properties): Promise<Difference> {
    const provider = await this.host.kind(kind);
    const { changes, replaces = [], deleteBeforeReplace = false } = await provider.diff(id, outs, news);
    return { changed: changes, replaces, deleteBeforeReplace };
  }

  async create({ kind }: Resource, inputs: Properties) {
    const provider = await this.host.kind(kind);
    const { id, outs = {} } = await this.#initialized(() => provider.create(inputs));
    return { id, outs: this.#kept(outs) };
  }

  /** A response without inputs leaves those in state. */
  async read({ kind }: Resource, id: string, outs: Properties, old: Properties) {
    const provider = await this.host.kind(kind);
    const { id: found, props = {}, inputs = old } = await provider.read(id, outs);
    return { id: found ?? "", outs: this.#kept(props), inputs: this.#kept(inputs) };
  }

  async update({ kind }: Resource, id: string, olds: Properties, news: Properties) {
    const provider = await this.host.kind(kind);
    const { outs = {} } = await this.#initialized(() => provider.update(id, olds, news));
    return this.#kept(outs);
  }

  async delete({ kind }: Resource, id: string, outs: Properties) {
    const provider = await this.host.kind(kind);
    await provider.delete(id, outs);
  }

  #kept(properties: Properties): Properties {
    this.inspect(properties);
    return plain(properties);
  }

  async #initialized<Result>(work: () => Promise<Result>): Promise<Result> {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof Error && "id" in error && "properties" in error)) throw error;
      const { id, properties } = error;
      if (typeof properties !== "object" || properties === null) throw error;
      throw new InitializationError(String(id), this.#kept({ ...properties }), error.message);
    }
  }
}
