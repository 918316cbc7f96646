import { writeFileSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { EmulatorOptions } from "../../../src/emulator/index.js";
import { BusyOrganization } from "../../support/busy-organization.js";
import { Colleague } from "../../support/colleague.js";
import { buildpipeline, buildpipelineProcess, OBEYED, settingsOf } from "../../support/command.js";
import { previewOf, recorded, resourceOf, step, stepOf } from "../../support/recording.js";
import { deleting, failedWith, scratchOfEach } from "./reports.js";

const UNKNOWN = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

type Step = ReturnType<typeof step>;

const scratch = scratchOfEach();
let time: number;
let organization: BusyOrganization;

async function start(options: EmulatorOptions = {}): Promise<void> {
  time = Date.parse("2030-01-01T00:00:00Z");
  organization = await BusyOrganization.start({ clock: () => new Date(time), ...options });
}

/** The queue `small` has 3 jobs that run and 12 that wait, for four minutes. */
async function makeBusy(): Promise<void> {
  const { queues, emulator } = organization;
  organization.connect(queues.small, 3);
  await organization.build("storefront", 6);
  await organization.build("api", 9);
  time += 240_000;
  emulator.dispatchJobs();
  emulator.clearRequests();
}

function connectAt(ip_address: string, name: string): void {
  const { emulator, queues } = organization;
  const { id } = emulator.connectAgent({ name, queueId: queues.large });
  emulator.organizationData.agents.update(id, { ip_address });
}

beforeEach(() => start());
afterEach(() => organization.close());

/** The recorded preview, with the steps that matter. */
function preview(keep: (step: Step) => boolean = () => true, edit: (step: Step) => void = () => {}): string {
  const steps: Step[] = JSON.parse(organization.recorded("preview")).steps;
  const kept = steps.filter(keep);
  for (const step of kept) edit(step);
  return written(previewOf(kept));
}

/** A preview in a file. */
function written(content: object): string {
  const file = scratch.path("preview.json");
  writeFileSync(file, JSON.stringify(content));
  return file;
}

const about =
  (...names: readonly string[]) =>
  ({ urn }: Step) =>
    names.includes(urn.slice(urn.lastIndexOf("::") + 2));

/** The deletion of a cluster with all that the stack has in it. */
const ofOldCluster = about("old", "old-one", "old-two", "old-three", "old-agents");

/** Runs the command, and checks its exit code. */
async function report(expected: number, file: string, ...args: readonly string[]) {
  return reportWith(organization.emulator.accessToken, expected, file, ...args);
}

async function reportWith(token: string, expected: number, file: string, ...args: readonly string[]) {
  const env = settingsOf(organization.emulator, token);
  const { code, ...ended } = await buildpipeline(["report", file, "--impact", ...args], { env });
  expect(code).toBe(expected);
  return ended;
}

/** The impact in a report's JSON. */
async function impact(file: string, ...args: readonly string[]) {
  const { stdout, stderr } = await report(0, file, "--json", ...args);
  expect(stderr).toBe("");
  return JSON.parse(stdout).impact;
}

describe("buildpipeline report --impact", () => {
  test("shows what runs and waits in a queue that is replaced, first and with figures", async () => {
    await makeBusy();
    const { stdout } = await report(3, preview(), "--fail-on", "busy");
    expect(stdout).toContain(
      "Busy: 3 running, 12 waiting in something that this change deletes or replaces.",
    );
    const [, danger = ""] = /\n> - (\*\*Lost:\*\* Queue <code>small<\/code> .*?)\n> - /s.exec(stdout) ?? [];
    expect(danger.split("\n>   - ")).toEqual([
      "**Lost:** Queue <code>small</code> of <code>Linux</code> is replaced by <code>tiny</code>: **3 running, 12 waiting, the oldest for 4 min**. " +
        "Steps and agents that name <code>small</code> must name <code>tiny</code> from then on.",
      "Pipelines: <code>api</code> 0 running, 9 waiting; <code>storefront</code> 3 running, 3 waiting.",
      "The service does not document what happens to running jobs.",
      "9 jobs that have not started name <code>queue&#61;small</code>: no queue of <code>Linux</code> has this key afterwards.",
      "3 jobs that have not started name no queue and go to the default queue, <code>tiny</code> from then on.",
      "3 connected agents have the tag <code>queue&#61;small</code> or no such tag.",
    ]);
    // Figures are said once, in the sentence that they are about.
    expect(stdout.match(/3 running, 12 waiting, the oldest/g)).toHaveLength(1);
    expect(stdout).toContain("jobs 00:04:00, agents 00:04:00");
    expect(stdout).not.toMatch(OBEYED);
    expect(organization.emulator.requests.map(({ operation }) => operation).sort()).toEqual([
      "agentTokens.list",
      "agentTokens.list",
      "agents.list",
      "builds.list",
      "clusters.list",
      // The key `small` goes away, and templates may name it.
      "pipelineTemplates.list",
      "queues.list",
      "queues.list",
    ]);
  });

  test("says of a new key that isn't known yet neither that it is the old one nor that no queue has that", async () => {
    await makeBusy();
    const hide = ({ newState }: Step) => {
      if (newState?.inputs?.key === "tiny") newState.inputs.key = UNKNOWN;
    };
    const { stdout } = await report(0, preview(undefined, hide));
    expect(stdout).toMatch(/Queue <code>small<\/code> of <code>Linux<\/code> is replaced: /);
    expect(stdout).toMatch(/<code>Linux<\/code> gets a queue with a key that isn\S+t known yet\./);
    expect(stdout).not.toMatch(/takes over|has this key afterwards/);
  });

  test("has the figures as numbers in JSON, and on the page beside a link to the row", async () => {
    await makeBusy();
    const { busy, findings, readAt, requests } = await impact(preview());
    expect({ busy, requests }).toEqual({ busy: true, requests: 8 });
    expect(readAt.jobs).toMatch(/^2030-01-01T00:04:0/);
    expect(findings[0]).toMatchObject({
      kind: "Queue",
      label: "small",
      cluster: "Linux",
      effect: "replace",
      busy: true,
      running: 3,
      waiting: 12,
      oldestWaitSeconds: 240,
      agents: 3,
      pipelines: [
        { slug: "api", running: 0, waiting: 9 },
        { slug: "storefront", running: 3, waiting: 3 },
      ],
    });
    const { stdout } = await report(0, preview(), "--html");
    const link =
      /<li><strong>Lost:<\/strong> Queue <a href="#([\w-]+)"><code>small<\/code><\/a>.*<strong>3 running, 12 waiting/;
    const [, anchor] = link.exec(stdout) ?? [];
    expect(stdout).toMatch(new RegExp(`<tr id="${anchor}" class="danger">.*<code>small</code>`));
  });

  test("counts jobs that name no queue for the default queue of their own cluster, and for no other", async () => {
    const { client, emulator, old, queues } = organization;
    await client.clusters.update(old, { default_queue_id: queues.one });
    const steps = [{ key: "test", name: "Test", command: "make test" }];
    emulator.createPipeline({ slug: "plain", clusterId: old, steps });
    await organization.build("plain", 2);
    await organization.build("storefront", 1);
    const { findings } = await impact(preview(about("old-one", "old-three", "linux-small")));
    const counts = findings.map((one: { label: string; waiting: number }) => [one.label, one.waiting]);
    expect(counts).toEqual([
      ["one", 2],
      ["small", 1],
      ["three", 0],
    ]);
  });

  test("lists what is hit in one order, whatever the language of the machine", async () => {
    const [one] = JSON.parse(organization.recorded("preview")).steps.filter(about("old-one"));
    const steps = ["b10", "z", "aa", "b2", "b"].map((key, index) => {
      const copy: Step = JSON.parse(JSON.stringify(one).replaceAll("old-one", `old-${index}`));
      Object.assign(copy.oldState?.inputs ?? {}, { key });
      Object.assign(copy.oldState?.outputs ?? {}, { key });
      return copy;
    });
    const file = written(previewOf(steps));
    // In Danish, "aa" is the last letter of the alphabet.
    for (const LC_ALL of ["C.UTF-8", "da_DK.UTF-8"]) {
      const env = { ...settingsOf(organization.emulator), LC_ALL };
      const { stdout } = await buildpipelineProcess(["report", file, "--impact", "--json"], { env });
      const { findings } = JSON.parse(stdout).impact;
      expect(findings.map(({ label }: { label: string }) => label)).toEqual(["aa", "b", "b2", "b10", "z"]);
    }
  });

  test("counts the same where the service shows the queue of jobs that wait", async () => {
    await organization.close();
    await start({ variations: { waitingJobQueue: "shown" } });
    await makeBusy();
    const { findings } = await impact(preview());
    expect(findings[0]).toMatchObject({ label: "small", running: 3, waiting: 12, agents: 3 });
  });

  test("says that a cluster with a queue of others will stop the deployment, and ends with 4", async () => {
    await organization.client.queues.create(organization.old, { key: "of-others" });
    const file = preview(ofOldCluster);
    const { stdout } = await report(4, file, "--fail-on", "busy,refused");
    expect(stdout).toMatch(
      /> - \*\*Stops:\*\* The deployment will stop halfway: cluster <code>Old machines<\/code> contains queue <code>of-others<\/code>, which/,
    );
    expect(stdout).toMatch(/^## 🔴 The deployment will stop halfway: /m);
    expect(stdout).toMatch(
      /Cluster <code>Old machines<\/code> is deleted with its queues .*, but its own deletion is refused:/,
    );
    expect(stdout).toContain("Delete it, or set forceDestroy and deploy that first.");
    const { findings } = await impact(file);
    expect(findings[0].refusal).toMatchObject({ certain: true });
    const forced = preview(ofOldCluster, ({ oldState }) =>
      Object.assign(oldState?.inputs ?? {}, { forceDestroy: true }),
    );
    await report(0, forced, "--fail-on", "refused");
  });

  test("says that connected agents may stop the deployment, and no more", async () => {
    organization.connect(organization.queues.small);
    const { stdout } = await report(4, preview(about("linux-small")), "--fail-on", "refused");
    expect(stdout).toContain(
      "The deployment may stop halfway at queue <code>small</code>: agents with the tag <code>queue&#61;small</code> are connected (the API doesn't show in which cluster)",
    );
    expect(stdout).not.toContain("will stop");
  });

  test("says that live templates name a queue that goes away, or one that no cluster has", async () => {
    const { client } = organization;
    const steps = (queue: string) => `agents:\n  queue: ${queue}\nsteps: []\n`;
    await client.pipelineTemplates.create({ name: "Live", configuration: steps("two"), available: true });
    await client.pipelineTemplates.create({ name: "Typo", configuration: steps("tow"), available: true });
    // The deployment deletes everything in the cluster, so nothing is refused.
    const { stdout } = await report(0, preview(ofOldCluster), "--fail-on", "refused");
    expect(stdout).toMatch(
      /template <code>Live<\/code> still names in its steps the queue <code>two<\/code>.*, which this deployment takes away/,
    );
    expect(stdout).toMatch(
      /template <code>Typo<\/code> names the queue <code>tow<\/code> in its steps, which no cluster has/,
    );
    await client.queues.create(organization.linux, { key: "two" });
    const elsewhere = await report(0, preview(ofOldCluster));
    expect(elsewhere.stdout).not.toContain("which this deployment takes away");
  });

  test("says that live pipelines trigger one that goes, or name its secret or team", async () => {
    const { client, linux } = organization;
    const repository = "git@github.com:acme/x.git";
    const make = (name: string, steps: string) =>
      client.pipelines.create({ name, repository, cluster_id: linux, configuration: `steps: [${steps}]` });
    const deploy = await make("Deploy", "wait");
    await make("Web", "{ trigger: deploy }");
    await make("Ops", "{ trigger: $TARGET }, { trigger: other }");
    const { id } = deploy;
    const gone = deleting(resourceOf("Pipeline", "deploy", id, { name: "Deploy", slug: "deploy" }));
    const { findings } = await impact(written({ steps: [gone] }));
    expect(findings.length).toBe(1);
    const { stdout } = await report(0, written({ steps: [gone] }));
    expect(stdout).toMatch(
      /Pipeline <code>Web<\/code> still names in its steps the pipeline <code>deploy<\/code>, which this deployment takes away/,
    );
    expect(stdout).not.toContain("Ops");
  });

  test("says that nothing runs there, with exit code 0", async () => {
    const whole = written(JSON.parse(organization.recorded("preview")));
    const state = ["--stack-export", recorded("stack-export")];
    const { stdout } = await report(0, whole, "--fail-on", "busy", ...state);
    expect(stdout).toContain("No job runs in anything that this change deletes or replaces.");
    expect(stdout).toContain("0 running, 0 waiting");
    // Without the state, a deletion may be pending.
    const unknown = await report(0, whole, "--fail-on", "busy");
    expect(unknown.stdout).toContain("No job runs in what the preview shows to be deleted");
    expect(unknown.stderr).toMatch(/left pending are not known, .* Give --stack-export/);
  });

  test("sends nothing where nothing is hit", async () => {
    organization.emulator.clearRequests();
    const state = ["--stack-export", recorded("stack-export")];
    const { stdout } = await report(0, recorded("preview-unchanged"), "--fail-on", "busy", ...state);
    expect(stdout).toContain("The changes touch nothing that jobs, agents or pipelines use.");
    expect(organization.emulator.requests).toEqual([]);
  });

  test("no longer calls a queue busy that is paused and runs nothing, and counts what waits", async () => {
    await makeBusy();
    const { client, linux, queues, emulator } = organization;
    await client.queues.pauseDispatch(linux, queues.small, { note: "Moving <b>house</b>" });
    emulator.finishJobs();
    emulator.dispatchJobs();
    const { stdout } = await report(0, preview(), "--fail-on", "busy");
    expect(stdout).toMatch(/: 0 running, 12 waiting.*\. Steps and agents/);
    expect(stdout).toContain(">   - It is paused since 0 s by <code>Ada Archer</code>");
    expect(stdout).not.toContain("<b>house");
  });

  test("says what pausing holds back and what resuming lets through", async () => {
    organization.connect(organization.queues.large);
    await organization.build("release", 3);
    organization.emulator.dispatchJobs();
    const paused = await impact(preview(about("linux-large")));
    expect(paused.findings).toMatchObject([{ effect: "pause", busy: false, running: 1, waiting: 2 }]);
    expect(paused.findings[0].details).toContain("2 jobs wait until the queue is resumed.");
    const resumed = await impact(
      preview(about("linux-large"), ({ oldState, newState }) => {
        Object.assign(oldState?.inputs ?? {}, { dispatchPaused: true });
        Object.assign(newState?.inputs ?? {}, { dispatchPaused: false });
      }),
    );
    expect(resumed.findings).toMatchObject([
      { effect: "resume", details: expect.arrayContaining(["2 waiting jobs can start."]) },
    ]);
  });

  test("counts all of a cluster that is deleted, and names what the stack does not manage in it", async () => {
    const { client, old, queues, emulator } = organization;
    await client.queues.create(old, { key: "unknown" });
    await client.agentTokens.create(old, { description: "Someone's laptop" });
    organization.connect(queues.two);
    await organization.build("legacy", 2);
    emulator.dispatchJobs();
    const { findings } = await impact(preview());
    const expected = { kind: "Cluster", label: "Old machines", running: 1, waiting: 1, busy: true };
    expect(findings[0]).toMatchObject(expected);
    expect(findings[0].details).toEqual(
      expect.arrayContaining([
        "1 queue that this stack does not manage: unknown.",
        "1 agent token that this stack does not manage: Someone's laptop.",
      ]),
    );
    expect(findings.filter(({ kind }: { kind: string }) => kind === "Queue")).toHaveLength(2);
  });

  test("names agents that no remaining token allows, as agents that may be shut out", async () => {
    connectAt("10.20.0.9", "in-a");
    connectAt("10.20.9.9", "out-b");
    connectAt("10.1.2.3", "in-c");
    const { findings } = await impact(preview(about("linux-laptops")));
    expect(findings).toMatchObject([{ effect: "restrict", agents: 3 }]);
    expect(findings[0].details).toEqual([
      "1 connected agent may be shut out, because no remaining token of the cluster allows its address: out-b (10.20.9.9).",
    ]);
  });

  test.each([
    ["an address that isn't known yet", [UNKNOWN], "10.20.0.9"],
    ["an entry in another form", ["10.20.0.0/16 # office"], "10.20.0.9"],
    ["an agent without an address", ["10.20.0.0/16"], ""],
  ])("says nothing of agents that may be shut out with %s", async (_, allowedIpAddresses, address) => {
    connectAt(address, "in-a");
    const file = preview(about("linux-laptops"), ({ newState }) =>
      Object.assign(newState?.inputs ?? {}, { allowedIpAddresses }),
    );
    expect((await impact(file)).findings).toMatchObject([{ effect: "restrict", agents: 1, details: [] }]);
  });

  test("tells suites and templates apart from jobs, and claims nothing of them", async () => {
    const hide = preview(about("deploy"), (step) => {
      step.diffReasons = ["available"];
      Object.assign(step.oldState?.inputs ?? {}, { available: true });
    });
    const { findings } = await impact(hide);
    expect(findings).toMatchObject([{ effect: "hide", now: "not counted", busy: false }]);
  });

  test("names the suites that lose a deleted team, and reads the runs of a deleted suite", async () => {
    const { emulator } = organization;
    const suite = await new Colleague(emulator).sends("POST", "/suites", {
      name: "Unit",
      default_branch: "main",
    });
    const team = "11111111-2222-4333-8444-555555555555";
    const outputs = { slug: suite.slug };
    const args = { name: "Unit", defaultBranch: "main", teamIds: [team] };
    const suiteOf = (op: "delete" | "same") =>
      stepOf(op, "Suite", "unit", args, { id: String(suite.id), outputs });
    const deletedTeam = stepOf("delete", "Team", "platform", { name: "Platform" }, { id: team });
    const of = async (...steps: readonly object[]) => (await impact(written({ steps }))).findings;
    expect(await of(deletedTeam, suiteOf("same"))).toMatchObject([
      { effect: "delete", busy: false, details: ["This stack still names it in test suite Unit."] },
    ]);
    expect(await of(suiteOf("delete"))).toMatchObject([
      { effect: "delete", now: "no run in progress", busy: false },
    ]);
  });

  test("shows who loses what with a team, and the last build of a pipeline that goes", async () => {
    const colleague = new Colleague(organization.emulator);
    await organization.build("storefront", 1);
    const pipeline = await colleague.sends("GET", "/pipelines/storefront");
    const team = await colleague.sends("POST", "/teams", {
      name: "Web",
      privacy: "visible",
      is_default_team: false,
      default_member_role: "member",
      members_can_create_pipelines: false,
    });
    const access = { pipeline_id: pipeline.id, access_level: "manage_build_and_read" };
    await colleague.sends("POST", `/teams/${team.id}/pipelines`, access);
    const outputs = { slug: "storefront" };
    const goes = { id: String(pipeline.id), outputs };
    const args = { name: "Storefront", onDelete: "archive" };
    const pair = { teamId: team.id, pipelineId: pipeline.id, accessLevel: "manage_build_and_read" };
    const steps = [
      stepOf("delete", "Team", "web", { name: "Web" }, { id: String(team.id) }),
      stepOf("delete", "Pipeline", "storefront", args, goes),
    ];
    const { findings } = await impact(written({ steps }));
    // Access to a pipeline that goes as well is no loss.
    expect(findings).toMatchObject([
      { kind: "Pipeline", busy: true, now: expect.stringMatching(/^last build #1, of 2030-01-01$/) },
      { kind: "Team", details: [] },
    ]);
    const alone = stepOf("delete", "TeamPipeline", "web", pair, { id: `${team.id}/${pipeline.id}` });
    const stays = stepOf("same", "Pipeline", "storefront", args, goes);
    for (const goes of [alone, stepOf("delete", "Team", "web", { name: "Web" }, { id: String(team.id) })])
      expect((await impact(written({ steps: [goes, stays] }))).findings[0].details).toEqual([
        "No team that the access token may see has full access to pipeline Storefront afterwards, so only admins can change it.",
        "Ada Archer loses manage_build_and_read on pipeline Storefront, keeping nothing.",
      ]);
  });

  test("names who joins a team, if the access token may read people", async () => {
    const { emulator } = organization;
    const { id } = emulator.addMember({ name: "Ida Lund", email: "ida@acme.example" });
    const team = stepOf("same", "Team", "web", { name: "Web" });
    const joins = { teamId: "id-of-web", userId: id, role: "member" };
    const file = written(previewOf([team, stepOf("create", "TeamMember", "ida", joins)]));
    expect((await report(0, file)).stdout).toContain(
      "## 🟠 <code>Ida Lund</code> joins team <code>Web</code>",
    );
    const token = emulator.createAccessToken({ scopes: ["read_builds"] });
    expect((await reportWith(token, 0, file)).stdout).toContain(`<code>${id}</code> joins team`);
  });

  describe("of a team's full access to a pipeline", () => {
    const FULL = "manage_build_and_read";
    const LAST =
      "No team that the access token may see has full access to pipeline Storefront afterwards, so only admins can change it.";
    /** The creator of a team is its member. */
    const keeps = (level: string) =>
      `Ada Archer loses manage_build_and_read on pipeline Storefront, keeping ${level}.`;
    const NOTHING = keeps("nothing");
    let ids: Record<"pipeline" | "web" | "ops", string>;

    beforeEach(async () => {
      const colleague = new Colleague(organization.emulator);
      const { id } = await colleague.sends("GET", "/pipelines/storefront");
      const team = async (name: string) => {
        const flags = { is_default_team: false, members_can_create_pipelines: false };
        const body = { name, privacy: "visible", default_member_role: "member", ...flags };
        return String((await colleague.sends("POST", "/teams", body)).id);
      };
      ids = { pipeline: String(id), web: await team("Web"), ops: await team("Ops") };
    });

    /** The service's pair, as somebody made it. */
    const gives = (team: "web" | "ops", access_level: string) =>
      new Colleague(organization.emulator).sends("POST", `/teams/${ids[team]}/pipelines`, {
        pipeline_id: ids.pipeline,
        access_level,
      });
    const inputsOf = (team: "web" | "ops", accessLevel = FULL, pipelineId = ids.pipeline) => ({
      teamId: ids[team],
      pipelineId,
      accessLevel,
    });
    const pairStep = (op: "create" | "delete", team: "web" | "ops", level?: string, pipelineId?: string) =>
      stepOf(op, "TeamPipeline", team, inputsOf(team, level, pipelineId), {
        id: `${ids[team]}/${ids.pipeline}`,
      });
    const changes = (before: string, after: string) => {
      const state = (level: string) =>
        resourceOf("TeamPipeline", "web", `${ids.web}/${ids.pipeline}`, inputsOf("web", level));
      return step("update", state(before), state(after), "accessLevel");
    };
    const found = async (steps: readonly object[], token = organization.emulator.accessToken) => {
      const stays = { id: ids.pipeline, outputs: { slug: "storefront" } };
      const pipeline = stepOf("same", "Pipeline", "storefront", { name: "Storefront" }, stays);
      const { stdout } = await reportWith(token, 0, written({ steps: [...steps, pipeline] }), "--json");
      const findings: { kind: string; effect: string; details: string[] }[] =
        JSON.parse(stdout).impact.findings;
      return findings.filter(({ kind }) => kind === "TeamPipeline");
    };

    test.each<[string, () => readonly object[], string[]]>([
      ["a change that takes it", () => [changes(FULL, "read_only")], [LAST, keeps("read_only by Web")]],
      ["a deletion", () => [pairStep("delete", "web")], [LAST, NOTHING]],
      [
        "a deployment that gives it to another team",
        () => [pairStep("delete", "web"), pairStep("create", "ops")],
        [],
      ],
      [
        "a deployment that gives less to another team",
        () => [pairStep("delete", "web"), pairStep("create", "ops", "read_only")],
        [LAST, keeps("read_only by Ops")],
      ],
      [
        "a deployment that gives it for another pipeline",
        () => [pairStep("delete", "web"), pairStep("create", "ops", FULL, "another")],
        [LAST, NOTHING],
      ],
      [
        "a deployment that gives it for a pipeline that isn't known yet",
        () => [pairStep("delete", "web"), pairStep("create", "ops", FULL, UNKNOWN)],
        [],
      ],
      [
        "a deployment that gives another team what isn't known yet",
        () => [pairStep("delete", "web"), pairStep("create", "ops", UNKNOWN)],
        [],
      ],
    ])("warns that nobody but admins keeps it, if nobody does: %s", async (_, steps, details) => {
      await gives("web", FULL);
      expect(await found(steps())).toMatchObject([{ details }]);
    });

    test.each<[string, string, () => readonly object[], string[][]]>([
      ["keeps it", FULL, () => [pairStep("delete", "web")], [[]]],
      [
        "has less",
        "build_and_read",
        () => [pairStep("delete", "web")],
        [[LAST, keeps("build_and_read by Ops")]],
      ],
      [
        "loses it as well",
        FULL,
        () => ["web", "ops"].map((one) => pairStep("delete", one as "web")),
        [
          [LAST, NOTHING],
          [LAST, NOTHING],
        ],
      ],
      [
        "is deleted",
        FULL,
        () => [pairStep("delete", "web"), stepOf("delete", "Team", "ops", { name: "Ops" }, { id: ids.ops })],
        [[LAST, NOTHING]],
      ],
    ])("looks at the service's other teams: one that %s", async (_, level, steps, details) => {
      await gives("web", FULL);
      await gives("ops", level);
      expect((await found(steps())).map((one) => one.details)).toEqual(details);
    });

    test("says nothing of a team that keeps it or never had it, and that one which loses it is restricted", async () => {
      await gives("web", FULL);
      expect(await found([changes("read_only", FULL)])).toEqual([]);
      expect(await found([changes(FULL, "build_and_read")])).toMatchObject([{ effect: "restrict" }]);
      expect(await found([pairStep("delete", "web")])).toMatchObject([{ effect: "delete" }]);
    });

    test("claims nothing where the lists of teams can't be read", async () => {
      await gives("ops", FULL);
      const token = organization.emulator.createAccessToken({ scopes: ["read_builds", "read_pipelines"] });
      expect(await found([pairStep("delete", "web")], token)).toMatchObject([
        { details: ["Whether another team has full access to pipeline Storefront was not read."] },
      ]);
    });
  });

  test("groups queues that are idle in many clusters, and shows each that is busy", async () => {
    await organization.build("api", 1);
    const [like] = (JSON.parse(organization.recorded("preview")).steps as Step[]).filter(
      about("linux-small"),
    );
    const steps = Array.from({ length: 13 }, (_, index) => {
      const text = JSON.stringify(like).replaceAll("::linux", `::c${index}`);
      const own = index === 0 ? text : text.replaceAll(organization.linux, `cluster-${index}`);
      return JSON.parse(index === 0 ? own : own.replaceAll(organization.queues.small, `queue-${index}`));
    });
    const clusters = steps.slice(1).map((step, index) => ({
      op: "update",
      urn: step.urn.replace(/Queue::.*/, `Cluster::c${index + 1}`),
      oldState: { urn: "", type: "", id: `cluster-${index + 1}`, inputs: { name: `Site ${index + 1}` } },
      newState: { urn: "", type: "", inputs: { name: `Site ${index + 1}` } },
      diffReasons: ["description"],
    }));
    const { stdout } = await report(0, written({ steps: [...steps, ...clusters] }));
    const [busy, idle, ...others] = stdout.match(/^> - \*\*Lost:.*$/gm) ?? [];
    expect(busy).toMatch(
      /Queue <code>small<\/code> of <code>Linux<\/code> is replaced by <code>tiny<\/code>: \*\*0 running, 1/,
    );
    expect(idle).toMatch(
      /12 queues <code>small<\/code> \(of <code>Site 1<\/code>, <code>Site 2<\/code>.* and 4 more\) are replaced by <code>tiny<\/code>, each with 0 running, 0 waiting\. Steps/,
    );
    expect(others).toEqual([]);
    expect(stdout).toMatch(
      /^\| 🔴 \*\*± replace\*\* \| 13 queues <code>small<\/code> \| <code>Linux<\/code>, .* and 9 more \|/m,
    );
  });

  test("says that figures are the least there is where not all builds were read", async () => {
    await makeBusy();
    const { stdout } = await report(3, preview(), "--max-builds", "1", "--fail-on", "busy");
    expect(stdout).toContain("at least 3 running, 12 waiting");
    expect(stdout).toContain("There are more open builds than were read");
  });
});

describe("buildpipeline report --impact, where not all can be read,", () => {
  const withScopes = (...scopes: string[]) => organization.emulator.createAccessToken({ scopes });

  test.each([
    [403, "read_builds", "Jobs are missing: the access token lacks the scope read_builds."],
    [
      404,
      "read_builds",
      "Jobs are missing: the service responded with 404, as it does where the scope read_builds is missing.",
    ],
  ] as const)(
    "without read_builds and %i leaves jobs out, and names the scope",
    async (missingScope, _, line) => {
      await organization.close();
      await start({ variations: { missingScope } });
      await makeBusy();
      const token = withScopes("read_agents", "read_clusters");
      const { stdout, stderr } = await reportWith(token, 2, preview(), "--fail-on", "busy");
      expect(stdout).toContain(line);
      expect(stdout).toMatch(
        /> - \*\*Lost:\*\* Queue <code>small<\/code> of <code>Linux<\/code> is replaced by <code>tiny<\/code>\. .* Look for jobs .*(?:\n> {3}- .*)*3 connected agents/,
      );
      expect(stderr).toContain("Not everything could be read");
      await reportWith(token, 0, preview());
    },
  );

  test.each([
    [
      "read_agents",
      "Agents are missing: the access token lacks the scope read_agents.",
      "3 running, 9 waiting",
    ],
    ["read_clusters", "Clusters are missing: the access token lacks the scope read_clusters.", "9 waiting"],
  ])("without %s shows the rest", async (scope, line, figures) => {
    const { queues, emulator } = organization;
    organization.connect(queues.small, 3);
    await organization.build("api", 12);
    emulator.dispatchJobs();
    const token = withScopes(...["read_builds", "read_agents", "read_clusters"].filter((a) => a !== scope));
    const { stdout, stderr } = await reportWith(token, 0, preview());
    expect(stderr).toBe("");
    expect(stdout).toContain(line);
    expect(stdout).toContain(figures);
  });

  test("without read_clusters doesn't count a cluster's agents, and claims nothing of them", async () => {
    organization.connect(organization.queues.large, 2);
    const token = withScopes("read_builds", "read_agents");
    const { stdout } = await reportWith(token, 0, preview(about("linux-laptops")), "--json");
    const [finding] = JSON.parse(stdout).impact.findings;
    expect(finding).toMatchObject({ now: "not counted", agents: null, details: [] });
  });

  test("without read_suites can't confirm that a deleted suite is idle", async () => {
    const inputs = { name: "Unit", defaultBranch: "main" };
    const suite = stepOf("delete", "Suite", "unit", inputs, { outputs: { slug: "unit" } });
    const token = withScopes("read_builds", "read_agents", "read_clusters");
    const { stdout } = await reportWith(token, 2, written({ steps: [suite] }), "--fail-on", "busy");
    expect(stdout).toContain("Runs are missing: the access token lacks the scope read_suites.");
    expect(stdout).not.toContain("No job runs");
  });

  test("names the organization where the settings name another", async () => {
    await makeBusy();
    const elsewhere = preview(about("linux-small"), ({ oldState }) =>
      Object.assign(oldState?.inputs ?? {}, { organization: "other" }),
    );
    const { stdout } = await report(2, elsewhere, "--fail-on", "busy");
    expect(stdout).toContain("Not everything could be read, so jobs may run in what this change deletes");
    expect(stdout).toContain(
      "<code>the settings name the organization acme, and the preview changes objects of other</code>",
    );
    expect(stdout).not.toContain("0 running");
  });

  test("confirms nothing for a preview that failed", async () => {
    const file = written(failedWith("error: a resource could not be read"));
    const { stderr } = await report(2, file, "--fail-on", "busy");
    expect(stderr).toContain("nothing confirms that the queues are idle");
  });

  test("counts jobs without a cluster apart", async () => {
    organization.emulator.createPipeline({ slug: "ancient" });
    await organization.build("ancient", 2);
    const { stdout } = await report(0, preview());
    expect(stdout).toContain(
      "2 open jobs name no cluster, as in organizations without clusters. They count for no queue.",
    );
    expect(stdout).toMatch(/Queue <code>small<\/code> .*: 0 running, 0 waiting/);
  });

  test("ends reading after --impact-timeout, and writes the report", async () => {
    await makeBusy();
    organization.emulator.fault({ operation: "builds.list", action: "hang", times: Infinity });
    const { stdout } = await report(2, preview(), "--impact-timeout", "1", "--fail-on", "busy");
    expect(stdout).toContain("Jobs are missing: <code>time was up</code>.");
    expect(stdout).toContain("> [!CAUTION]\n> - ");
  });

  test("shows an error of the service as text", async () => {
    organization.emulator.fault({
      operation: "agents.list",
      action: { status: 400, body: { message: "<img src=x> @everyone" } },
      times: Number.POSITIVE_INFINITY,
    });
    const { stdout } = await report(0, preview());
    expect(stdout).toMatch(/Agents are missing: <code>GET/);
    expect(stdout).not.toMatch(/<img|@everyone/);
  });

  test("refuses --fail-on without --impact", async () => {
    const { code, stderr } = await buildpipeline(["report", preview(), "--fail-on", "busy"]);
    expect(code).toBe(2);
    expect(stderr).toContain("--fail-on needs --impact.");
  });
});
