import { type ArgumentReview, kinds } from "../../../src/provider/for-commands/kinds.js";

/** A change of one argument. */
export interface ArgumentCase {
  readonly kind: string;
  readonly name: string;
  readonly review: ArgumentReview;
  readonly whenOmitted: string;
  readonly before: unknown;
  readonly after: unknown;
}

const ADDRESSES = ["https://a.example/hook", "https://b.example/hook", "http://a.example/hook"];

/** Values of arguments, and of entries of maps, whose direction isn't in the values alone. */
const VALUES: Readonly<Record<string, readonly unknown[]>> = {
  allowedIpAddresses: [["10.0.0.0/8"], ["10.0.0.0/16"], ["192.0.2.7"], ["0.0.0.0/1", "128.0.0.0/1"]],
  branchConfiguration: ["main", "main release/*", "trunk", "!trunk"],
  cloneMirrorUrl: ["https://mirror.example/a.git", "https://mirror.example/b.git"],
  clusterId: ["c-linux", "c-gpu", ""],
  conditions: [["build.tag != null"], ["build.id != 1"], []],
  configuration: [
    "steps: []",
    "agents: { queue: small }",
    "steps: [wait]",
    "- wait",
    "steps: [{ block: Go }, { command: x }]",
    "steps: [{ command: x }]",
    "steps: [{ command: y }]",
  ],
  datadogSite: ADDRESSES,
  defaultClusterId: ["c-linux", "c-gpu", ""],
  defaultCommandStepTimeout: [5, 50],
  maximumCommandStepTimeout: [5, 50],
  endpoint: ADDRESSES,
  env: [{ A: "1" }, { A: "2" }],
  events: [["build.started"], ["build.started", "build.finished"]],
  expiresAt: ["2031-01-01T00:00:00Z", "2032-01-01T00:00:00Z"],
  filterCondition: ["build.tag", "build.id", ""],
  hostedAgents: [{ instanceShape: "A" }, { instanceShape: "B" }],
  oidcPolicy: ["- iss: https://a.example\n", "- iss: https://b.example\n", ""],
  pipelineTemplateUuid: ["t-1", "t-2"],
  policy: ["- a: 1\n", "- a: 1\n- b: 2\n", "- a: 1\n  b: 2\n", "- c: 3\n"],
  providerSettings: [true, false].map((buildTags) => ({
    buildTags,
    filterCondition: "build.tag",
    tagFilter: "v*",
  })),
  pullRequestBranchFilterConfiguration: ["main", "main release/*", "!trunk", ""],
  repository: ["git@github.com:acme/a.git", "git@github.com:acme/b.git", "git@github.com:evil/a.git"],
  revokeInactiveTokensAfterDays: [0, 30, 90],
  scopeIds: [["p-1"], ["p-2"], ["p-1", "p-2"]],
  url: ADDRESSES,
  value: ["a", "b"],
};

/** Returns values of an argument, or of an entry of a map, between which a change goes in each direction. */
export function valuesOf(name: string, { means, levels }: ArgumentReview): readonly unknown[] {
  const own = Object.keys(means).map((key) => (key === "true" ? true : key === "false" ? false : key));
  const isFlag = own.some((value) => typeof value === "boolean");
  return [
    undefined,
    ...(VALUES[name] ??
      levels ??
      (isFlag
        ? [true, false]
        : ["one", "two", ...own.filter((key) => !/^(?:changed|set|cleared|more|less)$/.test(String(key)))])),
    ...(levels ? levels.map((_, index) => levels.slice(0, index + 1)) : []),
  ];
}

/** Every argument of every kind with every pair of its values. */
export const ARGUMENTS: readonly ArgumentCase[] = [...kinds.values()].flatMap(
  ({ name: kind, arguments: fields }) =>
    Object.entries(fields)
      .filter(([, { review }]) => review.isElsewhere === undefined || Object.keys(review.means).length > 0)
      .flatMap(([name, { review, whenOmitted }]) => {
        const values = valuesOf(name, review);
        return values.flatMap((before) =>
          values.flatMap((after) =>
            before === after ? [] : [{ kind, name, review, whenOmitted, before, after }],
          ),
        );
      }),
);
