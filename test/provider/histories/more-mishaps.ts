import type { FaultRule } from "../../../src/emulator/index.js";
import { awkwardTexts } from "./awkward.js";
import { type Mishap, mishaps } from "./faults.js";
import type { Trouble } from "./history.js";

/** Requests that the service completes after their caller has given up. */
const late: readonly Mishap[] = [
  ...[500, 5_000, 60_000].flatMap((workAfterMs): Mishap[] => [
    {
      name: `504, done ${workAfterMs} ms later`,
      when: "before",
      action: () => ({ workAfterMs, meanwhile: { status: 504 } }),
    },
    {
      name: `dropped, done ${workAfterMs} ms later`,
      when: "before",
      action: () => ({ workAfterMs, meanwhile: "drop" }),
    },
  ]),
];

/** Refusals and failures whose text is awkward. */
const awkward: readonly Mishap[] = awkwardTexts.flatMap((message, index): Mishap[] => [
  {
    name: `422 with awkward text ${index}`,
    when: "before",
    action: () => ({ status: 422, body: { message } }),
  },
  {
    name: `500 with awkward text ${index}`,
    when: "after",
    action: () => ({ status: 500, body: { message } }),
  },
]);

/** Everything that can go wrong with a request in a history. */
export const everyMishap: readonly Mishap[] = [...mishaps, ...late, ...awkward];

export const lateNames = late.map(({ name }) => name);

/** A fault rule for a trouble of a history. */
export function ruleFor({ mishap: name, operation, after, times }: Trouble): FaultRule {
  const mishap = everyMishap.find((candidate) => candidate.name === name);
  if (mishap === undefined) throw new Error(`There is no mishap ${name}.`);
  const action = mishap.action(operation.endsWith(".create"));
  return { operation, when: mishap.when, action, after, times };
}
