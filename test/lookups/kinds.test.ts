import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { kindReader } from "../../src/lookups/results/kind-result.js";
import { Cluster } from "../../src/resources/index.js";
import { CHECKOUT, optionsOf, problemsOf } from "../documentation/compiler.js";

/** What the compiler says of a lookup, as it is, when the file of its kind was changed. */
function problems(
  { kind, lookup }: { kind: string; lookup: string },
  changes: Readonly<Record<string, string>>,
  consumer = "",
): string[] {
  let text = readFileSync(join(CHECKOUT, kind), "utf8");
  for (const [before, after] of Object.entries(changes)) {
    if (!text.includes(before)) throw new Error(`${kind} has no ${JSON.stringify(before)}`);
    text = text.replace(before, after);
  }
  const files = { [kind]: text, [lookup]: undefined, "src/consumer.ts": consumer };
  return problemsOf(files, optionsOf("tsconfig.json"));
}

const clusters = { kind: "src/resources/cluster.ts", lookup: "src/lookups/clusters.ts" };
const agentTokens = { kind: "src/resources/agent-token.ts", lookup: "src/lookups/agent-tokens.ts" };
const outputs = "    outputs: {\n";
const CREATED = "  /** When it was created, ISO 8601 in UTC. */\n";

describe("a new output of a kind", () => {
  test("is in the lookup's result, which stays as it is", () => {
    const changes = {
      [outputs]: `${outputs}      address: { returnedAs: "web_url" },\n`,
      [CREATED]: `  /** New. */\n  declare readonly address: pulumi.Output<string | undefined>;\n${CREATED}`,
    };
    const consumer = (field: string) => `
      import { getCluster } from "./lookups/clusters.js";
      export const address = async () => (await getCluster({ id: "x" })).${field};
    `;

    expect(problems(clusters, changes, consumer("address"))).toEqual([]);
    expect(problems(clusters, changes, consumer("addres"))).toEqual([
      expect.stringContaining("Property 'addres' does not exist on type 'GetClusterResult'"),
    ]);
  }, 60_000);

  test("is read by its description", () => {
    const kind = { ...Cluster.kind, outputs: { address: { returnedAs: "web_url" } } } as const;
    const read = kindReader<typeof kind, Record<string, unknown>>(kind);

    const found = read(
      { id: "1", name: "Linux", emoji: null, web_url: "https://x" },
      { organization: "acme" },
    );

    expect(found).toEqual({ id: "1", name: "Linux", address: "https://x", organization: "acme" });
  });

  test("does not compile as a secret until the lookup says that it is left out", () => {
    const changes = {
      [outputs]: `${outputs}      spare: { returnedAs: "token", secret: true },\n`,
      [CREATED]: `  /** New. */\n  declare readonly spare: pulumi.Output<string | undefined>;\n${CREATED}`,
    };

    const found = problems(agentTokens, changes);

    expect(found).not.toEqual([]);
    for (const problem of found)
      expect(problem).toMatch(/^src\/lookups\/agent-tokens\.ts: .*'spare' is missing/s);
  }, 60_000);

  test("does not compile where the lookup leaves out what it could tell", () => {
    const changes = { 'token: { returnedAs: "token", secret: true }': 'token: { returnedAs: "token" }' };

    expect(problems(agentTokens, changes)).toEqual([
      expect.stringMatching(/^src\/lookups\/agent-tokens\.ts: .*'never'/s),
    ]);
  }, 60_000);
});

test("a new argument that the service never returns does not compile until the lookup leaves it out", () => {
  const changes = {
    "export interface ClusterArgs {":
      "export interface ClusterArgs {\n  spare?: pulumi.Input<string | undefined>;",
    "    arguments: {\n": `    arguments: {\n      spare: { ...optionalText, sentAs: "description" },\n`,
    [CREATED]: `  /** New. */\n  declare readonly spare: pulumi.Output<string | undefined>;\n${CREATED}`,
  };

  const found = problems(clusters, changes);

  expect(found).not.toEqual([]);
  for (const problem of found) expect(problem).toMatch(/^src\/lookups\/clusters\.ts: .*'spare' is missing/s);
}, 60_000);
