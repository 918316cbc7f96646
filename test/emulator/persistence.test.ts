import { spawnSync } from "node:child_process";
import {
  appendFileSync,
  chmodSync,
  copyFileSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { startEmulator } from "../../src/emulator/index.js";
import { Api, team } from "./api.js";

let directory: string;
let data: string;
let open: Api[];
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "emulator-"));
  data = join(directory, "acme.jsonl");
  open = [];
});
afterEach(async () => {
  for (const api of open) await api.emulator.close();
  rmSync(directory, { recursive: true, force: true });
});

async function start(options: Parameters<typeof startEmulator>[0] = {}): Promise<Api> {
  const api = await Api.start({ data, ...options });
  open.push(api);
  return api;
}

/** Everything a caller can see, with the emulator's address taken out. */
async function everything(api: Api): Promise<string> {
  const paths = ["/v2/organizations", "/members", "/clusters", "/pipeline-templates", "/teams", "/suites"];
  paths.push("/agents", "/builds", "/v2/access-token");
  for (const { id } of await api.list("/clusters?per_page=100")) {
    paths.push(`/clusters/${id}`, `/clusters/${id}/queues`, `/clusters/${id}/tokens`);
  }
  for (const { slug } of await api.list("/suites?per_page=100")) {
    paths.push(`/suites/${slug}/runs`, `/suites/${slug}?show_api_token=1`);
  }
  const answers: unknown[] = [];
  for (const path of paths)
    answers.push((await api.send("GET", `${path}${path.includes("?") ? "" : "?per_page=100"}`)).body);
  return JSON.stringify(answers).replaceAll(api.emulator.url, "");
}

