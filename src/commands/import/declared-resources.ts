import { type ImportedResource, type ImportFile, importFileSchema } from "../../cli/pulumi/import-file.js";
import { readPreview } from "../../cli/pulumi/preview.js";
import { isDefaultProvider, objectKey, type State, type Step } from "../../cli/pulumi/state.js";
import type { Properties } from "../../shared/protocol/encoded-values.js";
import { kindOfType, kindOfUrn } from "../../shared/protocol/type-token.js";
import { nameOfUrn } from "../../shared/protocol/urn.js";

/** A resource that a program declares, with the inputs as the provider completed them. */
export interface DeclaredResource extends Pick<State, "id" | "urn" | "inputs" | "propertyDependencies"> {
  readonly kind: string;
  readonly name: string;
  /** Its entry in the engine's own import file, without an id. */
  readonly entry: ImportedResource;
  /** Inputs of its provider where the program made one for it. */
  readonly providerInputs: Readonly<Properties> | undefined;
}

export type Declared = ReturnType<typeof readDeclared>;

/**
 * Reads the output of `pulumi preview --json --show-sames --import-file`. The creating steps and the entries of the
 * file come from the same events, in the same order.
 *
 * @throws when these are not what it writes
 */
export function readDeclared(preview: unknown, importFile: unknown) {
  const { refreshed, planned } = readPreview(preview);
  const steps = [...refreshed, ...planned];
  const file = importFileSchema.parse(importFile);
  const isInFile = ({ urn, newState }: Step) =>
    newState?.type !== "pulumi:pulumi:Stack" && !isDefaultProvider(urn);
  const created = steps.filter((step) => step.op === "create" && isInFile(step));
  const states = new Map(steps.map(({ urn, newState }) => [urn, newState]));
  const providerOf = (state: State) => {
    const provider = state.provider?.replace(/::[^:]*$/, "");
    const isOwn = provider !== undefined && !isDefaultProvider(provider);
    return isOwn ? (states.get(provider)?.inputs ?? {}) : undefined;
  };
  const resources = file.resources.flatMap((entry, index): DeclaredResource[] => {
    const kind = kindOfType(entry.type);
    if (kind === undefined) return [];
    const name = entry.logicalName ?? entry.name;
    const { urn = "", newState } = created[index] ?? {};
    if (newState?.type !== entry.type || nameOfUrn(urn) !== name) {
      throw new Error("The Pulumi CLI lists the resources of one preview in two orders. Update the CLI.");
    }
    return [{ ...newState, kind, name, id: undefined, entry, providerInputs: providerOf(newState) }];
  });
  const inState = steps.flatMap(({ op, urn, oldState, newState }): DeclaredResource[] => {
    // The engine reports a step before it copies the id to the new state.
    const id = newState?.id ?? oldState?.id;
    if (op === "create" || !id || newState?.kind === undefined) return [];
    const { kind, type } = newState;
    const name = nameOfUrn(urn);
    return [{ ...newState, kind, name, id, entry: { type, name }, providerInputs: providerOf(newState) }];
  });
  const owners = steps.flatMap(({ urn, oldState, newState }): [string, string][] => {
    const kind = kindOfUrn(urn);
    const { id, external, retainOnDelete } = oldState ?? {};
    // Deleting a resource that the program no longer declares deletes its object, unless an option keeps that.
    const isOwner = !external && (newState || !retainOnDelete);
    return kind !== undefined && id && isOwner ? [[objectKey(kind, id), nameOfUrn(urn)]] : [];
  });
  return {
    /** Those that the stack doesn't have. */
    resources,
    inState,
    /** Names of the resources in state that own objects, by the keys of the objects. */
    owners: new Map(owners),
    /** The engine's import file: all that would be created, with parents and providers. */
    importFile: file,
  };
}

/**
 * Returns the file that imports some declared resources, and the components and providers that these refer to.
 *
 * @param imported entries with ids, by the entries of the engine's file
 */
export function importFileFor(
  { importFile }: Declared,
  imported: ReadonlyMap<ImportedResource, ImportedResource>,
): ImportFile {
  const byName = new Map(importFile.resources.map((entry) => [entry.name, entry]));
  const needed = new Set<ImportedResource>();
  const names = new Set<string>();
  const need = (entry: ImportedResource) => {
    if (needed.has(entry)) return;
    needed.add(entry);
    for (const name of [entry.parent, entry.provider]) {
      if (name === undefined) continue;
      names.add(name);
      const other = byName.get(name);
      // A parent with a separate id must be in the state, or be imported as well.
      if (other !== undefined) need(other);
    }
  };
  for (const entry of imported.keys()) need(entry);
  const table = Object.entries(importFile.nameTable ?? {}).filter(([name]) => names.has(name));
  return {
    ...(table.length > 0 && { nameTable: Object.fromEntries(table) }),
    resources: importFile.resources
      .filter((entry) => needed.has(entry))
      .map((entry) => imported.get(entry) ?? entry),
  };
}
