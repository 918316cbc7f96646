import { Option } from "commander";

/** Returns an option that takes names of kinds, in any case. */
export function kindOption(flags: string, description: string): Option {
  return new Option(flags, description);
}

/**
 * Returns the names of the kinds that `--only` and `--except` leave.
 *
 * @throws for an unknown name
 */
export async function wantedKinds({
  only,
  except = [],
}: {
  only?: string[];
  except?: string[];
}): Promise<Set<string>> {
  // They load the resource classes, which a command's help does not need.
  const { kindNames, kindOfAnyCase } = await import("../inventory/kinds.js");
  const { kinds } = await import("../provider/values/kinds.js");
  const named = (names: readonly string[], flag: string) =>
    names.map((name) => {
      const kind = kindOfAnyCase(name);
      if (kind !== undefined) return kind.name;
      throw new Error(`${flag} ${name}: there is no such resource type. The kinds are ${kindNames()}.`);
    });
  const left = new Set(only === undefined ? kinds.keys() : named(only, "--only"));
  for (const name of named(except, "--except")) left.delete(name);
  return left;
}
