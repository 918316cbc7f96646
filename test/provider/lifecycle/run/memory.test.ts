import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { RunRecord, STEPS } from "../../../../src/provider/lifecycle/run/memory.js";
import { kindOf } from "../../../support/driver.js";

type Facts = Parameters<RunRecord["note"]>[1];
type Of = keyof typeof STEPS;

const PARTS: readonly Of[] = ["entry", "label", "written", "end"];
const UUID = "0198ab00-0000-4000-8000-00000000000a";
const [kind, other] = [kindOf("Queue"), kindOf("Team")];
const key = { organization: "acme", kind, id: UUID };

/** The fact that a part of an object's record is in a state. */
const fact = (of: Of, state: string): Facts => ({ [of]: state });
const statesOf = (of: Of) => Object.keys(STEPS[of]);
const noted = (facts: readonly Facts[]) => {
  const run = new RunRecord();
  for (const one of facts) run.note(key, one);
  return run.of(key);
};

/** Returns facts that lead to a state, from an object of which nothing is known. */
function wayTo(of: Of, state: string): readonly Facts[] {
  const ways: (readonly Facts[])[] = [[]];
  for (const way of ways) {
    const { [of]: now } = noted(way);
    if (now === state) return way;
    for (const next of statesOf(of)) if (next !== now && way.length < 4) ways.push([...way, fact(of, next)]);
  }
  throw new Error(`Nothing leads to ${of} ${state}.`);
}

describe("What a run remembers of an object", () => {
  test("goes these steps and no others, and everything else changes nothing", () => {
    const made = PARTS.flatMap((of) =>
      statesOf(of).flatMap((from) =>
        statesOf(of).flatMap((to) => {
          const { [of]: after } = noted([...wayTo(of, from), fact(of, to)]);
          return after === from ? [] : `${of}: ${from} → ${after}`;
        }),
      ),
    );
    expect(made).toEqual([
      // An object that is about to be imported is no other entry's, and an entry's object isn't imported again.
      "entry: none → importing",
      "entry: none → planned",
      "entry: planned → kept",
      "label: held → renamed",
      "label: held → deletedFirst",
      "label: renamed → deletedFirst",
      "written: nothing → updated",
      "written: nothing → created",
      "written: updated → created",
      // Every deletion begins, so that whoever waits for one has something to wait for.
      "end: none → begun",
      "end: begun → leftBehind",
      "end: begun → deleted",
      "end: leftBehind → deleted",
    ]);
  });

  test("keeps what was noted beside the states, the latest of each", () => {
    const deletion = Promise.resolve();
    const planned = { urn: "urn", imported: true };
    const first = { planned: { urn: undefined, imported: false }, hasSecretName: true } as const;
    expect(noted([first, { planned }, { end: "begun", deletion }])).toEqual({
      ...{ entry: "none", label: "held", written: "nothing", end: "begun" },
      ...{ planned, hasSecretName: true, deletion, id: UUID },
    });
  });
});

test("In whatever order things happen, no state comes back, and no object changes another one's", () => {
  const keys = [key, { ...key, kind: other }, { ...key, organization: "other" }, { ...key, id: "another" }];
  const facts = PARTS.flatMap((of) => statesOf(of).map((state) => ({ of, state })));
  const event = fc.record({
    at: fc.nat({ max: keys.length - 1 }),
    fact: fc.constantFrom(...facts),
    capitals: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(event, { maxLength: 40 }), (events) => {
      const run = new RunRecord();
      const seen = keys.map(() => new Set<string>());
      for (const { at, fact: noted, capitals } of events) {
        const before = keys.map((one) => run.of(one));
        const { [at]: place = key } = keys;
        // The service and a state may spell one UUID differently. Another id in capitals is another object's.
        const id = capitals && place.id === UUID ? UUID.toUpperCase() : place.id;
        run.note({ ...place, id }, fact(noted.of, noted.state));
        for (const [index, one] of keys.entries()) {
          const [now, then] = [run.of(one), before[index]];
          const left = seen[index] ?? new Set();
          if (index !== at) expect(now).toEqual(then);
          for (const of of PARTS) {
            if (then !== undefined && now[of] !== then[of]) left.add(`${of} ${then[of]}`);
            expect(left.has(`${of} ${now[of]}`)).toBe(false);
          }
        }
      }
      const isDeleted = ({ end }: { readonly end: string }) => end === "deleted";
      const [own, , , another] = keys.map((one) => isDeleted(run.of(one)));
      expect(run.deletionsOf("acme", kind.name).filter(isDeleted)).toHaveLength(
        Number(own) + Number(another),
      );
      expect(run.some(UUID, isDeleted)).toBe(keys.slice(0, 3).some((one) => isDeleted(run.of(one))));
    }),
  );
});
