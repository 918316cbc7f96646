import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { hostname } from "node:os";
import { describe, expect, test, vi } from "vitest";
import { isWhole, someOf } from "../../support/cases.js";
import { buildpipeline, command } from "../../support/command.js";
import { writeCommand } from "../../support/commands-on-path.js";
import { environment } from "../../support/environment.mjs";
import {
  begun,
  diagnostic,
  done,
  reading,
  repository,
  repositoryForEach,
  type Scenario,
  stateOf,
} from "./repository.js";

repositoryForEach();

const FOLDER = "acme-queues.production";
const preview = (scenario: Scenario = {}) => {
  repository.plays(scenario);
  return repository.ci("preview --stack production");
};
const deploy = async (args = "") => {
  const { code, stderr, outcomes } = await repository.outcomes(`deploy --stack production ${args}`.trim());
  return { code, stderr, ...outcomes[0] };
};
/** The state was saved after the preview. */
const LATER = { "stack export": { stdout: stateOf("2027-01-02T00:00:00Z") } };
const LOCKED = { code: 1, stderr: "error: the stack is currently locked by 1 lock(s)\n" };
const LOCKED_IN_CLOUD = {
  code: 255,
  stderr: "error: [409] Conflict: Another update is currently in progress.\n",
};
const CHANGED = "urn:pulumi:s::p::t::small";
/** How the engine begins to say that a plan no longer fits, or that the stack is locked. */
const WORDS = [
  "violates plan",
  `resource ${CHANGED} violates plan: properties changed`,
  "create is not allowed by the plan: no steps were expected",
  "currently locked by ops",
  "the stack is currently locked by 1 lock(s)",
  "[409] Conflict: Another update is currently in progress",
];
/** Plans the deletion of a queue, which is paused with a note, and says how Pulumi deploys it. */
const planned = async (up: Scenario[string] = {}, note?: string, inputs: object = {}) => {
  const { cluster, queue, scenario } = await repository.queueToDelete({ ...inputs });
  const { queues } = repository.client;
  if (note !== undefined) await queues.pauseDispatch(cluster.id, queue.id, { note });
  await preview(scenario);
  repository.plays({ ...scenario, up });
  return { queue, scenario, now: () => queues.get(cluster.id, queue.id) };
};
const until = (line: string) => vi.waitFor(() => expect(repository.calls()).toContain(line), 120_000);
/** Starts a deployment, and waits until its Pulumi does. */
const started = async (args = "") => {
  const run = repository.start(`deploy --stack production${args}`);
  return { ...run, pulumi: await repository.waiting() };
};
/** Lets a Pulumi that waits go on, and waits until it has ended. */
const goesOn = async (pulumi: number) => {
  repository.write({ "../go": "" });
  await vi.waitFor(() => expect(() => process.kill(pulumi, 0)).toThrow("ESRCH"), 120_000);
};
const got = () => repository.calls().filter((line) => /: (got|recorded)/.test(line));
/** A state with creations that began, and whose end it doesn't have. */
const UNFINISHED = {
  version: 3,
  deployment: {
    resources: [],
    pending_operations: ["t0", "t1"].map((name) => {
      const type = "buildpipeline:index:AgentToken";
      return {
        type: "creating",
        resource: { urn: `urn:pulumi:production::acme-queues::${type}::${name}`, type },
      };
    }),
  },
};
const RECOVER = "(cd queues && buildpipeline recover --stack production)";
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
          done("update", "planned", { planning: true }),
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

  test.each(["deploy", "drift"])(
    "%s warns once of an access token that ends within 30 days",
    async (command) => {
      await preview();
      const { accessTokens } = repository.emulator.organizationData;
      const expires_at = new Date(Date.now() + 20 * 86_400_000).toISOString();
      for (const { id } of accessTokens.list()) accessTokens.update(id, { expires_at });
      const { code, stderr } = await repository.ci(`${command} --stack production`);
      const day = expires_at.slice(0, 10);
      expect(
        stderr.split(`The API access token expires on ${day}. Replace it before that day: `),
      ).toHaveLength(2);
      expect(code).toBe(0);
    },
  );

  const onGitHub = (page: string) =>
    repository.ci("deploy --stack production", { GITHUB_STEP_SUMMARY: page });

  test("ends as it ends if GitHub's page of the run takes no report", async () => {
    for (const page of [repository.root, repository.scratch.path("nowhere/page"), "/dev/full"]) {
      await preview();
      const { code, stdout, stderr } = await onGitHub(page);
      expect({ code, stdout }).toEqual({
        code: 0,
        stdout: expect.stringMatching(/production: deployed\.\n1 stack: 1 deployed\.\n$/),
      });
      expect(stderr).toMatch(/^The run's page lacks the report, which GITHUB_STEP_SUMMARY doesn't take: E/m);
    }
  });

  const onFullDisk = `mount -t tmpfs -o size=400k none "$DISK" && cp -r review "$DISK" && { cat /dev/zero >"$DISK/fill"; true; }`;
  const hasDisks = spawnSync("unshare", ["-rm", "mount", "-t", "tmpfs", "none", "/mnt"]).status === 0;
  test.skipIf(!hasDisks)("names the file if a full disk takes no lock, and deploys nothing", async () => {
    await preview();
    mkdirSync(repository.scratch.path("disk"));
    const line = `'${process.execPath}' '${command}' ci deploy --stack production --out "$DISK/review"`;
    const env = environment({ ...repository.env(), DISK: repository.scratch.path("disk") });
    const options = { cwd: repository.root, env, encoding: "utf8" } as const;
    const { status, stderr } = spawnSync(
      "unshare",
      ["-rm", "sh", "-c", `${onFullDisk} 2>&1; ${line}`],
      options,
    );
    expect({ status, stderr }).toEqual({
      status: 2,
      stderr: expect.stringMatching(
        /review\/deploying\.jsonl cannot be written: ENOSPC: no space left on device/,
      ),
    });
    expect(repository.calls()).not.toContain("queues: up");
  });

  test("ends Pulumi if its lock is no longer taken, so that none runs which the next deployment doesn't know of", async () => {
    await preview();
    repository.plays({ up: { waits: true } });
    const bin = repository.scratch.path("full");
    const fill = `[ "$1 $2" = "stack export" ] && ln -sf /dev/full ../review/deploying.jsonl`;
    const pid = repository.scratch.path("pid");
    writeCommand(
      bin,
      "pulumi",
      // The signal may come while the shell writes, and an empty file would name no process.
      `echo $$ >'${pid}.new'; mv '${pid}.new' '${pid}'; ${fill}; exec '${repository.scratch.path("bin/pulumi")}' "$@"`,
    );
    const { code, stdout } = await repository.ci("deploy --stack production", {
      PATH: `${bin}:${repository.env().PATH}`,
    });
    expect(stdout).toMatch(
      /production: failed: `pulumi up` failed: \S+deploying\.jsonl cannot be written: ENOSPC/,
    );
    expect(code).toBe(2);
    expect(() => process.kill(Number(readFileSync(pid, "utf8")), 0)).toThrow("ESRCH");
  });

  test("writes no Markdown of anybody else into GitHub's page of the run", async () => {
    await preview();
    const message = "no\r# 🟢 **Nothing** <img src=x> @acme [x](https://example.com)\u2028- x";
    // Pulumi escapes the ends of lines in its JSON.
    const stdout = diagnostic("error", message).replaceAll("\u2028", "\\u2028");
    repository.plays({ up: { code: 255, stdout } });
    const page = repository.scratch.path("page");
    expect((await onGitHub(page)).code).toBe(2);
    expect(readFileSync(page, "utf8")).toMatch(
      /^- <code>acme-queues\/production<\/code>: <code>failed&#58; no &#35; 🟢 [^<>*@[\]\r\n\u2028]*<\/code>\n\n1 stack: 1 failed\.\n$/,
    );
  });

  const without = (file: string) => rmSync(repository.result(FOLDER, file));
  const ended = (outcome: object) =>
    repository.write({ [`review/${FOLDER}/outcome.json`]: JSON.stringify(outcome) });
  const otherHistory = () => {
    repository.git("checkout", "--quiet", "--orphan", "other");
    repository.commit({ "README.md": "# Another history\n" });
  };
  test.each<[string, () => void, string]>([
    ["its report is missing", () => without("report.json"), "no plan with a report"],
    ["its plan is missing", () => without("plan.json"), "no plan with a report"],
    ["nobody says how its preview ended", () => without("outcome.json"), "no plan with a report"],
    ["its preview was refused", () => ended({ end: "refused" }), "no plan with a report"],
    ["it is of a commit that isn't an ancestor", otherHistory, "not an ancestor"],
    ["it is of no commit", () => ended({ end: "planned", commit: null }), "of no commit"],
    ["its commit is an option of Git", () => ended({ end: "planned", commit: "--all" }), "not an ancestor"],
    ["the stack was deployed or refreshed since", () => repository.plays(LATER), "state changed since"],
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
    const up = { code: 1, stdout: `${diagnostic("error", violation)}\n`, stderr: "error: s3cret\n" };
    repository.plays({ up });
    const ended = await deploy();
    expect(ended).toMatchObject({ code: 5, end: "waits", reason: expect.stringContaining("no longer fits") });
    expect(ended.stderr).toContain("The plan no longer fits: urn:pulumi:s::p::t::small");
    expect(JSON.stringify(ended)).not.toContain("s3cret");
  });

  test.each(
    someOf([
      `resource ${CHANGED} violates plan: properties changed: =~token[{s3cret}]`,
      "resource violates plan: properties changed: =~token[{s3cret}]",
      "create is not allowed by the plan: no steps were expected for this resource",
    ]),
  )("waits for a new plan where Pulumi says: %s", async (message) => {
    await preview();
    repository.plays({ up: { code: 1, stdout: diagnostic("error", message, CHANGED) } });
    const ended = await deploy();
    expect(ended).toMatchObject({ code: 5, end: "waits" });
    expect(ended.stderr).toContain(`The plan no longer fits: ${CHANGED}`);
    expect(JSON.stringify(ended)).not.toContain("s3cret");
  });

  test("says that a part was deployed where Pulumi refuses the rest of the plan", async () => {
    await preview();
    const refusal = diagnostic("error", `resource ${CHANGED} violates plan: …`, CHANGED);
    repository.plays({ up: { code: 1, stdout: `${begun("create", "large")}\n${refusal}\n` } });
    const reason = "The plan no longer fits, after a part of it was deployed.";
    expect(await deploy()).toMatchObject({ code: 2, end: "failed", reason });
  });

  test.each(
    someOf([
      ["in a directory", LOCKED],
      ["in Pulumi Cloud", LOCKED_IN_CLOUD],
    ]),
  )("says that another deployment holds the lock of state %s, and has paused nothing", async (_, up) => {
    await preview();
    repository.plays({ up });
    const reason = expect.stringContaining("Another deployment");
    expect(await deploy()).toMatchObject({ code: 2, end: "failed", reason });
    expect(pausesOf()).toBe(0);
  });

  test("checks the policies in the deployment as well", async () => {
    repository.commit({ "policies/PulumiPolicy.yaml": "runtime: nodejs\n", "policies/config.json": "{}" });
    await preview();
    await deploy();
    expect(deployed()[0]).toMatch(/--policy-pack --policy-pack-config/);
  });

  test("says which policy refuses a deployment, because Pulumi's error doesn't", async () => {
    await preview();
    const resourceUrn = "urn:pulumi:production::acme::buildpipeline:index:Queue::small";
    const policyEvent = { policyName: "active", message: "Rule.\nIt is paused.", resourceUrn };
    const event = (enforcementLevel: string) =>
      JSON.stringify({ sequence: 1, policyEvent: { ...policyEvent, enforcementLevel } });
    const failed = diagnostic("error", "error: preview failed");
    const lines = [event("advisory"), event("mandatory"), failed];
    repository.plays({ "queues up": { code: 1, stdout: `${lines.join("\n")}\n` } });
    const reason = "The policy active is broken by small: Rule: It is paused.";
    expect(await deploy()).toMatchObject({ code: 2, end: "failed", reason });
  });

  test("skips what reads a stack that failed, in waves", async () => {
    repository.commit({ "agents/Pulumi.yaml": "name: acme-agents\nruntime: nodejs\n" });
    await preview({ "agents preview": { stdout: reading("acme-queues") } });
    repository.plays({ "queues up": { code: 1, stdout: `${diagnostic("error", "403 Forbidden")}\n` } });
    const { code, outcomes } = await repository.outcomes("deploy --waves --stack production");
    expect(code).toBe(2);
    expect(outcomes).toMatchObject([
      { folder: "queues", end: "failed", reason: "403 Forbidden" },
      { folder: "agents", end: "skipped", reason: "It reads acme-queues/production, which did not succeed." },
    ]);
  });
});

