import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { systemClock } from "../../../src/client/index.js";
import {
  asFile,
  cleanUp,
  mostRequests,
  probe,
  questionNames,
  questions,
} from "../../../src/commands/probe/probe.js";

import {
  defaultVariations,
  type Emulator,
  type FaultRule,
  startEmulator,
  type Variations,
} from "../../../src/emulator/index.js";
import { instantClock } from "../../client/service.js";
import { cases, someOf } from "../../support/cases.js";
import { Colleague, TEAM } from "../../support/colleague.js";

/** Every value of every variation; the compiler demands the literal ones. */
const valuesOf: { readonly [Name in keyof Variations]: readonly Variations[Name][] } = {
  pauseNoteField: ["dispatch_paused_note", "note", "both"],
  suiteTeamsField: ["team_ids", "teams_ids", "both"],
  suiteTeamsRequired: [false, true],
  suiteReadReturnsCreateFields: [false, true, "single"],
  showApiTokenOnRead: [true, false],
  suiteSlugOnRename: ["kept", "changed"],
  suiteErrorBody: ["message", "errors", "empty", "text"],
  teamWriteResponse: ["full", "submitted"],
  teamReturnsWritableFields: [false, true],
  teamDescriptionRequired: [false, true],
  teamPermissionsRequired: [false, true],
  teamUpdate: ["partial", "whole"],
  teamSlugOnRename: ["kept", "changed"],
  teamScope: ["either", "read_teams", "view_teams"],
  clearDefaultQueue: ["allowed", "refused"],
  deleteDefaultQueue: ["allowed", "refused"],
  deleteQueueWithAgents: ["allowed", "refused"],
  unsetText: [null, "", "absent"],
  allowedAddressesUnset: [null, "", "absent"],
  allowedAddressesForm: ["string", "array"],
  allowedAddresses: ["kept", "canonical", "sorted"],
  agentTokenExpiresAt: ["absent", "shown"],
  textEnds: ["kept", "trimmed"],
  colorCase: ["kept", "lower", "upper"],
  emojiForm: ["kept", "colons", "bare"],
  yamlText: ["kept", "trimmed", "final-newline", "reformatted"],
  cancelState: ["canceled", "canceling"],
  waitingJobQueue: ["absent", "shown"],
  pullRequestUnset: [null, "empty", "absent"],
  broadBuildLists: ["full", "reduced"],
  webhookUrlVisible: [true, false],
  embeddedUserGraphqlId: [true, false],
  agentPriority: ["number", "string"],
  lastJobFinishedAt: ["timestamp", "epoch"],
  agentFilter: ["exact", "contains"],
  linkHeaderOnSinglePage: ["absent", "empty"],
  linkRelations: ["all", "next-only"],
  undocumentedPages: ["on-request", "never", "always"],
  largestPage: [100, 2],
  listLag: [0, 1, 3],
  missingScope: [403, 404],
  enterprisePlan: [true, false],
  newerApi: [true, false],
  largestSecret: [8192, 32_768],
  deletePipelineWithBuilds: ["refused", "allowed"],
  deleteClusterWithPipelines: ["refused", "allowed"],
  archivedPipelinesInList: [false, true],
  oldPipelineSlug: ["missing", "redirected", "resolved"],
  clusterOfNewPipeline: [null, "default", "refused"],
  pipelineTeamsOnUpdate: ["ignored", "applied"],
  githubWebhooksAvailable: [true, false],
  suiteEditAlone: ["refused", "allowed"],
  teamFlagsLeftOut: ["reset", "kept"],
  scheduleEnvUnset: [null, "empty"],
  lastCursorLink: ["absent", null],
  maskedSettings: ["ending", "whole"],
  buildStatesUpdate: ["merged", "replaced"],
  duplicateRules: ["refused", "allowed"],
  deletedInScope: ["kept", "removed"],
};

/** Questions whose answer needs what the probe's organization may lack, or more than one access token. */
const MAY_BE_UNKNOWN: ReadonlySet<string> = new Set([
  "teamScope",
  "deleteQueueWithAgents",
  "cancelState",
  "waitingJobQueue",
  "undocumentedPages",
  "largestPage",
  "missingScope",
]);

/** Of a variation's default, the test of all defaults tells, and of what no probe asks as well. */
const asked = questionNames.filter((name) => typeof questions[name].answer !== "string");
const runs = asked.flatMap((name) =>
  valuesOf[name].filter((value) => value !== defaultVariations[name]).map((value) => ({ name, value })),
);

