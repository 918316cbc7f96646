import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { beforeAll, describe, expect, test } from "vitest";
import { hasPseudoTerminal } from "../support/pseudo-terminal.js";
import { until } from "./killable-project.js";
import { isAlive } from "./processes.js";
import { COMMAND, Project } from "./project.js";

/** How long the service takes to answer a creation that it has done: longer than any host waits here. */
const RESPONSE_MS = 5_000;

/** What a host or a person does to a deployment, and how it then ends; each in a stack of its own. */
const CANCELS: Readonly<
  Record<
    string,
    { onTerminal: boolean; cancels: (job: Job) => Promise<void>; code?: number; isKilled?: true }
  >
> = {
  buildkite: {
    onTerminal: true,
    cancels: async ({ group }) => group("SIGTERM"),
    code: 130,
  },
  github: {
    onTerminal: false,
    cancels: async ({ pid, group }) => {
      group("SIGINT");
      await setTimeout(1_500);
      group("SIGTERM");
      await setTimeout(500);
      process.kill(pid, "SIGKILL");
    },
    isKilled: true,
  },
  gitlab: { onTerminal: false, cancels: async ({ group }) => group("SIGTERM"), code: 130 },
  "closed-terminal": {
    onTerminal: true,
    cancels: async ({ terminal }) => void process.kill(terminal, "SIGKILL"),
  },
  "ctrl-c-twice": {
    onTerminal: true,
    cancels: async ({ group }) => {
      group("SIGINT");
      await setTimeout(1_000);
      group("SIGINT");
    },
    code: 130,
    isKilled: true,
  },
};

interface Job {
  readonly pid: number;
  /** The process of its terminal. */
  readonly terminal: number;
  readonly group: (signal: NodeJS.Signals) => void;
}

describe.runIf(hasPseudoTerminal)("A deployment with creations in flight that is canceled", () => {
  let project: Project;

  const declare = (...statements: readonly string[]) =>
    project.declare(
      `const { AgentToken, Cluster, Queue } = require("pulumi-buildpipeline");
const name = require("@pulumi/pulumi").getStack();
const clusterId = new Cluster("main", { name }).id;
${statements.join("\n")}`,
      "canceled",
    );
  const ci = (command: string, stack: string) =>
    `${COMMAND} ci ${command} --stack ${stack} --out ../${stack}`;
  const stacks = Object.keys(CANCELS);
  const each = (work: (stack: string) => Promise<unknown>) => Promise.all(stacks.map(work));

  beforeAll(async () => {
    project = await Project.start();
    declare('new Queue("old", { clusterId, key: "old" });');
    for (const stack of stacks) await project.newStack(stack);
    await each((stack) => project.up("--stack", stack));
    declare(
      'for (const description of ["t0", "t1", "t2", "t3"]) new AgentToken(description, { clusterId, description });',
    );
    await each((stack) => project.shell(ci("preview", stack)));
    project.emulator.fault({
      operation: "agentTokens.create",
      when: "after",
      times: 99,
      action: { delayMs: RESPONSE_MS },
    });
  });

  test.concurrent.each(Object.entries(CANCELS))(
    "by %s loses no token, and leaves no queue paused",
    async (stack, { onTerminal, cancels, code, isKilled }) => {
      const inRoot = (...path: readonly string[]) => join(project.directory, "..", stack, ...path);
      const cluster = (await project.colleague.list("/clusters")).find(({ name }) => name === stack);
      const inCluster = (path: string) => project.colleague.list(`/clusters/${cluster?.id}/${path}`);
      const command = `echo $$ > ../${stack}/pid; exec ${ci("deploy", stack)}`;
      const started = onTerminal
        ? `script --quiet --return --command '${command}' /dev/null`
        : `setsid --wait sh -c '${command}'`;
      const ended = project.shell(`${started} 2>&1 && echo "exit code 0" || echo "exit code $?"`);
      const creations = () =>
        project.emulator.requests.filter(
          ({ operation, path }) => operation === "agentTokens.create" && path.includes(String(cluster?.id)),
        ).length;
      await until(() => creations() === 4);
      const pid = Number(readFileSync(inRoot("pid"), "utf8"));
      const parent = /\) \S (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, "utf8"))?.[1];
      await cancels({ pid, terminal: Number(parent), group: (signal) => process.kill(-pid, signal) });
      const output = await ended;
      await until(() => !isAlive(pid));
      if (code !== undefined) expect(output).toContain(`exit code ${code}`);
      const locks = join(
        project.directory,
        "..",
        "state",
        ".pulumi",
        "locks",
        "organization",
        "canceled",
        stack,
      );
      const isLocked = () => existsSync(locks) && readdirSync(locks).length > 0;
      if (isKilled) {
        const lines = readFileSync(inRoot("deploying.jsonl"), "utf8").trim().split("\n");
        const { pid: pulumi } = JSON.parse(lines.at(-1) ?? "");
        if (code !== undefined) expect(output).toContain(`Pulumi goes on as process ${pulumi}, `);
        await until(() => !isAlive(pulumi));
      }
      expect(isLocked()).toBe(false);

      const tokens = (await inCluster("tokens")).map(({ id }) => id);
      const recorded = await project.resources("--stack", stack);
      expect(recorded.flatMap(({ id, type }) => (type.endsWith("AgentToken") ? [id] : [])).sort()).toEqual(
        tokens.sort(),
      );
      expect(await project.shell(`${COMMAND} recover --stack ${stack}`)).toContain(
        "Nothing was interrupted.",
      );
      const paused = async () => (await inCluster("queues")).map(({ dispatch_paused }) => dispatch_paused);
      expect(await paused()).toEqual([isKilled ?? false]);
      if (isKilled) expect(await project.refused(ci("deploy", stack))).toContain(`${stack}/old: resumed.`);
      expect(await paused()).toEqual([false]);
    },
  );
});