describe("What is named is deployed, and nothing else", () => {
  const both = async () => {
    repository.commit({
      "agents/Pulumi.yaml": "name: acme-agents\nruntime: nodejs\n",
      ...Object.fromEntries(
        ["queues", "agents"].flatMap((folder) =>
          ["production", "staging"].map((stack) => [`${folder}/Pulumi.${stack}.yaml`, ""]),
        ),
      ),
    });
    repository.plays({});
    expect((await repository.ci("preview")).code).toBe(0);
  };
  const deployedBy = async (args: string, env: Record<string, string> = {}) => {
    const { code, outcomes } = await repository.outcomes(`deploy ${args}`.trim(), env);
    const names = outcomes.map(({ folder, stack, end }) => {
      expect(end).toBe("deployed");
      return `${folder}/${stack}`;
    });
    return { code, names };
  };
  test.each<[args: string, PULUMI_STACK: string, names: string[]]>([
    ["", "", ["agents/production", "agents/staging", "queues/production", "queues/staging"]],
    ["--stack staging", "", ["agents/staging", "queues/staging"]],
    ["", "staging", ["agents/staging", "queues/staging"]],
    ["--stack production", "staging", ["agents/production", "queues/production"]],
    ["--only queues", "", ["queues/production", "queues/staging"]],
    ["--only ./queues/ --stack staging", "", ["queues/staging"]],
    ["--only queues agents", "production", ["agents/production", "queues/production"]],
  ])("`ci deploy %s` with PULUMI_STACK=%s deploys %j", async (args, PULUMI_STACK, names) => {
    await both();
    expect(await deployedBy(args, { PULUMI_STACK })).toEqual({ code: 0, names });
  });

  test("a stack that nobody previewed is a failure with its name, also where results of others lie around", async () => {
    repository.write({ "queues/Pulumi.staging.yaml": "" });
    await preview();
    for (const [args, env, missing] of [
      ["deploy --stack staging", {}, "staging"],
      ["deploy", { PULUMI_STACK: "staging" }, "staging"],
      ["deploy --only queues --stack staging", {}, "queues/staging"],
    ] as const) {
      const words = `${missing} is not in ${repository.result("projects.json")}, so nobody previewed it. In it are acme-queues/production.`;
      expect(await repository.ci(args, env)).toMatchObject({ code: 2, stderr: `buildpipeline: ${words}\n` });
    }
    expect(deployed()).toEqual([]);
    const listing = ["--listing", "review/projects.json", "--", "sh", "-c", "echo $PULUMI_STACK"];
    const run = (...args: readonly string[]) =>
      buildpipeline(["projects", ...args], {
        cwd: repository.root,
        env: repository.env({ PULUMI_STACK: "staging" }),
      });
    expect(await run(...listing)).toMatchObject({ code: 2, stdout: "" });
    expect(await run("--affected-by", "HEAD", ...listing)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("leave --affected-by, --since-deployment, --all and --all-stacks out"),
    });
    rmSync(repository.result("projects.json"));
    expect(await repository.ci("deploy")).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(
        /projects\.json is not there, so no stack was previewed\. Run `buildpipeline ci preview`/,
      ),
    });
  });

  test("a stack that the change doesn't affect is said, and nothing fails", async () => {
    const commit = repository.git("rev-parse", "HEAD");
    repository.commit({ "README.md": "# Changed\n" });
    expect((await repository.ci(`preview --stack production --affected-by ${commit}`)).code).toBe(0);
    expect(await repository.ci("deploy --stack production")).toMatchObject({
      code: 0,
      stderr: "acme-queues/production: not affected by the change, so it is not deployed.\n",
    });
  });
});

