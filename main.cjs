// The main entry. npm installs from Git without `dist` if it may run no scripts.
"use strict";

const { existsSync } = require("node:fs");
const { join } = require("node:path");

if (!existsSync(join(__dirname, "dist"))) {
  const error = new Error(
    "pulumi-buildpipeline is installed from Git, but npm ran no scripts, so it was not built. Allow its script `prepare`, or install a tarball of it (docs/guides/share.md).",
  );
  // The stack wouldn't help. Pulumi prints errors with this mark without it.
  error.stack = error.message;
  throw Object.assign(error, { __pulumiRunError: true });
}

module.exports = require("./dist/index.js");