let directory: string;
let emulator: Emulator;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "buildpipeline-probe-"));
});
afterEach(async () => {
  await emulator.close();
  rmSync(directory, { recursive: true });
});

const settings = (accessToken = emulator.accessToken) => ({
  baseUrl: emulator.url,
  organization: emulator.organization,
  accessToken,
});

/** Probes the emulator, with waits of no time. */
const probed = (options: Partial<Parameters<typeof probe>[1]> = {}, accessToken?: string) =>
  probe(settings(accessToken), { writes: true, directory, clock: instantClock(), ...options });

const cleanedUp = () => cleanUp(settings(), directory, { clock: instantClock() });

/** Everything that others may see, without counters. */
const contents = ({ organizationData: data }: Emulator) =>
  JSON.stringify(
    [data.clusters, data.queues, data.agentTokens, data.pipelineTemplates, data.teams, data.suites].map(
      (all) => all.list(),
    ),
  );

const answersTo = async (variations: Partial<Variations>) => {
  emulator = await startEmulator({ variations });
  const before = contents(emulator);
  const result = await probed();
  expect(result.left).toEqual([]);
  expect(result.requests).toBeLessThanOrEqual(mostRequests(true));
  expect(contents(emulator)).toBe(before);
  expect(readdirSync(directory)).toEqual([]);
  return asFile(result.answers);
};

const answeredOtherwise = (
  { answers }: Awaited<ReturnType<typeof probe>>,
  right: ReturnType<typeof asFile>,
) => answers.filter(({ name, reason, value }) => reason === undefined && value !== right.answers[name]);

