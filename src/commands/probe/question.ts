import type { Variations } from "../../emulator/index.js";
import type { ProbedService } from "./service.js";
import { NoAnswer } from "./wire.js";

export interface Question<Value> {
  readonly asks: string;
  /** What the API's documentation says, where it says something. */
  readonly document?: string;
  /** What the provider or the client does, whatever the answer is. */
  readonly copes: string;
  /** Asks the service. A text: why no probe asks it. @throws NoAnswer if nothing shows the answer */
  readonly answer: ((service: ProbedService) => Value | Promise<Value>) | string;
}

/** The questions, by the variations of the emulator that their answers set. */
export type Questions = { readonly [Name in keyof Variations]: Question<Variations[Name]> };

export function once<Result>(
  work: (service: ProbedService) => Promise<Result>,
): (service: ProbedService) => Promise<Result> {
  const results = new WeakMap<ProbedService, Promise<Result>>();
  return (service) => {
    const result = results.get(service) ?? work(service);
    results.set(service, result);
    return result;
  };
}

/** Picks the one value whose case holds. @throws NoAnswer with the reason if there is none */
export function first<Value>(reason: string, ...cases: readonly (readonly [boolean, Value])[]): Value {
  const match = cases.find(([holds]) => holds);
  if (match === undefined) throw new NoAnswer(reason);
  return match[1];
}

export function unset(entity: Record<string, unknown>, name: string): null | "" | "absent" {
  const value = entity[name];
  return first<null | "" | "absent">(
    `${name} has a value that no option of the emulator has.`,
    [!Object.hasOwn(entity, name), "absent"],
    [value === null, null],
    [value === "", ""],
  );
}
