// The main entry. npm installs from Git without `dist` if it may run no scripts.
"use strict";

try {
  module.exports = require("./dist/index.js");
} catch (error) {
  if (error?.code !== "MODULE_NOT_FOUND" || error.requireStack?.[0] !== __filename) throw error;
  const explained = new Error(
    "pulumi-buildpipeline is installed from Git, but npm ran no scripts, so it was not built. Allow its script `prepare`, or install a tarball of it (docs/guides/share.md).",
    { cause: error },
  );
  // The stack wouldn't help. Pulumi prints errors with this mark without it.
  explained.stack = explained.message;
  throw Object.assign(explained, { __pulumiRunError: true });
}