describe("A probe that writes", () => {
  test.each(someOf(runs))("finds $name: $value", async ({ name, value }) => {
    const found = await answersTo({ [name]: value });
    if (found.reasons[name] === undefined) expect(found.answers[name]).toBe(value);
    else expect([...MAY_BE_UNKNOWN]).toContain(name);
  });

  test.each(someOf([0, 1, 2]))(
    "gives the same answers about an emulator like its answers: %i",
    async (index) => {
      const values = questionNames.flatMap((name) => {
        const value = runs.filter((run) => run.name === name)[index]?.value;
        return value === undefined ? [] : [[name, value]];
      });
      const found = await answersTo(Object.fromEntries(values));
      await emulator.close();
      emulator = await startEmulator({ like: found });
      expect(asFile((await probed()).answers)).toEqual(found);
    },
  );

  test("finds the defaults, and names the reason where no probe can ask", async () => {
    const { answers, reasons } = await answersTo({});
    for (const name of questionNames) {
      const { answer } = questions[name];
      if (typeof answer === "string") expect([answers[name], reasons[name]]).toEqual([null, answer]);
      else if (reasons[name] === undefined)
        expect([name, answers[name]]).toEqual([name, defaultVariations[name]]);
      else expect([...MAY_BE_UNKNOWN]).toContain(name);
    }
  });

  test("finds pages and scopes where the organization and the access token allow it", async () => {
    emulator = await startEmulator({ variations: { undocumentedPages: "always", missingScope: 404 } });
    for (let index = 0; index < 40; index++) emulator.addMember({ name: "M", email: `${index}@x.example` });
    const accessToken = emulator.createAccessToken({ scopes: ["read_teams"] });
    const { answers } = await probed({ writes: false }, accessToken);
    expect(asFile(answers).answers).toMatchObject({ missingScope: 404 });
    const all = await probed({ writes: false });
    expect(asFile(all.answers).answers).toMatchObject({ undocumentedPages: "always" });
  });

  test("never gives a wrong answer and leaves nothing, whatever gets lost", async () => {
    emulator = await startEmulator();
    const start = emulator.snapshot();
    const before = contents(emulator);
    const right = asFile((await probed()).answers);
    const fault = fc.record({
      method: fc.constantFrom("GET", "POST", "PUT", "PATCH", "DELETE"),
      kind: fc.constantFrom<Pick<FaultRule, "when" | "action">>(
        { when: "before", action: "drop" },
        { when: "after", action: "drop" },
        { when: "before", action: { status: 503 } },
        { when: "after", action: { status: 503 } },
        { when: "before", action: { rateLimited: {} } },
      ),
      after: fc.integer({ min: 0, max: 12 }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(fault, { minLength: 1, maxLength: 4 }), async (faults) => {
        emulator.restore(start);
        for (const { method, kind, after } of faults) emulator.fault({ ...kind, method, after });
        const result = await probed();
        expect(answeredOtherwise(result, right)).toEqual([]);
        // People attach the file to issues.
        expect(JSON.stringify(asFile(result.answers))).not.toMatch(/acme|[0-9a-f]{8}-/);
        expect(result.left).toEqual([]);
        expect(contents(emulator)).toBe(before);
      }),
      { numRuns: cases(12) },
    );
  });

  /** Something of every kind that others made, also an empty cluster and a queue and a token that nobody needs. */
  const ofOthers = async () => {
    const colleague = new Colleague(emulator);
    const made: Record<string, unknown> = {};
    const make = async (kind: string, path: string, body: object) => {
      made[kind] = await colleague.sends("POST", path, body);
      return Object(made[kind]);
    };
    await make("clusters", "/clusters", { name: "Empty" });
    const { id } = await colleague.sends("POST", "/clusters", { name: "Full" }).then(Object);
    await make("queues", `/clusters/${id}/queues`, { key: "theirs" });
    await make("agentTokens", `/clusters/${id}/tokens`, { description: "Theirs" });
    await make("pipelineTemplates", "/pipeline-templates", { name: "Theirs", configuration: "steps: []" });
    await make("teams", "/teams", { ...TEAM, name: "Theirs" });
    made.suites = emulator.organizationData.suites.list()[0];
    return made;
  };

  const OBJECTS = ["clusters", "queues", "agentTokens", "pipelineTemplates", "teams", "suites"];
  const crossed = OBJECTS.flatMap((kind) => ["create", "get", "update"].map((verb) => `${kind}.${verb}`));

  /** What each emulator with these objects answers to a probe, and is asked. */
  let undisturbed: Promise<{ right: ReturnType<typeof asFile>; operations: readonly unknown[] }> | undefined;
  test.each(someOf([...crossed, "queues.pauseDispatch", "queues.resumeDispatch"]))(
    "touches nothing of others if responses to %s are another object's",
    async (operation) => {
      emulator = await startEmulator();
      const others = await ofOthers();
      const start = emulator.snapshot();
      const before = contents(emulator);
      undisturbed ??= probed().then(({ answers }) => ({
        right: asFile(answers),
        operations: emulator.requests.map((request) => request.operation),
      }));
      const { right, operations } = await undisturbed;
      const hits = operations.filter((one) => one === operation).length;
      const body = others[operation.split(".")[0] ?? ""];
      for (let after = 0; after < hits; after += Math.ceil(hits / 4)) {
        emulator.restore(start);
        const fault = emulator.fault({ operation, after, action: { body } });
        const result = await probed();
        fault.remove();
        expect([after, answeredOtherwise(result, right)]).toEqual([after, []]);
        expect([after, result.left]).toEqual([after, []]);
        expect(contents(emulator)).toBe(before);
      }
    },
  );

  test("deletes nothing that a planted file names, and names it", async () => {
    emulator = await startEmulator();
    const others = await ofOthers();
    const before = contents(emulator);
    const { baseUrl, organization } = settings();
    const kinds = { clusters: "cluster", pipelineTemplates: "template", teams: "team", suites: "suite" };
    const lines = Object.entries(kinds).flatMap(([list, kind]) => {
      const { id, uuid = id, name } = Object(others[list]);
      return [
        { kind, name: "buildpipeline-probe-0123456789abcdef-x", id: uuid },
        { kind, name },
      ];
    });
    for (const [list, kind] of [
      ["queues", "queue"],
      ["agentTokens", "token"],
    ] as const) {
      const { id, key, description = key, cluster_id, cluster_url } = Object(others[list]);
      const cluster = cluster_id ?? String(cluster_url).split("/").at(-1);
      lines.push(Object({ kind, name: description, id, cluster }));
    }
    const file = join(directory, "buildpipeline-probe-0123456789abcdef.jsonl");
    writeFileSync(file, [{ baseUrl, organization }, ...lines].map((line) => JSON.stringify(line)).join("\n"));
    emulator.clearRequests();
    const { left } = await cleanedUp();
    expect(emulator.requests.filter(({ method }) => method !== "GET")).toEqual([]);
    expect(contents(emulator)).toBe(before);
    expect(left.map(({ why }) => why)).toContain("its name isn't this probe's, so it was left alone");
    expect(readdirSync(directory)).toHaveLength(1);
  });

  test("stopped in the middle removes what it made; killed, its file proves what to remove", async () => {
    emulator = await startEmulator();
    const before = contents(emulator);
    for (const request of someOf([16, 22, 30, 45])) {
      const stopping = new AbortController();
      const stopped = await probed({
        signal: stopping.signal,
        onRequest: (sent) => {
          if (sent === request) stopping.abort();
        },
      });
      expect(stopped).toMatchObject({ wasStopped: true, left: [] });
      expect(contents(emulator)).toBe(before);

      const killed = probed({
        onRequest: (sent) => {
          if (sent >= request) throw new Error("killed");
        },
      });
      await killed.catch(() => {});
      const ledgers = readdirSync(directory).map((name) => readFileSync(join(directory, name), "utf8"));
      expect(ledgers.join("")).not.toMatch(/bpct_|bpua_/);
      await cleanedUp();
      expect(contents(emulator)).toBe(before);
      expect(readdirSync(directory)).toEqual([]);
    }
  });

  test("waits for a scarce rate limit once, also if it is stopped there", async () => {
    const clock = instantClock();
    emulator = await startEmulator({ clock: () => new Date(clock.now()), limits: { userPerMinute: 20 } });
    const stopping = new AbortController();
    let before = 0;
    const { left, wasStopped } = await probed({
      clock,
      signal: stopping.signal,
      onRequest: (sent) => {
        if (sent !== 17) return;
        stopping.abort();
        before = clock.waits.length;
      },
    });
    expect([wasStopped, left]).toEqual([true, []]);
    // Cleaning up takes more requests than one window has.
    expect(clock.waits.slice(before).filter((ms) => ms > 30_000).length).toBeLessThanOrEqual(2);
  });

  test("stops at once while it waits for the rate limit", async () => {
    emulator = await startEmulator({ limits: { userPerMinute: 8 } });
    const stopping = new AbortController();
    const onWait = () => stopping.abort();
    const stopped = await probed({ clock: systemClock, writes: false, signal: stopping.signal, onWait });
    expect(stopped).toMatchObject({ requests: 5, wasStopped: true });
  });

  test("does not wait for a rate limit that ends in a day", async () => {
    const clock = instantClock();
    const limits = { userPerMinute: 8, windowSeconds: 86_400 };
    emulator = await startEmulator({ clock: () => new Date(clock.now()), limits });
    const { requests } = await probed({ clock, writes: false });
    expect([requests, clock.waits]).toEqual([12, []]);
  });

  test.each([403, 404] as const)(
    "leaves nothing where another scope reads a single team, and without it the status is %i",
    async (missingScope) => {
      emulator = await startEmulator({ variations: { missingScope, teamScope: "view_teams" } });
      const before = contents(emulator);
      const scopes = ["read_teams", "write_teams", "read_suites", "write_suites"];
      const { answers, left } = await probed({}, emulator.createAccessToken({ scopes }));
      expect(asFile(answers).answers).toMatchObject({
        teamScope: "view_teams",
        teamWriteResponse: "full",
        suiteTeamsField: "team_ids",
      });
      expect(left).toEqual([]);
      expect(contents(emulator)).toBe(before);
    },
  );

  test("leaves objects that only carry the mark, and names them", async () => {
    emulator = await startEmulator();
    await new Colleague(emulator).sends("POST", "/clusters", { name: "buildpipeline-probe-0000-cluster" });
    const { marked } = await cleanedUp();
    expect(marked).toEqual([expect.stringContaining("cluster buildpipeline-probe-0000-cluster (")]);
    expect(contents(emulator)).toContain("buildpipeline-probe-0000-cluster");
  });

  test("keeps its cluster if a colleague put something into it", async () => {
    emulator = await startEmulator();
    let isIn = false;
    emulator.onRequest(({ method, path }) => {
      const cluster = emulator.organizationData.clusters
        .list()
        .find(({ name }) => name.startsWith("buildpipeline-probe-"));
      if (isIn || cluster === undefined || method !== "PATCH" || !path.includes("/teams/")) return;
      isIn = true;
      emulator.perform("queues.create", { params: { cluster_id: cluster.id }, body: { key: "theirs" } });
    });
    const { left } = await probed();
    const why = "it contains the queue theirs, which the probe didn't make";
    expect(left).toMatchObject([{ kind: "cluster", why }]);
    expect(readdirSync(directory)).toHaveLength(1);
  });
});
