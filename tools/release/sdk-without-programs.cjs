// Stands in for the SDK's entry in the bundled plugin: what constructing a component takes. The entry itself also loads
// the Automation API, TypeScript and npm's arborist, which serve programs only.
module.exports = {
  ...require("@pulumi/pulumi/output.js"),
  ...require("@pulumi/pulumi/resource.js"),
  ...require("@pulumi/pulumi/errors.js"),
  log: require("@pulumi/pulumi/log/index.js"),
  runtime: {
    ...require("@pulumi/pulumi/runtime/rpc.js"),
    ...require("@pulumi/pulumi/runtime/settings.js"),
    ...require("@pulumi/pulumi/runtime/stack.js"),
  },
};
