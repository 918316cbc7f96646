const { readFileSync } = require("node:fs");
const { join } = require("node:path");
const classes = require(process.env.DELETIONS_ENTRY ?? "pulumi-buildpipeline");

/**
 * Declares what a file lists, before or after a change that deletes and replaces much of it.
 *
 * @typedef {import("./situations.mjs").Declared} Declared
 */

/** @type {readonly Declared[]} */
const all = JSON.parse(readFileSync(join(__dirname, "situation.json"), "utf8"));
const after = process.env.RECORDED_VERSION !== "before";
/** @type {Map<string | undefined, import("pulumi-buildpipeline").Cluster | import("pulumi-buildpipeline").Queue | import("pulumi-buildpipeline").AgentToken>} */
const declared = new Map();

for (const { name, kind, fate, cluster, root, ...given } of all) {
  if (after && fate === "delete") continue;
  const isChanged = after && (fate === "first" || fate === "after");
  const [deletedWith, dependsOn] = [declared.get(given.deletedWith), declared.get(given.follows)];
  const options = {
    deleteBeforeReplace: fate === "first",
    retainOnDelete: given.retains === true,
    ...(deletedWith && { deletedWith }),
    ...(dependsOn && { dependsOn }),
  };
  const clusterId = declared.get(cluster)?.id ?? "";
  const triggers = { change: isChanged ? 2 : 1, ...(root !== undefined && { root: declared.get(root)?.id }) };
  const made = {
    Cluster: () => {
      const args = {
        name,
        description: isChanged ? "new" : "old",
        forceDestroy: given.forceDestroy === true,
      };
      return new classes.Cluster(name, args, { ...options, replaceOnChanges: ["description"] });
    },
    Queue: () => new classes.Queue(name, { clusterId, key: isChanged ? `${name}-2` : name }, options),
    // What its triggers refer to replaces it.
    AgentToken: () => new classes.AgentToken(name, { clusterId, description: name, triggers }, options),
  };
  declared.set(name, made[kind]());
}
