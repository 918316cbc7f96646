import { RUN_ERROR } from "../protocol/sdk.js";
import { oldNode } from "./old-node.js";

/** Imported first by every entry. */
if (oldNode !== undefined) {
  const error = new Error(oldNode);
  // The stack wouldn't help. Pulumi prints errors with the mark of its RunError without it.
  error.stack = error.message;
  throw Object.defineProperty(error, RUN_ERROR, { value: true });
}
