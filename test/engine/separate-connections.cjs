// Programs of tests run in the test's process, by the Automation API, whose connections of earlier commands stay open.
// gRPC shares what it knows of an address, so where the system gives a port again, the new connection inherits the old
// one's failure. The SDK takes that for the end of the program: a preview shows every resource as deleted. About one
// command in 130 did. Here each connection stands for itself. Processes of the CLI live for one command only.
"use strict";

/** @type {{ grpcClientOptions: Record<string, unknown> }} The SDK doesn't declare it. */
const { grpcClientOptions } = Object(require("@pulumi/pulumi/runtime/settings"));

grpcClientOptions["grpc.use_local_subchannel_pool"] = 1;
