import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { BusyOrganization } from "../../support/busy-organization.js";
import { buildpipeline, settingsOf } from "../../support/command.js";
import { exported, previewOf, stackExport } from "../../support/recording.js";
import {
  always,
  drain,
  drainEnds,
  endJobsAsItLooks,
  fileWith,
  organization,
  organizationForEach,
  scratch,
} from "./draining.js";

// Every list of more than two objects has several pages.
organizationForEach({ variations: { largestPage: 2 } });

/** The exit code of the check that holds a deployment while jobs run. */
async function failOnBusy(): Promise<number | null> {
  const { steps }: { steps: { op: string; urn: string }[] } = JSON.parse(organization.recorded("preview"));
  const file = fileWith(JSON.stringify(previewOf(steps.filter(({ urn }) => urn.endsWith("::linux-small")))));
  const { code } = await buildpipeline(["report", file, "--impact", "--fail-on", "busy"], {
    env: settingsOf(organization.emulator),
  });
  return code;
}

const data = () => organization.emulator.organizationData;
const queue = (name: keyof BusyOrganization["queues"]) => data().queues.get(organization.queues[name]);

async function oneJobRuns(): Promise<void> {
  organization.connect(organization.queues.small);
  await organization.build("api");
  organization.emulator.dispatchJobs();
}

/** Does something as soon as a request of an operation has arrived so many times. */
function atRequest(operation: string, count: number, work: () => void): void {
  let seen = 0;
  organization.emulator.onRequest((request) => {
    if (request.operation === operation && ++seen === count) work();
  });
}

