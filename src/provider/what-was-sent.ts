import type { AnyKind } from "../resources/kind.js";
import type { Arguments, Observed } from "../resources/value-roles.js";
import { sameOnService } from "./equality.js";

/** Returns whether a response is about the object of a creation: all required arguments in it are as they were sent. */
export function isWhatWasSent(kind: AnyKind, args: Arguments, observed: Observed): boolean {
  return Object.entries(kind.arguments).every(
    ([name, field]) =>
      field.whenOmitted !== "required" ||
      !(name in observed) ||
      sameOnService(kind, name, args[name], observed[name]),
  );
}

/** Returns whether everything that the service returns of an object is as it was sent. */
export function hasWhatWasSent(kind: AnyKind, args: Arguments, observed: Observed): boolean {
  return Object.entries(kind.arguments).every(
    ([name, field]) =>
      !(name in observed) ||
      field.apply !== undefined ||
      field.whenOmitted === "unmanaged" ||
      sameOnService(kind, name, args[name] ?? field.default, observed[name]),
  );
}
