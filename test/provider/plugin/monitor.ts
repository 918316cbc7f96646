import { Server } from "@grpc/grpc-js";
import { Alias } from "@pulumi/pulumi/proto/alias_pb.js";
import { ConstructRequest } from "@pulumi/pulumi/proto/provider_pb.js";
import { ResourceMonitorService } from "@pulumi/pulumi/proto/resource_grpc_pb.js";
import {
  type RegisterResourceRequest,
  RegisterResourceResponse,
  SupportsFeatureResponse,
} from "@pulumi/pulumi/proto/resource_pb.js";
import { empty, fromStruct, toStruct } from "../../../src/provider/plugin/protobuf.js";
import { secret } from "../../../src/shared/protocol/encoded-values.js";
import { addressOf, call, filled, type Properties, type Served } from "./served.js";

type Respond<Response> = (error: Error | null, response?: Response) => void;

/** The part of an engine in which a component registers resources. It creates each token with an id and a secret. */
export class Monitor {
  readonly registered: ReturnType<typeof registrationOf>[] = [];
  address = "";
  /** Whether registrations get no answer. */
  isSilent = false;
  /** Why the next registration of a token fails. */
  refusal: string | undefined;

  /** @param previews new tokens have no id yet */
  static async start(previews = false): Promise<Monitor> {
    const monitor = new Monitor();
    const server = new Server();
    server.addService(ResourceMonitorService, {
      supportsFeature: (_: unknown, respond: Respond<SupportsFeatureResponse>) =>
        respond(null, new SupportsFeatureResponse().setHassupport(true)),
      registerResource: (
        { request }: { request: RegisterResourceRequest },
        respond: Respond<RegisterResourceResponse>,
      ) => monitor.#register(request, previews, respond),
      registerResourceOutputs: (_: unknown, respond: Respond<object>) => respond(null, empty()),
    });
    monitor.address = await addressOf(server);
    return monitor;
  }

  get tokens() {
    return this.registered.filter(({ type }) => type.endsWith(":AgentToken"));
  }

  /** Has a plugin construct the component, whose registrations come here. */
  async construct(
    { client }: Served,
    inputs: Properties,
    fields: Properties = {},
    adjust: (request: ConstructRequest) => void = () => {},
  ) {
    const request = filled(new ConstructRequest(), {
      ...{ project: "project", stack: "dev", parallel: 4, dryrun: false, organization: "organization" },
      ...{ type: "buildpipeline:index:RotatingAgentToken", name: "farm", monitorendpoint: this.address },
      ...{ inputs, ...fields },
    });
    adjust(request);
    const response = await call(client.construct.bind(client), request);
    return { urn: response.getUrn(), state: fromStruct(response.getState()), response };
  }

  #register(request: RegisterResourceRequest, previews: boolean, respond: Respond<RegisterResourceResponse>) {
    const registration = registrationOf(request);
    const { type, name, urn, inputs } = registration;
    this.registered.push(registration);
    if (this.isSilent) return;
    if (type.endsWith(":AgentToken") && this.refusal !== undefined) return respond(new Error(this.refusal));
    const response = new RegisterResourceResponse().setUrn(urn);
    if (!previews) response.setId(`id of ${name}`);
    response.setObject(toStruct(previews ? inputs : { ...inputs, token: secret(`secret of ${name}`) }));
    respond(null, response);
  }
}

/** What a component registers a resource with. */
function registrationOf(request: RegisterResourceRequest) {
  const [type, name] = [request.getType(), request.getName()];
  return {
    ...{ type, name, urn: `urn:pulumi:dev::project::${type}::${name}` },
    ...{
      inputs: fromStruct(request.getObject()),
      parent: request.getParent(),
      provider: request.getProvider(),
      dependencies: request.getDependenciesList(),
    },
    protect: request.getProtect() === true,
    aliases: request.getAliasesList().map((alias) => alias.toObject()),
  };
}

/** Returns an alias as the engine writes it. */
export function aliasOf(name: string, type: string): Alias {
  const alias = new Alias();
  alias.setSpec(new Alias.Spec().setName(name).setType(type));
  return alias;
}
