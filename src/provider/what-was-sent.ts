import type { AnyKind } from "../resources/kind.js";
import type { Properties } from "./engine-values.js";
import { sameOnService } from "./equality.js";

/** Whether a response is about the object of a creation: all required arguments in it are as they were sent. */
export function isWhatWasSent(kind: AnyKind, args: Properties, told: Properties): boolean {
  return Object.entries(kind.arguments).every(
    ([name, field]) =>
      field.whenOmitted !== "required" ||
      !(name in told) ||
      sameOnService(kind, name, args[name], told[name]),
  );
}

/** Whether everything that the service returns of an object is as it was sent. */
export function hasWhatWasSent(kind: AnyKind, args: Properties, told: Properties): boolean {
  return Object.entries(kind.arguments).every(
    ([name, field]) =>
      !(name in told) ||
      field.apply !== undefined ||
      field.whenOmitted === "unmanaged" ||
      sameOnService(kind, name, args[name] ?? field.default, told[name]),
  );
}
