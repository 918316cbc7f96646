import {
  type handleServerStreamingCall,
  type handleUnaryCall,
  Server,
  ServerCredentials,
} from "@grpc/grpc-js";
import { PluginInfo } from "@pulumi/pulumi/proto/plugin_pb.js";
import {
  type IResourceProviderServer,
  ResourceProviderService,
} from "@pulumi/pulumi/proto/provider_grpc_pb.js";
import {
  CheckFailure,
  CheckResponse,
  ConfigureResponse,
  CreateResponse,
  DiffResponse,
  GetMappingResponse,
  GetSchemaResponse,
  InvokeResponse,
  type ListRequest,
  ListResponse,
  PropertyDiff,
  ProviderHandshakeResponse,
  ReadResponse,
  UpdateResponse,
} from "@pulumi/pulumi/proto/provider_pb.js";
import { packageSchema, packageVersion } from "../../shared/process/package-files.js";
import { type Checked, checkConfiguration, isReconfigured } from "./configuration.js";
import type { PropertyChange } from "./detailed-diff.js";
import type { Plugin } from "./plugin.js";
import type { Wording } from "./program-language.js";
import { empty, fromStruct, toStruct } from "./protobuf.js";
import { rpcError } from "./rpc-error.js";

/** gRPC's own limit is 4 MB, which a large template can exceed. */
const LARGEST_MESSAGE = 400 * 1024 * 1024;

/** Serves a plugin on a free port of this machine. @returns the port */
export async function serve(plugin: Plugin, wording: Wording): Promise<number> {
  const server = new Server({
    "grpc.max_receive_message_length": LARGEST_MESSAGE,
    "grpc.max_send_message_length": LARGEST_MESSAGE,
  });
  server.addService(ResourceProviderService, methodsOf(plugin, wording));
  return new Promise((resolve, reject) => {
    server.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (error, port) =>
      error === null ? resolve(port) : reject(error),
    );
  });
}

/** The methods that this plugin has. gRPC answers all others with UNIMPLEMENTED. */
function methodsOf(plugin: Plugin, wording: Wording) {
  /** Makes a method from the function that does its work. An error reaches the engine as one clean line. */
  const unary =
    <Request, Response>(work: (request: Request) => Promise<Response>): handleUnaryCall<Request, Response> =>
    ({ request }, respond) => {
      work(request).then(
        (response) => respond(null, response),
        (error: unknown) => respond(rpcError(error, wording)),
      );
    };
  const list: handleServerStreamingCall<ListRequest, ListResponse> = (stream) => {
    listed(plugin, stream.request).then(
      (responses) => {
        for (const response of responses) stream.write(response);
        stream.end();
      },
      (error: unknown) => stream.emit("error", rpcError(error, wording)),
    );
  };
  return {
    list,
    handshake: unary(async (request) => {
      plugin.connect(request.getEngineAddress());
      const response = new ProviderHandshakeResponse();
      response.setAcceptSecrets(true);
      return response;
    }),
    attach: unary(async (request) => {
      plugin.connect(request.getAddress());
      return empty();
    }),
    getPluginInfo: unary(async () => {
      const info = new PluginInfo();
      info.setVersion(packageVersion());
      return info;
    }),
    getSchema: unary(async () => {
      const response = new GetSchemaResponse();
      response.setSchema(packageSchema());
      return response;
    }),
    getMapping: unary(async () => new GetMappingResponse()),
    checkConfig: unary(async (request) =>
      checkResponse(checkConfiguration(fromStruct(request.getNews())), wording),
    ),
    diffConfig: unary(async (request) => {
      const response = new DiffResponse();
      const changed = isReconfigured(fromStruct(request.getOldInputs()), fromStruct(request.getNews()));
      response.setChanges(changed ? DIFF_SOME : DIFF_NONE);
      return response;
    }),
    configure: unary(async (request) => {
      plugin.configure(fromStruct(request.getArgs()));
      const response = new ConfigureResponse();
      response.setAcceptsecrets(true);
      response.setSupportspreview(true);
      return response;
    }),
    invoke: unary(async (request) => {
      const result = await plugin.invoke(request.getTok(), fromStruct(request.getArgs()));
      const response = new InvokeResponse();
      response.setReturn(toStruct(result));
      return response;
    }),
    check: unary(async (request) => {
      const olds = fromStruct(request.getOlds());
      const news = fromStruct(request.getNews());
      return checkResponse(await plugin.about(request, (kind) => kind.check(olds, news)), wording);
    }),
    diff: unary(async (request) => {
      const olds = fromStruct(request.getOlds());
      const news = fromStruct(request.getNews());
      const oldInputs = fromStruct(request.getOldInputs());
      const found = await plugin.about(request, (kind) => kind.diff(request.getId(), olds, news, oldInputs));
      const response = new DiffResponse();
      response.setChanges(found.changed ? DIFF_SOME : DIFF_NONE);
      response.setReplacesList([...found.replaces]);
      response.setDeletebeforereplace(found.deleteBeforeReplace);
      response.setStablesList([...found.stables]);
      response.setDiffsList([...new Set([...found.changes.keys()].map(topLevel))]);
      response.setHasdetaileddiff(true);
      for (const [path, change] of found.changes) response.getDetaileddiffMap().set(path, lineOf(change));
      return response;
    }),
    create: unary(async (request) => {
      const news = fromStruct(request.getProperties());
      const preview = request.getPreview();
      const { id, outs } = await plugin.about(request, (kind) => kind.create(news, preview), {
        writes: !preview,
      });
      const response = new CreateResponse();
      response.setId(id);
      response.setProperties(toStruct(outs));
      return response;
    }),
    read: unary(async (request) => {
      const id = request.getId();
      const properties = fromStruct(request.getProperties());
      const oldInputs = fromStruct(request.getInputs());
      const found = await plugin.about(request, (kind) => kind.read(id, properties, oldInputs), {
        withoutChange: "before the API returned the resource",
      });
      const response = new ReadResponse();
      if (found === undefined) return response;
      response.setId(found.id);
      response.setProperties(toStruct(found.outs));
      response.setInputs(toStruct(found.inputs));
      return response;
    }),
    update: unary(async (request) => {
      const id = request.getId();
      const olds = fromStruct(request.getOlds());
      const news = fromStruct(request.getNews());
      const preview = request.getPreview();
      const oldInputs = fromStruct(request.getOldInputs());
      const outs = await plugin.about(request, (kind) => kind.update(id, olds, news, oldInputs, preview), {
        writes: !preview,
      });
      const response = new UpdateResponse();
      response.setProperties(toStruct(outs));
      return response;
    }),
    delete: unary(async (request) => {
      const outs = fromStruct(request.getProperties());
      const oldInputs = fromStruct(request.getOldInputs());
      await plugin.about(request, (kind) => kind.delete(request.getId(), outs, oldInputs), { writes: true });
      return empty();
    }),
    construct: unary((request) => plugin.construct(request)),
    cancel: unary(async () => {
      plugin.cancel();
      return empty();
    }),
  } satisfies Partial<IResourceProviderServer>;
}

