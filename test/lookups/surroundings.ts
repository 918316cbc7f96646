import * as pulumi from "@pulumi/pulumi";
import { afterEach, beforeEach } from "vitest";
import { BuildPipelineClient } from "../../src/client/index.js";
import { type Emulator, type EmulatorOptions, startEmulator } from "../../src/emulator/index.js";

/** What the tests of this folder stand in: an emulator for each, and the environment that leads to it. */
export interface Surroundings {
  readonly emulator: Emulator;
  /** To bring things about by. */
  readonly client: BuildPipelineClient;
}

const NAMES = ["BUILDPIPELINE_BASE_URL", "BUILDPIPELINE_ACCESS_TOKEN", "BUILDPIPELINE_ORGANIZATION"];

/** Gives each test an emulator and mocks of the engine, and takes both away again. */
export function surroundings(options: EmulatorOptions = {}): Surroundings {
  let emulator: Emulator;
  let client: BuildPipelineClient;
  beforeEach(async () => {
    emulator = await startEmulator(options);
    client = clientOf(emulator);
    point(process.env, emulator);
    await mockEngine();
  });
  afterEach(async () => {
    for (const name of NAMES) delete process.env[name];
    pulumi.runtime.setAllConfig({});
    await client.close();
    await emulator.close();
  });
  return {
    get emulator() {
      return emulator;
    },
    get client() {
      return client;
    },
  };
}

/** Leads an environment to an emulator. */
export function point(environment: NodeJS.ProcessEnv, emulator: Emulator): void {
  environment.BUILDPIPELINE_BASE_URL = emulator.url;
  environment.BUILDPIPELINE_ACCESS_TOKEN = emulator.accessToken;
  environment.BUILDPIPELINE_ORGANIZATION = emulator.organization;
}

export function clientOf({ url, accessToken, organization }: Emulator): BuildPipelineClient {
  return new BuildPipelineClient({ baseUrl: url, accessToken, organization });
}

/** Mocks of the engine. At preview, resources whose name starts with `new-` have no id yet. */
export async function mockEngine({ preview = false } = {}): Promise<void> {
  await pulumi.runtime.setMocks(
    {
      newResource: ({ name, id, inputs }) => ({
        id: preview && name.startsWith("new-") ? undefined : id || name,
        state: inputs,
      }),
      call: () => ({}),
    },
    "test",
    "test",
    preview,
  );
}

/** What an output comes to. */
export interface Settled<Value> {
  readonly value: Value | undefined;
  readonly known: boolean;
  readonly secret: boolean;
}

/** Waits for an output, as the engine would. */
export async function settled<Value>(output: pulumi.Output<Value>): Promise<Settled<Value>> {
  const secret = await pulumi.isSecret(output);
  let known = false;
  let value: Value | undefined;
  const applied = output.apply((given) => {
    known = true;
    value = given;
  });
  // Waits for the output and all it comes from, whether it is known or not.
  await pulumi.runtime.serializeProperties("test", { applied });
  return { value, known, secret };
}
