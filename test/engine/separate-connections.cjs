// Programs of tests run in the test's process, by the Automation API, whose connections of earlier commands stay open.
// gRPC shares what it knows of an address, so where the system gives a port again, the new connection inherits the old
// one's failure. The SDK can take that for the end of the program: about one preview in 130 showed every resource as
// deleted. Here connections share nothing. Processes of the CLI live for one command only.
"use strict";

/** @type {{ grpcClientOptions: Record<string, unknown> }} The SDK doesn't declare it. */
const { grpcClientOptions } = Object(require("@pulumi/pulumi/runtime/settings"));

grpcClientOptions["grpc.use_local_subchannel_pool"] = 1;
