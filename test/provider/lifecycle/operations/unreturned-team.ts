import { expect, onTestFinished } from "vitest";
import { type Emulator, type EmulatorOptions, startEmulator } from "../../../../src/emulator/index.js";
import { observedBy } from "../../../../src/provider/lifecycle/missing/marks.js";
import { argumentsFor, importedState } from "../../../../src/provider/lifecycle/operations/imported-state.js";
import { decode } from "../../../../src/provider/lifecycle/values/codec.js";
import { Colleague } from "../../../support/colleague.js";
import { Driver, kindOf } from "../../../support/driver.js";
import { Served, urnOf } from "../../plugin/served.js";

export type Properties = Readonly<Record<string, unknown>>;

export interface State {
  readonly id: string;
  readonly inputs: Properties;
  readonly outs: Properties;
}

export const NAME = { name: "Platform" };
export const BOTH = { defaultMemberRole: "maintainer", membersCanCreatePipelines: true };
export const DEFAULTS = { defaultMemberRole: "member", membersCanCreatePipelines: false };

/** Starts a service that has a team whose permissions aren't the defaults. */
export async function start(variations: EmulatorOptions["variations"] = {}) {
  const emulator = await startEmulator({ seed: false, variations: { teamUpdate: "whole", ...variations } });
  onTestFinished(() => emulator.close());
  const colleague = new Colleague(emulator);
  await colleague.sends("POST", "/teams", {
    ...{ name: "Platform", description: "", privacy: "visible", is_default_team: false },
    ...{ default_member_role: "maintainer", members_can_create_pipelines: true },
  });
  emulator.clearRequests();
  return emulator;
}

/** The permissions that the team has, whether the service returns them or not. */
export function live({ organizationData }: Emulator): Properties {
  const [team] = organizationData.teams.list();
  return {
    defaultMemberRole: team?.default_member_role,
    membersCanCreatePipelines: team?.members_can_create_pipelines,
  };
}

/** What the engine does with a resource of a program that exists, each time with a new process. */
export interface Backend {
  /** @throws if the preview refuses the change */
  plan(emulator: Emulator, state: State, args: Properties): Promise<{ inputs: Properties; changed: boolean }>;
  update(emulator: Emulator, state: State, inputs: Properties): Promise<State>;
  refresh(emulator: Emulator, state: State): Promise<State>;
}

export const dynamic: Backend = {
  async plan(emulator, { id, inputs: olds, outs }, args) {
    const provider = await Driver.for(emulator).kind("Team");
    const { inputs = {} } = await provider.check(olds, args);
    return { inputs, changed: (await provider.diff(id, outs, inputs)).changes !== false };
  },
  async update(emulator, { id, outs: olds }, inputs) {
    const { outs = {} } = await (await Driver.for(emulator).kind("Team")).update(id, olds, inputs);
    return { id, inputs, outs };
  },
  async refresh(emulator, { id, outs: olds }) {
    const { props = {}, inputs = {} } = await (await Driver.for(emulator).kind("Team")).read(id, olds);
    return { id, inputs, outs: props };
  },
};

const URN = urnOf("Team", "platform");

const plugin: Backend = {
  async plan(emulator, { id, inputs: olds, outs }, args) {
    const engine = await Served.beside({ emulator });
    const { inputs } = await engine.check(URN, args, olds);
    return { inputs, changed: (await engine.diff(URN, id, outs, inputs, olds)).changed };
  },
  async update(emulator, { id, inputs: oldInputs, outs: olds }, inputs) {
    const engine = await Served.beside({ emulator });
    return { id, inputs, outs: await engine.update(URN, id, olds, inputs, { oldInputs }) };
  },
  async refresh(emulator, { id, inputs, outs }) {
    return (await Served.beside({ emulator })).read(URN, id, outs, inputs);
  },
};

/** A way in which a state gets the team. */
export interface Way {
  readonly backend: Backend;
  /** The state has the permissions even if the service doesn't return them: the program said them before. */
  readonly confirms?: true;
  /** @param args what the program has at that time */
  bring(emulator: Emulator, args: Properties): Promise<State>;
}

/** Returns the state that a file of the dynamic backend brings. */
export async function ofFile(emulator: Emulator, declared?: Properties): Promise<State> {
  const [entity = {}] = await new Colleague(emulator).list("/teams");
  const kind = kindOf("Team");
  const observed = decode(kind, entity);
  const { inputs, outs } = importedState(kind, "acme", declared ?? argumentsFor(kind, observed), observed);
  const marked = observedBy(kind, outs, { origin: emulator.url, tokenId: undefined });
  return { id: kind.identify(entity), inputs, outs: { ...marked } };
}

export const ways: Readonly<Record<string, Way>> = {
  "by the file that adopt writes": { backend: dynamic, bring: (emulator) => ofFile(emulator) },
  "by the command import": {
    backend: dynamic,
    async bring(emulator, args) {
      // The command reads the program by an offline preview, which completes a creation with defaults.
      const provider = await Driver.for(emulator, { "buildpipeline:offline": "true" }).kind("Team");
      return ofFile(emulator, (await provider.check({}, args)).inputs);
    },
  },
  "by the option import of the dynamic backend": {
    backend: dynamic,
    confirms: true,
    async bring(emulator) {
      const { id, inputs, outs } = await Driver.for(emulator).create("Team", {
        ...{ ...NAME, ...BOTH, import: "platform" },
      });
      const { import: _, ...rest } = inputs;
      return dynamic.update(emulator, { id, inputs, outs }, rest);
    },
  },
  "by a program of the dynamic backend, which creates it": {
    backend: dynamic,
    confirms: true,
    async bring(emulator) {
      for (const { id } of emulator.organizationData.teams.list()) emulator.organizationData.teams.delete(id);
      return Driver.for(emulator).create("Team", { ...NAME, ...BOTH });
    },
  },
  "by pulumi import": {
    backend: plugin,
    bring: async (emulator) => (await Served.beside({ emulator })).read(URN, "platform"),
  },
  "by the option import of the plugin": {
    backend: plugin,
    confirms: true,
    async bring(emulator) {
      const engine = await Served.beside({ emulator });
      const { id, inputs: olds, outs } = await engine.read(URN, "platform");
      const { inputs } = await engine.check(URN, { ...NAME, ...BOTH }, olds);
      expect((await engine.diff(URN, id, outs, inputs, olds)).changed).toBe(false);
      return { id, inputs, outs };
    },
  },
  "by a program of the plugin, which creates it": {
    backend: plugin,
    confirms: true,
    async bring(emulator) {
      for (const { id } of emulator.organizationData.teams.list()) emulator.organizationData.teams.delete(id);
      return (await Served.beside({ emulator })).deploy(URN, { ...NAME, ...BOTH });
    },
  },
};
