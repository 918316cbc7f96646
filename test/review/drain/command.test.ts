import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { text } from "node:stream/consumers";
import { setTimeout } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { buildpipeline, command, settingsOf } from "../../support/command.js";
import { environment } from "../../support/environment.mjs";
import { hasPseudoTerminal, onTerminal } from "../../support/pseudo-terminal.js";
import { exported, previewOf, stackExport } from "../../support/recording.js";
import {
  drain,
  drainEnds,
  endJobsAsItLooks,
  fileWith,
  organization,
  organizationForEach,
  scratch,
} from "./draining.js";

organizationForEach();

/** Interrupts a drain when a request of an operation arrives, and once more some time after one of another. */
async function interruptedAt(operation: string, signal: NodeJS.Signals = "SIGINT", again?: string) {
  const child = spawn(process.execPath, [command, "drain", "small", "--interval", "30"], {
    cwd: tmpdir(),
    env: environment(settingsOf(organization.emulator)),
    stdio: ["ignore", "ignore", "pipe"],
  });
  const stderr = text(child.stderr);
  await new Promise<void>((resolve) => {
    organization.emulator.onRequest((request) => request.operation === operation && resolve());
  });
  child.kill(signal);
  if (again !== undefined) {
    await new Promise<void>((resolve) => {
      organization.emulator.onRequest((request) => request.operation === again && resolve());
    });
    await setTimeout(800);
    child.kill(signal);
  }
  const [code] = await once(child, "close");
  return { code, stderr: await stderr };
}

const small = () => organization.client.queues.get(organization.linux, organization.queues.small);

/** Three jobs run in `small`, and two wait. */
async function makeBusy(): Promise<void> {
  organization.connect(organization.queues.small, 3);
  await organization.build("api", 5);
  organization.emulator.dispatchJobs();
}

const sent = () =>
  organization.emulator.requests.filter(({ method }) => method !== "GET").map(({ operation }) => operation);

