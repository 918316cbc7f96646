import { describe, expect, test } from "vitest";
import { grammar } from "../../../src/provider/for-commands/kinds.js";
import { type Look, remarksOn } from "../../../src/provider/kind/steps.js";

const SMALL = "0190f1c4-7d51-4b0e-9d5c-2f6a5a1c9b10";
const LIVE: Readonly<Record<string, readonly { readonly id: string; readonly names: readonly string[] }[]>> =
  {
    Queue: [{ id: SMALL, names: ["small"] }],
    ClusterSecret: [{ id: "s", names: ["NPM_TOKEN"] }],
    Pipeline: [{ id: "p", names: ["deploy"] }],
    Team: [{ id: "0190f1c4-7d51-4b0e-9d5c-2f6a5a1c9b11", names: ["web", "Web"] }],
  };
const look: Look = async (kind) => LIVE[kind];

async function said(configuration: unknown, live: Look | undefined = look): Promise<string[]> {
  const remarks = await remarksOn(configuration, grammar, live);
  return remarks.map(
    ({ place, line, words, isRejected }) => `${isRejected ? "!" : ""}${line}:${place}: ${words}`,
  );
}

describe("Steps are remarked on with line and place where", () => {
  const remarked = async (yaml: string, says: string | RegExp) =>
    expect(await said(yaml)).toEqual([typeof says === "string" ? says : expect.stringMatching(says)]);

  test.each<[step: string, says: string | RegExp]>([
    ["command: a\n  lable: x", "!3:steps[0].lable: is no property of a command step. Did you mean label?"],
    ["trigger: deploy\n  agents: {}", "!3:steps[0].agents: is no property of a trigger step."],
    ["label: x", /^2:steps\[0\]: is a step of no type\. Give it one of group, trigger/],
    ["comand: x", "2:steps[0]: is a step of no type. Write command for comand."],
    ["{}", /^2:steps\[0\]: .* write `wait: ""` for `wait: ~`\.$/],
    ["wiat", /^2:steps\[0\]: is a step of no type/],
    [
      "command: a\n  key: x\n- group: g\n  steps:\n  - wait: ~\n    id: x",
      /^!\d:steps\[1\]\.steps\[0\]\.key: "x" is the key of another step/,
    ],
    ["command: a\n  key: x y", '!3:steps[0].key: "x y" has blanks, which no key may have.'],
    [
      "command: a\n  concurrency: 1",
      "!3:steps[0].concurrency: needs a concurrency_group, without which the API refuses it.",
    ],
    [
      "command: a\n  concurrency_group: g",
      "3:steps[0].concurrency_group: has no effect without concurrency.",
    ],
    [
      "group: a\n  steps:\n  - group: b\n    steps: [wait]",
      "!4:steps[0].steps[0]: is a group in a group, which the API rejects.",
    ],
    [
      "command: a\n  agents:\n    queue: smal",
      /^!4:steps\[0\]\.agents\.queue: "smal" is no queue of the pipeline's cluster\. Did you mean "small"\? Buildkite rejects/,
    ],
    ['command: a\n  agents: ["os=linux", "queue=gpu"]', /^!3:steps\[0\]\.agents\[1\]: "gpu" is no queue/],
    [
      `command: a\n  agent_query_rules: { queue: ${SMALL} }`,
      /^!3:.*queue: "0190.*" is a UUID, and steps name it by its key\. Write small, its key\. /,
    ],
    [
      "trigger: deplyo",
      /^!2:steps\[0\]\.trigger: "deplyo" is the slug of no pipeline that the access token can see\. Did you mean "deploy"\?/,
    ],
    ["command: a\n  secrets: { TOKEN: X }", /^3:steps\[0\]\.secrets\.TOKEN: "X" is no secret/],
    ["command: a\n  checkout: { ssh_secret: X }", /^3:steps\[0\]\.checkout\.ssh_secret: "X" is no secret/],
    ["block: a\n  allowed_teams: [web, wob]", /^3:steps\[0\]\.allowed_teams\[1\]: "wob" is no team/],
    [
      "command:\n    command: a\n    lable: x",
      "!4:steps[0].command.lable: is no property of a command step. Did you mean label?",
    ],
  ])("a step is %j", (step, says) => remarked(`steps:\n- ${step}\n`, says));

  test.each<[yaml: string, says: string | RegExp]>([
    ["steps:\n-", /^2:steps\[0\]: is a step of no type/],
    ["env: {}", "1:: has no steps."],
    ["steps: a", "1:: has no steps."],
    ["just words", "1:: has no map of steps. Begin it with `steps:`."],
    ["- command: a", "1:: has no map of steps. Begin it with `steps:`."],
    ["agents: { queue: gpu }\nsteps: [wait]", /^!1:agents\.queue: "gpu" is no queue/],
    [
      "secrets: [NPM_TOKN]\nsteps: [wait]",
      /^1:secrets\[0\]: "NPM_TOKN" is no secret of the pipeline's cluster\. Did you mean "NPM_TOKEN"\?/,
    ],
    ["x: &a { queue: gpu }\nsteps:\n- command: a\n  agents: *a", /^!4:steps\[0\]\.agents\.queue: "gpu"/],
    [
      "x: &a\n  agents: { queue: gpu }\nsteps:\n- <<: *a\n  command: a",
      /^!4:steps\[0\]\.agents\.queue: "gpu"/,
    ],
  ])("the text is %j", remarked);

  test("a program gives an object, which has no lines", async () => {
    expect(await said({ steps: [{ command: "a", lable: "x" }] })).toEqual([
      "!undefined:steps[0].lable: is no property of a command step. Did you mean label?",
    ]);
  });

  test("nobody knows the organization, and a UUID is where a key belongs", async () => {
    const none: Look = async () => undefined;
    expect(await said(`steps: [{ command: a, agents: { queue: ${SMALL} } }, { trigger: x }]`, none)).toEqual([
      expect.stringContaining("is a UUID, and steps name it by its key. Write its key. "),
    ]);
  });
});

