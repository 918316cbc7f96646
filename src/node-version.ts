import { RUN_ERROR } from "./protocol/sdk-internals.js";

/**
 * Imported first by every entry: on an older Node the HTTP library fails with a stack that names neither Node nor
 * this package.
 */
const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);

if (major < 22 || (major === 22 && minor < 19)) {
  const error = new Error(
    `pulumi-buildpipeline needs Node 22.19 or later; this is Node ${process.versions.node}.`,
  );
  // The stack wouldn't help. Pulumi prints errors with the mark of its RunError without it.
  error.stack = error.message;
  throw Object.defineProperty(error, RUN_ERROR, { value: true });
}
