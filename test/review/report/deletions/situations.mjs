// What is declared, and what becomes of it, for tests of which deletions Pulumi sends.
import * as fc from "fast-check";

/**
 * @typedef {"same" | "delete" | "first" | "after"} Fate `delete`: the program no longer declares it. `first`: its
 * replacement deletes first; `after`: its replacement creates first.
 * @typedef {object} Declared
 * @property {string} name
 * @property {"Cluster" | "Queue" | "AgentToken"} kind
 * @property {Fate} fate
 * @property {string} [cluster]
 * @property {string} [deletedWith]
 * @property {string} [root] Replacing this replaces the token.
 * @property {string} [follows] It is declared when this one exists.
 * @property {boolean} [retains]
 * @property {boolean} [forceDestroy]
 */

/** @type {readonly Fate[]} */
const FATES = ["same", "delete", "first", "after"];

/**
 * Each fate of two queues, of which the second is deleted with the first. A cluster has at most 50 queues.
 *
 * @returns {Declared[]}
 */
function pairs() {
  return [false, true].flatMap((retains) =>
    FATES.filter((leader) => !retains || leader !== "same").flatMap((leader) => {
      const cluster = `${leader}${retains ? "-kept" : ""}`;
      /** @type {Declared} */
      const place = { name: cluster, kind: "Cluster", fate: "same" };
      const queues = FATES.slice(1).flatMap((fate) => {
        const name = `${cluster}-${fate}`;
        /** @type {Declared[]} */
        const both = [
          { name: `${name}-leader`, kind: "Queue", fate: leader, cluster, retains },
          { name: `${name}-follower`, kind: "Queue", fate, cluster, deletedWith: `${name}-leader` },
        ];
        return both;
      });
      return [place, ...queues];
    }),
  );
}

/**
 * What a replacement that deletes first deletes as well, which the program declares again or not.
 *
 * @returns {Declared[]}
 */
function chains() {
  return /** @type {Fate[]} */ (["same", "delete"]).flatMap((fate) => {
    const cluster = fate === "same" ? "stays" : "removed";
    const of = (/** @type {string} */ name) => `${cluster}-${name}`;
    const queue = (/** @type {string} */ name) => ({ name: of(name), kind: "Queue", fate: "first", cluster });
    const token = (
      /** @type {string} */ name,
      /** @type {string} */ root,
      /** @type {object} */ more = {},
    ) => ({
      ...{ name: of(name), kind: "AgentToken", fate, cluster, root: of(root) },
      ...more,
    });
    return /** @type {Declared[]} */ ([
      { name: cluster, kind: "Cluster", fate: "same" },
      queue("one"),
      token("with-root", "one", { deletedWith: of("one") }),
      queue("two"),
      token("leader", "two"),
      token("with-leader", "two", { deletedWith: of("leader"), follows: of("leader") }),
      queue("three"),
      token("other", "three"),
      { ...queue("at-the-end"), fate: "delete", deletedWith: of("other") },
      { ...queue("later"), deletedWith: of("other"), follows: fate === "same" ? of("other") : of("three") },
    ]);
  });
}

/**
 * A queue that is deleted with its cluster. Without forceDestroy, a cluster that still has it is not deleted.
 *
 * @returns {Declared[]}
 */
function clusters() {
  return /** @type {const} */ ([
    ["first", false],
    ["first", true],
    ["after", true],
  ]).flatMap(([fate, forceDestroy]) => {
    const name = `cluster-${fate}${forceDestroy ? "-forced" : ""}`;
    return /** @type {Declared[]} */ ([
      { name, kind: "Cluster", fate, forceDestroy },
      { name: `${name}-queue`, kind: "Queue", fate: "same", cluster: name, deletedWith: name },
    ]);
  });
}

const member = fc.record({
  isToken: fc.boolean(),
  fate: fc.constantFrom(...FATES),
  retains: fc.constantFrom(false, false, false, true),
  /** Which of the earlier ones, if there are so many. */
  root: fc.nat(2),
  deletedWith: fc.nat(2),
});

/**
 * Clusters of a few queues and tokens that are deleted with each other at random. Each is declared when the one before
 * it exists, so that the engine's order is always the same.
 */
const groups = (/** @type {number} */ count) =>
  fc
    .array(fc.array(member, { minLength: 2, maxLength: 5 }), { minLength: count, maxLength: count })
    .map((all) =>
      all.flatMap((members, group) => {
        const cluster = `group-${group}`;
        const named = (/** @type {number} */ index) =>
          index < 0 ? undefined : `${cluster}-${members[index]?.isToken ? "token" : "queue"}-${index}`;
        const own = members.map(({ isToken, fate, retains, root, deletedWith }, index) => ({
          ...{ name: named(index), kind: isToken ? "AgentToken" : "Queue", fate, retains, cluster },
          ...(isToken && { root: named(index - 1 - root) }),
          deletedWith: named(index - 1 - deletedWith),
          follows: named(members.findLastIndex((one, at) => at < index && one.fate !== "delete")),
        }));
        return /** @type {Declared[]} */ ([{ name: cluster, kind: "Cluster", fate: "same" }, ...own]);
      }),
    );

/** @param {number} seed @param {number} count @returns {Declared[]} */
export function randomSituation(seed, count) {
  return fc.sample(groups(count), { seed, numRuns: 1 }).flat();
}

/** @returns {Declared[]} */
export function recordedSituation() {
  return [...pairs(), ...chains(), ...clusters(), ...randomSituation(56, 15)];
}
