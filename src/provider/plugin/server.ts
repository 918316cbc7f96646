import { promisify } from "node:util";
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
import * as messages from "@pulumi/pulumi/proto/provider_pb.js";
import { shownByEngine } from "../../shared/messages/foreign-text.js";
import { packageSchema, packageVersion } from "../../shared/process/package-files.js";
import { argumentsOfPaths } from "../kind/paths.js";
import { type Checked, checkConfiguration, isReconfigured } from "./configuration.js";
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
  return promisify(server.bindAsync).call(server, "127.0.0.1:0", ServerCredentials.createInsecure());
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
  const list: handleServerStreamingCall<messages.ListRequest, messages.ListResponse> = (stream) => {
    plugin.list(stream.request).then(
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
      return new messages.ProviderHandshakeResponse().setAcceptSecrets(true);
    }),
    attach: unary(async (request) => {
      plugin.connect(request.getAddress());
      return empty();
    }),
    getPluginInfo: unary(async () => new PluginInfo().setVersion(packageVersion())),
    getSchema: unary(async () => new messages.GetSchemaResponse().setSchema(packageSchema())),
    getMapping: unary(async () => new messages.GetMappingResponse()),
    checkConfig: unary(async (request) =>
      checkResponse(checkConfiguration(fromStruct(request.getNews())), wording),
    ),
    diffConfig: unary(async (request) => {
      const changed = isReconfigured(fromStruct(request.getOldInputs()), fromStruct(request.getNews()));
      return new messages.DiffResponse().setChanges(changed ? DIFF_SOME : DIFF_NONE);
    }),
    configure: unary(async (request) => {
      plugin.configure(fromStruct(request.getArgs()));
      return new messages.ConfigureResponse().setAcceptsecrets(true).setSupportspreview(true);
    }),
    invoke: unary(async (request) => {
      const result = await plugin.invoke(request.getTok(), fromStruct(request.getArgs()));
      const response = new messages.InvokeResponse();
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
      const ignored = request.getIgnorechangesList();
      const found = await plugin.about(request, (kind) =>
        kind.diff(request.getId(), olds, news, oldInputs, ignored),
      );
      const response = new messages.DiffResponse()
        .setChanges(found.changed ? DIFF_SOME : DIFF_NONE)
        .setReplacesList([...found.replaces])
        .setDeletebeforereplace(found.deleteBeforeReplace)
        .setStablesList([...found.stables])
        .setDiffsList([...argumentsOfPaths([...found.changes.keys()])])
        .setHasdetaileddiff(true);
      for (const [path, line] of found.changes) response.getDetaileddiffMap().set(path, line);
      return response;
    }),
    create: unary(async (request) => {
      const news = fromStruct(request.getProperties());
      const preview = request.getPreview();
      const { id, outs } = await plugin.about(request, (kind) => kind.create(news, preview), {
        writes: !preview,
      });
      const response = new messages.CreateResponse().setId(id);
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
      const response = new messages.ReadResponse();
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
      const options = { preview, ignored: request.getIgnorechangesList() };
      const outs = await plugin.about(request, (kind) => kind.update(id, olds, news, oldInputs, options), {
        writes: !preview,
      });
      const response = new messages.UpdateResponse();
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

const { DIFF_NONE, DIFF_SOME } = messages.DiffResponse.DiffChanges;

function checkResponse({ inputs, failures }: Checked, wording: Wording): messages.CheckResponse {
  const response = new messages.CheckResponse();
  response.setInputs(toStruct(inputs));
  for (const { property, reason } of failures)
    response.addFailures(
      new messages.CheckFailure().setProperty(property).setReason(wording(shownByEngine(reason))),
    );
  return response;
}
