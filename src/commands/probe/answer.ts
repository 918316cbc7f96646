export class NoAnswer extends Error {}

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
