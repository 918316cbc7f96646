import { expect, test } from "vitest";
import { plain } from "../../stories/histories/engine/backend.js";
import { someOf } from "../../support/cases.js";
import { serviceForEach } from "../../support/driver.js";
import { argumentsOf, EACH_KIND, referencesOf, USER } from "../../support/each-kind.js";
import { BACKENDS, type InState, ResourceOfProgram } from "../../support/program.js";

/** What people do with `pulumi stack export` and an editor. plugin/import.test.ts empties the outputs. */
const service = serviceForEach();

const withReferred = (kind: string): string[] => [
  ...referencesOf(kind).flatMap(([, of]) => withReferred(of)),
  kind,
];

/** Deploys an object of a kind, and what it refers to. */
async function deployed(backend: (typeof BACKENDS)[number], kind: string) {
  service.emulator.organizationData.users.insert(USER);
  const states = new Map<string, InState>();
  for (const one of new Set(withReferred(kind))) {
    const it = new ResourceOfProgram(backend, service.emulator, one, service.clock);
    const args = argumentsOf(one, (of) => states.get(of)?.id);
    const state = await it.up(args);
    if (one === kind) return { it, args, state };
    states.set(one, state);
  }
  throw new Error(`${kind} was not deployed.`);
}

const rows = BACKENDS.flatMap((backend) => Object.keys(EACH_KIND).map((kind) => [backend, kind] as const));

test.each(someOf(rows))(
  "%s: a %s whose inputs somebody emptied is neither created again nor deleted, and has them again after a refresh",
  async (backend, kind) => {
    const { it, args, state } = await deployed(backend, kind);
    const emptied = { ...state, inputs: {} };
    service.emulator.clearRequests();
    await it.up(args, emptied).catch(() => {});
    expect(service.operations.filter((operation) => /\.(create|delete|archive)$/.test(operation))).toEqual(
      [],
    );
    const refreshed = await it.refresh(emptied);
    expect(refreshed?.id).toBe(state.id);
    const repaired = await it.up(args, refreshed);
    expect(plain(repaired.inputs)).toEqual(plain(state.inputs));
    expect(await it.preview(args, repaired)).toMatchObject({ changes: false, replaces: [] });
    expect(service.operations.filter((operation) => /\.(create|delete|archive)$/.test(operation))).toEqual(
      [],
    );
  },
);
