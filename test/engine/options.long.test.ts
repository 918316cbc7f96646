import {
  type CustomResourceOptions,
  ErrorHook,
  ResourceHook,
  type ResourceTransformArgs,
  runtime,
} from "@pulumi/pulumi";
import { expect, test } from "vitest";
import type { QueueArgs } from "../../src/index.js";
import { backends, type Classes, classesOf } from "./backends.js";
import { type EngineOutcome, TestStack } from "./stack.js";

/** The options of Pulumi, and the commands and flags of its CLI, that reach the state of this package's resources. */
interface Row {
  readonly option: string;
  /** Deploys programs and runs commands. @returns what the option did */
  does(stack: TestStack, classes: Classes): Promise<object>;
  readonly expected: object;
  /** What is otherwise with the plugin. */
  readonly ofPlugin?: object;
}

interface Farm {
  readonly cluster?: CustomResourceOptions;
  readonly queue?: CustomResourceOptions;
  readonly token?: CustomResourceOptions;
  readonly key?: string;
  readonly description?: string;
}

const farm =
  (
    { AgentToken, Cluster, Queue }: Classes,
    { cluster, queue, token, key = "small", description = "Any job" }: Farm = {},
  ) =>
  async () => {
    const linux = new Cluster("linux", { name: "Linux" }, cluster);
    new Queue("small", { clusterId: linux, key, description }, queue);
    new AgentToken("farm", { clusterId: linux, description: "Farm" }, token);
  };

const incomplete = ({ Cluster, Queue }: Classes, color = "#112233", queue: CustomResourceOptions = {}) => {
  const linux = new Cluster("linux", { name: "Linux", color });
  new Queue("small", { clusterId: linux } as QueueArgs, queue);
};

const urnOf = async (stack: TestStack, name: string) => (await stack.state())[name]?.urn ?? "";
const names = async (stack: TestStack) => Object.keys(await stack.state()).sort();
/** The part of a failed command's message that a pattern matches. */
const refusal = async (stack: TestStack, command: Promise<EngineOutcome>, pattern: RegExp) =>
  pattern.exec(await stack.refused(command))?.[0];

const SAME = ["same"];
const REPLACED = ["create-replacement", "replace", "delete-replaced"];
const DELETED_FIRST = ["delete-replaced", "replace", "create-replacement"];
/** The service allows one queue of a key, and by these ways the engine doesn't ask whether the old one goes first. */
const STILL_THERE = "is being replaced, add { deleteBeforeReplace: true } to its options";
const TAKEN = new RegExp(STILL_THERE.replaceAll(/[{}]/g, "\\$&"));

