import { spawn } from "node:child_process";
import { once } from "node:events";
import {
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
import { DatabaseSync } from "node:sqlite";
import fc from "fast-check";
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { type EmulatorOptions, startEmulator } from "../../../src/emulator/index.js";
import { cases } from "../../support/cases.js";
import { Api, team } from "../api.js";

let directory: string;
let data: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "emulator-"));
  data = join(directory, "acme.db");
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
});

const start = (options: EmulatorOptions = {}) => Api.start({ data, ...options });

const closedFile = async (options: EmulatorOptions = {}) => (await start(options)).emulator.close();
/** Everything that an emulator remembers. Its answers follow from that. */
const everything = ({ emulator }: Api) => JSON.stringify(emulator.snapshot());

describe("the data file", () => {
  test("is not created by a start that fails, because its port is taken", async () => {
    const first = await Api.start();
    const port = Number(new URL(first.emulator.url).port);
    await expect(startEmulator({ data, port })).rejects.toMatchObject({ code: "EADDRINUSE" });
    expect(readdirSync(directory)).toEqual([]);
    await closedFile();
    const before = readFileSync(data);
    await expect(startEmulator({ data, port })).rejects.toMatchObject({ code: "EADDRINUSE" });
    expect(readFileSync(data)).toEqual(before);
    expect(readdirSync(directory)).toEqual(["acme.db"]);
  });

  test("is free after a start that fails, because it is like no service", async () => {
    const like = { answers: { unheardOf: true } };
    await expect(startEmulator({ data, like })).rejects.toThrow("like.answers.unheardOf is not a variation");
    expect(readdirSync(directory)).toEqual([]);
    await start();
  });

  test("keeps organization, access tokens and everything made or revoked, over a restart", async () => {
    const first = await start({ organization: "my-team" });
    const { accessToken, readOnlyAccessToken, spareAccessToken } = first.emulator;
    const { id } = await first.cluster();
    await first.queue(id);
    await first.as(spareAccessToken).send("DELETE", "/v2/access-token");
    const before = everything(first);
    await first.emulator.close();
    const second = await start();
    const kept = { organization: "my-team", accessToken, readOnlyAccessToken, spareAccessToken };
    expect(second.emulator).toMatchObject(kept);
    expect((await second.as(spareAccessToken).send("GET", "/v2/access-token")).status).toBe(401);
    expect(new URL(second.emulator.pageUrl).search).toBe(new URL(first.emulator.pageUrl).search);
    expect(everything(second)).toBe(before);
  });

  test("of an earlier version gets what that version lacked: scopes, and the fields of pipelines", async () => {
    await changeDatabase(`
      PRAGMA user_version = 2;
      UPDATE records SET record = json_remove(
        json_set(record, '$.scopes', json('["read_builds","write_builds"]')),
        '$.created_at', '$.description', '$.expires_at', '$.sees_all_pipelines')
        WHERE collection = 'accessTokens' AND json_extract(record, '$.purpose') = 'full';
      UPDATE records SET record = json_object('id', id, 'slug', 'storefront', 'name', 'Storefront',
        'repository', 'https://github.com/acme/storefront.git', 'branch_configuration', null,
        'default_branch', 'main', 'pipeline_template_id', null, 'cluster_id', null, 'last_build_number', 6,
        'created_at', '2020-01-01T00:00:00.000Z',
        'steps', json('[{"key":"lint","name":"Lint","command":"make lint"}]'))
        WHERE collection = 'pipelines'`);
    const api = await start();
    const shown = await api.entity("GET", "/pipelines/storefront");
    expect(shown).toMatchObject({
      allow_rebuilds: true,
      created_by: { name: "Ada Archer" },
      archived_at: null,
    });
    expect(shown.steps).toMatchObject([{ name: "Lint", command: "make lint" }]);
    const build = { commit: "HEAD", branch: "main" };
    const { number, jobs } = await api.entity("POST", "/pipelines/storefront/builds", build);
    expect([number, jobs]).toMatchObject([7, [{ name: "Lint" }]]);
  });

  test("is readable by its owner only", async () => {
    await start();
    expect(statSync(data).mode & 0o077).toBe(0);
  });

  test("has the same in it after any work that was cut off at any moment", async () => {
    const pick = <T>(records: readonly T[], at: number) => records[at % Math.max(1, records.length)];
    const operations = [
      ...["clusters.create", "clusters.update", "clusters.delete", "teams.create", "suites.create"],
      ...["queues.create", "queues.pauseDispatch", "agentTokens.create"],
    ];
    const step = fc.record({
      act: fc.constantFrom(...operations, "reset"),
      at: fc.nat(),
      name: fc.string({ minLength: 1 }),
      key: fc.stringMatching(/^[a-z]{1,3}$/),
    });
    type Step = Readonly<{ act: string; at: number; name: string; key: string }>;
    const perform = async ({ emulator }: Api, { act, at, name, key }: Step) => {
      const { clusters, queues } = emulator.organizationData;
      const queue = pick(queues.list(), at);
      const cluster = (at % 2 === 0 && queue?.cluster_id) || pick(clusters.list(), at)?.id || "none";
      const params = { id: cluster, cluster_id: cluster, queue_id: queue?.id ?? "none" };
      // An operation ignores the fields of others.
      const body = { ...team({ name }), key, default_branch: "main", default_queue_id: queue?.id };
      if (act === "reset") await emulator.reset();
      else emulator.perform(act, { params, body });
    };
    let round = 0;
    const steps = fc.array(step, { maxLength: 12 });
    const property = fc.asyncProperty(steps, fc.boolean(), fc.nat(), async (steps, torn, cut) => {
      round += 1;
      const file = join(directory, `${round}.db`);
      const killed = join(directory, `${round}-killed.db`);
      // What a process that is killed now would leave behind.
      const kill = () => {
        copyFileSync(file, killed);
        copyFileSync(`${file}-wal`, `${killed}-wal`);
      };
      const logSize = () => statSync(`${file}-wal`).size;
      const living = await Api.start({ data: file });
      let seen = everything(living);
      let left = seen;
      kill();
      for (const action of steps) {
        const [size, before] = [logSize(), seen];
        await perform(living, action);
        seen = everything(living);
        kill();
        // In the middle of this write: SQLite's log grows at its end.
        const isCut = torn && logSize() > size;
        if (isCut) truncateSync(`${killed}-wal`, size + (cut % (logSize() - size)));
        left = isCut ? before : seen;
      }
      await living.emulator.close();
      const revived = await Api.start({ data: killed });
      expect(everything(revived)).toBe(left);
      await revived.cluster({ name: "after" });
      const later = everything(revived);
      await revived.emulator.close();
      const again = await Api.start({ data: killed });
      expect(everything(again)).toBe(later);
      await again.emulator.close();
    });
    await fc.assert(property, { numRuns: cases(25) });
  });

  test("may be empty, as a freshly made one is", async () => {
    writeFileSync(data, "");
    expect(await (await start()).list("/clusters")).toEqual([]);
  });
});