describe("buildpipeline drain", () => {
  test("pauses the queue with a note, counts down, and ends when nothing runs", async () => {
    await makeBusy();
    endJobsAsItLooks();
    const { code, stdout, stderr } = await drain("Linux/small", "--json", "--note", "pull/7");
    expect(code).toBe(0);
    const queue = { id: organization.queues.small, key: "small", cluster: "Linux" };
    const counts = { running: 0, waiting: 2, pausedHere: true, paused: true };
    expect(JSON.parse(stdout)).toEqual({ end: "drained", queues: [{ ...queue, ...counts }] });
    const shown = stderr.split("\n").filter((line) => line.startsWith("Linux/small: "));
    expect(shown[0]).toBe("Linux/small: 3 running, 2 waiting");
    expect(shown.at(-1)).toBe("Linux/small: 0 running, 2 waiting");
    expect(stderr).toContain("buildpipeline drain Linux/small --resume");
    expect(await small()).toMatchObject({
      dispatch_paused: true,
      dispatch_paused_note: expect.stringMatching(/^Draining \(buildpipeline drain\) since \S+: pull\/7$/),
    });
  });

  test("names a queue by its id if its key is another queue's id", async () => {
    const { client, linux, queues } = organization;
    const { id, key } = await client.queues.create(linux, { key: queues.large });
    const { stderr } = await drain(id);
    expect(stderr).toContain(`Linux/${key}: 0 running`);
    expect(stderr).toContain(`buildpipeline drain ${id} --resume`);
  });

  test("follows few builds by themselves, and reads all builds again before it says that a queue is idle", async () => {
    await makeBusy();
    endJobsAsItLooks();
    organization.emulator.finishJobs({ atMost: 2 });
    await drain("Linux/small");
    const asked = organization.emulator.requests
      .map(({ operation }) => operation)
      .filter((operation) => operation?.startsWith("builds."));
    expect(asked.slice(-2)).toEqual(["builds.get", "builds.list"]);
  });

  test("--resume says that a record has no pause, and a preview's error names its file", async () => {
    const file = fileWith("");
    const { code, stderr } = await drain("--resume", "--record", file);
    expect({ code, stderr }).toEqual({ code: 0, stderr: `${file} has no pause. Nothing was sent.\n` });
    const { stderr: refusal } = await drain("--preview", fileWith("{}"));
    expect(refusal).toContain(`${file} is not what \`pulumi preview --json\``);
  });

  test.each(['{"name":"x"}\n', "name: x\n", '\n{"origin":"https://cut-off\n[]'])(
    "--record leaves a file alone that is no record, and pauses nothing: %j",
    async (content) => {
      const file = fileWith(content);
      organization.emulator.clearRequests();
      const { code, stderr } = await drain("small", "--record", file);
      expect({ code, stderr }).toEqual({
        code: 2,
        stderr: expect.stringMatching(/ is no record of pauses \(see line \d\), so nothing was paused\./),
      });
      expect(readFileSync(file, "utf8")).toBe(content);
      expect(sent()).toEqual([]);
    },
  );

  test("--resume with a record lets jobs start again, and twice is as good as once", async () => {
    const record = ["--record", scratch.path("it's drained.jsonl")];
    const { stderr } = await drain("small", ...record);
    expect(stderr).toMatch(/buildpipeline drain --record '.*\/it'\\''s drained\.jsonl' --resume`\n/);
    expect((await small()).dispatch_paused).toBe(true);
    for (const words of ["Linux/small is resumed.", "Linux/small was not paused."]) {
      const { code, stderr } = await drain(...record, "--resume");
      expect({ code, stderr }).toEqual({ code: 0, stderr: `${words}\n` });
      expect((await small()).dispatch_paused).toBe(false);
    }
  });

  test("after --timeout ends with 1, and the queue stays paused", async () => {
    await makeBusy();
    const args = ["small", "--timeout", "0.2", "--json"];
    const { stdout } = await drainEnds(args, 1, "The queues stay paused.");
    expect(JSON.parse(stdout)).toMatchObject({ end: "timeout", queues: [{ running: 3, paused: true }] });
    expect((await small()).dispatch_paused).toBe(true);
  });

  test.each(["SIGINT", "SIGTERM"] as const)("resumes on %s what it paused", async (signal) => {
    await makeBusy();
    // It has looked once, and asks whether the queue is still paused.
    expect((await interruptedAt("queues.get", signal)).code).toBe(1);
    expect((await small()).dispatch_paused).toBe(false);
  });

  test("says on a second Ctrl-C how to resume what it paused", async () => {
    await makeBusy();
    organization.emulator.fault({ operation: "queues.resumeDispatch", action: "hang" });
    const { code, stderr } = await interruptedAt("queues.get", "SIGINT", "queues.resumeDispatch");
    expect({ code, last: stderr.trim().split("\n").at(-1) }).toEqual({
      code: 130,
      last: "To let jobs start again: `buildpipeline drain Linux/small --resume`",
    });
  });

  test.skipIf(!hasPseudoTerminal)("resumes what it paused when its terminal is closed", async () => {
    await makeBusy();
    const resumed = new Promise<void>((resolve) => {
      organization.emulator.onRequest(({ operation }) => {
        // A terminal is closed without a farewell.
        if (operation === "queues.get") terminal.kill("SIGKILL");
        if (operation === "queues.resumeDispatch") resolve();
      });
    });
    const words = `exec '${process.execPath}' '${command}' drain small --interval 30`;
    const terminal = spawn("script", ["--quiet", "--command", words, "/dev/null"], {
      cwd: tmpdir(),
      env: { ...environment(settingsOf(organization.emulator)), SHELL: "/bin/sh" },
      stdio: ["pipe", "ignore", "ignore"],
    });
    await resumed;
  });

  test("says on Ctrl-C before anything was paused that nothing was", async () => {
    organization.emulator.clearRequests();
    // The first read of builds, which comes before the pause, never ends.
    organization.emulator.fault({ operation: "builds.list", action: "hang" });
    const stderr = "Interrupted before any queue was paused.\n";
    expect(await interruptedAt("builds.list")).toEqual({ code: 1, stderr });
    expect(sent()).toEqual([]);
  });

  test.skipIf(!hasPseudoTerminal)("colors its result, and shows control characters of names", async () => {
    await organization.client.clusters.update(organization.linux, { name: "Li\u001b[31mnux" });
    const { code, written } = await onTerminal(["drain", "small"], {
      cwd: scratch.directory,
      env: settingsOf(organization.emulator),
    });
    expect(code).toBe(0);
    expect(written).toContain(
      "\u001b[32mNo job runs there any more.\u001b[39m Li\\u{1b}[31mnux/small: 0 running",
    );
    expect(new Set(written.match(/\\u\{1b\}\[\d+m/g))).toEqual(new Set(["\\u{1b}[31m"]));
  });

  test("watches a queue that an operator paused, and resumes it only with --yes", async () => {
    const { client, linux, queues } = organization;
    await client.queues.pauseDispatch(linux, queues.small, { note: "Disk replacement" });
    organization.emulator.clearRequests();
    await drainEnds(["small"], 0, "The queues were paused before this run. Nothing was sent to them.");
    const refusal =
      /^Linux\/small is paused by Ada Archer since \S+ \(Disk replacement\)\. Nothing was sent to it\. .* add --yes\.\n$/;
    await drainEnds(["small", "--resume"], 2, refusal);
    expect(sent()).toEqual([]);
    expect((await small()).dispatch_paused_note).toBe("Disk replacement");
    expect((await drain("small", "--resume", "--yes")).stderr).toBe("Linux/small is resumed.\n");
    expect((await small()).dispatch_paused).toBe(false);
  });

  const managed = (more: object = {}) =>
    exported("Queue", organization.queues.small, {
      properties: { clusterId: organization.linux, key: "small", ...more },
    });

  test.each([true, false])(
    "refuses a queue whose pausing a stack manages, with the reason: %s",
    async (dispatchPaused) => {
      organization.emulator.clearRequests();
      const args = ["small", "--stack-export", fileWith(stackExport(managed({ dispatchPaused })))];
      const { stderr } = await drainEnds(args, 2, `has dispatchPaused: ${dispatchPaused}`);
      expect(stderr).toContain("Leave dispatchPaused out of the program");
      expect(sent()).toEqual([]);
    },
  );

  test("drains a queue whose pausing the stack leaves to others", async () => {
    const { inputs, ...queue } = managed();
    const { dispatchPaused: _, ...given } = inputs ?? {};
    const file = fileWith(stackExport({ ...queue, inputs: given }));
    expect((await drain("small", "--stack-export", file)).code).toBe(0);
  });

  test("sends nothing where jobs can't be counted", async () => {
    const { emulator } = organization;
    const token = emulator.createAccessToken({ scopes: ["read_clusters", "write_clusters"] });
    const { code, stderr } = await buildpipeline(["drain", "small"], { env: settingsOf(emulator, token) });
    expect(code).toBe(2);
    expect(stderr).toContain("Jobs can't be counted: the access token lacks the scope read_builds.");
    await makeBusy();
    emulator.clearRequests();
    await drainEnds(["small", "--max-builds", "1"], 2, "Raise --max-builds");
    expect(sent()).toEqual([]);
  });

  test("knows its pause if the service does the lost request's work just before the second", async () => {
    const action = { workAfterMs: 3_600_000, meanwhile: { status: 504 } } as const;
    organization.emulator.fault({ operation: "queues.pauseDispatch", action });
    let pauses = 0;
    organization.emulator.onRequest(({ operation }) => {
      if (operation === "queues.pauseDispatch" && ++pauses === 2) organization.emulator.finishLateWork();
    });
    const { code, stdout } = await drain("Linux/small", "--json");
    expect([code, pauses]).toEqual([0, 2]);
    expect(JSON.parse(stdout).queues).toMatchObject([{ key: "small", pausedHere: true, paused: true }]);
  });

  test("names the pause that may have been carried out, if the queue can't be read after a lost response", async () => {
    organization.emulator.fault({ operation: "queues.pauseDispatch", when: "after", action: "drop" });
    organization.emulator.fault({ operation: "queues.get", action: { status: 400 } });
    await drainEnds(["Linux/small"], 2, /pause_dispatch failed: .* may have been carried out/);
  });

  test.each([
    [["large"], 0, ""],
    [["LINUX/large"], 2, "No cluster is called LINUX."],
    [["nowhere"], 2, "No queue is called nowhere."],
    [[], 2, "Name a queue, or give --preview."],
    [["--resume"], 2, "With --resume, give --record <file> or name queues"],
    [["large", "--resume", "--record", "r"], 2, "With --resume, give --record <file> or name queues"],
    [["--preview", "-", "--resume"], 2, "With --resume, give --record <file> or name queues"],
    [["--resume", "--record", "nowhere.jsonl"], 2, "nowhere.jsonl cannot be read"],
  ])("finds a queue by its name: %j", async (names, code, words) => {
    await drainEnds(names, code, words);
  });

  test("finds a queue by its UUID, and lists the names where several have one key", async () => {
    const { client, old, queues } = organization;
    await client.queues.create(old, { key: "small" });
    await drainEnds(["small"], 2, "2 queues are called small: Linux/small (");
    expect((await drain(queues.small)).code).toBe(0);
  });

  test("drains every queue that a preview deletes or replaces", async () => {
    const recorded = organization.recorded("preview");
    const { code, stdout } = await drain("--preview", fileWith(recorded), "--json");
    const { requests } = organization.emulator;
    const firstPause = requests.findIndex(({ operation }) => operation === "queues.pauseDispatch");
    const found = requests.slice(0, firstPause);
    const lists = found.flatMap(({ operation, path }) => (operation?.endsWith(".list") ? [path] : []));
    expect(lists).toEqual([...new Set(lists)]);
    expect(lists.length).toBeGreaterThan(1);
    expect(code).toBe(0);
    const { queues } = JSON.parse(stdout);
    expect(queues.map(({ key }: { key: string }) => key).sort()).toEqual(["one", "small", "three", "two"]);
    for (const id of Object.values(organization.queues)) {
      organization.emulator.organizationData.queues.delete(id);
    }
    organization.emulator.clearRequests();
    const preview = JSON.parse(recorded);
    const elsewhere = JSON.stringify(preview).replaceAll('"organization":"acme"', '"organization":"other"');
    const diagnostics = [{ severity: "error", message: "error: no" }];
    for (const [content, code, words] of [
      [recorded, 0, /^(?:The queue .+ of the preview is gone\.\n){4}No queue is left to drain\.\n$/],
      [elsewhere, 2, "of the organization other, and the settings name acme. Nothing was sent."],
      [JSON.stringify({ ...preview, diagnostics }), 2, "The preview failed, so it may not show every queue"],
    ] as const)
      await drainEnds(["--preview", fileWith(content)], code, words);
    const without = (fields: object) =>
      buildpipeline(["drain", "--preview", "-"], { input: JSON.stringify(fields) });
    const nothing = await without(previewOf([]));
    expect(nothing).toEqual({ code: 0, stdout: "", stderr: "The preview deletes and replaces no queue.\n" });
    // Nor does the beginning of a preview, which confirms nothing.
    const { changeSummary: _, ...cutOff } = preview;
    for (const beginning of [{ steps: [] }, cutOff, { ...preview, steps: preview.steps.slice(0, 3) }])
      expect((await without(beginning)).code).toBe(2);
    expect(sent()).toEqual([]);
  });
});
