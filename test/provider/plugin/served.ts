import { promisify } from "node:util";
import {
  type CallOptions,
  credentials,
  Metadata,
  Server,
  ServerCredentials,
  type ServiceError,
} from "@grpc/grpc-js";
import { EngineService } from "@pulumi/pulumi/proto/engine_grpc_pb.js";
import { type LogRequest, LogSeverity } from "@pulumi/pulumi/proto/engine_pb.js";
import { ResourceProviderClient } from "@pulumi/pulumi/proto/provider_grpc_pb.js";
import * as messages from "@pulumi/pulumi/proto/provider_pb.js";
import { Status } from "@pulumi/pulumi/proto/status_pb.js";
import { onTestFinished } from "vitest";
import { type Emulator, type EmulatorOptions, startEmulator } from "../../../src/emulator/index.js";
import { EngineLog } from "../../../src/provider/plugin/engine-log.js";
import { Plugin } from "../../../src/provider/plugin/plugin.js";
import { wordingFor } from "../../../src/provider/plugin/program-language.js";
import { empty, fromStruct, toStruct } from "../../../src/provider/plugin/protobuf.js";
import { serve } from "../../../src/provider/plugin/server.js";
import { Colleague } from "../../support/colleague.js";

export type Properties = Record<string, unknown>;

/** What the engine received. */
export interface Told {
  readonly severity: "info" | "warning";
  readonly message: string;
  readonly urn: string;
  readonly ephemeral: boolean;
}

export interface State {
  readonly id: string;
  readonly outs: Properties;
  readonly inputs: Properties;
}

type Method<Request, Response> = (
  request: Request,
  metadata: Metadata,
  options: CallOptions,
  respond: (error: ServiceError | null, response: Response) => void,
) => unknown;

/** The engine waits for ever; a test fails instead. Milliseconds. */
const LONGEST_CALL = 30_000;

/** A plugin that is served, spoken to as the engine does: gRPC both ways, against an emulator. */
export class Served {
  readonly observed: Told[] = [];
  readonly #watchers: (() => void)[] = [];
  constructor(
    readonly emulator: Emulator,
    readonly client: ResourceProviderClient,
  ) {}

  /** A plugin that is not configured yet, with a service of its own. */
  static async start(options: EmulatorOptions = {}, directory = __dirname): Promise<Served> {
    const emulator = await startEmulator({ seed: false, ...options });
    onTestFinished(() => emulator.close());
    return Served.#for(emulator, directory);
  }

  /** Another run of the engine, with a plugin of its own, on the same service. */
  static async beside({ emulator }: Pick<Served, "emulator">): Promise<Served> {
    const served = await Served.#for(emulator);
    await served.configure();
    return served;
  }

