import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { drawingOf } from "../../src/cli/drawing/drawing.js";
import { topologyAsJson, topologyOfResources } from "../../src/cli/drawing/topology.js";
import { readPreview } from "../../src/cli/pulumi/preview.js";
import { AgentToken, Queue } from "../../src/index.js";
import { type AnyKind, kinds } from "../../src/provider/for-commands/kinds.js";
import { findingsOf } from "../../src/review/findings/findings.js";
import { reportOf } from "../../src/review/findings/report.js";
import { markdown } from "../../src/review/forms/markdown.js";
import { planOf } from "../../src/review/plan/plan.js";
import { plainText } from "../../src/review/plan/text.js";
import { previewOf, stepOf } from "../support/recording.js";

const all = kinds as Map<string, AnyKind>;

/** A resource type that nothing but its description knows, in a cluster and in the organization. */
const machine: AnyKind = { ...Queue.kind, name: "MacMachine", words: { noun: "Mac machine", label: "key" } };
const { parent: _, ...outside } = AgentToken.kind;
const words = { noun: "mirror", label: "description" };
const mirror: AnyKind = { ...outside, name: "Mirror", words, section: "members" };

const report = (...steps: { readonly op: string }[]) =>
  reportOf(findingsOf(planOf(readPreview(previewOf(steps)))));

beforeAll(() => {
  for (const kind of [machine, mirror]) all.set(kind.name, kind);
});
afterAll(() => {
  for (const kind of [machine, mirror]) all.delete(kind.name);
});

describe("A report of a resource type that only its description knows", () => {
  test("has its noun, label and cluster", () => {
    const text = markdown(
      report(
        stepOf("create", "Cluster", "linux", { name: "Linux" }),
        stepOf("create", "MacMachine", "m1", { key: "m1", clusterId: "id-of-linux" }),
        stepOf("create", "Mirror", "git", { description: "git.example" }),
      ),
      10_000,
    );
    expect(text).toContain("| + create | Mac machine <code>m1</code> | <code>id-of-linux</code> |");
    expect(text).toContain("| + create | mirror <code>git.example</code> |  |");
  });

  test("calls its deletion dangerous, and names it among what a cluster takes with it", () => {
    const machines = stepOf("delete", "MacMachine", "m1", { key: "m1", clusterId: "id-of-linux" });
    const { consequences } = report(
      machines,
      stepOf("delete", "Mirror", "git", { description: "git.example" }),
    );
    expect(consequences.map(({ message }) => plainText(message).split(".")[0])).toEqual([
      "Mac machine m1 of id-of-linux is deleted",
      "Mirror git",
    ]);
    const whole = report(stepOf("delete", "Cluster", "linux", { name: "Linux" }), machines);
    expect(whole.consequences).toHaveLength(1);
    expect(markdown(whole, 10_000)).toContain(
      "its queues, its agent tokens, its cluster secrets and its Mac machines (<code>m1</code>). Anything else in it",
    );
  });
});

test("A drawing has a resource type that only its description knows, in its cluster and in the organization", () => {
  const resource = (kind: string, name: string, properties: Record<string, unknown>) => ({
    kind,
    id: `id-of-${name}`,
    urn: `urn:pulumi:production::ci::buildpipeline:index:${kind}::${name}`,
    properties,
    propertyDependencies: {},
  });
  const topology = topologyOfResources([
    resource("Cluster", "linux", { name: "Linux" }),
    resource("MacMachine", "m1", { key: "m1", clusterId: "id-of-linux", dispatchPaused: true }),
    resource("Mirror", "git", { description: "git.example" }),
  ]);
  expect(topologyAsJson(topology)).toMatchObject({
    clusters: [{ name: "Linux", queues: [], macMachines: [{ name: "m1", paused: true }] }],
    mirrors: [{ name: "git.example" }],
  });
  const { groups } = drawingOf(topology);
  expect(groups.map(({ title, members }) => [title, members.map(({ name }) => name)])).toEqual([
    ["Linux", ["m1"]],
    ["Mirrors", ["git.example"]],
  ]);
});
