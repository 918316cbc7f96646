import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { CHECKOUT, optionsOf, problemsOf } from "../documentation/compiler.js";

interface Change {
  readonly kind: string;
  readonly lookup: string;
  readonly replacements: Readonly<Record<string, string>>;
}

/** What the compiler says of lookups, as they are, when the files of their kinds were changed: one program for all. */
function problems(changes: readonly Change[], consumers: Readonly<Record<string, string>> = {}): string[] {
  const files = changes.flatMap(({ kind, lookup, replacements }): [string, string | undefined][] => {
    let text = readFileSync(join(CHECKOUT, kind), "utf8");
    for (const [before, after] of Object.entries(replacements)) {
      if (!text.includes(before)) throw new Error(`${kind} has no ${JSON.stringify(before)}`);
      text = text.replace(before, after);
    }
    return [
      [kind, text],
      [lookup, undefined],
    ];
  });
  return problemsOf({ ...Object.fromEntries(files), ...consumers }, optionsOf("tsconfig.json"));
}

const clusters = { kind: "src/resources/cluster.ts", lookup: "src/lookups/clusters.ts" };
const agentTokens = { kind: "src/resources/agent-token.ts", lookup: "src/lookups/agent-tokens.ts" };
const outputs = "    outputs: {\n";
const CREATED = "  /** When it was created, ISO 8601 in UTC. */\n";

const consumer = (field: string) => `
  import { getCluster } from "./lookups/clusters.js";
  export const address = async () => (await getCluster({ id: "x" })).${field};
`;

describe("a new output of a kind", () => {
  let found: readonly string[];
  beforeAll(() => {
    const address = {
      [outputs]: `${outputs}      address: { returnedAs: "web_url" },\n`,
      [CREATED]: `  /** New. */\n  declare readonly address: pulumi.Output<string | undefined>;\n${CREATED}`,
    };
    const spare = {
      [outputs]: `${outputs}      spare: { returnedAs: "token", secret: true },\n`,
      [CREATED]: `  /** New. */\n  declare readonly spare: pulumi.Output<string | undefined>;\n${CREATED}`,
    };
    found = problems(
      [
        { ...clusters, replacements: address },
        { ...agentTokens, replacements: spare },
      ],
      { "src/right.ts": consumer("address"), "src/misspelt.ts": consumer("addres") },
    );
  });
  const ofSecret = (problem: string) => problem.startsWith(agentTokens.lookup);

  test("is in the lookup's result, which stays as it is", () => {
    expect(found.filter((problem) => !ofSecret(problem))).toEqual([
      expect.stringMatching(
        /^src\/misspelt\.ts: .*Property 'addres' does not exist on type 'GetClusterResult'/s,
      ),
    ]);
  });

  test("does not compile as a secret until the lookup says that it is left out", () => {
    expect(found.filter(ofSecret)).not.toEqual([]);
    for (const problem of found.filter(ofSecret)) expect(problem).toMatch(/'spare' is missing/s);
  });
});

describe("A lookup does not compile", () => {
  let found: readonly string[];
  beforeAll(() => {
    const spare = {
      "export interface ClusterArgs {":
        "export interface ClusterArgs {\n  spare?: pulumi.Input<string | undefined>;",
      "    arguments: {\n": `    arguments: {\n      spare: { ...optionalText, sentAs: "description" },\n`,
      [CREATED]: `  /** New. */\n  declare readonly spare: pulumi.Output<string | undefined>;\n${CREATED}`,
    };
    const replacements = { 'token: { returnedAs: "token", secret: true }': 'token: { returnedAs: "token" }' };
    found = problems([
      { ...clusters, replacements: spare },
      { ...agentTokens, replacements },
    ]);
  });

  test("where it leaves out what it could tell", () => {
    expect(found.filter((problem) => problem.startsWith(agentTokens.lookup))).toEqual([
      expect.stringMatching(/'never'/s),
    ]);
  });

  test("until it leaves out a new argument that the service never returns", () => {
    const others = found.filter((problem) => !problem.startsWith(agentTokens.lookup));
    expect(others).not.toEqual([]);
    for (const problem of others)
      expect(problem).toMatch(/^src\/lookups\/clusters\.ts: .*'spare' is missing/s);
  });
});
