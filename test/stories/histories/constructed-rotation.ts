import { reveal } from "../../../src/shared/protocol/encoded-values.js";
import { Monitor } from "../../provider/plugin/monitor.js";
import { Served } from "../../provider/plugin/served.js";
import type { Component } from "./rotation-program.js";

/** Starts a plugin that declares the component by `Construct`, over gRPC. */
export async function byConstruct(): Promise<Component> {
  const [plugin, monitor] = [await Served.configured(), await Monitor.start()];
  const clusterId = "11111111-2222-4333-8444-555555555555";
  return async (generation) => {
    monitor.registered.length = 0;
    const { state } = await monitor.construct(plugin, { clusterId, description: "Farm", generation });
    const tokens = monitor.tokens.map(({ name, inputs }) => ({
      ...{ name, kind: "AgentToken", args: { ...inputs, clusterId: { idOf: "linux" } } },
    }));
    return { tokens, newest: String(reveal(state.token)).replace("secret of ", "") };
  };
}
