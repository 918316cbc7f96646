import { describe, expect, test } from "vitest";
import type { Emulator } from "../../../../src/emulator/index.js";
import { someOf } from "../../../support/cases.js";
import { Driver, failure } from "../../../support/driver.js";
import {
  BOTH,
  DEFAULTS,
  dynamic,
  live,
  NAME,
  ofFile,
  type Properties,
  type State,
  start,
  ways,
} from "./unreturned-team.js";

const writes = ({ requests }: Emulator) => requests.filter(({ method }) => method !== "GET");

function returnNext(emulator: Emulator, times: number): void {
  const [team] = emulator.organizationData.teams.list();
  const { id, name, slug, default_member_role, members_can_create_pipelines } = team ?? {};
  const body = { id, name, slug, default: false, default_member_role, members_can_create_pipelines };
  emulator.fault({ operation: "teams.get", times, action: { status: 200, body } });
}

const programs: readonly Properties[] = [
  {},
  { defaultMemberRole: "maintainer" },
  { membersCanCreatePipelines: false },
  BOTH,
  DEFAULTS,
];

/** Returns what the engine hands to the provider where the program ignores changes: the values in state. */
function ignoring(names: readonly string[], args: Properties, { inputs }: State): Properties {
  const rest = Object.entries(args).filter(([name]) => !names.includes(name));
  const ignored = names.flatMap((name) => (name in inputs ? [[name, inputs[name]]] : []));
  return Object.fromEntries([...rest, ...ignored]);
}

const table = Object.entries(ways).flatMap(([name, way]) =>
  [false, true].flatMap((returns) =>
    [[], Object.keys(BOTH)].map((ignored) => ({ name, way, returns, ignored })),
  ),
);

describe.each(someOf(table))(
  "A team in state $name, permissions returned: $returns, ignored: $ignored",
  (row) => {
    const { way, returns, ignored } = row;
    const { backend } = way;

    test.each(programs)(
      "and %j in the program: no permission changes that the program doesn't say",
      async (said) => {
        const emulator = await start({ teamReturnsWritableFields: returns });
        const args = { ...NAME, ...said };
        const state = await way.bring(emulator, args);
        emulator.clearRequests();
        const isKnown = way.confirms === true || returns;
        const effective = ignoring(ignored, said, state);
        const before = live(emulator);
        const wanted = isKnown ? { ...DEFAULTS, ...effective } : { ...before, ...effective };
        const isRefused = !isKnown && Object.keys(effective).length < 2;
        const next = (more: Properties = {}) => ignoring(ignored, { ...args, ...more }, state);

        // Without another change: what the program says is a change where the state lacks it or has another value.
        const isChanged = isKnown
          ? JSON.stringify(wanted) !== JSON.stringify(before)
          : Object.keys(effective).length > 0;
        const plan = backend.plan(emulator, state, next());
        if (isChanged && isRefused) expect(await failure(plan)).toContain("nothing was sent");
        else expect((await plan).changed).toBe(isChanged);

        const change = { description: "Changed" };
        if (isRefused) {
          expect(await failure(backend.plan(emulator, state, next(change)))).toContain("nothing was sent");
          const unplanned = { ...state.inputs, ...next(change) };
          expect(await failure(backend.update(emulator, state, unplanned))).toContain("nothing was sent");
          expect(writes(emulator)).toEqual([]);
          expect(live(emulator)).toEqual(before);
          return;
        }
        const { inputs } = await backend.plan(emulator, state, next(change));
        const after = await backend.update(emulator, state, inputs);
        expect(live(emulator)).toEqual(wanted);
        expect(after.outs).toMatchObject(wanted);
        expect(after.outs).not.toHaveProperty("__untold");
        const settled = ignoring(ignored, { ...args, ...change }, after);
        expect((await backend.plan(emulator, after, settled)).changed).toBe(false);
        const fresh = await backend.refresh(emulator, after);
        expect((await backend.plan(emulator, fresh, settled)).changed).toBe(false);
        expect(fresh.inputs).toMatchObject(wanted);
      },
    );
  },
);

const imports = Object.entries(ways).filter(([, { confirms }]) => !confirms);