describe("the data file", () => {
  test("is not created by a start that fails, because its port is taken", async () => {
    const first = await Api.start();
    open.push(first);
    const port = Number(new URL(first.emulator.url).port);
    await expect(startEmulator({ data, port })).rejects.toMatchObject({ code: "EADDRINUSE" });
    expect(readdirSync(directory)).toEqual([]);
    await (await start()).emulator.close();
    const before = readFileSync(data);
    await expect(startEmulator({ data, port })).rejects.toMatchObject({ code: "EADDRINUSE" });
    expect(readFileSync(data)).toEqual(before);
  });

  test("keeps organization, access tokens and everything made, over a restart", async () => {
    const first = await start({ organization: "my-team" });
    const { id } = await first.cluster();
    await first.queue(id);
    const before = await everything(first);
    await first.emulator.close();
    const second = await start();
    expect(second.emulator).toMatchObject({
      organization: "my-team",
      accessToken: first.emulator.accessToken,
      readOnlyAccessToken: first.emulator.readOnlyAccessToken,
      spareAccessToken: first.emulator.spareAccessToken,
    });
    expect(new URL(second.emulator.pageUrl).search).toBe(new URL(first.emulator.pageUrl).search);
    expect(await everything(second)).toBe(before);
  });

  test("has every change in it before the answer goes out", async () => {
    const api = await start();
    const { id } = await api.cluster({ name: "Kept for sure" });
    expect(readFileSync(data, "utf8")).toContain("Kept for sure");
    await api.send("DELETE", `/clusters/${id}`);
    expect(readFileSync(data, "utf8").trimEnd().split("\n").at(-1)).toContain(id);
  });

  test("is readable by its owner only", async () => {
    await start();
    expect(statSync(data).mode & 0o077).toBe(0);
  });

  test("remembers a revoked access token", async () => {
    const first = await start();
    await first.as(first.emulator.spareAccessToken).send("DELETE", "/v2/access-token");
    await first.emulator.close();
    const second = await start();
    expect((await second.as(second.emulator.spareAccessToken).send("GET", "/v2/access-token")).status).toBe(
      401,
    );
  });

  test("answers the same after any work that was cut off at any moment", async () => {
    const step = fc.oneof(
      fc.record({ do: fc.constant("cluster" as const), name: fc.string({ minLength: 1 }) }),
      fc.record({ do: fc.constant("queue" as const), at: fc.nat(), key: fc.stringMatching(/^[a-z]{1,3}$/) }),
      fc.record({ do: fc.constant("pause" as const), at: fc.nat() }),
      fc.record({ do: fc.constant("token" as const), at: fc.nat() }),
      fc.record({ do: fc.constant("default" as const), at: fc.nat() }),
      fc.record({ do: fc.constant("delete" as const), at: fc.nat() }),
      fc.record({ do: fc.constant("rename" as const), at: fc.nat(), name: fc.string({ minLength: 1 }) }),
      fc.record({ do: fc.constant("team" as const), name: fc.string({ minLength: 1 }) }),
      fc.record({ do: fc.constant("suite" as const), name: fc.string({ minLength: 1 }) }),
      fc.record({ do: fc.constant("reset" as const) }),
    );
    type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;
    const perform = async (api: Api, action: Step): Promise<void> => {
      const { clusters, queues } = api.emulator.organizationData;
      const pick = <T>(records: readonly T[], at: number) => records[at % Math.max(1, records.length)];
      const cluster = "at" in action ? pick(clusters.list(), action.at) : undefined;
      const queue = "at" in action ? pick(queues.list(), action.at) : undefined;
      const queuePath = `/clusters/${queue?.cluster_id}/queues/${queue?.id}`;
      switch (action.do) {
        case "cluster":
          await api.send("POST", "/clusters", { name: action.name });
          break;
        case "queue":
          await api.send("POST", `/clusters/${cluster?.id}/queues`, { key: action.key });
          break;
        case "pause":
          await api.send("POST", `${queuePath}/pause_dispatch`);
          break;
        case "token":
          await api.send("POST", `/clusters/${cluster?.id}/tokens`, { description: "x" });
          break;
        case "default":
          await api.send("PUT", `/clusters/${queue?.cluster_id}`, { default_queue_id: queue?.id });
          break;
        case "delete":
          await api.send("DELETE", `/clusters/${cluster?.id}`);
          break;
        case "rename":
          await api.send("PUT", `/clusters/${cluster?.id}`, { name: action.name });
          break;
        case "team":
          await api.send("POST", "/teams", team({ name: action.name }));
          break;
        case "suite":
          await api.send("POST", "/suites", { name: action.name, default_branch: "main" });
          break;
        case "reset":
          await api.emulator.reset();
          break;
      }
    };
    let round = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { maxLength: 12 }),
        fc.boolean(),
        fc.nat(),
        async (steps, torn, cut) => {
          round += 1;
          const file = join(directory, `${round}.jsonl`);
          const killed = join(directory, `${round}-killed.jsonl`);
          const living = await Api.start({ data: file });
          let before = await everything(living);
          for (const action of steps) {
            const size = statSync(file).size;
            before = await everything(living);
            await perform(living, action);
            // What a process killed in the middle of this write would leave behind.
            copyFileSync(file, killed);
            if (torn && action.do !== "reset" && statSync(file).size > size) {
              truncateSync(killed, size + (cut % (statSync(file).size - size)));
            } else {
              before = await everything(living);
            }
          }
          if (steps.length === 0) copyFileSync(file, killed);
          await living.emulator.close();
          const revived = await Api.start({ data: killed });
          expect(await everything(revived)).toBe(before);
          await revived.cluster({ name: "after" });
          const later = await everything(revived);
          await revived.emulator.close();
          const again = await Api.start({ data: killed });
          expect(await everything(again)).toBe(later);
          await again.emulator.close();
        },
      ),
      { numRuns: 25 },
    );
  }, 60_000);

  test("does without a torn last line, and goes on behind the whole ones", async () => {
    const first = await start();
    await first.cluster({ name: "whole" });
    await first.emulator.close();
    appendFileSync(data, '[{"put":"clusters","record":{"id":"torn');
    const second = await start();
    await second.cluster({ name: "next" });
    await second.emulator.close();
    const third = await start();
    expect((await third.list("/clusters")).map(({ name }) => name)).toEqual(["whole", "next"]);
  });

  test("is rewritten when it grew to several times its content, and stays the same", async () => {
    const api = await start();
    const { id } = await api.cluster();
    const { clusters } = api.emulator.organizationData;
    const largest = 1_000_000;
    const description = "x".repeat(50_000);
    for (let index = 0; index < 45; index++)
      clusters.update(String(id), { description: `${index} ${description}` });
    expect(statSync(data).size).toBeLessThan(1.2 * largest);
    const before = await everything(api);
    await api.emulator.close();
    expect(await everything(await start())).toBe(before);
    expect(readdirSync(directory).sort()).toEqual(["acme.jsonl", "acme.jsonl.lock"]);
  });

  test("may be empty, as a freshly made one is", async () => {
    writeFileSync(data, "");
    expect(await (await start()).list("/clusters")).toEqual([]);
  });
});

