import * as z from "zod";
import type { Properties } from "../../shared/protocol/encoded-values.js";
import { kindOfType } from "../../shared/protocol/type-token.js";
import { nameOfUrn, typeOfUrn } from "../../shared/protocol/urn.js";
import { type ImportedResource, type ImportFile, importFileSchema } from "../shared/pulumi/import-file.js";
import { objectKey } from "../shared/pulumi/object-key.js";
import { dependenciesSchema } from "../shared/pulumi/stack-export.js";

/** Text of a preview in place of a secret. */
export const MASKED = "[secret]";

/** Returns whether a preview shows a value, or anything within it, as a secret. */
export function isMasked(value: unknown): boolean {
  if (value === MASKED) return true;
  return typeof value === "object" && value !== null && Object.values(value).some(isMasked);
}

/** A resource that a program declares. */
export interface DeclaredResource {
  readonly kind: string;
  readonly name: string;
  /** Undefined where its stack does not have it yet. */
  readonly id: string | undefined;
  readonly urn: string;
  /** Its inputs, as the provider completed them. */
  readonly inputs: Readonly<Properties>;
  /** URNs of the resources that its inputs come from, by input. */
  readonly propertyDependencies: Readonly<Record<string, readonly string[]>>;
  /** Its entry in the engine's own import file, without an id. */
  readonly entry: ImportedResource;
  /** Inputs of its provider where the program made one for it. */
  readonly providerInputs: Readonly<Properties> | undefined;
}

/** Resources that a program declares, from a preview. */
export interface Declared {
  readonly resources: readonly DeclaredResource[];
  /** Those that the stack has. */
  readonly inState: readonly DeclaredResource[];
  /** Names of the resources in state that own objects, by the keys of the objects. */
  readonly owners: ReadonlyMap<string, string>;
  /** The engine's import file: all that would be created, with parents and providers. */
  readonly importFile: ImportFile;
}

const inputs = z.record(z.string(), z.unknown()).nullish();
const stepsSchema = z.object({
  steps: z
    .array(
      z.object({
        op: z.string(),
        urn: z.string(),
        oldState: z
          .object({
            id: z.string().optional(),
            external: z.boolean().optional(),
            retainOnDelete: z.boolean().optional(),
          })
          .nullish(),
        newState: z
          .object({
            type: z.string(),
            id: z.string().optional(),
            provider: z.string().optional(),
            inputs,
            propertyDependencies: dependenciesSchema,
          })
          .nullish(),
      }),
    )
    .nullish(),
});
type StepState = NonNullable<NonNullable<z.infer<typeof stepsSchema>["steps"]>[number]["newState"]>;

/**
 * Reads the output of `pulumi preview --json --show-sames --import-file`. The creating steps and the entries of the
 * file come from the same events, in the same order.
 *
 * @throws when these are not what it writes
 */
export function readDeclared(preview: unknown, importFile: unknown): Declared {
  const steps = stepsSchema.parse(preview).steps ?? [];
  const file = importFileSchema.parse(importFile);
  const created = steps.filter(({ op, urn, newState }) => op === "create" && isInFile(urn, newState?.type));
  const states = new Map(steps.map(({ urn, newState }) => [urn, newState]));
  const providerOf = (state: StepState) => {
    const provider = state.provider?.replace(/::[^:]*$/, "");
    const isOwn = provider !== undefined && !isDefaultProvider(provider);
    return isOwn ? (states.get(provider)?.inputs ?? {}) : undefined;
  };
  const detailsOf = (state: StepState) => ({
    inputs: state.inputs ?? {},
    propertyDependencies: state.propertyDependencies,
    providerInputs: providerOf(state),
  });
  const resources = file.resources.flatMap((entry, index): DeclaredResource[] => {
    const kind = kindOfType(entry.type);
    if (kind === undefined) return [];
    const name = entry.logicalName ?? entry.name;
    const { urn = "", newState } = created[index] ?? {};
    if (newState?.type !== entry.type || nameOfUrn(urn) !== name) {
      throw new Error("The Pulumi CLI lists the resources of one preview in two orders. Update the CLI.");
    }
    return [{ kind, name, id: undefined, urn, entry, ...detailsOf(newState) }];
  });
  const inState = steps.flatMap(({ op, urn, oldState, newState }): DeclaredResource[] => {
    const kind = newState ? kindOfType(newState.type) : undefined;
    // The engine reports a step before it copies the id to the new state.
    const id = newState?.id || oldState?.id;
    if (op === "create" || !newState || !id || kind === undefined) return [];
    const name = nameOfUrn(urn);
    return [{ kind, name, id, urn, entry: { type: newState.type, name }, ...detailsOf(newState) }];
  });
  const owners = steps.flatMap(({ urn, oldState, newState }): [string, string][] => {
    const kind = kindOfType(typeOfUrn(urn));
    const { id, external, retainOnDelete } = oldState ?? {};
    // Deleting a resource that the program no longer declares deletes its object, unless an option keeps that.
    const isOwner = !external && (newState || !retainOnDelete);
    return kind !== undefined && id && isOwner ? [[objectKey(kind, id), nameOfUrn(urn)]] : [];
  });
  return { resources, inState, owners: new Map(owners), importFile: file };
}

function isInFile(urn: string, type: string | undefined): boolean {
  return type !== "pulumi:pulumi:Stack" && !isDefaultProvider(urn);
}

function isDefaultProvider(urn: string): boolean {
  return /::pulumi:providers:[^:]*::default(?:_|$)/.test(urn);
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