describe.each(imports)("An unconfirmed team in state %s", (_, { backend, bring }) => {
  const changed = { ...NAME, description: "Changed" };

  test("is named in state, without values, until the program says them", async () => {
    const emulator = await start();
    const state = await bring(emulator, NAME);
    expect(state.outs).toMatchObject({ __untold: Object.keys(BOTH) });
    for (const name of Object.keys(BOTH)) {
      expect(state.inputs).not.toHaveProperty(name);
      expect(state.outs).not.toHaveProperty(name);
    }
    const fresh = await backend.refresh(emulator, state);
    expect(fresh.outs).toMatchObject({ __untold: Object.keys(BOTH) });
    expect((await backend.plan(emulator, fresh, NAME)).changed).toBe(false);
  });

  test("is updated with what the API returns right before, and stays unconfirmed", async () => {
    const emulator = await start();
    const state = await bring(emulator, NAME);
    returnNext(emulator, 2);
    const { inputs } = await backend.plan(emulator, state, changed);
    const after = await backend.update(emulator, state, inputs);
    expect(live(emulator)).toEqual(BOTH);
    expect(after.outs).toMatchObject({ __untold: Object.keys(BOTH), description: "Changed" });
    expect((await backend.plan(emulator, after, changed)).changed).toBe(false);
  });

  test("is not updated if the API returned its permissions to the preview alone", async () => {
    const emulator = await start();
    const state = await bring(emulator, NAME);
    returnNext(emulator, 1);
    const { inputs } = await backend.plan(emulator, state, changed);
    expect(await failure(backend.update(emulator, state, inputs))).toContain("nothing was sent");
    expect(writes(emulator)).toEqual([]);
  });

  test("that was deleted is for the deployment to explain", async () => {
    const emulator = await start();
    const state = await bring(emulator, NAME);
    emulator.organizationData.teams.delete(state.id);
    const { inputs } = await backend.plan(emulator, state, changed);
    expect(await failure(backend.update(emulator, state, inputs))).toContain("it was probably deleted");
  });
});

test("The refusal names the team, and has the lines to write with what each does", async () => {
  const emulator = await start();
  const state = await ofFile(emulator);
  const message = await failure(dynamic.plan(emulator, state, { ...NAME, defaultMemberRole: "member" }));
  expect(message).toContain(`team ${state.id} sends membersCanCreatePipelines`);
  expect(message).not.toContain("defaultMemberRole");
  const both = await failure(dynamic.plan(emulator, state, { ...NAME, description: "Changed" }));
  expect(both.split("\n").slice(1)).toEqual([
    '    defaultMemberRole: "member" or "maintainer" (the role of new members)',
    "    membersCanCreatePipelines: true or false (whether members can create pipelines)",
  ]);
});

test("An offline preview asks nothing, and the deployment refuses", async () => {
  const emulator = await start();
  const { id, inputs: olds, outs } = await ofFile(emulator);
  emulator.clearRequests();
  const provider = await Driver.for(emulator, { "buildpipeline:offline": "true" }).kind("Team");
  const { inputs = {} } = await provider.check(olds, { ...NAME, description: "Changed" });
  expect((await provider.diff(id, outs, inputs)).changes).not.toBe(false);
  expect(emulator.requests).toEqual([]);
  expect(await failure(dynamic.update(emulator, { id, inputs: olds, outs }, inputs))).toContain(
    "nothing was sent",
  );
});

test("A state from before counts as confirmed: it has values, and no list of what was unknown", async () => {
  const emulator = await start();
  const { id, inputs, outs } = await ofFile(emulator);
  const { __untold, ...rest } = outs;
  expect(__untold).toEqual(Object.keys(BOTH));
  const state = { id, inputs: { ...inputs, ...DEFAULTS }, outs: { ...rest, ...DEFAULTS } };
  const planned = await dynamic.plan(emulator, state, { ...NAME, description: "Changed" });
  await dynamic.update(emulator, state, planned.inputs);
  expect(live(emulator)).toEqual(DEFAULTS);
});

test("A replaced team is created with the defaults, which are then confirmed", async () => {
  const emulator = await start();
  const { inputs, outs } = await Driver.for(emulator).create("Team", { name: "Mobile" });
  expect(inputs).toMatchObject(DEFAULTS);
  expect(outs).toMatchObject(DEFAULTS);
});
