import { InvalidArgumentError, Option } from "commander";
import { KIND_NAMES, type KindName } from "../inventory/kind-names.js";

/** An option that takes names of kinds, in any case. */
export function kindOption(flags: string, description: string): Option {
  return new Option(flags, description).argParser((value: string, previous: KindName[] | undefined) => {
    const kind = KIND_NAMES.find((name) => name.toLowerCase() === value.toLowerCase());
    if (kind === undefined) throw new InvalidArgumentError(`The kinds are ${KIND_NAMES.join(", ")}.`);
    return [...(previous ?? []), kind];
  });
}

/** The kinds that `--only` and `--except` leave. */
export function wantedKinds({ only, except }: { only?: KindName[]; except?: KindName[] }): Set<KindName> {
  return new Set((only ?? KIND_NAMES).filter((kind) => !except?.includes(kind)));
}