async function changeDatabase(statements: string): Promise<void> {
  await closedFile();
  const database = new DatabaseSync(data);
  database.exec(statements);
  database.close();
}

async function changeBytes(change: (content: Buffer) => Buffer): Promise<void> {
  await closedFile();
  writeFileSync(data, change(readFileSync(data)));
}

describe("a data file is refused", () => {
  const write = (content: string | Buffer) => () => writeFileSync(data, content);
  const foreign = "PRAGMA application_id = 7; CREATE TABLE other (id)";
  const cutTo = (length: (whole: number) => number) => () =>
    changeBytes((content) => content.subarray(0, length(content.length)));

  test.each<[what: string, prepare: () => unknown, message: RegExp]>([
    ["of another format", write("name: x\nruntime: nodejs\n"), /not a data file/],
    ["with JSON of something else", write('{"name":"x"}\n'), /not a data file/],
    ["with text without an end of line", write("hello"), /not a data file/],
    ["with any bytes", write(Buffer.alloc(5_000, 7)), /not a data file/],
    ["of another program", () => changeDatabase(foreign), /not a data file/],
    ["of a later version", () => changeDatabase("PRAGMA user_version = 99"), /later version/],
    ["that is damaged", () => changeBytes((content) => content.fill(7, 100)), /acme\.db is damaged\./],
    ["of one byte", cutTo(() => 1), /acme\.db is damaged\./],
    ["of a hundred bytes", cutTo(() => 100), /acme\.db is damaged\./],
    ["that was cut in half", cutTo((whole) => whole / 2), /acme\.db is damaged\./],
    ["that was cut near its end", cutTo((whole) => whole - 10), /acme\.db is damaged\./],
  ])("%s, and left as it is", async (_, prepare, message) => {
    await prepare();
    chmodSync(data, 0o644);
    const before = readFileSync(data);
    await expect(startEmulator({ data })).rejects.toThrow(message);
    expect(readFileSync(data)).toEqual(before);
    expect(statSync(data).mode & 0o777).toBe(0o644);
    expect(readdirSync(directory)).toEqual(["acme.db"]);
  });

  test("with its name if SQLite has a reason of its own", async () => {
    await changeDatabase("DROP TABLE records");
    const message = `The data file ${data} can't be used: no such table: records.`;
    await expect(startEmulator({ data })).rejects.toThrow(message);
  });

  test("when it is a directory", async () => {
    await expect(startEmulator({ data: directory })).rejects.toThrow(/is not a file/);
  });

  test("of another organization", async () => {
    await closedFile({ organization: "one" });
    const message = "holds the organization one, not two";
    await expect(startEmulator({ data, organization: "two" })).rejects.toThrow(message);
  });

  test("while another emulator has it", async () => {
    const api = await start();
    await expect(startEmulator({ data })).rejects.toThrow("in use by another emulator");
    await api.cluster();
    await api.emulator.close();
    await start();
  });

  test("while an emulator of another process has it, until that one is killed", async () => {
    const module = join(__dirname, "..", "..", "..", "dist", "emulator", "index.js");
    const script = `require(${JSON.stringify(module)}).startEmulator({ data: ${JSON.stringify(data)} })
      .then(({ accessToken }) => console.log(accessToken))`;
    const other = spawn(process.execPath, ["-e", script], { stdio: ["ignore", "pipe", "inherit"] });
    const [token] = await once(other.stdout, "data");
    await expect(startEmulator({ data })).rejects.toThrow("in use by another emulator");
    // The refused start reads the file, which must not take the other's lock away.
    await expect(startEmulator({ data })).rejects.toThrow("in use by another emulator");
    other.kill("SIGKILL");
    await once(other, "exit");
    expect((await start()).emulator.accessToken).toBe(String(token).trim());
  });

  test("while another emulator has it under another name", async () => {
    const link = join(directory, "link.db");
    const api = await start();
    symlinkSync(data, link);
    await expect(startEmulator({ data: link })).rejects.toThrow("in use by another emulator");
    await api.emulator.close();
    const byLink = await start({ data: link });
    await expect(startEmulator({ data })).rejects.toThrow("in use by another emulator");
    await byLink.emulator.reset();
    expect([lstatSync(link).isSymbolicLink(), lstatSync(data).isFile()]).toEqual([true, true]);
    await byLink.emulator.close();
    expect(readdirSync(directory).sort()).toEqual(["acme.db", "link.db"]);
  });

  test("while it has several names of equal rank", async () => {
    await closedFile();
    const other = join(directory, "other.db");
    linkSync(data, other);
    for (const name of [data, other])
      await expect(startEmulator({ data: name })).rejects.toThrow(/hard links/);
    rmSync(other);
    await start();
  });

  test("when it is a link to nothing", async () => {
    const link = join(directory, "link.db");
    symlinkSync(data, link);
    await expect(startEmulator({ data: link })).rejects.toThrow(/does not exist/);
    expect(existsSync(data)).toBe(false);
  });
});

describe("while it is in use, the data file", () => {
  test("is closed to others, also when it was open to them", async () => {
    await closedFile();
    chmodSync(data, 0o666);
    await start();
    expect(statSync(data).mode & 0o777).toBe(0o600);
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
});
