import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { Project } from "./project.js";

const PACK = join(__dirname, "..", "..", "examples", "policies");
const POLICIES = `--policy-pack '${PACK}' --policy-pack-config policies.json`;

/** For each rule, what breaks it and what keeps it, named `bad` and `good`. Descriptions are given where they are not the point. */
const rules: Readonly<Record<string, { readonly bad: string; readonly good: string }>> = {
  "agent-token-addresses": {
    bad: `
      new AgentToken("bad", { clusterId: shared, description: "Anywhere" });
      new AgentToken("bad-open", { clusterId: shared, description: "Anywhere as well", allowedIpAddresses: ["10.0.0.0/8", "0.0.0.0/0"] });`,
    good: `new AgentToken("good", { clusterId: shared, description: "Office", allowedIpAddresses: ["10.0.0.0/8"] });`,
  },
  "cluster-default-queue": {
    bad: `new Cluster("bad", { name: "Without", description: "-" });`,
    good: `
      const cluster = new Cluster("good", { name: "With", description: "-" });
      const queue = new Queue("good-queue", { clusterId: cluster, key: "one", description: "-" });
      new ClusterDefaultQueue("good-default", { clusterId: cluster, queueId: queue.id });`,
  },
  protected: {
    bad: `new Team("bad", { name: "Release", description: "-" });`,
    good: `new Team("good", { name: "Security", description: "-" }, { protect: true });`,
  },
  "team-pipelines": {
    bad: `new Team("bad", { name: "Mobile", description: "-", membersCanCreatePipelines: true });`,
    good: `
      new Team("good", { name: "Platform", description: "-", membersCanCreatePipelines: true });
      new Team("good-none", { name: "Web", description: "-", membersCanCreatePipelines: false });`,
  },
  description: {
    bad: `
      new Queue("bad", { clusterId: shared, key: "silent" });
      new Queue("bad-blank", { clusterId: shared, key: "blank", description: " " });`,
    good: `new Queue("good", { clusterId: shared, key: "told", description: "For builds" });`,
  },
};

const LIMITS = {
  protected: { names: ["Release", "protected-good"] },
  "team-pipelines": { allowed: ["Platform"] },
  "agent-token-age": { maxDays: 30 },
};

