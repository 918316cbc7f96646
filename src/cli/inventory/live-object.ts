import type { ListedObject } from "../../provider/for-commands/objects.js";

/** An object of the service that a stack can own. */
export interface LiveObject extends ListedObject {
  /** Identifies it among all objects, as `objectKey` does. */
  readonly key: string;
  /** Its name for people. "" if it has no name. */
  readonly label: string;
  /** The object that it lives in; undefined where that is the organization. */
  readonly parent: LiveObject | undefined;
  /** The object with this one as a property, which the service lists in its place. */
  readonly viewOf: LiveObject | undefined;
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
