import type { Properties } from "../protocol/values.js";
import type { AnyKind } from "../resources/kind.js";
import { sameOnService } from "./equality.js";

/** Whether a response is about the object of a creation: all required arguments in it are as they were sent. */
export function isWhatWasSent(kind: AnyKind, args: Properties, observed: Properties): boolean {
  return Object.entries(kind.arguments).every(
    ([name, field]) =>
      field.whenOmitted !== "required" ||
      !(name in observed) ||
      sameOnService(kind, name, args[name], observed[name]),
  );
}

/** Whether everything that the service returns of an object is as it was sent. */
export function hasWhatWasSent(kind: AnyKind, args: Properties, observed: Properties): boolean {
  return Object.entries(kind.arguments).every(
    ([name, field]) =>
      !(name in observed) ||
      field.apply !== undefined ||
      field.whenOmitted === "unmanaged" ||
      sameOnService(kind, name, args[name] ?? field.default, observed[name]),
  );
}
