import type { AnyKind } from "../../src/provider/for-commands/kinds.js";
import { alphabetically } from "../../src/shared/messages/alphabet.js";
import { type Comment, type Property, Source } from "./source.js";

/** A name of the package: what it takes and gives, and what its comment says. */
export interface Described extends Comment {
  readonly name: string;
  readonly arguments: readonly Property[];
  readonly outputs: readonly Property[];
}

/** A kind of resource: what its class and its interface say, and what its definition says. */
export interface ResourceDescription extends Described {
  readonly kind: AnyKind;
}

/** A lookup. */
export interface LookupDescription extends Described {
  /** What the result's type is called in the source, and what its comment says. */
  readonly resultName: string;
  readonly resultDocumentation: string;
}

/** What a program can use, described: the one source of the plugin's schema and of the reference. */
export interface Description {
  readonly resources: readonly ResourceDescription[];
  /** Classes that consist of other resources. */
  readonly components: readonly Described[];
  readonly lookups: readonly LookupDescription[];
  readonly settings: readonly Property[];
  readonly source: Source;
}

const ENTRIES = ["src/index.ts", "src/client/index.ts"];
const COMPONENTS = ["RotatingAgentToken"];

/** Describes the kinds, and what stands in the source beside them. */
export function describePackage(checkout: string, kinds: readonly AnyKind[]): Description {
  const views = [...kinds.map(({ name }) => name), ...COMPONENTS].map(
    (name) => `
      export type ${name}Arguments = Plain<program.${name}Args>;
      export type ${name}Accepted = Accepted<program.${name}Args>;
      export type ${name}Outputs = Outputs<program.${name}>;`,
  );
  const source = new Source(checkout, ENTRIES, views.join(""));
  const exported = source.exportsOf("src/index.ts");
  const declared = (name: string) => {
    const found = exported.find((candidate) => candidate.name === name);
    if (found === undefined) throw new Error(`src/index.ts does not export ${name}.`);
    return found;
  };
  const propertiesOf = (view: string) => source.propertiesOf(source.view(view).type);
  const described = (name: string): Described => {
    const accepted = new Map(
      propertiesOf(`${name}Accepted`).map((property) => [property.name, property.type]),
    );
    const resourceOf = (type = accepted.get("")) =>
      type?.is === "object" ? { resource: type.object.name } : {};
    return {
      ...declared(name),
      arguments: propertiesOf(`${name}Arguments`).map((argument) => ({
        ...argument,
        ...resourceOf(accepted.get(argument.name)),
      })),
      outputs: propertiesOf(`${name}Outputs`).filter((output) => output.name !== "urn"),
    };
  };
  return {
    source,
    resources: kinds.map((kind): ResourceDescription => {
      const { outputs, ...rest } = described(kind.name);
      const named = new Set(["organization", ...Object.keys(kind.arguments), ...Object.keys(kind.outputs)]);
      return { ...rest, kind, outputs: outputs.filter(({ name }) => named.has(name)) };
    }),
    components: COMPONENTS.map(described),
    lookups: exported
      .filter(({ name }) => /^get[A-Z]/.test(name) && !name.endsWith("Output"))
      .map((lookup): LookupDescription => {
        const result = source.resultOf(lookup.type);
        const type = source.typeOf(result);
        const object = type.is === "object" ? type.object : undefined;
        return {
          ...lookup,
          arguments: source.propertiesOf(declared(`G${lookup.name.slice(1)}Args`).type),
          outputs: source.propertiesOf(result).sort((one, other) => alphabetically(one.name, other.name)),
          resultName: object?.name ?? "",
          resultDocumentation: object?.documentation ?? "",
        };
      }),
    settings: propertiesOf("Settings"),
  };
}
