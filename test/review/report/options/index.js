const { AgentToken, Cluster, Queue } = require("pulumi-buildpipeline");

// Each resource is named after what its options and its change are; the version `before` is deployed first.
const after = process.env.RECORDED_VERSION !== "before";
const isProtectedGone = process.env.RECORDED_VERSION === "unprotected";
const changed = (/** @type {string} */ key) => ({ key: after ? `${key}-2` : key });

const farm = new Cluster("farm", { name: "Farm" });
const queue = (
  /** @type {string} */ name,
  /** @type {object} */ args = {},
  /** @type {import("@pulumi/pulumi").CustomResourceOptions} */ options = {},
) => new Queue(name, { clusterId: farm, key: name, ...args }, options);

queue("targeted", changed("targeted"));
queue("excluded", changed("excluded"));

// retainOnDelete
if (!after) queue("retain-delete", {}, { retainOnDelete: true });
queue("retain-replace", changed("retain-replace"), { retainOnDelete: true });
queue("retain-begins", changed("retain-begins"), { retainOnDelete: after });
queue("retain-ends", changed("retain-ends"), { retainOnDelete: !after });
queue("retain-first", changed("retain-first"), { retainOnDelete: true, deleteBeforeReplace: true });
const token = { clusterId: farm, description: "retain-token", triggers: { week: after ? 2 : 1 } };
new AgentToken("retain-token", token, { retainOnDelete: true });

// deleteBeforeReplace, replaceWith
queue("first", changed("first"), { deleteBeforeReplace: true });
const leader = queue("leader", changed("leader"));
new AgentToken("with-leader", { clusterId: farm, description: "with-leader" }, { replaceWith: [leader] });

queue("moves-with-leader", changed("moves-with-leader"), { deletedWith: leader });

// ignoreChanges, protect, aliases
queue("ignores", changed("ignores"), { ignoreChanges: ["key"] });
if (!isProtectedGone) queue("protected", after ? { description: "new" } : {}, { protect: true });
if (after) queue("renamed", { key: "renames" }, { aliases: [{ name: "renames" }] });
else queue("renames");

// deletedWith
if (!after) {
  const old = new Cluster("old", { name: "Old", forceDestroy: true });
  new Queue("with-cluster", { clusterId: old, key: "with-cluster" }, { deletedWith: old });
  new Queue("retain-in-old", { clusterId: old, key: "retain-in-old" }, { retainOnDelete: true });
  const kept = new Cluster("kept", { name: "Kept" }, { retainOnDelete: true });
  new Queue("with-kept-cluster", { clusterId: kept, key: "with-kept-cluster" }, { deletedWith: kept });
  const gone = queue("gone");
  queue("with-gone", {}, { deletedWith: gone });
  queue("with-farm", {}, { deletedWith: farm });
  queue("with-replaced", {}, { deletedWith: leader });
}

// The option import
const shared = new Cluster("shared", { name: "Shared" }, { import: "Shared" });
if (!after) new Queue("lent", { clusterId: shared, key: "lent" }, { import: "Shared/lent" });
if (after) new Queue("adopted", { clusterId: shared, key: "adopted" }, { import: "Shared/adopted" });