/** A program with all resources of either backend. */
function program(backend: string, kept: readonly ("bad" | "good")[]): string {
  const blocks = Object.entries(rules).map(([rule, programs]) => {
    const named = kept
      .map((which) => programs[which].replaceAll(/new (\w+)\("/g, `new $1("${rule}-`))
      .join("");
    return `{${named}\n}`;
  });
  return `import { AgentToken, Cluster, ClusterDefaultQueue, Queue, Team } from "${backend}";
const shared = new Cluster("shared", { name: "Shared", description: "-" });
const any = new Queue("any", { clusterId: shared, key: "any", description: "-" });
new ClusterDefaultQueue("any", { clusterId: shared, queueId: any.id });
${blocks.join("\n")}
`;
}

/** The resources that each rule reports, by the rule's name. */
function violations(output: string): Readonly<Record<string, readonly string[]>> {
  const found: Record<string, string[]> = {};
  for (const [, rule = "", name = ""] of output.matchAll(/^ *- \[\w+\] +(\S+) +\(\S+: (\S+)\)$/gm))
    found[rule] = [...(found[rule] ?? []), name].sort();
  return found;
}

describe.each(["pulumi-buildpipeline", "pulumi-buildpipeline/native"])("The policies, with %s", (backend) => {
  let project: Project;
  let preview: Readonly<Record<string, readonly string[]>>;

  beforeAll(async () => {
    project = await Project.start();
    project.write("package.json", '{ "main": "index.ts" }');
    project.write("Pulumi.yaml", "name: ruled\nruntime: nodejs\n");
    configure({});
    await project.newStack();
    project.write("index.ts", program(backend, ["bad", "good"]));
    preview = violations(await project.refused(`pulumi preview ${POLICIES}`));
  });

  const configure = (levels: Readonly<Record<string, unknown>>) =>
    project.write("policies.json", JSON.stringify({ ...LIMITS, ...levels }));

  test.each(Object.entries(rules))(
    "a preview by the rule %s reports what breaks it, and nothing else",
    (rule, { bad }) => {
      const broken = [...bad.matchAll(/new \w+\("([^"]+)"/g)].map(([, name]) => `${rule}-${name}`);
      expect(preview[rule]).toEqual(broken.sort());
    },
  );

  test("a program that keeps all rules is deployed with them", async () => {
    project.write("index.ts", program(backend, ["good"]));
    await project.shell(`pulumi up --yes --skip-preview ${POLICIES}`);
    const urns = (await project.resources()).map(({ urn }) => urn);
    expect(urns.some((urn) => urn.endsWith("::protected-good"))).toBe(true);
  });

  test("levels are configuration: an advisory rule refuses nothing, a disabled one says nothing", async () => {
    project.write("index.ts", program(backend, ["bad", "good"]));
    configure({ all: "advisory", description: "disabled" });
    const { description, ...rest } = preview;
    expect(description).toBeDefined();
    expect(violations(await project.shell(`pulumi preview ${POLICIES}`))).toEqual(rest);
    configure({});
  });

  test("a value that a preview doesn't know passes there, and is checked in the deployment before anything is sent", async () => {
    project.write(
      "index.ts",
      `${program(backend, ["good"])}
const unknown = new Cluster("unknown", { name: "Unknown", description: "-" });
const first = new Queue("first", { clusterId: unknown, key: "first", description: "-" });
new ClusterDefaultQueue("first", { clusterId: unknown, queueId: first.id });
new AgentToken("late", { clusterId: shared, description: "Late", allowedIpAddresses: unknown.id.apply(() => []) });
`,
    );
    const previewed = await project.shell(`pulumi preview ${POLICIES}`);
    expect(previewed).toMatch(/\[advisory\] +agent-token-addresses .*late\)/);
    expect(previewed).toContain("can't be known during preview");
    const deployed = await project.refused(`pulumi up --yes --skip-preview ${POLICIES}`);
    expect(violations(deployed)).toEqual({ "agent-token-addresses": ["late"] });
    const operations = project.emulator.requests.map(({ operation, body }) => [operation, body]);
    expect(operations).not.toContainEqual([
      "agentTokens.create",
      expect.objectContaining({ description: "Late" }),
    ]);
  });

  test("an old token is found in a state file, without a login and without the passphrase", async () => {
    const state = JSON.parse(await project.shell("pulumi stack export 2>/dev/null"));
    const token = state.deployment.resources.find(({ urn }: { urn: string }) =>
      urn.endsWith("addresses-good"),
    );
    const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();
    const analyze = (daysOld: number, daysLeft?: number) => {
      token.outputs.createdAt = inDays(-daysOld);
      if (daysLeft !== undefined) token.outputs.expiresAt = inDays(daysLeft);
      project.write("state.json", JSON.stringify(state));
      return `env -u PULUMI_BACKEND_URL -u PULUMI_CONFIG_PASSPHRASE pulumi policy analyze --file state.json ${POLICIES}`;
    };
    // The deployment that was refused may have ended before the cluster had its default queue.
    const young = await project.shell(`${analyze(29, 15)} || true`);
    expect(violations(young)).not.toHaveProperty("agent-token-age");
    const old = await project.refused(analyze(31));
    expect(violations(old)["agent-token-age"]).toEqual(["agent-token-addresses-good"]);
    expect(old).toContain(
      '"agent-token-addresses-good" is 31 days old, and 30 are allowed. Change its triggers.',
    );
    const expiring = await project.refused(analyze(1, 13));
    expect(violations(expiring)["agent-token-age"]).toEqual(["agent-token-addresses-good"]);
    expect(expiring).toContain(`"agent-token-addresses-good" expires on ${inDays(13).slice(0, 10)}.`);
  });
});
