import { kinds } from "../../../../src/provider/for-commands/kinds.js";
import { Session, type Surroundings } from "../../../../src/provider/lifecycle/run/session.js";
import { currentCall, EngineCalls } from "../../../../src/provider/plugin/engine-call.js";
import { KindPlugin } from "../../../../src/provider/plugin/kind-plugin.js";
import { HalfMadeError, rpcError } from "../../../../src/provider/plugin/rpc-error.js";
import {
  type Backend,
  type Difference,
  failed,
  InitializationError,
  type Properties,
  type Resource,
} from "./backend.js";

type Settings = ConstructorParameters<typeof Session>[0];

/** The plugin's lifecycle, without gRPC: secrets arrive and leave marked, and each call names its resource. */
export class PluginBackend implements Backend {
  readonly enginesImport = true;
  readonly messages: string[] = [];
  readonly #session: Session;
  readonly #inspect: (value: unknown) => void;

  constructor(settings: Settings, surroundings: Surroundings, inspect: (value: unknown) => void = () => {}) {
    const report = (message: string) => this.messages.push(message);
    const urn = () => currentCall()?.urn;
    this.#session = new Session(settings, { ...surroundings, warn: report, inform: report, urn });
    this.#inspect = inspect;
  }

  async check(resource: Resource, olds: Properties, news: Properties) {
    const { inputs, failures } = await this.#call(resource, (kind) => kind.check(olds, news));
    return { inputs: this.#kept(inputs), ...failed(failures) };
  }

  diff(
    resource: Resource,
    id: string,
    outs: Properties,
    news: Properties,
    oldInputs: Properties,
  ): Promise<Difference> {
    return this.#call(resource, (kind) => kind.diff(id, outs, news, oldInputs, resource.ignores ?? []));
  }

  async create(resource: Resource, inputs: Properties) {
    const { id, outs } = await this.#call(resource, (kind) => kind.create(inputs, false));
    return { id, outs: this.#kept(outs) };
  }

  async read(resource: Resource, id: string, outs: Properties, inputs: Properties) {
    const found = await this.#call(resource, (kind) => kind.read(id, outs, inputs));
    if (found === undefined) return { id: "", outs: {}, inputs: {} };
    return { id: found.id, outs: this.#kept(found.outs), inputs: this.#kept(found.inputs) };
  }

  async update(resource: Resource, id: string, olds: Properties, news: Properties, oldInputs: Properties) {
    const options = { preview: false, ignored: resource.ignores ?? [] };
    return this.#kept(await this.#call(resource, (kind) => kind.update(id, olds, news, oldInputs, options)));
  }

  async delete(resource: Resource, id: string, outs: Properties, oldInputs: Properties) {
    await this.#call(resource, (kind) => kind.delete(id, outs, oldInputs));
  }

  #kept(properties: Properties): Properties {
    this.#inspect(properties);
    // As it travels: without what is undefined.
    return JSON.parse(JSON.stringify(properties));
  }

  async #call<Result>(
    { name, kind }: Resource,
    work: (kind: KindPlugin) => Promise<Result>,
  ): Promise<Result> {
    const found = kinds.get(kind);
    if (found === undefined) throw new Error(`There is no kind ${kind}.`);
    const urn = `urn:pulumi:test::histories::buildpipeline:index:${kind}::${name}`;
    try {
      return await new EngineCalls().run(urn, () => work(new KindPlugin(this.#session, found)));
    } catch (error) {
      if (!(error instanceof HalfMadeError)) throw new Error(rpcError(error, String).message);
      throw new InitializationError(error.id, this.#kept(error.outs), error.message);
    }
  }
}