  static async #for(emulator: Emulator, directory = __dirname): Promise<Served> {
    const wording = wordingFor(directory);
    const plugin = new Plugin(new EngineLog(wording));
    const port = await serve(plugin, wording);
    const client = new ResourceProviderClient(`127.0.0.1:${port}`, credentials.createInsecure());
    const served = new Served(emulator, client);
    onTestFinished(() => client.close());
    const engine = await served.#startEngine();
    const handshake = filled(new messages.ProviderHandshakeRequest(), { engineAddress: engine });
    await call(client.handshake.bind(client), handshake);
    return served;
  }

  get colleague(): Colleague {
    return new Colleague(this.emulator);
  }

  /** Configured for the emulator, as the engine does for a stack. */
  static async configured(options?: EmulatorOptions, settings: Properties = {}): Promise<Served> {
    const served = await Served.start(options);
    await served.configure(settings);
    return served;
  }

  async configure(settings: Properties = {}): Promise<messages.ConfigureResponse> {
    const { accessToken, organization, url } = this.emulator;
    const request = filled(new messages.ConfigureRequest(), {
      args: { accessToken, organization, baseUrl: url, ...settings },
    });
    return call(this.client.configure.bind(this.client), request);
  }

  async checkConfig(news: Properties) {
    const request = filled(new messages.CheckRequest(), { news });
    return checked(await call(this.client.checkConfig.bind(this.client), request));
  }

  async check(urn: string, news: Properties, olds: Properties = {}) {
    const request = filled(new messages.CheckRequest(), { urn, news, olds });
    return checked(await call(this.client.check.bind(this.client), request));
  }

  async diff(urn: string, id: string, olds: Properties, news: Properties, oldInputs: Properties = {}) {
    const request = filled(new messages.DiffRequest(), { urn, id, olds, news, oldInputs });
    const response = await call(this.client.diff.bind(this.client), request);
    const { DIFF_SOME } = messages.DiffResponse.DiffChanges;
    const lines: [string, string][] = [];
    response.getDetaileddiffMap().forEach((line, path) => {
      lines.push([path, KINDS[line.getKind()] ?? ""]);
    });
    return {
      changed: response.getChanges() === DIFF_SOME,
      replaces: response.getReplacesList(),
      deleteBeforeReplace: response.getDeletebeforereplace(),
      stables: response.getStablesList(),
      lines: Object.fromEntries(lines),
    };
  }

  async create(urn: string, inputs: Properties, preview = false, timeout = 0) {
    const request = filled(new messages.CreateRequest(), { urn, timeout, properties: inputs, preview });
    const response = await call(this.client.create.bind(this.client), request);
    return { id: response.getId(), outs: fromStruct(response.getProperties()) };
  }

  async update(
    urn: string,
    id: string,
    olds: Properties,
    news: Properties,
    { preview = false, timeout = 0, oldInputs = {} } = {},
  ) {
    const request = filled(new messages.UpdateRequest(), {
      urn,
      timeout,
      id,
      olds,
      news,
      preview,
      oldInputs,
    });
    const response = await call(this.client.update.bind(this.client), request);
    return fromStruct(response.getProperties());
  }

  async read(urn: string, id: string, outs: Properties = {}, inputs: Properties = {}, timeout = 0) {
    const request = filled(new messages.ReadRequest(), { timeout, urn, id, properties: outs, inputs });
    const response = await call(this.client.read.bind(this.client), request);
    return {
      id: response.getId(),
      outs: fromStruct(response.getProperties()),
      inputs: fromStruct(response.getInputs()),
    };
  }

  async delete(
    urn: string,
    id: string,
    outs: Properties,
    timeout = 0,
    oldInputs: Properties = {},
  ): Promise<void> {
    const request = filled(new messages.DeleteRequest(), { urn, timeout, id, properties: outs, oldInputs });
    await call(this.client.delete.bind(this.client), request);
  }

  async invoke(name: string, args: Properties = {}): Promise<Properties> {
    const request = filled(new messages.InvokeRequest(), { tok: `buildpipeline:index:${name}`, args });
    const response = await call(this.client.invoke.bind(this.client), request);
    return fromStruct(response.getReturn());
  }

  /** Lists resources as the command line does: page by page, and by `limit`, what is left of it. */
  async list(kind: string, query: Properties = {}, fields: Properties = {}) {
    const token = `buildpipeline:index:${kind}`;
    const request = filled(new messages.ListRequest(), { token, query, ...fields });
    const stream = this.client.list(request, new Metadata(), { deadline: Date.now() + LONGEST_CALL });
    const items: { id: string; name: string }[] = [];
    let continuation = "";
    let computed = false;
    for await (const response of stream as AsyncIterable<messages.ListResponse>) {
      const result = response.getResult();
      if (result !== undefined) items.push({ id: result.getId(), name: result.getName() });
      continuation = response.getContinuation()?.getContinuationToken() ?? "";
      computed ||= response.hasComputed();
    }
    return { items, continuation, computed };
  }

  async cancel(): Promise<void> {
    await call(this.client.cancel.bind(this.client), empty());
  }

  /** Checks arguments and compares them with the state, as a preview does. */
  async plan(urn: string, { id, outs, inputs }: State, args: Properties) {
    const planned = await this.check(urn, args, inputs);
    return { ...planned, ...(await this.diff(urn, id, outs, planned.inputs, inputs)) };
  }

  /** Checks and creates, as a deployment does. */
  async deploy(urn: string, args: Properties) {
    const { inputs, failures } = await this.check(urn, args);
    if (failures.length > 0) throw new Error(failures.map(({ reason }) => reason).join("\n"));
    return { inputs, ...(await this.create(urn, inputs)) };
  }

  /** What the engine learns from an error about a resource that exists but is not finished. */
  async initializationError(work: Promise<unknown>) {
    const error = await work.then(
      () => Promise.reject(new Error("It was finished.")),
      (reason: ServiceError) => reason,
    );
    const [bytes] = error.metadata.get("grpc-status-details-bin");
    const [detail] = Status.deserializeBinary(Uint8Array.from(Buffer.from(bytes ?? ""))).getDetailsList();
    const failed = detail?.unpack(
      messages.ErrorResourceInitFailed.deserializeBinary,
      "pulumirpc.ErrorResourceInitFailed",
    );
    return {
      id: failed?.getId() ?? "",
      properties: fromStruct(failed?.getProperties()),
      inputs: fromStruct(failed?.getInputs()),
      reasons: failed?.getReasonsList(),
    };
  }

  /** Resolves when the engine has received something as a status. */
  async observedOf(what: RegExp): Promise<void> {
    while (!this.observed.some(({ message, ephemeral }) => ephemeral && what.test(message))) {
      await new Promise<void>((resolve) => this.#watchers.push(resolve));
    }
  }

  warnings(): string[] {
    return this.observed.filter(({ severity }) => severity === "warning").map(({ message }) => message);
  }

  /** The part of the engine that a plugin speaks to. @returns where it listens */
  async #startEngine(): Promise<string> {
    const server = new Server();
    server.addService(EngineService, {
      log: ({ request }: { request: LogRequest }, respond: (error: null, response: object) => void) => {
        this.observed.push({
          severity: request.getSeverity() === LogSeverity.WARNING ? "warning" : "info",
          message: request.getMessage(),
          urn: request.getUrn(),
          ephemeral: request.getEphemeral(),
        });
        for (const resolve of this.#watchers.splice(0)) resolve();
        respond(null, empty());
      },
    });
    return addressOf(server);
  }
}

