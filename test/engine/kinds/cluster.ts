import type { ClusterArgs } from "../../../src/index.js";
import type { KindCase } from "./kind-case.js";

export const clusterCase: KindCase<ClusterArgs> = {
  kind: "Cluster",
  declare: (classes, name, args, opts) => new classes.Cluster(name, args, opts),
  get: (classes, name, id) => classes.Cluster.get(name, id),
  args: () => ({ name: "Linux", description: "Builds", emoji: ":penguin:", color: "#14CC80" }),
  another: (args, name) => ({ ...args, name: `${args.name} ${name}` }),
  onService: () => ({ name: "Linux", description: "Builds", emoji: ":penguin:" }),
  changes: () => ({
    name: [{ to: "Linux 2", expect: "update", onService: { name: "Linux 2" } }],
    description: [
      { to: "Tests", expect: "update", onService: { description: "Tests" } },
      { to: undefined, expect: "update", onService: { description: null } },
    ],
    emoji: [{ to: ":snail:", expect: "update", onService: { emoji: ":snail:" } }],
    color: [{ to: "#ff0000", expect: "update", onService: { color: "#ff0000" } }],
    forceDestroy: [{ to: true, expect: "update", onService: { name: "Linux forcedestroy" } }],
  }),
  drifts: [
    {
      of: ["name", "description", "emoji", "color"],
      body: { name: "By hand", description: "by hand", emoji: ":hand:", color: "#000000" },
    },
    { of: ["description", "color"], body: { description: "", color: null } },
  ],
  path: (_, id) => `/clusters/${id}`,
  list: () => "/clusters",
  updateMethod: "PUT",
  importName: (_, cluster) => String(cluster.name),
  byHand: (colleague) =>
    colleague.sends("POST", "/clusters", {
      name: "Linux",
      description: "Builds",
      emoji: ":penguin:",
      color: "#14cc80",
    }),
  unreturned: { forceDestroy: true },
  mismatch: { description: "something else" },
};
