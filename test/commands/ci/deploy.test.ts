import { existsSync, rmSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { diagnostic, done, Repository, type Scenario, stateOf } from "./repository.js";

let repository: Repository;
beforeEach(async () => {
  repository = await Repository.start();
});
afterEach(() => repository.close());

const FOLDER = "acme-queues.production";
const preview = (scenario: Scenario = {}) => {
  repository.plays(scenario);
  return repository.ci("preview --stack production");
};
const deploy = async (args = "", env: Record<string, string> = {}) => {
  const { code, stdout, stderr } = await repository.ci(
    `deploy --stack production --json ${args}`.trim(),
    env,
  );
  const { outcomes } = JSON.parse(stdout || '{"outcomes":[]}') as {
    outcomes: { end: string; reason?: string; next?: string }[];
  };
  return { code, stderr, ...outcomes[0] };
};
const deployed = () => repository.calls().filter((line) => line.startsWith("queues: up"));
const pausesOf = (operation = "queues.pauseDispatch") =>
  repository.emulator.requests.filter((request) => request.operation === operation).length;

describe("buildpipeline ci deploy", () => {
  test("deploys a plan and nothing else, and prints what happened", async () => {
    await preview();
    repository.plays({
      up: {
        stdout: [
          diagnostic("debug", "RegisterResource RPC prepared"),
          JSON.stringify({
            resOutputsEvent: {
              planning: true,
              metadata: { op: "update", urn: "urn:pulumi:s::p::t::planned" },
            },
          }),
          done("refresh", "other"),
          done("same", "other"),
          done("update", "small"),
          diagnostic("warning", "Careful"),
          JSON.stringify({ summaryEvent: { isPreview: false, resourceChanges: { update: 1, same: 200 } } }),
        ].join("\n"),
      },
    });
    const { code, end, stderr } = await deploy();
    expect({ code, end }).toEqual({ code: 0, end: "deployed" });
    expect(deployed()).toEqual([expect.stringMatching(/^queues: up --refresh --plan$/)]);
    expect(stderr.split("\n").filter((line) => line.startsWith("  "))).toEqual([
      expect.stringMatching(/^ {2}The plan is of commit [0-9a-f]{40}\.$/),
      "    update Queue small",
      "  warning: Careful",
      "  1 × update; 200 resources unchanged.",
    ]);
  });

  test.each([
    [
      "its report is missing",
      () => rmSync(repository.result(FOLDER, "report.json")),
      "no plan with a report",
    ],
    ["its plan is missing", () => rmSync(repository.result(FOLDER, "plan.json")), "no plan with a report"],
    [
      "nobody says how its preview ended",
      () => rmSync(repository.result(FOLDER, "outcome.json")),
      "no plan with a report",
    ],
    [
      "its preview was refused",
      () => repository.write({ [`review/${FOLDER}/outcome.json`]: '{ "end": "refused" }' }),
      "no plan with a report",
    ],
    [
      "it is of a commit that isn't an ancestor",
      () => {
        repository.git("checkout", "--quiet", "--orphan", "other");
        repository.commit({ "README.md": "# Another history\n" });
      },
      "not an ancestor",
    ],
    [
      "it is of no commit",
      () => repository.write({ [`review/${FOLDER}/outcome.json`]: '{ "end": "planned", "commit": null }' }),
      "of no commit",
    ],
    [
      "its commit is an option of Git",
      () =>
        repository.write({ [`review/${FOLDER}/outcome.json`]: '{ "end": "planned", "commit": "--all" }' }),
      "not an ancestor",
    ],
    [
      "the stack was deployed or refreshed since",
      () => repository.plays({ "stack export": { stdout: stateOf("2027-01-02T00:00:00Z") } }),
      "state changed since",
    ],
  ])("waits for a new plan where %s", async (_, happens, reason) => {
    await preview();
    happens();
    expect(await deploy()).toMatchObject({ code: 5, end: "waits", reason: expect.stringContaining(reason) });
    expect(deployed()).toEqual([]);
  });

  test("deploys a plan of an ancestor, and says of which commit it is", async () => {
    await preview();
    const commit = repository.git("rev-parse", "HEAD");
    repository.commit({ "README.md": "# Later\n" });
    const { end, stderr } = await deploy();
    expect(end).toBe("deployed");
    expect(stderr).toContain(`The plan is of commit ${commit}.`);
  });

  test("waits where Pulumi refuses the plan, and prints no value of it", async () => {
    await preview();
    const violation =
      "resource urn:pulumi:s::p::t::small violates plan: properties changed: =~token[{s3cret}]\nmore s3cret";
    repository.plays({
      up: { code: 1, stdout: `${diagnostic("error", violation)}\n`, stderr: "error: s3cret\n" },
    });
    const ended = await deploy();
    expect(ended).toMatchObject({ code: 5, end: "waits", reason: expect.stringContaining("no longer fits") });
    expect(ended.stderr).toContain("The plan no longer fits: urn:pulumi:s::p::t::small");
    expect(JSON.stringify(ended)).not.toContain("s3cret");
  });

  test("says that another deployment holds the lock, and has paused nothing", async () => {
    await preview();
    repository.plays({ up: { code: 1, stderr: "error: the stack is currently locked by 1 lock(s)\n" } });
    expect(await deploy()).toMatchObject({
      code: 2,
      end: "failed",
      reason: expect.stringContaining("Another deployment"),
    });
    expect(pausesOf()).toBe(0);
  });

  test("checks the policies in the deployment as well", async () => {
    repository.commit({ "policies/PulumiPolicy.yaml": "runtime: nodejs\n", "policies/config.json": "{}" });
    await preview();
    await deploy();
    expect(deployed()[0]).toMatch(/--policy-pack --policy-pack-config/);
  });

  test("skips what reads a stack that failed, in waves", async () => {
    repository.commit({
      "agents/Pulumi.yaml": "name: acme-agents\nruntime: nodejs\n",
      "agents/index.ts": 'new StackReference("acme/acme-queues/production");\n',
    });
    await preview();
    repository.plays({ "queues up": { code: 1, stdout: `${diagnostic("error", "403 Forbidden")}\n` } });
    const { code, stdout } = await repository.ci("deploy --waves --json --stack production");
    expect(code).toBe(2);
    expect(JSON.parse(stdout).outcomes).toMatchObject([
      { folder: "queues", end: "failed", reason: "403 Forbidden" },
      { folder: "agents", end: "skipped", reason: "It reads acme-queues/production, which did not succeed." },
    ]);
  });
});

describe("A deployment that deletes a queue", () => {
  const queueOf = async ({ cluster, queue }: Awaited<ReturnType<Repository["queueToDelete"]>>) =>
    repository.client.queues.get(cluster.id, queue.id);

  test("pauses it first, until no job runs in it, and resumes it if the deployment fails", async () => {
    const one = await repository.queueToDelete();
    await preview(one.scenario);
    repository.plays({
      ...one.scenario,
      up: { code: 1, stdout: `${diagnostic("error", "422 Unprocessable")}\n` },
    });
    expect(await deploy()).toMatchObject({ code: 2, end: "failed", reason: "422 Unprocessable" });
    expect(pausesOf()).toBe(1);
    expect((await queueOf(one)).dispatch_paused).toBe(false);
  });

  test.each([
    ["an incident", "Incident 12"],
    ["a drain of an operator", "Draining (buildpipeline drain) since 2027-01-01T00:00:00.000Z: incident 42"],
  ])("never resumes a pause for %s", async (_, note) => {
    const one = await repository.queueToDelete();
    await repository.client.queues.pauseDispatch(one.cluster.id, one.queue.id, { note });
    await preview(one.scenario);
    repository.plays({ ...one.scenario, up: { code: 1 } });
    expect(await deploy()).toMatchObject({ code: 2 });
    expect(await queueOf(one)).toMatchObject({ dispatch_paused: true, dispatch_paused_note: note });
    expect(pausesOf("queues.resumeDispatch")).toBe(0);
  });

  test("needs only the wait for a queue that the program pauses", async () => {
    const one = await repository.queueToDelete({ dispatchPaused: true });
    await repository.client.queues.pauseDispatch(one.cluster.id, one.queue.id, { note: "By the program" });
    await preview(one.scenario);
    expect(await deploy()).toMatchObject({ code: 0, end: "deployed" });
    expect(pausesOf()).toBe(1);
  });

  test("is refused while agents are connected that keep it from being deleted, unless that is allowed", async () => {
    const one = await repository.queueToDelete();
    repository.emulator.connectAgent({ queueId: one.queue.id });
    await preview(one.scenario);
    expect(await deploy()).toMatchObject({
      code: 4,
      end: "refused",
      reason: expect.stringContaining("1 connected agent"),
    });
    expect(deployed()).toEqual([]);
    expect((await queueOf(one)).dispatch_paused).toBe(false);
    expect(await deploy("--allow-refused")).toMatchObject({ code: 0, end: "deployed" });
  });

  test("that another deployment keeps from the stack leaves its queues paused, with the command that resumes them", async () => {
    const one = await repository.queueToDelete();
    await preview(one.scenario);
    const stderr = "error: the stack is currently locked by 1 lock(s)\n";
    repository.plays({ ...one.scenario, up: { code: 1, stderr } });
    expect(await deploy()).toMatchObject({
      end: "failed",
      next: expect.stringMatching(
        /^Wait until the other deployment ends\. Queues .* `buildpipeline drain --record \S+drained\.jsonl --resume`$/,
      ),
    });
    expect((await queueOf(one)).dispatch_paused).toBe(true);
  });

  test.each([
    ["fails", { code: 1, stdout: diagnostic("error", "422") }],
    ["waits for the other one", { code: 1, stderr: "error: the stack is currently locked by 1 lock(s)\n" }],
  ])("that finds another deployment's pause and %s names the queue that stays paused", async (_, up) => {
    const one = await repository.queueToDelete();
    await preview(one.scenario);
    const note =
      "Draining (buildpipeline drain) since 2027-01-01T00:00:00.000Z#00000000: deployment of other";
    repository.emulator.onRequest(({ operation }) => {
      if (operation !== "queues.pauseDispatch") return;
      const paused = { dispatch_paused: true, dispatch_paused_note: note };
      repository.emulator.organizationData.queues.update(one.queue.id, paused);
    });
    repository.plays({ ...one.scenario, up });
    const { end, next } = await deploy();
    expect({ end, next }).toEqual({
      end: "failed",
      next: expect.stringContaining(`(${note}), and not by this run, so it stays paused.`),
    });
    expect(next).not.toContain("Queues that this run paused");
    expect(pausesOf("queues.resumeDispatch")).toBe(0);
  });

  test.each([
    ["a preview", () => preview()],
    ["another deployment", () => Promise.resolve()],
  ])("is resumed after a kill, by the next deployment after %s", async (_, happens) => {
    const one = await repository.queueToDelete();
    await preview(one.scenario);
    repository.plays({ ...one.scenario, up: { waits: true } });
    const { child, ended } = repository.start("deploy --stack production");
    await vi.waitFor(() => expect(repository.calls()).toContain("queues: waits"), 20_000);
    process.kill(-(child.pid ?? 0), "SIGKILL");
    await ended;
    expect((await queueOf(one)).dispatch_paused).toBe(true);
    repository.write({ "../go": "" });
    repository.plays({ "stack export": { stdout: stateOf("2027-01-02T00:00:00Z") } });
    await happens();
    await deploy();
    expect((await queueOf(one)).dispatch_paused).toBe(false);
  });

  test("stops where the state changed while it drained", async () => {
    const one = await repository.queueToDelete();
    await preview(one.scenario);
    // Someone else deploys between the pause and the look at the jobs.
    const deployedByOthers = (body: unknown) => {
      if (pausesOf() === 1)
        repository.plays({ ...one.scenario, "stack export": { stdout: stateOf("2027-01-02T00:00:00Z") } });
      return body;
    };
    repository.emulator.fault({ operation: "builds.list", times: 99, action: { change: deployedByOthers } });
    expect(await deploy()).toMatchObject({ code: 5, end: "waits" });
    expect(deployed()).toEqual([]);
    expect((await queueOf(one)).dispatch_paused).toBe(false);
  });
});

describe("A signal", () => {
  const until = (line: string) => vi.waitFor(() => expect(repository.calls()).toContain(line), 20_000);

  test.each(["SIGINT", "SIGTERM"] as const)(
    "%s reaches Pulumi alone, and the queues are resumed after Pulumi has recorded",
    async (signal) => {
      const one = await repository.queueToDelete();
      await preview(one.scenario);
      repository.plays({ ...one.scenario, up: { waits: true, records: true } });
      const { child, ended } = repository.start("deploy --stack production --json");
      await until("queues: waits");
      child.kill(signal);
      const { code, stdout } = await ended;
      expect(code).toBe(130);
      expect(JSON.parse(stdout).outcomes[0]).toMatchObject({
        end: "interrupted",
        next: expect.stringContaining("recover"),
      });
      expect(repository.calls().slice(-2)).toEqual([`queues: got ${signal}`, "queues: recorded"]);
      const queue = await repository.client.queues.get(one.cluster.id, one.queue.id);
      expect(queue.dispatch_paused).toBe(false);
    },
  );

  test("to the whole process group reaches Pulumi once, and no provider", async () => {
    await preview();
    repository.plays({ up: { waits: true } });
    const { child, ended } = repository.start("deploy --stack production");
    await until("queues: waits");
    process.kill(-(child.pid ?? 0), "SIGINT");
    expect((await ended).code).toBe(130);
    expect(repository.calls().filter((line) => line.includes("got"))).toEqual(["queues: got SIGINT"]);
  });

  test("ends a drain before anything is deployed, and resumes the queue", async () => {
    const one = await repository.queueToDelete();
    await preview(one.scenario);
    repository.emulator.fault({ operation: "builds.list", action: { delayMs: 60_000 } });
    const { child, ended } = repository.start("deploy --stack production");
    await vi.waitFor(
      () => expect(repository.emulator.requests.at(-1)?.operation).toBe("builds.list"),
      20_000,
    );
    child.kill("SIGTERM");
    expect((await ended).code).toBe(130);
    expect(deployed()).toEqual([]);
    expect((await repository.client.queues.get(one.cluster.id, one.queue.id)).dispatch_paused).toBe(false);
  });

  test("in a preview leaves no plan", async () => {
    repository.plays({ preview: { waits: true, stdout: { steps: [], changeSummary: { same: 1 } } } });
    const { child, ended } = repository.start("preview --stack production");
    await until("queues: waits");
    child.kill("SIGTERM");
    expect((await ended).code).toBe(130);
    expect(existsSync(repository.result(FOLDER, "plan.json"))).toBe(false);
  });

  test("given twice ends the command immediately, with the command that resumes the queues", async () => {
    const one = await repository.queueToDelete();
    await preview(one.scenario);
    repository.plays({ ...one.scenario, up: { waits: true } });
    const { child, ended } = repository.start("deploy --stack production");
    await until("queues: waits");
    repository.emulator.fault({ operation: "queues.get", action: { delayMs: 60_000 } });
    child.kill("SIGTERM");
    await until("queues: got SIGTERM");
    await new Promise((resolve) => setTimeout(resolve, 800));
    child.kill("SIGTERM");
    const { code, stderr } = await ended;
    expect(code).toBe(130);
    expect(stderr).toMatch(/buildpipeline drain --record \S+drained\.jsonl --resume/);
  });
});
