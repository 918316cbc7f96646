import * as z from "zod";
import { kinds, placeIn } from "../../provider/for-commands/kinds.js";
import type { Properties } from "../../shared/protocol/encoded-values.js";
import { identityOf } from "../../shared/protocol/identity.js";
import { kindOfType, kindOfUrn } from "../../shared/protocol/type-token.js";
import { typeOfUrn } from "../../shared/protocol/urn.js";

/** A resource as the engine writes it: in a stack's export, and before or after a step. */
export type State = Readonly<z.infer<typeof stateSchema>>;

export type Step = Readonly<z.infer<typeof stepSchema>>;

const properties = z
  .record(z.string(), z.unknown())
  .nullish()
  .transform((all): Readonly<Properties> => all ?? {});
/** The engine writes null for a property that comes from no resource. */
const dependencies = z
  .record(
    z.string(),
    z
      .array(z.string())
      .nullable()
      .transform((urns) => urns ?? []),
  )
  .nullish()
  .transform((all) => all ?? {});

export const stateSchema = z
  .object({
    urn: z.string(),
    type: z.string().optional(),
    id: z.string().optional(),
    /** False for a component. */
    custom: z.boolean().optional(),
    delete: z.boolean().optional(),
    /** Read by the program, and not managed by it. */
    external: z.boolean().optional(),
    retainOnDelete: z.boolean().optional(),
    /** The URN of a resource whose deletion is taken for this one's, so that Pulumi sends none. */
    deletedWith: z.string().optional(),
    parent: z.string().optional(),
    /** The URN and id of its provider. */
    provider: z.string().optional(),
    /** The line of the program: `project:///index.ts#22,15`. A function without a name has none. */
    sourcePosition: z.string().optional(),
    /** The calls that led there, the last one first. */
    stackTrace: z.array(z.object({ sourcePosition: z.string().optional() })).nullish(),
    inputs: properties,
    outputs: properties,
    /** Resources that its properties come from, by property. */
    propertyDependencies: dependencies,
    additionalSecretOutputs: z.array(z.string()).nullish(),
  })
  .transform(({ id, type: given, delete: isReplaced = false, ...state }) => {
    const type = given ?? typeOfUrn(state.urn);
    const kind = kindOfType(type);
    const inputs = withIdentities(kind, state.inputs);
    const outputs = withIdentities(kind, state.outputs);
    return {
      ...state,
      inputs,
      outputs,
      type,
      /** The class name: `Queue`. Undefined for a resource of another package. */
      kind,
      /** Undefined as long as there is no object. */
      id: id ? identityOf(id) : undefined,
      /** Replaced, and still to be deleted: by an earlier deployment, or by this preview. */
      pendingDeletion: isReplaced,
      /** Inputs win: a preview has outputs from before or none, and a read changes both or neither. */
      properties: { ...outputs, ...inputs },
    };
  });

/** Returns properties with the ids of other objects in the one form in which ids are compared. */
function withIdentities(kind: string | undefined, properties: Readonly<Properties>): Readonly<Properties> {
  const described = kinds.get(kind ?? "");
  if (described === undefined) return properties;
  const refers = (name: string) =>
    name === described.parent?.argument || described.arguments[name]?.refersTo !== undefined;
  const identity = (value: unknown): unknown =>
    typeof value === "string" ? identityOf(value) : Array.isArray(value) ? value.map(identity) : value;
  const entries = Object.entries(properties);
  return Object.fromEntries(entries.map(([name, value]) => [name, refers(name) ? identity(value) : value]));
}

export const stepSchema = z.object({
  op: z.string(),
  urn: z.string(),
  oldState: stateSchema.nullish(),
  newState: stateSchema.nullish(),
  diffReasons: z.array(z.string()).nullish(),
  replaceReasons: z.array(z.string()).nullish(),
  detailedDiff: z.record(z.string(), z.unknown()).nullish(),
});

/** Identifies an object among all others of a service, in whatever case its id is written. */
export function objectKey(kind: string, id: string): string {
  return `${kind} ${identityOf(id)}`;
}

/** Returns the names of the projects whose stacks are read: `acme-clusters` for `organization/acme-clusters/production`. */
export function projectsRead(states: readonly State[]): string[] {
  return states.flatMap(({ type, id, inputs }) => {
    const parts = type === "pulumi:pulumi:StackReference" ? String(id ?? inputs.name).split("/") : [];
    return parts.length === 3 ? (parts[1] ?? []) : [];
  });
}

/** A replaced object that is still to be deleted has an entry of its own, with the URN of its replacement. */
export function entryOf({ urn, oldState }: Pick<Step, "urn" | "oldState">): string {
  return `${urn} ${oldState?.id}`;
}

/** Returns whether a provider, by its URN with or without its id, is the one that has the stack's settings. */
export function isDefaultProvider(provider: string): boolean {
  return /::pulumi:providers:[^:]*::default(?:_[^:]*)?(?:::|$)/.test(provider);
}

/** Returns the type and the key of the object that a resource is in, and the argument that names it; undefined if none does. */
export function containerOf({
  kind,
  properties,
  propertyDependencies,
}: Pick<State, "properties" | "propertyDependencies"> & { readonly kind: string }) {
  const described = kinds.get(kind);
  const parent = described && placeIn(described);
  if (parent === undefined) return undefined;
  // An object that is yet to be made has no id, but the URN of the resource that the argument comes from.
  const [given, ...others] = (propertyDependencies[parent.argument] ?? []).filter(
    (urn) => kindOfUrn(urn) === parent.kind,
  );
  const key = (others.length === 0 ? given : undefined) ?? properties[parent.argument];
  return key === undefined || key === "" ? undefined : { ...parent, key: String(key) };
}
