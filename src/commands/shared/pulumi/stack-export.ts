import * as z from "zod";
import type { Properties } from "../../../shared/protocol/encoded-values.js";
import { kindOfType } from "../../../shared/protocol/type-token.js";
import { typeOfUrn } from "../../../shared/protocol/urn.js";
import { objectKey } from "./object-key.js";

/** A resource of one of this package's kinds, as a state has it. */
export interface StateResource {
  readonly urn: string;
  /** Its type token, of either provider: `pulumi-nodejs:dynamic/buildpipeline:Queue` or `buildpipeline:index:Queue`. */
  readonly type: string;
  /** The class name: `Queue`. */
  readonly kind: string;
  readonly id: string;
  /** Identifies its object among all others, as {@link objectKey} does. */
  readonly key: string;
  /** Inputs and outputs together, the outputs first. Secrets are not readable. */
  readonly properties: Readonly<Properties>;
  /** Inputs from the program. */
  readonly inputs: Readonly<Properties>;
  /** Read by the program, and not managed by it. */
  readonly external: boolean;
  /** Replaced, and still to be deleted. */
  readonly pendingDeletion: boolean;
  /** The URN of a resource whose deletion is taken for this one's. */
  readonly deletedWith?: string | undefined;
  /** Resources that its properties come from, by property. */
  readonly propertyDependencies: Readonly<Record<string, string[]>>;
}

/** The engine writes null for a property that comes from no resource. */
export const dependenciesSchema = z
  .record(
    z.string(),
    z
      .array(z.string())
      .nullable()
      .transform((urns) => urns ?? []),
  )
  .nullish()
  .transform((all) => all ?? {});
const properties = z.record(z.string(), z.unknown()).nullish();
const resourceSchema = z.object({
  urn: z.string(),
  type: z.string(),
  id: z.string().optional(),
  external: z.boolean().optional(),
  provider: z.string().optional(),
  custom: z.boolean().optional(),
  delete: z.boolean().optional(),
  deletedWith: z.string().optional(),
  inputs: properties,
  outputs: properties,
  propertyDependencies: dependenciesSchema,
});
const exportSchema = z.object({
  deployment: z.object({
    manifest: z.object({ time: z.string().optional() }).nullish(),
    resources: z.array(resourceSchema).nullish(),
    pending_operations: z
      .array(z.object({ type: z.string(), resource: resourceSchema.partial({ type: true }) }))
      .nullish(),
  }),
});

/** A stack, from `pulumi stack export`. */
export interface StackState {
  /** Resources of this package. */
  readonly resources: readonly StateResource[];
  /** Operations of any package. */
  readonly interrupted: readonly PendingOperation[];
  /** When the engine wrote it last. */
  readonly writtenAt?: string | undefined;
  /** Outputs of components, by URN. */
  readonly components: ReadonlyMap<string, Readonly<Properties>>;
}

/** A step of a deployment that began, and whose end the state doesn't have: the engine was killed. */
export interface PendingOperation {
  /** `creating`, `updating`, `deleting`, … */
  readonly operation: string;
  readonly urn: string;
  readonly type: string;
  /** The class name, if it is a resource of this package. */
  readonly kind: string | undefined;
  /** The URN and id of its provider. */
  readonly provider: string | undefined;
  /** Inputs from the program. Secrets are not readable. */
  readonly inputs: Readonly<Properties>;
}

/**
 * Reads the output of `pulumi stack export`, of any stack.
 *
 * @throws if the value isn't such an export
 */
export function readStackState(value: unknown): StackState {
  const parsed = exportSchema.safeParse(value);
  if (!parsed.success)
    throw new Error("is not what `pulumi stack export` prints: it has no deployment with resources.");
  const { manifest, resources, pending_operations } = parsed.data.deployment;
  return {
    writtenAt: manifest?.time,
    resources: (resources ?? []).flatMap((resource) => {
      const { urn, type, id, inputs, outputs, external, deletedWith, propertyDependencies } = resource;
      const kind = kindOfType(type);
      if (kind === undefined || !id) return [];
      return {
        urn,
        type,
        kind,
        id,
        key: objectKey(kind, id),
        properties: { ...inputs, ...outputs },
        inputs: inputs ?? {},
        external: external === true,
        pendingDeletion: resource.delete === true,
        deletedWith,
        propertyDependencies,
      };
    }),
    interrupted: (pending_operations ?? []).map(
      ({ type: operation, resource: { urn, type = typeOfUrn(urn), provider, inputs } }) => ({
        operation,
        urn,
        type,
        provider,
        kind: kindOfType(type),
        inputs: inputs ?? {},
      }),
    ),
    components: new Map(
      (resources ?? []).flatMap(({ urn, custom, outputs }) =>
        custom === false ? [[urn, outputs ?? {}]] : [],
      ),
    ),
  };
}
