import { expect, test } from "vitest";
import type { Arguments, Body, Known, Observed, Outputs } from "../../../src/provider/kind/value-roles.js";
import { Team } from "../../../src/provider/resources/index.js";

test("The compiler keeps arguments, observed values and outputs apart", () => {
  const args: Arguments = { name: "Main" };
  // @ts-expect-error The program's arguments are not what the API returned.
  const observed: Observed = args;
  // @ts-expect-error What the API returned is not what the state has.
  const outputs: Outputs = observed;
  // @ts-expect-error What the state has are not the program's arguments.
  const again: Arguments = outputs;
  // @ts-expect-error A call to the API gets what is known of an object, not what a program wants.
  const known: Known = args;
  // @ts-expect-error A body has the service's names.
  const body: Body = args;
  // In the end it is one plain object.
  expect([again, known, body]).toEqual([args, args, args]);
});

test("The compiler knows which values a description can read of its objects", () => {
  expect(Team.kind.hidden.when({ privacy: "secret" })).toBe(true);
  // @ts-expect-error No team has it.
  expect(Team.kind.hidden.when({ privcy: "secret" })).toBe(false);
});
