import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { faultHelp, parseFault } from "../../../src/commands/emulator/faults.js";
import { startEmulator } from "../../../src/emulator/index.js";
import { blockMarked, documentAt, documents, tableOf } from "../../examples/documents.js";
import { buildpipeline, command, printed } from "../../support/command.js";

let directory: string;
let children: ChildProcess[];
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "command-"));
  children = [];
});
afterEach(async () => {
  for (const child of children) {
    if (child.exitCode !== null || child.signalCode !== null) continue;
    child.kill("SIGKILL");
    await once(child, "exit");
  }
  rmSync(directory, { recursive: true, force: true });
});

/** Starts `buildpipeline emulator` and waits for the settings it prints. */
const emulator = (...args: readonly string[]) => started(process.execPath, [command, "emulator", ...args]);

async function started(file: string, args: readonly string[]) {
  const child = spawn(file, args, { stdio: ["ignore", "pipe", "pipe"] });
  children.push(child);
  const lines = args.includes("--json") ? 1 : 3;
  const errors = text(child.stderr);
  let printed = "";
  // The pipe stays open, because the child goes on.
  for await (const chunk of child.stdout.iterator({ destroyOnReturn: false })) {
    printed += chunk;
    if (printed.split("\n").length > lines) return { child, printed };
  }
  throw new Error(`ended with ${child.exitCode}: ${await errors}`);
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<unknown[]> {
  const exit = once(child, "exit");
  child.kill(signal);
  return exit;
}

/** Returns a function that sends requests to the organization of an emulator that printed its settings as JSON. */
function caller(printed: string) {
  const { baseUrl, accessToken } = JSON.parse(printed);
  return (method: string, path: string, body?: object) =>
    fetch(`${baseUrl}/v2/organizations/acme${path}`, {
      method,
      headers: { authorization: `Bearer ${accessToken}` },
      ...(body && { body: JSON.stringify(body) }),
    });
}

describe("buildpipeline emulator", () => {
  test("says what to do about a port that is taken", async () => {
    const other = await startEmulator();
    const { port } = new URL(other.url);
    const { code, stderr } = await buildpipeline(["emulator", "--port", port]);
    await other.close();
    expect(code).toBe(1);
    expect(stderr).toMatch(new RegExp(`Port ${port} is in use.*--port`));
  });

  test("prints settings that a shell can evaluate, and serves until it is interrupted", async () => {
    const { child, printed } = await emulator("--organization", "my-team");
    const script = `${printed}\nprintf '%s\\n' "$BUILDPIPELINE_BASE_URL" "$BUILDPIPELINE_ACCESS_TOKEN" "$BUILDPIPELINE_ORGANIZATION"`;
    const [url, token, organization] = execFileSync("sh", ["-c", script], { encoding: "utf8" }).split("\n");
    expect(organization).toBe("my-team");
    const response = await fetch(`${url}/v2/organizations/${organization}/builds`, {
      headers: { authorization: `Bearer ${token}` },
    });
    expect(await response.json()).toHaveLength(6);
    expect(await end(child, "SIGINT")).toEqual([0, null]);
  });

  test("starts empty, prints JSON, and keeps its file through a kill", async () => {
    const file = join(directory, "acme.db");
    const first = await emulator("--empty", "--json", "--data", file);
    const send = caller(first.printed);
    expect((await send("POST", "/clusters", { name: "Survivor" })).status).toBe(201);
    expect(await (await send("GET", "/members")).json()).toHaveLength(1);
    await end(first.child, "SIGKILL");
    const second = await emulator("--json", "--data", file);
    const accessTokens = [first, second].map(({ printed }) => JSON.parse(printed).accessToken);
    expect(accessTokens[1]).toBe(accessTokens[0]);
    const clusters = await caller(second.printed)("GET", "/clusters");
    expect(await clusters.json()).toMatchObject([{ name: "Survivor" }]);
    expect(await end(second.child, "SIGTERM")).toEqual([0, null]);
  });

  test("refuses what there is no room for in its file, and keeps the rest", async () => {
    const file = join(directory, "acme.db");
    const script = 'ulimit -f 120; trap "" XFSZ; exec "$@"';
    const args = [process.execPath, command, "emulator", "--json", "--empty", "--data", file];
    const { child, printed } = await started("sh", ["-c", script, "sh", ...args]);
    const list = async (settings: string) => {
      const text = await (await caller(settings)("GET", "/clusters?per_page=100")).text();
      return text.replaceAll(JSON.parse(settings).baseUrl, "");
    };
    const statuses = new Set<number>();
    for (let index = 0; index < 40; index++) {
      const body = { name: `Cluster ${index}`, description: "x".repeat(5_000) };
      statuses.add((await caller(printed)("POST", "/clusters", body)).status);
    }
    expect(statuses).toEqual(new Set([201, 500]));
    const before = await list(printed);
    await end(child, "SIGKILL");
    expect(await list((await emulator("--json", "--data", file)).printed)).toBe(before);
  });

  test("keeps limits, scaled where asked", async () => {
    const { printed } = await emulator("--json", "--limits", "scaled:10");
    const response = await caller(printed)("GET", "/clusters");
    expect(response.headers.get("ratelimit-user-limit")).toBe("50");
    expect(Number(response.headers.get("ratelimit-user-reset"))).toBeLessThanOrEqual(6);
  });

  test("has requests go wrong as its faults say", async () => {
    const { printed } = await emulator(
      ...["--json", "--empty"],
      ...["--fault", "clusters.create after drop", "--fault", "GET 503 times=2 skip=1"],
      ...["--fault", "agentTokens.create number-id always"],
    );
    const send = caller(printed);
    await expect(send("POST", "/clusters", { name: "made" })).rejects.toThrow();
    const { 0: cluster } = JSON.parse(await (await send("GET", "/clusters")).text());
    expect(cluster.name).toBe("made");
    for (const expected of [503, 503, 200]) expect((await send("GET", "/clusters")).status).toBe(expected);
    for (let index = 0; index < 2; index++) {
      const answer = await send("POST", `/clusters/${cluster.id}/tokens`, { description: "x" });
      expect(await answer.json()).toMatchObject({ id: 42, description: "x" });
    }
  });

  test.each([
    [["--fault", "clusters.create"], /must say what goes wrong/],
    [["--fault", "clusters drop"], /no operation/],
    [["--fault", "clusters.make drop"], /no such operation/],
    [["--fault", "POST explode"], /"explode" is not known/],
    [["--fault", "POST drop times=0"], /"times=0" is not known/],
    [["--host", "0.0.0.0"], /loopback/],
    [["--port", "70000"], /0 to 65535/],
    [["--port", "http"], /0 to 65535/],
    [["--limits", "some"], /off, real or scaled/],
    [["--job-seconds", "0"], /number above 0/],
    [["--limits", "scaled:0"], /off, real or scaled/],
    [["--organization", "A b"], /organization must be/],
    [["--data", command], /not a data file/],
    [["--color"], /unknown option/],
  ])("refuses %j in a line or two", async (args, message) => {
    const { code, stdout, stderr } = await buildpipeline(["emulator", ...args]);
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toMatch(message);
    expect(stderr.trim().split("\n").length).toBeLessThanOrEqual(2);
  });
});

test("buildpipeline tells its version and its subcommands", async () => {
  expect(await printed(["--version"])).toMatch(/^\d+\.\d+\.\d+\n$/);
  expect(await printed(["--help"])).toContain("emulator");
  expect(await printed(["emulator", "--help"])).toContain("BUILDPIPELINE_BASE_URL");
});

test("The faults in docs/reference/emulator.md are those of the command", () => {
  const column = '`--fault "POST …"`';
  const document = documentAt("docs/reference/emulator.md");
  const rows = tableOf(document.text, "## Faults").flatMap((row) => row[column]?.match(/[^`]+(?=`)/g) ?? []);
  const shown = rows.filter((words) => words.trim() !== "" && words.trim() !== ",");
  const [, help = ""] = /what {4}(.*?)\n {10}In the last/s.exec(faultHelp) ?? [];
  const offered = [...help.matchAll(/^ *(\S+) {2}/gm)].map(([, word = ""]) => word);
  for (const words of shown) expect(() => parseFault(`POST ${words}`)).not.toThrow();
  const generic = (word: string) =>
    word
      .replace(/^after /, "")
      .replace(/^\d{3}$/, "<status>")
      .replace(/=\d+$/, "=<ms>");
  expect([...new Set(shown.map(generic))].sort()).toEqual(offered.sort());
});

test("The script in docs/reference/emulator.md waits for the settings, keeps them from others, and can be ended", async () => {
  installPackage(directory);
  const script = blockMarked("run", "emulator-script");
  const shown = 'echo "$BUILDPIPELINE_BASE_URL $BUILDPIPELINE_ORGANIZATION"';
  const lines = [script.text, shown, "kill %1; wait %1"].join("\n");

  // The command ends once nothing has its output open any more: an emulator that still runs would keep it open.
  const options = { cwd: directory, encoding: "utf8", timeout: 120_000 } as const;
  const output = execFileSync("bash", ["--norc", "-c", lines], options);

  const [, url = ""] = /^(http:\/\/127\.0\.0\.1:\d+) acme$/.exec(output.trim()) ?? [];
  await expect(fetch(url)).rejects.toThrow("fetch failed");
  expect(statSync(join(directory, "settings.sh")).mode & 0o077).toBe(0);
});

test("No document runs a command with npx in the background, where no signal would reach it", () => {
  const background = documents.flatMap(({ path, text }) =>
    text.split("\n").flatMap((line) => (/\bnpx\b[^`]*[^&]&\s*$/.test(line) ? [`${path}: ${line}`] : [])),
  );
  expect(background).toEqual([]);
});

/** Puts the package's command where npm does. */
function installPackage(project: string): void {
  const commands = join(project, "node_modules", ".bin");
  mkdirSync(commands, { recursive: true });
  const script = `#!/bin/sh\nexec "${process.execPath}" "${command}" "$@"\n`;
  writeFileSync(join(commands, "pulumi-buildpipeline"), script, { mode: 0o755 });
}