describe("a data file is refused", () => {
  test.each([
    ["another format", "name: x\nruntime: nodejs\n", /not a data file/],
    ["JSON of something else", '{"name":"x"}\n', /not a data file/],
    ["text without an end of line", "hello", /not a data file/],
    ["a later version", '{"format":"buildpipeline-emulator","version":99}\n', /later version/],
    ["a damaged middle", '{"format":"buildpipeline-emulator","version":1}\n[\n[]\n', /damaged at line 2/],
  ])("with %s, and left as it is", async (_, content, message) => {
    writeFileSync(data, content);
    await expect(startEmulator({ data })).rejects.toThrow(message);
    expect(readFileSync(data, "utf8")).toBe(content);
    expect(existsSync(`${data}.lock`)).toBe(false);
  });

  test("when it is a directory", async () => {
    await expect(startEmulator({ data: directory })).rejects.toThrow(/is not a file/);
  });

  test("of another organization", async () => {
    await (await start({ organization: "one" })).emulator.close();
    await expect(startEmulator({ data, organization: "two" })).rejects.toThrow(
      /holds the organization one, not two/,
    );
  });

  test("while another emulator has it", async () => {
    await start();
    await expect(startEmulator({ data })).rejects.toThrow(`process ${process.pid}`);
    expect(existsSync(`${data}.lock`)).toBe(true);
  });

  test("while another emulator has it under another name, and compaction keeps that name", async () => {
    const link = join(directory, "link.jsonl");
    const api = await start();
    symlinkSync(data, link);
    await expect(startEmulator({ data: link })).rejects.toThrow(`process ${process.pid}`);
    await api.emulator.close();
    const byLink = await start({ data: link });
    await expect(startEmulator({ data })).rejects.toThrow(`process ${process.pid}`);
    await byLink.emulator.reset();
    expect([lstatSync(link).isSymbolicLink(), lstatSync(data).isFile()]).toEqual([true, true]);
    expect(readdirSync(directory).sort()).toEqual(["acme.jsonl", "acme.jsonl.lock", "link.jsonl"]);
  });

  test("while it has several names of equal rank", async () => {
    await (await start()).emulator.close();
    const other = join(directory, "other.jsonl");
    linkSync(data, other);
    for (const name of [data, other])
      await expect(startEmulator({ data: name })).rejects.toThrow(/hard links/);
    rmSync(other);
    await start();
  });

  test("when it is a link to nothing", async () => {
    const link = join(directory, "link.jsonl");
    symlinkSync(data, link);
    await expect(startEmulator({ data: link })).rejects.toThrow(/does not exist/);
    expect(existsSync(data)).toBe(false);
  });

  /** The lock that an emulator of this process takes, with some of it changed. */
  async function plantLock(changes: object): Promise<void> {
    const api = await start();
    const lock = JSON.parse(readFileSync(`${data}.lock`, "utf8"));
    await api.emulator.close();
    writeFileSync(`${data}.lock`, JSON.stringify({ ...lock, ...changes }));
  }

  const dead = () => spawnSync(process.execPath, ["-e", ""]).pid;

  test("no longer when that process was killed", async () => {
    await plantLock({ pid: dead(), started: null });
    await start();
  });

  test("no longer when its process id went to another process", async () => {
    await plantLock({ started: "1" });
    // Where the system does not tell when a process started, the lock counts as held.
    if (existsSync("/proc/self/stat")) await start();
    else await expect(startEmulator({ data })).rejects.toThrow(/in use/);
  });

  test.each([
    ["another container", { namespace: "pid:[1]", boot: "same" }],
    ["another machine, or before a restart", { boot: "another", host: "elsewhere" }],
    ["another machine, where the system tells nothing", { boot: null, namespace: null, host: "elsewhere" }],
  ])("by a lock from %s, even if there is no such process here", async (_, changes) => {
    const here = existsSync("/proc/sys/kernel/random/boot_id")
      ? readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim()
      : "here";
    await plantLock({
      ...changes,
      pid: dead(),
      ...("boot" in changes && changes.boot === "same" ? { boot: here } : {}),
    });
    const refusal = startEmulator({ data });
    await expect(refusal).rejects.toThrow(/cannot be seen from here/);
    await expect(refusal).rejects.toThrow(`remove ${data}.lock`);
    rmSync(`${data}.lock`);
    await start();
  });

  test.each(["", "{", '{"pid":1}', "[]"])("by a lock that does not say whose it is: %j", async (text) => {
    writeFileSync(`${data}.lock`, text);
    await expect(startEmulator({ data })).rejects.toThrow(`remove ${data}.lock`);
  });
});

