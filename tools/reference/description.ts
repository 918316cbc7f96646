import type { AnyKind } from "../../src/resources/kind.js";
import { type Comment, type Property, Source } from "./source.js";

/** A kind of resource: what its class and its interface say, and what its definition says. */
export interface ResourceDescription extends Comment {
  readonly kind: AnyKind;
  readonly arguments: readonly Property[];
  readonly outputs: readonly Property[];
}

/** A component: a class that consists of other resources. */
export interface ComponentDescription extends Comment {
  readonly name: string;
  readonly arguments: readonly Property[];
  readonly outputs: readonly Property[];
}

/** A lookup. */
export interface LookupDescription extends Comment {
  readonly name: string;
  readonly arguments: readonly Property[];
  readonly result: readonly Property[];
  /** What the result's type is called in the source, and what its comment says. */
  readonly resultName: string;
  readonly resultDocumentation: string;
}

/** What a program can use, described: the one source of the plugin's schema and of the reference. */
export interface Description {
  readonly resources: readonly ResourceDescription[];
  readonly components: readonly ComponentDescription[];
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
      export type ${name}Outputs = Outputs<program.${name}>;`,
  );
  const source = new Source(checkout, ENTRIES, views.join(""));
  const exported = source.exportsOf("src/index.ts");
  const declared = (name: string) => {
    const found = exported.find((candidate) => candidate.name === name);
    if (found === undefined) throw new Error(`src/index.ts does not export ${name}.`);
    return found;
  };
  return {
    source,
    resources: kinds.map((kind): ResourceDescription => {
      const { name: _, type: __, ...comment } = declared(kind.name);
      const named = new Set(["organization", ...Object.keys(kind.arguments), ...Object.keys(kind.outputs)]);
      const outputs = source.propertiesOf(source.view(`${kind.name}Outputs`).type);
      return {
        ...comment,
        kind,
        arguments: source.propertiesOf(source.view(`${kind.name}Arguments`).type),
        outputs: outputs.filter(({ name }) => named.has(name)),
      };
    }),
    components: COMPONENTS.map((name): ComponentDescription => {
      const { documentation, examples, throws } = declared(name);
      const outputs = source.propertiesOf(source.view(`${name}Outputs`).type);
      return {
        ...{ name, documentation, examples, throws },
        arguments: source.propertiesOf(source.view(`${name}Arguments`).type),
        outputs: outputs.filter((output) => output.name !== "urn"),
      };
    }),
    lookups: exported
      .filter(({ name }) => /^get[A-Z]/.test(name) && !name.endsWith("Output"))
      .map(({ name, type, ...comment }): LookupDescription => {
        const result = source.resultOf(type);
        const resultType = source.typeOf(result);
        return {
          ...comment,
          name,
          arguments: source.propertiesOf(declared(`G${name.slice(1)}Args`).type),
          result: source.propertiesOf(result).sort((one, other) => one.name.localeCompare(other.name)),
          resultName: resultType.is === "object" ? resultType.object.name : "",
          resultDocumentation: resultType.is === "object" ? resultType.object.documentation : "",
        };
      }),
    settings: source.propertiesOf(source.view("Settings").type),
  };
}
