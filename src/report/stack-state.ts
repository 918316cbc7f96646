import { readPendingOperations, readStackExport, type StateResource } from "../inventory/stack-export.js";
import { nameOfUrn } from "../protocol/urn.js";

/** A stack before the deployment, from `pulumi stack export`. */
export interface StackState {
  readonly resources: readonly StateResource[];
  /** Operations of a deployment that was interrupted: `creating` and the resource's name in the program. */
  readonly interrupted: readonly { readonly operation: string; readonly name: string }[];
}

/** @throws if the value isn't what `pulumi stack export` prints */
export function readStackState(value: unknown): StackState {
  return {
    resources: readStackExport(value),
    interrupted: readPendingOperations(value).map(({ operation, urn }) => ({
      operation,
      name: nameOfUrn(urn),
    })),
  };
}
