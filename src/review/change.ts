import type { Properties } from "../protocol/encoded-values.js";
/** Effect of a deployment on a resource. `release`: it is removed from state and kept on the service. */
export type Action = "create" | "adopt" | "update" | "replace" | "delete" | "release";

/** A planned change, as far as it may hit what runs. */
export interface PlannedChange {
  readonly urn: string;
  readonly kind: string;
  readonly action: Action;
  /** Of the object as it is now; undefined for one that does not exist yet. */
  readonly id: string | undefined;
  /** Name of the object for people, now or, before its creation, later. */
  readonly label: string;
  /** Inputs and outputs as they are, and as they will be. */
  readonly before: Readonly<Properties>;
  readonly after: Readonly<Properties>;
  /** Its parent now, such as a cluster. */
  readonly parentKind: string | undefined;
  readonly parentId: string | undefined;
  readonly parentName: string | undefined;
  /** Names of the properties that change. */
  readonly changed: ReadonlySet<string>;
  /** Returns the name of the object that a property will refer to. */
  nameAfter(property: string): string | undefined;
}

/** Returns whether an object disappears: it is deleted, or another one takes its place. */
export function disappears({ action }: { readonly action: Action | undefined }): boolean {
  return action === "delete" || action === "replace";
}