describe("A deployment that deletes a queue", () => {
  test("pauses it first, until no job runs in it, and resumes it if the deployment fails", async () => {
    const { now } = await planned({ code: 1, stdout: `${diagnostic("error", "422 Unprocessable")}\n` });
    expect(await deploy()).toMatchObject({ code: 2, end: "failed", reason: "422 Unprocessable" });
    expect(pausesOf()).toBe(1);
    expect((await now()).dispatch_paused).toBe(false);
  });

  test.each(
    someOf([
      ["after a step", begun("create", "other")],
      ["before any step", ""],
    ]),
  )("is resumed if it fails %s, whatever the error quotes", async (_, step) => {
    // A name of the service may have several lines.
    const words = WORDS.join("\n");
    const message = `The queue "small ${words}" was refused.\n${words}`;
    const stdout = `${step}\n${diagnostic("error", message, CHANGED)}\n`;
    const { now } = await planned({ code: 1, stdout, stderr: `error: ${message}\n` });
    const ended = await deploy();
    expect(ended).toMatchObject({ code: 2, end: "failed", reason: `The queue "small ${WORDS[0]}` });
    for (const line of WORDS) expect(ended.stderr).toContain(line);
    expect((await now()).dispatch_paused).toBe(false);
  });

  test.each(
    someOf([
      ["an incident", "Incident 12"],
      [
        "a drain of an operator",
        "Draining (buildpipeline drain) since 2027-01-01T00:00:00.000Z: incident 42",
      ],
    ]),
  )("never resumes a pause for %s", async (_, note) => {
    const { now } = await planned({ code: 1 }, note);
    expect(await deploy()).toMatchObject({ code: 2 });
    expect(await now()).toMatchObject({ dispatch_paused: true, dispatch_paused_note: note });
    expect(pausesOf("queues.resumeDispatch")).toBe(0);
  });

  test("needs only the wait for a queue that the program pauses", async () => {
    await planned({}, "By the program", { dispatchPaused: true });
    expect(await deploy()).toMatchObject({ code: 0, end: "deployed" });
    expect(pausesOf()).toBe(1);
  });

  test("is refused while agents are connected that keep it from being deleted, unless that is allowed", async () => {
    const { queue, now } = await planned();
    repository.emulator.connectAgent({ queueId: queue.id });
    const reason = expect.stringContaining("1 connected agent");
    expect(await deploy()).toMatchObject({ code: 4, end: "refused", reason });
    expect(deployed()).toEqual([]);
    expect((await now()).dispatch_paused).toBe(false);
    expect(await deploy("--allow-refused")).toMatchObject({ code: 0, end: "deployed" });
  });

  test("that another deployment keeps from the stack leaves its queues paused, with the command that resumes them", async () => {
    const { now } = await planned(LOCKED);
    const next =
      /^Wait until the other deployment ends\. Queues .* `buildpipeline drain --record \S+drained\.jsonl --resume`$/;
    expect(await deploy()).toMatchObject({ end: "failed", next: expect.stringMatching(next) });
    expect((await now()).dispatch_paused).toBe(true);
  });

  test.each(
    someOf([
      ["fails", { code: 1, stdout: diagnostic("error", "422") }],
      ["waits for the other one", LOCKED],
    ]),
  )("that finds another deployment's pause and %s names the queue that stays paused", async (_, up) => {
    const { queue } = await planned(up);
    const note =
      "Draining (buildpipeline drain) since 2027-01-01T00:00:00.000Z#00000000: deployment of other";
    repository.emulator.onRequest(({ operation }) => {
      if (operation !== "queues.pauseDispatch") return;
      const paused = { dispatch_paused: true, dispatch_paused_note: note };
      repository.emulator.organizationData.queues.update(queue.id, paused);
    });
    const { end, next } = await deploy();
    expect({ end, next }).toEqual({
      end: "failed",
      next: expect.stringContaining(`(${note}), and not by this run, so it stays paused.`),
    });
    expect(next).not.toContain("Queues that this run paused");
    expect(pausesOf("queues.resumeDispatch")).toBe(0);
  });

  test.each([
    ["with a new plan", async () => void (await preview(LATER))],
    ["that has nothing else to do", () => repository.ci(`preview --stack production --affected-by HEAD`)],
  ])("is resumed after a kill, by the next deployment %s", async (_, previews) => {
    const { now } = await planned({ waits: true });
    const { child, ended, pulumi } = await started();
    process.kill(-(child.pid ?? 0), "SIGKILL");
    await ended;
    expect((await now()).dispatch_paused).toBe(true);
    expect(await repository.recover()).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(`process ${pulumi} `),
    });
    await goesOn(pulumi);
    await previews();
    const { code, stderr } = await deploy();
    expect(code).toBe(0);
    expect(stderr).toContain("Linux/small: resumed.");
    expect((await now()).dispatch_paused).toBe(false);
  });

  test("is named by `recover` after a kill, and resumed by it if asked to", async () => {
    const { now } = await planned({ waits: true });
    const { child, ended, pulumi } = await started();
    child.kill("SIGKILL");
    await ended;
    await goesOn(pulumi);
    const { code, stdout } = await repository.recover();
    expect({ code, stdout }).toEqual({
      code: 1,
      stdout: expect.stringMatching(
        /^Paused queue Linux\/small\n {4}A deployment .*`buildpipeline drain --record \S+drained\.jsonl --resume`$/m,
      ),
    });
    expect((await now()).dispatch_paused).toBe(true);
    expect(await repository.recover("--yes")).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^Resumed queue Linux\/small$/m),
    });
    expect((await now()).dispatch_paused).toBe(false);
    expect(await repository.recover()).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^Nothing was/),
    });
  });

  test("leaves a record of pauses alone that isn't its own, and names the command for it", async () => {
    await preview();
    repository.write({ "review/gone.production/drained.jsonl": "" });
    expect((await deploy()).stderr).toMatch(
      /gone\.production\/drained\.jsonl has pauses of a deployment that was killed\. .*`buildpipeline drain --record \S+gone\.production\/drained\.jsonl --resume`/,
    );
  });

  test("fails with the code of the request that the API refuses", async () => {
    await planned();
    repository.emulator.fault({ operation: "queues.list", times: 99, action: { status: 403 } });
    const reason = expect.stringContaining("/queues failed with 403");
    expect(await deploy()).toMatchObject({ code: "permission-missing", end: "failed", reason });
    expect(deployed()).toEqual([]);
  });

  test("stops where the state changed while it drained", async () => {
    const { scenario, now } = await planned();
    // Someone else deploys between the pause and the look at the jobs.
    const deployedByOthers = (body: unknown) => {
      if (pausesOf() === 1) repository.plays({ ...scenario, ...LATER });
      return body;
    };
    repository.emulator.fault({ operation: "builds.list", times: 99, action: { change: deployedByOthers } });
    expect(await deploy()).toMatchObject({ code: 5, end: "waits" });
    expect(deployed()).toEqual([]);
    expect((await now()).dispatch_paused).toBe(false);
  });
});