const rows: readonly Row[] = [
  {
    option: "hideDiffs",
    async does(stack, classes) {
      await stack.up(farm(classes));
      const hidden = farm(classes, { description: "Other", queue: { hideDiffs: ["description"] } });
      const { output } = await stack.preview(hidden);
      const { steps } = await stack.up(hidden);
      const { small } = await stack.state();
      return { shown: output.includes("Other"), step: steps.small, deployed: small?.outputs.description };
    },
    expected: { shown: false, step: ["update"], deployed: "Other" },
  },
  {
    option: "retainOnDelete of a cluster, whose queue and token go",
    async does(stack, classes) {
      await stack.up(farm(classes, { cluster: { retainOnDelete: true } }));
      await stack.destroy();
      const { agentTokens, clusters, queues } = stack.emulator.organizationData;
      return { state: await names(stack), left: [clusters.size, queues.size, agentTokens.size] };
    },
    expected: { state: [], left: [1, 0, 0] },
  },
  {
    option: "replaceWith",
    async does(stack, { AgentToken, Cluster, Queue }) {
      const program = (key: string) => async () => {
        const linux = new Cluster("linux", { name: "Linux" });
        const small = new Queue("small", { clusterId: linux, key });
        new AgentToken("farm", { clusterId: linux, description: "Farm" }, { replaceWith: [small] });
      };
      await stack.up(program("small"));
      const { steps } = await stack.up(program("large"));
      return { steps, warnings: stack.observed.length };
    },
    // Without URNs, the dynamic provider takes the old token for another one of the same name.
    expected: { steps: { linux: SAME, small: REPLACED, farm: REPLACED }, warnings: 1 },
    ofPlugin: { warnings: 0 },
  },
  {
    option: "replacementTrigger",
    async does(stack, classes) {
      const at = (token: string, queue: string, more: CustomResourceOptions = {}) =>
        farm(classes, {
          token: { replacementTrigger: token },
          queue: { replacementTrigger: queue, ...more },
        });
      await stack.up(at("1", "1"));
      const { steps } = await stack.up(at("2", "1"));
      const key = await refusal(stack, stack.up(at("2", "2")), TAKEN);
      const first = await stack.up(at("2", "2", { deleteBeforeReplace: true }));
      return { token: steps.farm, key, queue: first.steps.small };
    },
    expected: { token: REPLACED, key: STILL_THERE, queue: DELETED_FIRST },
  },
  {
    option: "replaceOnChanges of an argument that otherwise updates a queue",
    async does(stack, classes) {
      await stack.up(farm(classes));
      const queue = { replaceOnChanges: ["description"] };
      const { steps } = await stack.up(farm(classes, { description: "Other", queue }));
      return { queue: steps.small };
    },
    expected: { queue: DELETED_FIRST },
  },
  {
    option: "pulumi state taint",
    async does(stack, classes) {
      await stack.up(farm(classes));
      await stack.cli("state", "taint", "--yes", await urnOf(stack, "small"));
      const key = await refusal(stack, stack.up(undefined), TAKEN);
      // After the refusal: that deployment may have replaced a tainted token already, because steps run in parallel.
      await stack.cli("state", "taint", "--yes", await urnOf(stack, "farm"));
      const { steps } = await stack.up(farm(classes, { queue: { deleteBeforeReplace: true } }));
      const again = await stack.up(undefined);
      return { key, token: steps.farm, queue: steps.small, again: again.steps };
    },
    expected: {
      key: STILL_THERE,
      token: REPLACED,
      queue: DELETED_FIRST,
      again: { linux: SAME, small: SAME, farm: SAME },
    },
  },
  {
    option: "pulumi state protect, --exclude-protected, --ignore-protect",
    async does(stack, classes) {
      await stack.up(farm(classes));
      await stack.cli("state", "protect", "--yes", await urnOf(stack, "small"));
      await stack.destroy({ excludeProtected: true });
      const excluded = await names(stack);
      const refused = await refusal(stack, stack.destroy(), /it is protected/);
      await stack.cli("destroy", "--yes", "--skip-preview", "--ignore-protect");
      return { excluded, refused, ignored: await names(stack) };
    },
    // The cluster stays as well, because the protected queue is in it.
    expected: { excluded: ["linux", "small"], refused: "it is protected", ignored: [] },
  },
  {
    option: "pulumi state rename",
    async does(stack, classes) {
      await stack.up(farm(classes));
      await stack.cli("state", "rename", "--yes", await urnOf(stack, "linux"), "renamed");
      stack.writes();
      const { steps } = await stack.up(async () => {
        const clusterId = new classes.Cluster("renamed", { name: "Linux" });
        new classes.Queue("small", { clusterId, key: "small", description: "Any job" });
        new classes.AgentToken("farm", { clusterId, description: "Farm" });
      });
      return { steps, writes: stack.writes() };
    },
    expected: { steps: { renamed: SAME, small: SAME, farm: SAME }, writes: [] },
  },
  {
    option: "pulumi state move",
    async does(stack, classes) {
      await stack.up(farm(classes));
      const { farm: moved } = await stack.state();
      stack.writes();
      const other = await stack.beside("other");
      await stack.cli("state", "move", "--yes", "--source", "test", "--dest", "other", String(moved?.urn));
      const { steps } = await other(async () => {
        const { clusterId = "" }: { clusterId?: string } = moved?.inputs ?? {};
        new classes.AgentToken("farm", { clusterId, description: "Farm" });
      });
      return { left: await names(stack), steps, writes: stack.writes() };
    },
    expected: { left: ["linux", "small"], steps: { farm: SAME }, writes: [] },
  },
  {
    option: "--exclude",
    async does(stack, classes) {
      await stack.up(farm(classes));
      const exclude = [await urnOf(stack, "small")];
      await stack.up(farm(classes, { description: "Other" }), { exclude });
      const { small } = await stack.state();
      const { steps } = await stack.up(undefined);
      return { excluded: small?.outputs.description, later: steps.small };
    },
    expected: { excluded: "Any job", later: ["update"] },
  },
  {
    option: "hooks: afterCreate, beforeDelete",
    async does(stack, { Cluster }) {
      const called: string[] = [];
      const hook = (name: string) =>
        new ResourceHook(name, ({ id, newOutputs }) => {
          called.push(`${name} ${id === "" ? "without" : "with"} id, name ${newOutputs?.name}`);
        });
      const registered = async () => {
        const hooks = { afterCreate: [hook("created")], beforeDelete: [hook("deleted")] };
        new Cluster("linux", { name: "Linux" }, { hooks });
      };
      const removed = async () => undefined;
      await stack.up(registered);
      const unregistered = await refusal(stack, stack.up(removed), /hook "deleted" was not registered/);
      const destroy = await refusal(stack, stack.destroy(), /run with the `--run-program` flag/);
      const afterRefusals = await names(stack);
      await stack.destroy({ runProgram: true, program: registered });
      return { unregistered, destroy, afterRefusals, called, left: await names(stack) };
    },
    expected: {
      unregistered: 'hook "deleted" was not registered',
      destroy: "run with the `--run-program` flag",
      afterRefusals: ["linux"],
      called: ["created with id, name Linux", "deleted with id, name undefined"],
      left: [],
    },
  },
  {
    option: "hooks: onError",
    async does(stack, { Cluster }) {
      const errors: string[] = [];
      stack.emulator.fault({
        operation: "clusters.create",
        action: { status: 422, body: { message: "Not now" } },
      });
      const { steps } = await stack.up(async () => {
        const again = new ErrorHook("again", (failed) => {
          errors.push(failed.failedOperation, ...failed.errors.map((text) => text.split(".")[0] ?? ""));
          return true;
        });
        new Cluster("linux", { name: "Linux" }, { hooks: { onError: [again] } });
      });
      const clusters = stack.emulator.organizationData.clusters.list().length;
      return { steps, clusters, errors };
    },
    expected: {
      steps: { linux: ["create"] },
      clusters: 1,
      errors: ["create", "POST /v2/organizations/acme/clusters failed with 422: Not now"],
    },
  },
  {
    option: "transforms of the stack add an argument, repair a value, and leave what the preview reports",
    async does(stack, classes) {
      const seen = new Set<string>();
      const program = (repairs: boolean) => async () => {
        runtime.registerResourceTransform(({ name, props, opts }) => {
          for (const property of Object.keys(props)) seen.add(property);
          if (!repairs) return undefined;
          const repaired = name === "linux" ? { color: "#112233" } : { key: "small" };
          return { props: { ...props, ...repaired }, opts };
        });
        incomplete(classes, "green");
      };
      const reported = await stack.refused(stack.preview(program(false)));
      const { steps } = await stack.up(program(true));
      await stack.preview(program(true), { expectNoChanges: true });
      const { linux, small } = await stack.state();
      return {
        reported: [/Cluster\.color: .*is not a hex color code/, /Queue\.key: is required/].map((pattern) =>
          pattern.test(reported),
        ),
        steps,
        kept: [linux?.inputs.color, small?.inputs.key],
        internal: [...seen].filter((name) => name.startsWith("__")).sort(),
        inState: Object.keys({ ...linux?.inputs, ...linux?.outputs }).includes("__transformed"),
      };
    },
    expected: {
      reported: [true, true],
      steps: { linux: ["create"], small: ["create"] },
      kept: ["#112233", "small"],
      internal: ["__problems", "__provider", "__secrets", "__transformed"],
      inState: false,
    },
    ofPlugin: { internal: ["__problems", "__transformed"] },
  },
  {
    option: "transforms and transformations of one resource",
    async does(stack, classes) {
      const add = { key: "small" };
      const adding = ({ props, opts }: Pick<ResourceTransformArgs, "opts" | "props">) => ({
        props: { ...props, ...add },
        opts,
      });
      const by = (options: CustomResourceOptions) => async () => incomplete(classes, undefined, options);
      const first = await stack.up(by({ transforms: [adding] }));
      const second = await stack.up(by({ transformations: [adding] }));
      const wrong = await refusal(stack, stack.up(by({})), /Queue\.key: is required/);
      return { transforms: first.steps.small, transformations: second.steps.small, wrong };
    },
    expected: { transforms: ["create"], transformations: SAME, wrong: "Queue.key: is required" },
  },
  {
    option: "customTimeouts.read",
    async does(stack, { Cluster }) {
      const program = async () => {
        new Cluster("linux", { name: "Linux" }, { customTimeouts: { read: "1s" } });
      };
      await stack.up(program);
      // Longer than the timeout, and less than what the provider waits for by itself.
      const action = { rateLimited: { resetSeconds: 3 } };
      stack.emulator.fault({ method: "GET", path: /clusters/, action });
      const message = await stack.refresh().then(() => "refreshed", String);
      return { ended: /refreshed|timeout of 1s \(customTimeouts\) has passed/.exec(message)?.[0] };
    },
    expected: { ended: "refreshed" },
    ofPlugin: { ended: "timeout of 1s (customTimeouts) has passed" },
  },
];

for (const backend of backends) {
  const stack = TestStack.forEach();
  test.each(rows)(`${backend}: $option`, async (row) => {
    const found = await row.does(stack, classesOf[backend]);
    expect(found).toEqual({ ...row.expected, ...(backend === "plugin" && row.ofPlugin) });
  });
}
