import type { Emulator, FaultRule } from "../../../src/emulator/index.js";
import { awkwardTexts } from "./awkward.js";
import { denied, type Mishap, mishaps, ruleOf } from "./faults.js";
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
      name: `503 of the service, done ${workAfterMs} ms later`,
      when: "before",
      action: () => ({ workAfterMs, meanwhile: { status: 503, body: { message: "Unavailable" } } }),
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

/** Refuses with everything that was sent: the address and the body. */
const echo: Mishap = {
  name: "422 with what was sent",
  when: "before",
  action: (_, { request }) => ({
    status: 422,
    get body() {
      return { message: `Invalid: ${request().path} ${JSON.stringify(request().body)}` };
    },
  }),
};

/** Everything that can go wrong with a request in a history. */
export const everyMishap: readonly Mishap[] = [...mishaps, ...late, ...awkward, denied, echo];

export const lateNames = late.map(({ name }) => name);

/** A fault rule for a trouble of a history. */
export function ruleFor({ mishap: name, operation, after, times }: Trouble, emulator: Emulator): FaultRule {
  const mishap = everyMishap.find((candidate) => candidate.name === name);
  if (mishap === undefined) throw new Error(`There is no mishap ${name}.`);
  return { ...ruleOf(mishap, operation, emulator), after, times };
}
