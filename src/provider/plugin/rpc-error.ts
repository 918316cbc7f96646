import { Metadata, type ServiceError, status } from "@grpc/grpc-js";
import { ErrorResourceInitFailed } from "@pulumi/pulumi/proto/provider_pb.js";
import { Status } from "@pulumi/pulumi/proto/status_pb.js";
import type { Properties } from "../../shared/protocol/encoded-values.js";
import { messageOf, sendableMessage } from "../lifecycle/run/errors.js";
import type { Wording } from "./program-language.js";
import { packed, toStruct } from "./protobuf.js";

/** A resource that exists but is not as it should be: the engine keeps it, and the next update repairs it. */
export class HalfMadeError extends Error {
  constructor(
    readonly id: string,
    readonly outs: Properties,
    readonly inputs: Properties,
    why: string,
  ) {
    super(why);
  }
}

/** Returns an error as the engine takes it, whatever was thrown: a request without a response hangs the deployment. */
export function rpcError(cause: unknown, wording: Wording): Partial<ServiceError> {
  try {
    return described(cause, wording);
  } catch (failure) {
    const words = "The provider failed, and so did the description of its error";
    return described(`${words}: ${messageOf(failure)}`, String);
  }
}

/** Puts into metadata what a message can't hold, by gRPC's own convention. */
function described(cause: unknown, wording: Wording): Partial<ServiceError> {
  const message = wording(sendableMessage(cause));
  const metadata = new Metadata();
  if (cause instanceof HalfMadeError) {
    const detail = new ErrorResourceInitFailed().setId(cause.id).setReasonsList([message]);
    detail.setProperties(toStruct(cause.outs));
    detail.setInputs(toStruct(cause.inputs));
    const failed = new Status().setCode(status.UNKNOWN).setMessage(message);
    failed.addDetails(packed(detail.serializeBinary(), "pulumirpc.ErrorResourceInitFailed"));
    metadata.add("grpc-status-details-bin", Buffer.from(failed.serializeBinary()));
  }
  return { code: status.UNKNOWN, details: message, message, metadata };
}