/** Returns the messages of a page: its items and where the next one begins, or that the query is not known yet. */
async function listed(plugin: Plugin, request: ListRequest): Promise<ListResponse[]> {
  const page = await plugin.list(request.getToken(), {
    query: fromStruct(request.getQuery()),
    limit: request.getLimit(),
    pageSize: request.getPageSize(),
    continuation: request.getContinuationToken(),
  });
  if (page === undefined) {
    const unknown = new ListResponse();
    unknown.setComputed(new ListResponse.Computed());
    return [unknown];
  }
  const results = page.items.map(({ id, name }) => {
    const result = new ListResponse.Result();
    result.setId(id);
    result.setName(name.toWellFormed());
    const response = new ListResponse();
    response.setResult(result);
    return response;
  });
  if (page.continuation === "") return results;
  const continuation = new ListResponse.Continuation();
  continuation.setContinuationToken(page.continuation);
  const last = new ListResponse();
  last.setContinuation(continuation);
  return [...results, last];
}

const { DIFF_NONE, DIFF_SOME } = DiffResponse.DiffChanges;
const { ADD, ADD_REPLACE, DELETE, DELETE_REPLACE, UPDATE, UPDATE_REPLACE } = PropertyDiff.Kind;
const LINES = {
  add: [ADD, ADD_REPLACE],
  delete: [DELETE, DELETE_REPLACE],
  update: [UPDATE, UPDATE_REPLACE],
} as const;

function lineOf({ kind, replaces }: PropertyChange): PropertyDiff {
  const line = new PropertyDiff();
  line.setKind(LINES[kind][replaces ? 1 : 0]);
  return line;
}

function topLevel(path: string): string {
  return path.replace(/[.[].*$/, "");
}

function checkResponse({ inputs, failures }: Checked, wording: Wording): CheckResponse {
  const response = new CheckResponse();
  response.setInputs(toStruct(inputs));
  for (const { property, reason } of failures) {
    const failure = new CheckFailure();
    failure.setProperty(property);
    failure.setReason(wording(reason));
    response.addFailures(failure);
  }
  return response;
}