describe("Nothing is said of", () => {
  test.each([
    [
      "what is there",
      "agents: { queue: small }\nsteps:\n- { command: a, secrets: [NPM_TOKEN] }\n- { trigger: deploy }\n- { block: b, allowed_teams: web }\n- { input: i, allowed_teams: [0190f1c4-7d51-4b0e-9d5c-2f6a5a1c9b11] }\n",
    ],
    [
      "a value of a matrix",
      'steps:\n- { command: a, agents: { queue: "{{matrix.queue}}" }, matrix: { setup: { queue: [small] } } }\n',
    ],
    [
      "a value of the build",
      'steps:\n- { command: a, agents: { queue: $QUEUE } }\n- { command: a, agents: { queue: "q-$X" } }\n- { trigger: $$TARGET }\n- { command: a, key: $K }\n- { command: a, key: $K }\n',
    ],
    [
      "plugins and variables",
      "steps:\n- command: a\n  plugins: [{ docker#v5: { queue: gpu, agents: { queue: gpu }, secrets: [x], trigger: y } }]\n  env: { queue: gpu, trigger: x }\n- trigger: deploy\n  build: { env: { queue: gpu }, meta_data: { trigger: x } }\n",
    ],
    [
      "other tags of agents",
      "steps:\n- { command: a, agents: { os: linux, queue: small } }\n- { command: a, agents: [os=linux] }\n",
    ],
    [
      "steps of every type",
      "steps:\n- wait\n- waiter\n- block\n- input\n- { wait: ~, continue_on_failure: true }\n- { commands: [a] }\n- { script: a }\n- { plugins: [a#v1] }\n- { type: script, label: a }\n- { manual: a }\n- wait: { if: x }\n",
    ],
    [
      "aliases and what only the documentation has",
      "steps:\n- { command: a, name: a, identifier: a, timeout: 1, artifacts: x, agent_query_rules: [queue=small], checkout: { skip: true } }\n- { block: a, submit: x, fields: [] }\n- { trigger: deploy, parallelism: 2 }\n",
    ],
    ["plugins in one map", "steps:\n- { command: a, plugins: { docker#v5: { image: a }, cache#v1: ~ } }\n"],
    [
      "properties of the pipeline as a whole",
      "x-anchors: &a { label: b }\nnotify: []\npriority: 1\nsteps:\n- { <<: *a, command: a }\n",
    ],
    [
      "two merges in one step",
      "a: &a { label: a }\nb: &b { env: {} }\nsteps:\n- <<: *a\n  <<: *b\n  command: a\n",
    ],
    ["a file that a template becomes", "steps:\n- { command: a, agents: { queue: '<%- queue %>' } }\n"],
    ["an upload", "steps:\n- command: buildkite-agent pipeline upload\n"],
    ["a signed step", "steps:\n- { command: a, signature: { algorithm: x, signed_fields: [], value: x } }\n"],
    ["a text that YAML can't parse, which is an error elsewhere", "steps: [\n"],
  ])("%s", async (_, yaml) => {
    expect(await said(yaml)).toEqual([]);
  });

  test("a template's braces, which YAML reads as a map that is a key, by Node neither", async () => {
    const warnings: string[] = [];
    const listener = ({ message }: Error) => void warnings.push(message);
    process.on("warning", listener);
    expect(await said("steps:\n- command: a\n  agents:\n    queue: {{ .queue }}\n")).toEqual([]);
    await new Promise(setImmediate);
    process.off("warning", listener);
    expect(warnings).toEqual([]);
  });

  test("a list, where the agent uploads it", async () => {
    expect(await remarksOn("- command: a\n- wait\n", grammar, look, true)).toEqual([]);
  });

  test("what a cluster has that nobody knows", async () => {
    const none: Look = async () => undefined;
    expect(
      await said("agents: { queue: gpu }\nsteps: [{ trigger: x }, { command: a, secrets: [b] }]", none),
    ).toEqual([]);
  });

  test("values that a preview doesn't know yet", async () => {
    const unknown = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";
    const step = { command: "a", key: unknown, agents: { queue: unknown } };
    expect(await said({ steps: [step, step, unknown] })).toEqual([]);
    expect(await said({ steps: unknown })).toEqual([]);
  });
});
