import type { Properties } from "../../../shared/protocol/encoded-values.js";
import { nameOfUrn } from "../../../shared/protocol/urn.js";
import type { Action } from "../drawing/actions.js";
import type { StateResource } from "../pulumi/stack-export.js";
import type { Text } from "./text.js";

/** An argument that changes. Its values have code marks where they are known. */
export interface ArgumentChange {
  readonly name: string;
  /** The value, or words in its place: `secret`, `known after deployment`. */
  readonly before: Text[number];
  readonly after: Text[number];
  readonly unknown: boolean;
  readonly replaces: boolean;
  /** The whole texts, if both are known and not secret, and have several lines. */
  readonly texts?: { readonly before: string; readonly after: string };
}

/** The object that contains another object, such as a queue's cluster. */
export interface Place {
  readonly kind: string;
  /** Equal for objects in one place: the URN of the resource that is given, or the id. */
  readonly key: string;
  /** Undefined for an object that is yet to be created. */
  readonly id: string | undefined;
  /** Its name on Buildkite, now or after its creation; undefined where no input shows it. */
  readonly name: string | undefined;
}

/**
 * A planned change of one object. This is the model that the report, the impact, the drawing and `drain` read: names
 * are Buildkite's, of now and of afterwards.
 */
export interface Change {
  readonly urn: string;
  readonly kind: string;
  readonly action: Action;
  /** An earlier deployment replaced the object and couldn't delete it, so this one does. */
  readonly pending: boolean;
  /** Id of the object as it is now; undefined if the object does not exist yet. */
  readonly id: string | undefined;
  /** Key, description or name, now or, before its creation, later. */
  readonly label: string;
  /** The stack has another object of this label in this place. */
  readonly shared: boolean;
  /** The label, with the resource's name in the program if the stack has, or may have, another object of this label. */
  readonly title: Text;
  /** Inputs and outputs as they are, and as they will be. */
  readonly before: Readonly<Properties>;
  readonly after: Readonly<Properties>;
  /** Where it is now or, before its creation, later. */
  readonly place: Place | undefined;
  /** Where its replacement will be, if that is another place. */
  readonly movesTo: Place | undefined;
  /** Outputs of the component that it is in, as the last deployment left them; undefined where no input shows them. */
  readonly component: Readonly<Properties> | undefined;
  readonly changed: readonly ArgumentChange[];
  /** Arguments that were changed outside of the program; the deployment sets the program's values. */
  readonly undoes: readonly string[];
  /** The value of the option `import`, where it imports. */
  readonly adopts?: string;
  /** Returns the name of the object that an argument will refer to. */
  nameAfter(argument: string): string | undefined;
}

/** Returns whether an object disappears: it is deleted, or another one takes its place. */
export function disappears({ action }: { readonly action: Action | undefined }): boolean {
  return action === "delete" || action === "replace";
}

/** Returns whether an argument changes. */
export function changes({ changed }: Change, argument: string): boolean {
  return changed.some(({ name }) => name === argument);
}

/** Returns the name of a place. A name that exists only in the program is marked. */
export function placeText({ name, key }: Place): Text {
  if (name !== undefined) return [{ code: name }];
  return key.startsWith("urn:") ? [{ code: nameOfUrn(key) }, " (its name in the program)"] : [{ code: key }];
}

/** Returns where something moves to. */
export function newPlaceText(place: Place): Text {
  return place.id === undefined ? ["a new cluster, ", ...placeText(place)] : placeText(place);
}

/** Returns `` of `Linux` ``; an empty text for an object that is directly in the organization. */
export function ofPlace(place: Place | undefined): Text {
  return place === undefined ? [] : [" of ", ...placeText(place)];
}

/** An object that the stack manages today. */
export interface Managed extends Pick<StateResource, "urn" | "kind" | "id" | "properties"> {
  readonly label: string;
}
