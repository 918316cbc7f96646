import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Emulator, type EmulatorOptions, startEmulator } from "../../../../src/emulator/index.js";
import { someOf } from "../../../support/cases.js";
import { Driver } from "../../../support/driver.js";

type Properties = Record<string, unknown>;

/** Inputs of each kind, in a spelling that a service may want to change. */
const objects = (clusterId: string): readonly [string, Properties][] => [
  ["Cluster", { name: "Full", description: "d", emoji: ":rocket:", color: "#14cC80" }],
  ["Cluster", { name: "Bare" }],
  ["Cluster", { name: "Cafe\u0301", description: " of a heredoc\n" }],
  ["Cluster", { name: "Empty", description: "", emoji: "", color: "" }],
  ["Queue", { clusterId, key: "a", description: "d", dispatchPaused: true, dispatchPausedNote: "n" }],
  ["Queue", { clusterId, key: "b" }],
  ["AgentToken", { clusterId, description: "t", allowedIpAddresses: ["192.0.2.7", "10.1.2.3/8"] }],
  ["AgentToken", { clusterId, description: "t", triggers: { a: 1 } }],
  ["AgentToken", { clusterId, description: "t" }],
  ["AgentToken", { clusterId, description: "t", allowedIpAddresses: [] }],
  ["PipelineTemplate", { name: "n", configuration: "# why\nsteps:\n- {command: 'x'}\n\n", description: "" }],
  ["PipelineTemplate", { name: "o", configuration: { steps: ["wait"] }, available: true }],
  ["Team", { name: "t" }],
  [
    "Team",
    { name: "u", description: "d", privacy: "secret", isDefaultTeam: true, defaultMemberRole: "maintainer" },
  ],
  ["Suite", { name: "s", defaultBranch: "main", applicationName: "app", color: "#FA0", emoji: ":rocket:" }],
  ["Suite", { name: "r", defaultBranch: "main", teamIds: [], emoji: "🚀" }],
];

const services: readonly [string, EmulatorOptions["variations"]][] = [
  ["as it is known", {}],
  ["that empties text", { unsetText: "", allowedAddressesUnset: "" }],
  ["that leaves unset fields out", { unsetText: "absent", allowedAddressesUnset: "absent" }],
  ["that makes addresses canonical", { allowedAddresses: "canonical", allowedAddressesForm: "array" }],
  ["that sorts addresses", { allowedAddresses: "sorted" }],
  ["that lowers colors and strips colons", { colorCase: "lower", emojiForm: "bare" }],
  ["that raises colors", { colorCase: "upper", emojiForm: "colons" }],
  ["that trims YAML", { yamlText: "trimmed" }],
  ["that trims text", { textEnds: "trimmed" }],
  ["that reformats YAML", { yamlText: "reformatted" }],
  ["that takes another note", { pauseNoteField: "note" }],
  ["that ignores the documented note", { pauseNoteField: "dispatch_paused_note" }],
  ["that answers tersely", { teamWriteResponse: "submitted" }],
  ["that tells all of a team", { teamReturnsWritableFields: true }],
  ["that tells all of a suite", { suiteReadReturnsCreateFields: true }],
  ["that pages everything", { undocumentedPages: "always", linkRelations: "next-only" }],
];

describe.each(someOf(services))("with a service %s", (_, variations) => {
  let emulator: Emulator;
  let driver: Driver;
  let clusterId: string;
  beforeAll(async () => {
    emulator = await startEmulator({ seed: false, ...(variations && { variations }) });
    driver = Driver.for(emulator);
    clusterId = (await driver.create("Cluster", { name: "Home" })).id;
  });
  afterAll(() => emulator.close());

  test("an unchanged program changes nothing, after create and after refresh", async () => {
    for (const [kind, news] of objects(clusterId)) {
      const made = await driver.create(kind, news);
      const { id, inputs, outs } = made;
      const state = `${kind} ${JSON.stringify(news)}`;
      expect(await driver.diff(made), state).toEqual({ changes: false });
      for (const name of Object.keys(inputs)) expect(outs[name], `${state}: ${name}`).toEqual(inputs[name]);

      const read = await driver.read(made);
      expect(read.id, state).toBe(id);
      // Without inputs, the engine keeps those in state.
      expect(read.inputs ?? inputs, state).toEqual(inputs);
      expect(await driver.diff({ ...made, outs: read.props ?? {} }), state).toEqual({ changes: false });
      const again = await (await driver.kind(kind)).check(inputs, news);
      expect(again.inputs, state).toEqual(inputs);
    }
  });
});
