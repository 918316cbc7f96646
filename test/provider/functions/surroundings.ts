import * as pulumi from "@pulumi/pulumi";
import { MockMonitor } from "@pulumi/pulumi/runtime/mocks.js";
import { afterEach, beforeEach } from "vitest";
import type { BuildPipelineClient } from "../../../src/client/index.js";
import { type Emulator, type EmulatorOptions, startEmulator } from "../../../src/emulator/index.js";
import { clientOf, settingsOf } from "../../support/command.js";

/**
 * Gives each test an emulator, an environment that leads to it and an engine, and takes them away again. The client brings
 * things about.
 */
export function surroundings(options: EmulatorOptions = {}) {
  let emulator: Emulator;
  let client: BuildPipelineClient;
  beforeEach(async () => {
    emulator = await startEmulator(options);
    client = clientOf(emulator);
    Object.assign(process.env, settingsOf(emulator));
    await startEngine();
  });
  afterEach(async () => {
    for (const name of Object.keys(settingsOf(emulator))) delete process.env[name];
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

/**
 * An engine within the process. At preview, resources whose name starts with `new-` have no id yet, and of those whose
 * name starts with `changed-` only the arguments are known.
 *
 * It answers as the SDK's mocks do, but is none: under mocks no lookup asks the service.
 */
export async function startEngine({ preview = false } = {}): Promise<void> {
  const answers = new MockMonitor({
    newResource: ({ name, id, inputs }) => ({
      id: preview && name.startsWith("new-") ? undefined : id || name,
      state:
        preview && name.startsWith("changed-") ? inputs : { ...inputs, createdAt: "2026-01-01T00:00:00Z" },
    }),
    call: () => {
      throw new Error("a lookup went to the engine, which has no functions of this package");
    },
  });
  const engine = Object.fromEntries(
    Object.getOwnPropertyNames(MockMonitor.prototype).map((name) => [
      name,
      Reflect.get(answers, name).bind(answers),
    ]),
  );
  pulumi.runtime.setMockOptions(engine, "test", "test", preview);
  // What the SDK does when it connects to an engine; it does not declare it.
  await Reflect.get(pulumi.runtime, "awaitFeatureSupport")();
}

/** Waits for an output, as the engine would. */
export async function settled<Value>(output: pulumi.Output<Value>) {
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
