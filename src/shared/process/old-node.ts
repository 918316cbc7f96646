/** On an older Node the HTTP library fails with a stack that names neither Node nor this package. */
const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);

export const oldNode =
  major < 22 || (major === 22 && minor < 19)
    ? `pulumi-buildpipeline needs Node 22.19 or later; this is Node ${process.versions.node}.`
    : undefined;