describe("while it is in use, the data file", () => {
  test("is written to no file that others planted", async () => {
    const victim = join(directory, "victim");
    writeFileSync(victim, "precious");
    symlinkSync(victim, `${data}.new`);
    const api = await start();
    await api.emulator.reset();
    expect(readFileSync(victim, "utf8")).toBe("precious");
    expect(statSync(data).mode & 0o077).toBe(0);
  });

  test("is closed to others, also when it was open to them", async () => {
    await (await start()).emulator.close();
    chmodSync(data, 0o666);
    await start();
    expect(statSync(data).mode & 0o777).toBe(0o600);
  });

  test("is rid of what a killed process left", async () => {
    await (await start()).emulator.close();
    writeFileSync(`${data}.0123456789abcdef.new`, "half");
    await start();
    expect(readdirSync(directory).sort()).toEqual(["acme.jsonl", "acme.jsonl.lock"]);
  });

  test.each([
    ["removed", () => rmSync(data)],
    ["replaced", () => copyFileSync(data, `${data}.copy`)],
  ])("may not be %s: writing is refused, and nothing half done is seen", async (what, change) => {
    const api = await start();
    await api.cluster({ name: "kept" });
    change();
    if (what === "replaced") renameSync(`${data}.copy`, data);
    const refused = await api.send("POST", "/clusters", { name: "lost" });
    expect(refused).toMatchObject({ status: 500, body: { message: expect.stringContaining(`was ${what}`) } });
    await expect(api.emulator.reset()).rejects.toThrow(`was ${what}`);
    expect((await api.list("/clusters")).map(({ name }) => name)).toEqual(["kept"]);
  });

  test("may not lose its lock", async () => {
    const api = await start();
    rmSync(`${data}.lock`);
    const refused = await api.send("POST", "/clusters", { name: "lost" });
    expect(refused).toMatchObject({ status: 500, body: { message: expect.stringContaining("lock") } });
    const other = await start();
    await api.emulator.close();
    await other.cluster({ name: "kept" });
  });
});
