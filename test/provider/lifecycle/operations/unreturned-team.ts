import { expect, onTestFinished } from "vitest";
import { type Emulator, type EmulatorOptions, startEmulator } from "../../../../src/emulator/index.js";
import { observedBy } from "../../../../src/provider/lifecycle/missing/marks.js";
import { argumentsFor, importedState } from "../../../../src/provider/lifecycle/operations/imported-state.js";
import { decode } from "../../../../src/provider/lifecycle/values/codec.js";
import { startProvider } from "../../../stories/histories/engine/start-provider.js";
import { Colleague } from "../../../support/colleague.js";
import { Driver, kindOf, type Made, SimulatedClock } from "../../../support/driver.js";

export type Properties = Readonly<Record<string, unknown>>;

export type State = Omit<Made, "kind">;

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
  const { default_member_role, members_can_create_pipelines } = team ?? {};
  return { defaultMemberRole: default_member_role, membersCanCreatePipelines: members_can_create_pipelines };
}

const TEAM = { name: "platform", kind: "Team" };

/** What the engine does with the team of a program, each time with a new process. */
class Backend {
  readonly #name: "dynamic" | "plugin";

  constructor(name: "dynamic" | "plugin") {
    this.#name = name;
  }

  start(emulator: Emulator) {
    return startProvider({ backend: this.#name, service: emulator, clock: new SimulatedClock() }, {});
  }

  /** @throws if the preview refuses the change */
  async plan(emulator: Emulator, { id, inputs: olds, outs }: State, args: Properties) {
    const provider = this.start(emulator);
    const { inputs, failures } = await provider.check(TEAM, olds, args);
    expect(failures).toEqual([]);
    const { changed } = await provider.diff(TEAM, id, outs, inputs, olds);
    return { inputs, changed: changed !== false };
  }

  async create(emulator: Emulator, args: Properties): Promise<State> {
    const provider = this.start(emulator);
    const { inputs, failures } = await provider.check(TEAM, {}, args);
    expect(failures).toEqual([]);
    return { inputs, ...(await provider.create(TEAM, inputs)) };
  }

  async update(emulator: Emulator, { id, inputs: olds, outs }: State, inputs: Properties): Promise<State> {
    return { id, inputs, outs: await this.start(emulator).update(TEAM, id, outs, inputs, olds) };
  }

  async refresh(emulator: Emulator, { id, inputs, outs }: State): Promise<State> {
    return this.start(emulator).read(TEAM, id, outs, inputs);
  }
}

export const dynamic = new Backend("dynamic");
const plugin = new Backend("plugin");

export interface Way {
  readonly backend: Backend;
  /** The state has the permissions even if the service doesn't return them: the program said them before. */
  readonly confirms?: true;
  /** @param args what the program has at that time */
  bring(emulator: Emulator, args: Properties): Promise<State>;
}

/** Creates the team, where there is none any more. */
function createdBy(backend: Backend): Way {
  return {
    backend,
    confirms: true,
    bring(emulator) {
      const { teams } = emulator.organizationData;
      for (const { id } of teams.list()) teams.delete(id);
      return backend.create(emulator, { ...NAME, ...BOTH });
    },
  };
}

/** Returns the state that a file of the dynamic backend brings. */
export async function ofFile(emulator: Emulator, declared?: Properties): Promise<State> {
  const [entity = {}] = await new Colleague(emulator).list("/teams");
  const kind = kindOf("Team");
  const observed = decode(kind, entity);
  // The programs of these tests say nothing of what else a team has.
  const written = Object.entries(argumentsFor(kind, observed)).filter(
    ([name]) => name in { ...NAME, ...BOTH },
  );
  const { inputs, outs } = importedState(kind, "acme", declared ?? Object.fromEntries(written), observed);
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
      const state = await dynamic.create(emulator, { ...NAME, ...BOTH, import: "platform" });
      const { import: _, ...rest } = state.inputs;
      return dynamic.update(emulator, state, rest);
    },
  },
  "by a program of the dynamic backend, which creates it": createdBy(dynamic),
  "by pulumi import": {
    backend: plugin,
    bring: (emulator) => plugin.refresh(emulator, { id: "platform", inputs: {}, outs: {} }),
  },
  "by the option import of the plugin": {
    backend: plugin,
    confirms: true,
    async bring(emulator) {
      const provider = plugin.start(emulator);
      const { id, inputs: olds, outs } = await provider.read(TEAM, "platform", {}, {});
      const { inputs } = await provider.check(TEAM, olds, { ...NAME, ...BOTH });
      expect(await provider.diff(TEAM, id, outs, inputs, olds)).toMatchObject({ changed: false });
      return { id, inputs, outs };
    },
  },
  "by a program of the plugin, which creates it": createdBy(plugin),
};