describe("A folder of results", () => {
  test("belongs to one deployment: a second one ends, and resumes nothing", async () => {
    const { now } = await planned({ waits: true });
    const { child, ended, pulumi } = await started();
    for (const command of ["deploy", "preview", "drift"]) {
      const { code, stderr } = await repository.ci(`${command} --stack production`);
      expect(code).toBe(2);
      expect(stderr).toMatch(
        new RegExp(
          `^buildpipeline: .buildpipeline ci deploy. \\(process ${child.pid} on .*, so nothing was done here`,
        ),
      );
    }
    expect((await now()).dispatch_paused).toBe(true);
    await goesOn(pulumi);
    expect((await ended).code).toBe(0);
    expect(existsSync(repository.result("deploying.jsonl"))).toBe(false);
  });

  test("of a killed deployment whose Pulumi goes on is nobody's before that has ended", async () => {
    const { now } = await planned({ waits: true });
    const { child, ended, pulumi } = await started();
    child.kill("SIGKILL");
    await ended;
    expect((await deploy()).stderr).toMatch(new RegExp(`: Pulumi for .* \\(process ${pulumi} on `));
    expect((await now()).dispatch_paused).toBe(true);
    await goesOn(pulumi);
    expect(await deploy()).toMatchObject({ code: 0, stderr: expect.stringContaining("small: resumed.") });
  });

  const LINE = { what: "ci deploy", host: hostname(), pid: process.pid, start: "0", since: "2027-01-01" };
  test("is free if the number of a process belongs to another one by now", async () => {
    await preview();
    repository.write({ "review/deploying.jsonl": `${JSON.stringify(LINE)}\n{"what":` });
    expect(await deploy()).toMatchObject({ code: 0, end: "deployed" });
  });

  test("of a deployment on another machine is left alone, with the command that removes the lock", async () => {
    await preview();
    repository.write({ "review/deploying.jsonl": JSON.stringify({ ...LINE, host: "elsewhere" }) });
    const { code, stderr } = await deploy();
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: expect.stringMatching(/process \d+ on elsewhere.*: `rm \S+\/review\/deploying\.jsonl`/),
    });
    expect(deployed()).toEqual([]);
  });
});

