import type { Clock } from "../../../../src/client/transport/options.js";
import type { Surroundings } from "../../../../src/provider/lifecycle/run/session.js";
import { resolveSettings } from "../../../../src/shared/configuration/settings.js";
import { Driver, type ServiceOfTest } from "../../../support/driver.js";
import type { Gate } from "../gate.js";
import { ModelEngine } from "../model-engine.js";
import type { Backend } from "./backend.js";
import { DynamicBackend } from "./dynamic-backend.js";
import { PluginBackend } from "./plugin-backend.js";

interface Place {
  readonly backend: "dynamic" | "plugin";
  readonly service: { readonly accessToken: string; readonly organization: string; readonly url: string };
  readonly clock: Clock;
  /** Default: requests overlap. */
  readonly gate?: Gate;
}

/** Starts a provider process in simulated time. With a gate, one request is under way at a time. */
export function startProvider(
  { backend, service, clock, gate }: Place,
  more: Surroundings,
  inspect?: (value: unknown) => void,
): Backend {
  const { accessToken, organization, url: baseUrl } = service;
  const values: Readonly<Record<string, string>> = { accessToken, organization, baseUrl };
  const surroundings = {
    clock,
    ...(gate && { dispatcher: gate.dispatcher }),
    ...more,
  };
  if (backend === "plugin")
    return new PluginBackend(
      resolveSettings((name) => values[name], process.env),
      surroundings,
      inspect,
    );
  const config = Object.entries(values).map(([name, value]) => [`buildpipeline:${name}`, value]);
  return new DynamicBackend(new Driver(Object.fromEntries(config), clock, surroundings), inspect);
}

/** An engine that starts a provider for each command. */
export const engineOf = (backend: Place["backend"], at: Pick<ServiceOfTest, "emulator" | "clock">) =>
  new ModelEngine(() => startProvider({ backend, service: at.emulator, clock: at.clock }, {}));

/** A provider process, which writes nothing once the engine is gone. An engine that was interrupted calls nothing more. */
export function interruptible(place: Place, interrupted: () => boolean): Backend {
  const backend = startProvider(place, {
    beforeWrite: async () => {
      if (interrupted()) throw new Error("The engine is gone.");
    },
  });
  const called = <Result>(work: () => Promise<Result>): Promise<Result> =>
    interrupted() ? Promise.reject(new Error("The command was interrupted.")) : work();
  return {
    enginesImport: backend.enginesImport,
    get messages() {
      return backend.messages;
    },
    check: (...args) => called(() => backend.check(...args)),
    diff: (...args) => called(() => backend.diff(...args)),
    create: (...args) => called(() => backend.create(...args)),
    read: (...args) => called(() => backend.read(...args)),
    update: (...args) => called(() => backend.update(...args)),
    delete: (...args) => called(() => backend.delete(...args)),
  };
}