/** Starts a part of the engine for as long as a test runs, and returns where it listens. */
export async function addressOf(server: Server): Promise<string> {
  const port = await promisify(server.bindAsync.bind(server))(
    "127.0.0.1:0",
    ServerCredentials.createInsecure(),
  );
  onTestFinished(() => server.forceShutdown());
  return `127.0.0.1:${port}`;
}

const KINDS = ["add", "add, replaces", "delete", "delete, replaces", "update", "update, replaces"];

function checked(response: messages.CheckResponse) {
  return {
    inputs: fromStruct(response.getInputs()),
    failures: response.getFailuresList().map((failure) => ({
      property: failure.getProperty(),
      reason: failure.getReason(),
    })),
  };
}

export function call<Request, Response>(
  method: Method<Request, Response>,
  request: Request,
): Promise<Response> {
  return new Promise((resolve, reject) => {
    method(request, new Metadata(), { deadline: Date.now() + LONGEST_CALL }, (error, response) =>
      error === null ? resolve(response) : reject(error),
    );
  });
}

/** Fills a message by the names of its fields. An object becomes Protobuf's own. */
export function filled<Message extends object>(message: Message, fields: Properties): Message {
  for (const [name, value] of Object.entries(fields)) {
    const set: unknown = Reflect.get(message, `set${name[0]?.toUpperCase()}${name.slice(1)}`);
    if (typeof set !== "function") throw new Error(`The message has no field ${name}.`);
    set.call(message, typeof value === "object" ? toStruct({ ...value }) : value);
  }
  return message;
}

/** What the engine calls a resource. */
export function urnOf(kind: string, name = "one"): string {
  return `urn:pulumi:dev::project::buildpipeline:index:${kind}::${name}`;
}

/** The URN that `pulumi do` gives to what is in no stack: the same one for every object of a type. */
export function urnInNoStack(kind: string): string {
  return `urn:pulumi:dev::default::buildpipeline:index:${kind}::${kind}`;
}