describe("A Pulumi", () => {
  test.each(
    someOf([
      [
        "was killed",
        137,
        UNFINISHED,
        "The state lacks the end of creating AgentToken t0, creating AgentToken t1.",
      ],
      ["failed in the middle", 255, UNFINISHED, "The state lacks the end of creating"],
      ["was killed between its steps", 137, stateOf("2027-01-01T00:00:00Z"), "the stack may stay locked."],
      ["ended, and whose state can't be read", 137, "no JSON", "What the state has is unknown:"],
    ]),
  )("that %s leads to `recover`", async (_, code, state, reason) => {
    await preview();
    repository.plays({ up: { code, breaks: state } });
    expect(await deploy()).toMatchObject({
      code: 2,
      reason: expect.stringContaining(reason),
      next: `Run \`${RECOVER}\`, and then \`buildpipeline ci preview\` again.`,
    });
  });
});

describe.runIf(isWhole)("A signal", () => {
  test.each(["SIGINT", "SIGTERM", "SIGHUP"] as const)(
    "%s reaches Pulumi alone as Ctrl-C, and the queues are resumed after Pulumi has recorded",
    async (signal) => {
      const { now } = await planned({ waits: true, records: true });
      const { child, ended } = await started(" --json");
      process.kill(-(child.pid ?? 0), signal);
      const { code, stdout } = await ended;
      expect(code).toBe(130);
      const reason = "A signal stopped the deployment. The state has everything that it did.";
      expect(JSON.parse(stdout).outcomes[0]).toMatchObject({ end: "interrupted", reason });
      expect(got()).toEqual(["queues: got SIGINT", "queues: recorded"]);
      expect((await now()).dispatch_paused).toBe(false);
    },
  );

  test("leads to `recover` if the state lacks what Pulumi began", async () => {
    await preview();
    repository.plays({ up: { waits: true, breaks: UNFINISHED } });
    const { child, ended } = await started(" --json");
    child.kill("SIGTERM");
    expect(JSON.parse((await ended).stdout).outcomes[0]).toMatchObject({
      end: "interrupted",
      reason: expect.stringMatching(/^A signal stopped the deployment\. The state lacks the end of creating/),
      next: expect.stringContaining(RECOVER),
    });
  });

  test("that a host repeats is the same cancellation", async () => {
    const { now } = await planned({ waits: true, records: "late" });
    const { child, ended, pulumi } = await started();
    child.kill("SIGINT");
    await until("queues: got SIGINT");
    await new Promise((resolve) => setTimeout(resolve, 800));
    child.kill("SIGTERM");
    child.kill("SIGHUP");
    await goesOn(pulumi);
    expect((await ended).code).toBe(130);
    expect(got()).toEqual(["queues: got SIGINT", "queues: recorded"]);
    expect((await now()).dispatch_paused).toBe(false);
  });

  const KILLED_GIT = `case "$*" in *rev-parse*) kill -TERM $$ ;; esac; PATH="\${PATH#*:}" exec git "$@"`;
  test("that ends git is a failure, because git's silence would mean that there is no repository", async () => {
    await preview();
    writeCommand(repository.scratch.path("bin"), "git", KILLED_GIT);
    const reason = expect.stringContaining("git rev-parse");
    expect(await deploy()).toMatchObject({ code: 2, end: "failed", reason });
    expect(repository.calls().filter((line) => line.includes(": up"))).toEqual([]);
  });

  test("ends a drain before anything is deployed, and resumes the queue", async () => {
    const { now } = await planned();
    repository.emulator.fault({ operation: "builds.list", action: { delayMs: 60_000 } });
    const { child, ended } = repository.start("deploy --stack production");
    const operation = () => repository.emulator.requests.at(-1)?.operation;
    await vi.waitFor(() => expect(operation()).toBe("builds.list"), 120_000);
    child.kill("SIGTERM");
    expect((await ended).code).toBe(130);
    expect(deployed()).toEqual([]);
    expect((await now()).dispatch_paused).toBe(false);
  });

  test("in a preview leaves no plan", async () => {
    repository.plays({ preview: { waits: true, stdout: { steps: [], changeSummary: { same: 1 } } } });
    const { child, ended } = repository.start("preview --stack production");
    await repository.waiting();
    child.kill("SIGTERM");
    expect((await ended).code).toBe(130);
    expect(existsSync(repository.result(FOLDER, "plan.json"))).toBe(false);
  });

  test("that is a second Ctrl-C ends the command, and not Pulumi, with the commands for later", async () => {
    const { now } = await planned({ waits: true, records: "late" });
    const { child, ended, pulumi } = await started();
    child.kill("SIGINT");
    await until("queues: got SIGINT");
    await new Promise((resolve) => setTimeout(resolve, 800));
    child.kill("SIGINT");
    const { code, stderr } = await ended;
    expect(code).toBe(130);
    const last = stderr.trim().split("\n").at(-1);
    expect(last).toContain(`Pulumi goes on as process ${pulumi},`);
    expect(last).toContain(RECOVER);
    expect(last).toMatch(/buildpipeline drain --record \S+drained\.jsonl --resume/);
    await goesOn(pulumi);
    expect(got()).toEqual(["queues: got SIGINT", "queues: recorded"]);
    expect((await now()).dispatch_paused).toBe(true);
  });
});
