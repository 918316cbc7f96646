import { spawn } from "node:child_process";
import { createRequire } from "node:module";
import { createInterface } from "node:readline";
import { credentials } from "@grpc/grpc-js";
import { ResourceProviderClient } from "@pulumi/pulumi/proto/provider_grpc_pb.js";
import { onTestFinished } from "vitest";
import { startEmulator } from "../../src/emulator/index.js";
import { Served } from "../plugin/served.js";

const HOST = createRequire(__filename).resolve("@pulumi/pulumi/cmd/dynamic-provider");

/** The properties by which Pulumi's own host finds the provider of a resource type. */
export function hostedBy(kind: string): { readonly __provider: string } {
  const entry = "pulumi-buildpipeline/provider";
  return {
    __provider: `exports.handler=()=>require("node:module").createRequire(process.cwd()+"/index.js")("${entry}").provider("${kind}")`,
  };
}

/** Starts Pulumi's own dynamic-provider host in a process, and speaks to it as the engine does. */
export async function startHost(): Promise<Served> {
  const emulator = await startEmulator({ seed: false });
  onTestFinished(() => emulator.close());
  // Without an address of an engine, nothing looks for one.
  const host = spawn(process.execPath, [HOST, "no-engine"], { stdio: ["ignore", "pipe", "ignore"] });
  onTestFinished(() => void host.kill());
  const port = await new Promise<string>((resolve, reject) => {
    createInterface(host.stdout).once("line", resolve);
    host.once("exit", (code) => reject(new Error(`The host ended with code ${code}.`)));
  });
  const client = new ResourceProviderClient(`127.0.0.1:${port}`, credentials.createInsecure());
  onTestFinished(() => client.close());
  const served = new Served(emulator, client);
  await served.configure({
    "buildpipeline:accessToken": emulator.accessToken,
    "buildpipeline:organization": emulator.organization,
    "buildpipeline:baseUrl": emulator.url,
  });
  return served;
}
