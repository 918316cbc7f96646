import { type CommandStep, Pipeline as Steps } from "@buildkite/buildkite-sdk";
import * as pulumi from "@pulumi/pulumi";
import { beforeEach, describe, expect, test } from "vitest";
import * as dynamic from "../../../src/index.js";
import * as native from "../../../src/provider/native/index.js";
import { type Registration, startNotingEngine } from "./registrations.js";

const clusterId = "0190f1c4-7d51-4b0e-9d5c-2f6a5a1c9b10";
let registrations: Registration[];

beforeEach(async () => {
  registrations = await startNotingEngine({
    newResource: ({ name, inputs }) => ({
      id: `id-of-${name}`,
      state: { ...inputs, slug: `slug-of-${name}` },
    }),
    call: () => ({}),
  });
});

describe.each([
  ["dynamic", dynamic],
  ["plugin", native],
])("%s", (_, { ClusterSecret, Pipeline, PipelineTemplate, Queue, Team }) => {
  const declared = () => ({
    small: new Queue("small", { clusterId, key: "small" }),
    secret: new ClusterSecret("npm", { clusterId, key: "NPM_TOKEN", value: "x" }),
    team: new Team("web", {
      name: "Web",
      privacy: "visible",
      isDefaultTeam: false,
      defaultMemberRole: "member",
    }),
    deploy: new Pipeline("deploy", { name: "Deploy", repository: "git@git.test:a.git", clusterId }),
  });
  const declare = (configuration: dynamic.PipelineTemplateArgs["configuration"]) =>
    new PipelineTemplate("node", { name: "Node", configuration });

  test("A resource in a step is what the step names, and Pulumi records the dependency", async () => {
    const { small, secret, team, deploy } = declared();
    declare({
      agents: { queue: small },
      secrets: [secret],
      steps: [
        {
          command: "make",
          agent_query_rules: { queue: pulumi.output(small) },
          secrets: { TOKEN: secret },
          checkout: { ssh_secret: secret },
        },
        pulumi.output({ group: "Deploy", steps: [{ trigger: deploy, build: { branch: "main" } }] }),
        { block: "Go", allowed_teams: [team] },
        { input: "Go", allowed_teams: team },
      ],
    });
    await expect.poll(() => registrations.map(({ name }) => name)).toContain("node");
    expect(registrations.find(({ name }) => name === "node")?.inputs.configuration).toEqual({
      agents: { queue: "small" },
      secrets: ["NPM_TOKEN"],
      steps: [
        {
          command: "make",
          agent_query_rules: { queue: "small" },
          secrets: { TOKEN: "NPM_TOKEN" },
          checkout: { ssh_secret: "NPM_TOKEN" },
        },
        { group: "Deploy", steps: [{ trigger: "slug-of-deploy", build: { branch: "main" } }] },
        { block: "Go", allowed_teams: ["id-of-web"] },
        { input: "Go", allowed_teams: "id-of-web" },
      ],
    });
    const { dependencies = [] } = registrations.find(({ name }) => name === "node") ?? {};
    expect(dependencies.map((urn) => urn.slice(urn.lastIndexOf(":") + 1)).sort()).toEqual([
      "deploy",
      "npm",
      "small",
      "web",
    ]);
  });

  test.each([
    ["steps[0].command", { command: "QUEUE" }],
    ["steps[0].agents.os", { agents: { os: "QUEUE" } }],
    ["steps[0].trigger", { trigger: "QUEUE" }],
    ["steps[0].env.agents.queue", { env: { agents: { queue: "QUEUE" } } }],
    [
      'steps[0].plugins[0]["docker#v5"].agents.queue',
      { plugins: [{ "docker#v5": { agents: { queue: "QUEUE" } } }] },
    ],
    ["steps[0].build.env.queue", { trigger: "x", build: { env: { queue: "QUEUE" } } }],
    ["steps[0].steps[0].secrets.KEY", { group: "G", steps: [{ secrets: { KEY: "QUEUE" } }] }],
  ])("A resource in %s is an error with the outputs to choose from", (place, step) => {
    const { small } = declared();
    const withQueue = (value: unknown): unknown => {
      if (value === "QUEUE") return small;
      if (Array.isArray(value)) return value.map(withQueue);
      if (typeof value !== "object" || value === null) return value;
      return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, withQueue(one)]));
    };
    const says = `"node": PipelineTemplate.configuration.${place}: is the Queue small; write small.id or small.key.`;
    expect(() => declare({ steps: [withQueue(step)] })).toThrow(says);
  });

  test("Buildkite's own object is the text that it writes at that moment", async () => {
    const steps = new Steps();
    steps.addStep({ command: "make", agents: { queue: "small" } });
    declare(steps);
    steps.addStep({ command: "later" });
    await expect.poll(() => registrations.map(({ name }) => name)).toContain("node");
    expect(registrations.find(({ name }) => name === "node")?.inputs.configuration).toBe(
      "steps:\n  - command: make\n    agents:\n      queue: small\n",
    );
  });

  test("Buildkite's own object can't have an output or a resource, which it would write as text", () => {
    const { small } = declared();
    const steps = new Steps().addStep({ command: "make", agents: { queue: small, os: small.key } });
    const says = "which toYAML() writes before anybody knows its value. Give configuration a plain object";
    expect(() => declare(steps)).toThrow(`configuration.steps[0].agents.queue: is the Queue small, ${says}`);
    expect(() => declare(steps)).toThrow(`configuration.steps[0].agents.os: is an Output, ${says}`);
  });

  test("A step of Buildkite's own type takes a resource where it takes any value", async () => {
    const { small } = declared();
    const step: CommandStep = { command: "make", agents: { queue: small } };
    declare({ steps: [step] });
    await expect.poll(() => registrations.map(({ name }) => name)).toContain("node");
    expect(registrations.find(({ name }) => name === "node")?.inputs.configuration).toEqual({
      steps: [{ command: "make", agents: { queue: "small" } }],
    });
  });
});
