import type { SuiteArgs } from "../../../src/index.js";
import type { KindCase } from "./kind-case.js";

export const suiteCase: KindCase<SuiteArgs> = {
  kind: "Suite",
  declare: (classes, name, args, opts) => new classes.Suite(name, args, opts),
  get: (classes, name, id) => classes.Suite.get(name, id),
  args: () => ({
    name: "Unit tests",
    defaultBranch: "main",
    applicationName: "shop",
    color: "#f0ccff",
    emoji: ":test_tube:",
  }),
  another: (args, name) => ({ ...args, name: `${args.name} ${name}` }),
  onService: () => ({ name: "Unit tests", default_branch: "main" }),
  changes: () => ({
    name: [{ to: "All tests", expect: "update", onService: { name: "All tests" } }],
    defaultBranch: [{ to: "trunk", expect: "update", onService: { default_branch: "trunk" } }],
    teamIds: { testedBy: "refuses a later change of teamIds and names the way on" },
    applicationName: [{ to: undefined, expect: "update" }],
    color: [{ to: "#000", expect: "update" }],
    emoji: [{ to: "🧪", expect: "update" }],
  }),
  drifts: [{ of: ["name", "defaultBranch"], body: { name: "By hand", default_branch: "by-hand" } }],
  path: (_, __, slug) => `/suites/${slug}`,
  list: () => "/suites",
  updateMethod: "PATCH",
  importName: (_, suite) => String(suite.slug),
  byHand: (colleague) =>
    colleague.sends("POST", "/suites", {
      name: "Unit tests",
      default_branch: "main",
      application_name: "shop",
      color: "#F0CCFF",
      emoji: ":test_tube:",
    }),
  unreturned: { teamIds: ["0d7a5f4e-1b2c-4d3e-8f90-a1b2c3d4e5f6"] },
  mismatch: { defaultBranch: "develop" },
};
