import type { AnyKind } from "../../../provider/kind/kind.js";
import type { Observed } from "../../../provider/kind/value-roles.js";

/** An object of the service that a stack can own. */
export interface LiveObject {
  readonly kind: AnyKind;
  readonly id: string;
  /** Identifies it among all objects, as `objectKey` does. */
  readonly key: string;
  /** Its name for people. "" if it has no name. */
  readonly label: string;
  /** The object that it lives in; undefined where that is the organization. */
  readonly parent: LiveObject | undefined;
  /** The object with this one as a property, which the service lists in its place. */
  readonly viewOf: LiveObject | undefined;
  /** Arguments and outputs by their names in a program, as far as a list returns them. */
  readonly observed: Observed;
  readonly entity: object;
}

/** A kind by the type of its objects, as the client returns them. */
export interface TypedKind<Entity> {
  readonly name: string;
  identify(entity: Entity): string;
}

export function ofKind<Entity extends object>(objects: readonly LiveObject[], { name }: TypedKind<Entity>) {
  return objects.filter(
    (object): object is LiveObject & { readonly entity: Entity } => object.kind.name === name,
  );
}
