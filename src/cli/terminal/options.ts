import { InvalidArgumentError } from "commander";
import type { AnyKind } from "../../provider/for-commands/kinds.js";

export function wholeNumber(text: string): number {
  const number = Number(text);
  if (!Number.isSafeInteger(number) || number < 1)
    throw new InvalidArgumentError("It must be a whole number above 0.");
  return number;
}

/** Reads `60d`, or `60`. */
export function days(text: string): number {
  const [, number] = /^(\d+)d?$/.exec(text) ?? [];
  if (number === undefined || Number(number) < 1)
    throw new InvalidArgumentError("It must be a whole number of days such as 60d.");
  return Number(number);
}

export function seconds(text: string): number {
  const number = Number(text);
  if (!(number > 0)) throw new InvalidArgumentError("It must be a number above 0.");
  return number;
}

interface KindFlags {
  readonly only?: readonly string[] | undefined;
  readonly except?: readonly string[] | undefined;
}

/**
 * Returns the names of the kinds that a command reads, of those that `--only` and `--except` leave. A kind that the API got
 * later needs a reason, or `--only`.
 */
export async function kindsToRead(flags: KindFlags, isRead: (kind: AnyKind) => boolean) {
  const { kinds } = await import("../../provider/for-commands/kinds.js");
  const wanted = await wantedKinds(flags);
  const left = [...kinds.values()].filter(
    (kind) =>
      wanted.has(kind.name) && kind.requires === "newer API" && flags.only === undefined && !isRead(kind),
  );
  const names = left.map(({ name }) => name);
  return { kinds: wanted.difference(new Set(names)), left: names };
}

/** Returns the names of the kinds that `--only` and `--except` leave. Both take names in any case. */
async function wantedKinds({ only, except = [] }: KindFlags): Promise<Set<string>> {
  // They load the resource classes, which a command's help does not need.
  const { kindNames, kindOfAnyCase, kinds } = await import("../../provider/for-commands/kinds.js");
  const known = (names: readonly string[], flag: string) =>
    names.map((name) => {
      const kind = kindOfAnyCase(name);
      if (kind !== undefined) return kind.name;
      throw new Error(`${flag} ${name}: there is no such resource type. The kinds are ${kindNames()}.`);
    });
  const left = new Set(only === undefined ? kinds.keys() : known(only, "--only"));
  for (const name of known(except, "--except")) left.delete(name);
  if (left.size === 0) throw new Error("--only and --except leave no resource type.");
  return left;
}
