import type { AnyKind } from "../resources/kind.js";

/** Identifies an object on the service. A view, such as a default queue, has the id of the object it belongs to. */
export interface ObjectKey {
  readonly organization: string;
  readonly kind: { readonly name: string };
  readonly id: string;
}

/** Where the objects of a kind are: in an organization and, of some kinds, in another object. */
export interface Where {
  readonly organization: string;
  readonly kind: AnyKind;
  /** The value of the argument that refers to the other object; "" for a kind without one. */
  readonly parent: string;
}

/** Refers to an object: with it, every request about the object can be sent. */
export interface ResourceRef extends Where {
  readonly id: string;
}

/** Returns the text by which an object is known. */
export function objectKeyOf({ organization, kind, id }: ObjectKey): string {
  return `${organization}/${kind.name}/${id}`;
}

/** Returns the text by which a place is known. */
export function placeKeyOf({ organization, kind, parent }: Where): string {
  return `${organization}/${kind.name}/${parent}`;
}
