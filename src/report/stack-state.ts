import * as z from "zod";
import { readStackExport, type StateResource } from "../inventory/stack-export.js";
import { nameOfUrn } from "../protocol/urn.js";

/** A stack before the deployment, from `pulumi stack export`. */
export interface StackState {
  readonly resources: readonly StateResource[];
  /** Operations of a deployment that was interrupted: `creating` and the resource's name in the program. */
  readonly interrupted: readonly { readonly operation: string; readonly name: string }[];
}

const operationsSchema = z.object({
  deployment: z.object({
    pending_operations: z
      .array(z.object({ type: z.string(), resource: z.object({ urn: z.string() }) }))
      .nullish(),
  }),
});

/** @throws if the value isn't what `pulumi stack export` prints */
export function readStackState(value: unknown): StackState {
  const resources = readStackExport(value);
  const { data } = operationsSchema.safeParse(value);
  return {
    resources,
    interrupted: (data?.deployment.pending_operations ?? []).map(({ type, resource }) => ({
      operation: type,
      name: nameOfUrn(resource.urn),
    })),
  };
}
