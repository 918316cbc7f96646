import { createRequire } from "node:module";
import type { IResourceProviderServer } from "@pulumi/pulumi/proto/provider_grpc_pb.js";
import type { CheckRequest } from "@pulumi/pulumi/proto/provider_pb.js";
import type { Status } from "@pulumi/pulumi/proto/status_pb.js";
import { type Properties, withoutUndefined } from "../../shared/protocol/encoded-values.js";

/** Protobuf's own messages, from the SDK's copy of the library: another copy's need not fit the SDK's messages. */
export type Struct = NonNullable<ReturnType<CheckRequest["getNews"]>>;
type AnyMessage = ReturnType<Status["getDetailsList"]>[number];
type EmptyMessage = Parameters<IResourceProviderServer["cancel"]>[0]["request"];

const fromSdk = createRequire(createRequire(__filename).resolve("@pulumi/pulumi"));
// The library has no types where the SDK's copy is; these are the classes that the SDK's own types name.
const structs: { Struct: { fromJavaScript(value: object): Struct } } = fromSdk(
  "google-protobuf/google/protobuf/struct_pb.js",
);
const envelopes: { Any: new () => AnyMessage } = fromSdk("google-protobuf/google/protobuf/any_pb.js");
const blanks: { Empty: new () => EmptyMessage } = fromSdk("google-protobuf/google/protobuf/empty_pb.js");

/** Converts properties for the engine. Absent ones are omitted: `undefined` has no form on this wire. */
export function toStruct(properties: Properties): Struct {
  return structs.Struct.fromJavaScript(withoutUndefined(properties));
}

export function fromStruct(struct: Struct | undefined): Properties {
  return { ...struct?.toJavaScript() };
}

export function empty(): EmptyMessage {
  return new blanks.Empty();
}

export function packed(message: Uint8Array, type: string): AnyMessage {
  const envelope = new envelopes.Any();
  envelope.pack(message, type);
  return envelope;
}
