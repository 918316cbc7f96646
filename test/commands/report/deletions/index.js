const { AgentToken, Cluster, Queue } = require("pulumi-buildpipeline");

// Whether Pulumi sends the deletion of what another resource is deleted with, in all combinations of how it deletes both.
const after = process.env.RECORDED_VERSION !== "before";
/** A cluster has at most 50 queues. */
let farm = new Cluster("farm", { name: "Farm" });

/** @typedef {import("@pulumi/pulumi").CustomResourceOptions} Options */
/** @typedef {"same" | "delete" | "first" | "after"} Fate What happens to the old object: deleted at the end, or before. */

/** @param {string} name @param {Fate} fate @param {Options} [options] */
function queue(name, fate, options) {
  if (after && fate === "delete") return undefined;
  const key = after && fate !== "same" ? `${name}-2` : name;
  return new Queue(name, { clusterId: farm, key }, { deleteBeforeReplace: fate === "first", ...options });
}

for (const retains of [false, true])
  for (const leader of /** @type {Fate[]} */ (["same", "delete", "first", "after"]))
    for (const follower of /** @type {Fate[]} */ (["delete", "first", "after"])) {
      if (retains && leader === "same") continue;
      if (follower === "delete") farm = new Cluster(`${leader}-${retains}`, { name: `${leader}-${retains}` });
      const name = `${leader}${retains ? "-kept" : ""}-${follower}`;
      const with_ = queue(`${name}-leader`, leader, { retainOnDelete: retains });
      queue(`${name}-follower`, follower, with_ && { deletedWith: with_ });
    }

/** A token that a replacement of the queue replaces, because it has the queue's id. */
function token(
  /** @type {string} */ name,
  /** @type {Queue | undefined} */ root,
  /** @type {Options} */ options = {},
) {
  return new AgentToken(name, { clusterId: farm, description: name, triggers: { queue: root?.id } }, options);
}

for (const isRemoved of [false, true]) {
  farm = new Cluster(`chain-${isRemoved}`, { name: `chain-${isRemoved}` });
  const isThere = !(after && isRemoved);
  const name = (/** @type {string} */ own) => `chain-${isRemoved ? "removed" : "stays"}-${own}`;
  // The token is deleted with the queue whose replacement deletes it.
  const one = queue(name("one"), "first");
  if (isThere) token(name("with-root"), one, { deletedWith: one });
  // A replacement deletes two tokens, one of them with the other.
  const two = queue(name("two"), "first");
  const leader = isThere ? token(name("leader"), two) : undefined;
  if (isThere) token(name("with-leader"), two, { deletedWith: leader, dependsOn: leader });
  // What is deleted at the end, or by a replacement of its own, with a token that a replacement deletes.
  const three = queue(name("three"), "first");
  const other = isThere ? token(name("other"), three) : undefined;
  queue(name("at-the-end"), "delete", { deletedWith: other });
  queue(name("later"), "first", { deletedWith: other, dependsOn: other ?? three });
}

for (const isFirst of [false, true])
  for (const forceDestroy of [false, true]) {
    // Without forceDestroy, a cluster that still has the queue is not deleted.
    if (!isFirst && !forceDestroy) continue;
    const name = `cluster-${isFirst ? "first" : "after"}${forceDestroy ? "-forced" : ""}`;
    const args = { name, description: after ? "new" : "old", forceDestroy };
    const options = { replaceOnChanges: ["description"], deleteBeforeReplace: isFirst };
    const cluster = new Cluster(name, args, options);
    new Queue(`${name}-queue`, { clusterId: cluster, key: `${name}-queue` }, { deletedWith: cluster });
  }
