import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { startEmulator } from "../../src/emulator/index.js";
import { hasSecret, isSecret, secret } from "../../src/shared/protocol/encoded-values.js";
import { PROVIDER } from "../../src/shared/protocol/properties.js";
import { kindOfType } from "../../src/shared/protocol/type-token.js";
import { writeDataFile } from "../engine/states/recorded.js";
import { CHECKOUT, testFolder } from "../support/checkout.js";
import { Driver } from "../support/driver.js";

type Properties = Record<string, unknown>;

interface Resource {
  readonly type: string;
  readonly id: string;
  readonly inputs: Properties;
  readonly outputs: Properties;
  readonly external?: boolean;
}

const STATES = join(CHECKOUT, "test", "engine", "states");

/** Returns a value with a readable secret in place of one that only the stack's key opens. */
function opened(value: unknown): unknown {
  if (isSecret(value)) return secret("recorded secret");
  if (Array.isArray(value)) return value.map(opened);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, entry]) => [name, opened(entry)]));
}

test.each(["0.1.0-every-kind", "0.1.0-deleted-with"])(
  "The resources of the state %s are unchanged",
  async (name) => {
    const data = join(testFolder(), "main.db");
    await writeDataFile(join(STATES, name, "main.json"), data);
    const emulator = await startEmulator({ data });
    onTestFinished(() => emulator.close());
    const text = readFileSync(join(STATES, name, "stack.json"), "utf8");
    const state = JSON.parse(text.replaceAll("http://main.service.example", emulator.url));
    const resources: readonly Resource[] = state.deployment.resources;
    const driver = Driver.for(emulator);
    let compared = 0;
    for (const { type, id, external, ...properties } of resources) {
      const kind = kindOfType(type);
      const inputs = Object(opened(properties.inputs));
      const outputs = Object(opened(properties.outputs));
      if (kind === undefined || external || outputs.organization !== emulator.organization) continue;
      const provider = await driver.kind(kind);
      if (!hasSecret(inputs)) {
        expect(await provider.diff(id, outputs, inputs), id).toEqual({ changes: false });
        // The host adds what finds the provider.
        const { [PROVIDER]: _, ...props } = outputs;
        expect(await provider.read(id, outputs), id).toMatchObject({ id, props });
        compared += 1;
      }
    }
    expect(compared).toBeGreaterThan(2);
  },
);