describe("Neither `drain` nor `--fail-on busy` calls a queue idle", () => {
  test("while the API doesn't show the queue of a running job", async () => {
    await oneJobRuns();
    const hidden = { cluster_id: undefined, cluster_queue_id: undefined };
    const change = (page: unknown) =>
      JSON.parse(JSON.stringify(page), (_, value) =>
        value?.agent_query_rules ? { ...value, ...hidden } : value,
      );
    always("builds.list", { change });
    const args = ["small", "--timeout", "0.1", "--json"];
    const { stderr } = await drainEnds(args, 1, "Time is up, and an idle queue can't be confirmed: ");
    expect(stderr).toMatch(/the API doesn't show the queue of a running job of build 1 of api\./);
    expect(await failOnBusy()).toBe(2);
  });

  test("if builds end and start during each read", async () => {
    await organization.build("api", 5);
    organization.emulator.onRequest(({ operation }) => {
      const newest = data().builds.list().at(-1);
      if (operation !== "builds.list" || newest === undefined) return;
      data().builds.delete(newest.id);
      data().builds.insert({ ...newest, id: randomUUID() });
    });
    const words = "can't be confirmed: the list changed during each of 5 reads.";
    await drainEnds(["small", "--timeout", "0.000001"], 1, words);
  });

  test.each([
    ["is resumed", { dispatch_paused: false }],
    ["is resumed and paused again", { dispatch_paused_at: "2030-01-01T00:00:00.000Z" }],
  ])("if it %s during the last look", async (_, change) => {
    atRequest("builds.list", 2, () => data().queues.update(organization.queues.small, change));
    await drainEnds(["small"], 1, "Someone resumed a queue");
  });
});

const record = () => ["--record", scratch.path("record")];

test.each([
  ["without milliseconds", (time: string) => time.replace(/\.\d+/, "")],
  ["with another offset", (time: string) => time.replace("Z", "+00:00")],
  ["without a time", () => undefined],
])("A response %s doesn't show another pause", async (_, form) => {
  const change = (one: unknown) => {
    const queue: Record<string, unknown> = Object(one);
    return { ...queue, dispatch_paused_at: form(String(queue.dispatch_paused_at)) };
  };
  always("queues.get", { change });
  expect(await drain("small", ...record())).toMatchObject({ code: 0 });
  expect((await drain("--resume", ...record())).stderr).toBe("Linux/small is resumed.\n");
});

describe("A drain that fails", () => {
  /** Pauses of `small` and `one` are done, and that of `two` is refused. */
  const failing = (words: RegExp) => {
    organization.emulator.fault({ operation: "queues.pauseDispatch", after: 2, action: { status: 403 } });
    return drainEnds(["Linux/small", "Old machines/one", "Old machines/two"], 2, words);
  };

  test("resumes every queue, names one that stays paused, and keeps the reason of the failure", async () => {
    organization.emulator.fault({ operation: "queues.resumeDispatch", action: { status: 400 } });
    const { stderr } = await failing(
      /pause_dispatch failed with 403: .*These queues could not be resumed and may stay paused/,
    );
    expect(stderr).toContain("To let jobs start again: `buildpipeline drain Linux/small --resume`");
    expect(queue("small")).toMatchObject({ dispatch_paused: true });
    expect(queue("one")).toMatchObject({ dispatch_paused: false });
    expect((await drain("Linux/small", "--resume", "--yes")).code).toBe(0);
    expect(queue("small")).toMatchObject({ dispatch_paused: false });
  });

  test("ends after five looks without a result", async () => {
    always("queues.get", { status: 400 });
    const { stderr } = await drainEnds(["small"], 2, "buildpipeline drain Linux/small --resume");
    expect(stderr.match(/A look failed/g)).toHaveLength(4);
  });

  test("--resume goes on after a queue that can't be resumed, and fails", async () => {
    await drain("small", "one", ...record());
    organization.emulator.fault({ operation: "queues.resumeDispatch", action: { status: 400 } });
    const { stderr } = await drainEnds(["--resume", ...record()], 2, "small may stay paused: ");
    expect(stderr).toContain("Old machines/one is resumed.");
  });
});

describe("A record", () => {
  test("leaves a queue alone that someone resumed and paused again since, which is a failure", async () => {
    await drain("small", "one", ...record());
    data().queues.update(organization.queues.small, { dispatch_paused_note: "incident 7" });
    const { code, stdout, stderr } = await drain("--resume", "--json", ...record());
    expect(code).toBe(2);
    expect(stderr).toMatch(
      /^Linux\/small is paused by Ada Archer since \S+ \(incident 7\)\. Nothing was sent to it\. The record doesn't have this pause\.$/m,
    );
    expect(JSON.parse(stdout)).toMatchObject({
      end: "paused",
      queues: [
        { key: "small", resumed: false },
        { key: "one", resumed: true },
      ],
    });
    expect(queue("small")?.dispatch_paused).toBe(true);
  });

  test("resumes its pause that the service carried out late, after the queue was resumed", async () => {
    await drain("small", ...record());
    const { dispatch_paused_note } = queue("small") ?? {};
    expect((await drain("--resume", ...record())).code).toBe(0);
    const late = {
      dispatch_paused: true,
      dispatch_paused_at: "2030-01-01T00:00:00.000Z",
      dispatch_paused_note,
    };
    data().queues.update(organization.queues.small, late);
    await drainEnds(["--resume", ...record()], 0, "Linux/small is resumed.");
    expect(queue("small")?.dispatch_paused).toBe(false);
  });

  test("resumes no pause of an operator who was faster than its repeated request", async () => {
    await drain("small", ...record());
    organization.emulator.fault({ operation: "queues.resumeDispatch", when: "after", action: "drop" });
    let looks = 0;
    organization.emulator.onRequest(({ operation }) => {
      if (operation !== "queues.get" || ++looks < 2) return;
      const change = { dispatch_paused: true, dispatch_paused_note: "incident 42" };
      data().queues.update(organization.queues.small, change);
    });
    expect((await drain("--resume", ...record())).code).toBe(0);
    expect(queue("small")).toMatchObject({ dispatch_paused: true, dispatch_paused_note: "incident 42" });
  });

  test("that a kill cut off is named, and its other pauses are resumed", async () => {
    const cutOff = ["--record", fileWith('{"origin":"http')];
    await drain("small", ...cutOff);
    const words = /^Line 1 of \S+ can't be read, so a queue that it names may stay paused\.$/m;
    await drainEnds(["--resume", ...cutOff], 2, words);
    expect(queue("small")?.dispatch_paused).toBe(false);
  });

  test("of another service sends nothing", async () => {
    await drain("small", ...record());
    organization.emulator.clearRequests();
    const env = { ...settingsOf(organization.emulator), BUILDPIPELINE_ORGANIZATION: "other" };
    const { code, stderr } = await buildpipeline(["drain", "--resume", ...record()], { env });
    expect(code).toBe(2);
    expect(stderr).toContain("The record has a pause of the organization acme at http://127.0.0.1:");
    expect(organization.emulator.requests).toEqual([]);
  });

  test.each([
    ...(existsSync("/dev/full")
      ? ([["on a full disk", () => "/dev/full", "/dev/full cannot be written: ENOSPC"]] as const)
      : []),
    ["in a folder that doesn't exist", () => scratch.path("nowhere/record"), "ENOENT"],
  ] as const)("%s is named, and nothing is paused", async (_, file, words) => {
    await drainEnds(["small", "--record", file()], 2, words);
    expect(queue("small")?.dispatch_paused).toBe(false);
  });
});

describe("A queue that is deleted while it is drained", () => {
  test.each([
    ["before its pause", "queues.pauseDispatch", 1],
    ["after its pause", "builds.list", 3],
  ])(
    "%s doesn't keep the others from being drained, and the advice doesn't name it",
    async (_, operation, count) => {
      await oneJobRuns();
      atRequest(operation, count, () => data().queues.delete(organization.queues.one));
      endJobsAsItLooks();
      const { code, stdout, stderr } = await drain("one", "small", "--json");
      const gone = { key: "one", paused: false, deleted: true };
      expect(code).toBe(0);
      const queues = [gone, { key: "small", paused: true }];
      expect(JSON.parse(stdout)).toMatchObject({ end: "drained", queues });
      expect(stderr).toContain("Old machines/one was deleted meanwhile.");
      expect(stderr).toContain("To let jobs start again: `buildpipeline drain Linux/small --resume`");
    },
  );

  test("is not believed to be deleted because of a 404 alone", async () => {
    organization.emulator.fault({ operation: "queues.get", action: { status: 404 } });
    const { stderr } = await drainEnds(["small"], 0, "A look failed, and the next one follows");
    expect(stderr).not.toContain("deleted");
  });
});

test("A queue whose deletion is due, because an earlier deployment could not delete it, is drained with a preview that doesn't show it", async () => {
  const properties = { clusterId: organization.linux, key: "small" };
  const old = exported("Queue", organization.queues.small, { properties, delete: true });
  const { urn } = exported("Queue", organization.queues.large);
  const preview = fileWith(JSON.stringify(previewOf([{ op: "same", urn }])), "preview.json");
  const files = ["--preview", preview, "--stack-export", fileWith(stackExport(old))];
  const { code, stdout } = await drain(...files, "--json");
  expect(code).toBe(0);
  expect(JSON.parse(stdout).queues).toMatchObject([{ key: "small", paused: true }]);
});

describe("A drained queue with connected agents", () => {
  test("is reported, because the API may refuse its deletion", async () => {
    organization.connect(organization.queues.small, 2);
    const words =
      "Deleting Linux/small may be refused: 2 connected agents have the tag `queue=small`, and the API doesn't say in which " +
      "cluster. Stop the agents of this queue before the deployment.\n";
    const { stderr } = await drainEnds(["small", "large"], 0, words);
    expect(stderr.match(/^.*may be refused/gm)).toEqual(["Deleting Linux/small may be refused"]);
  });

  test("may exist where the access token can't list agents", async () => {
    const scopes = ["read_clusters", "write_clusters", "read_builds"] as const;
    const token = organization.emulator.createAccessToken({ scopes: [...scopes] });
    const env = settingsOf(organization.emulator, token);
    const { code, stderr } = await buildpipeline(["drain", "small"], { env });
    expect(code).toBe(0);
    expect(stderr).toContain(
      "Agents that prevent a deletion may be connected: the access token lacks the scope read_agents.",
    );
  });
});
