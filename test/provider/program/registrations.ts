import * as pulumi from "@pulumi/pulumi";
import { MockMonitor } from "@pulumi/pulumi/runtime/mocks.js";

/** What a program asks the engine for. */
export interface Registration {
  readonly type: string;
  readonly name: string;
  readonly parent: string;
  readonly aliases: readonly {
    readonly urn: string;
    readonly spec?: { readonly type: string; readonly name: string; readonly parenturn: string };
  }[];
  readonly importId: string;
  readonly provider: string;
  readonly ignoreChanges: readonly string[];
  /** URNs of the resources whose outputs it has, and of those in its option `dependsOn`. */
  readonly dependencies: readonly string[];
  readonly inputs: Readonly<Record<string, unknown>>;
  /** The file that the engine's diagnostics point into. */
  readonly source: string;
}

/** Starts an engine that notes registrations, in more detail than the mocks of the SDK tell. */
export async function startNotingEngine(mocks: pulumi.runtime.Mocks): Promise<Registration[]> {
  const registrations: Registration[] = [];
  class Monitor extends MockMonitor {
    override async registerResource(
      request: Parameters<MockMonitor["registerResource"]>[0],
      callback: Parameters<MockMonitor["registerResource"]>[1],
    ): Promise<void> {
      registrations.push({
        type: request.getType(),
        name: request.getName(),
        parent: request.getParent(),
        aliases: request.getAliasesList().map((alias: { toObject(): object }) => alias.toObject()),
        importId: request.getImportid(),
        provider: request.getProvider(),
        ignoreChanges: request.getIgnorechangesList(),
        dependencies: request.getDependenciesList(),
        inputs: request.getObject().toJavaScript(),
        source: request.getSourceposition()?.getUri() ?? "",
      });
      return super.registerResource(request, callback);
    }
  }
  await pulumi.runtime.setMocks({ newResource: () => ({ id: "", state: {} }), call: () => ({}) });
  pulumi.runtime.setMockOptions(new Monitor(mocks), "test", "test", false);
  // What the SDK does when it connects to an engine; it does not declare it.
  await Reflect.get(pulumi.runtime, "awaitFeatureSupport")();
  return registrations;
}
