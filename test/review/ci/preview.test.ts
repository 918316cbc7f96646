import { spawnSync } from "node:child_process";
import {
  chmodSync,
  copyFileSync,
  existsSync,
  globSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { someOf } from "../../support/cases.js";
import { buildpipeline, command } from "../../support/command.js";
import { writeCommand } from "../../support/commands-on-path.js";
import { environment } from "../../support/environment.mjs";
import { many, previewOf } from "../plan/brakes.js";
import { diagnostic, reading, repository, repositoryForEach, SAME, stateOf } from "./repository.js";

repositoryForEach(["clusters", "queues"]);

const PREVIEW = "preview --stack production";
const outcomes = (args = PREVIEW, env: Record<string, string> = {}) => repository.outcomes(args, env);

const saying = (message: string) => ({ steps: [], diagnostics: [{ severity: "error", message }] });

/** Previews of changes that nothing says: there are none, or the preview failed. */
const READS = { stdout: { steps: [], changeSummary: { same: 1, read: 1, refresh: 1 } } };
/** A commit that a clone of one commit lacks, and whose deployment is older than the commit in it. */
const EARLIER = "b".repeat(40);
const FAILS = { code: 255, stdout: { ...saying("error: No."), changeSummary: { update: 1 } } };

describe("buildpipeline ci preview", () => {
  test("writes a plan and a report for each stack, and one report of all", async () => {
    const { code, outcomes: all } = await outcomes();
    expect(code).toBe(0);
    const commit = repository.git("rev-parse", "HEAD");
    expect(all).toEqual([
      expect.objectContaining({ folder: "clusters", end: "unchanged", commit }),
      expect.objectContaining({ folder: "queues", end: "unchanged", commit }),
    ]);
    const files = ["plan.json", "preview.json", "report.json", "report.md", "report.html", "summary.json"];
    for (const file of [...files, "outcome.json"])
      expect(existsSync(repository.result("acme-queues.production", file)), file).toBe(true);
    expect(repository.read("report.md")).toMatch(/^Preview of 2 stacks · No changes$/m);
    const previews = repository.calls().filter((line) => line.startsWith("queues: preview"));
    expect(previews).toEqual(["queues: preview --refresh (reads)"]);
  });

  test.each(["preview", "drift"])(
    "%s overwrites and removes nothing that no earlier run made, and says what to do",
    async (command) => {
      const mine = {
        "night/.gitignore": "node_modules\n",
        "night/report.md": "mine",
        "night/projects.json": "[]",
        "night/acme-queues.production/notes.txt": "mine",
      };
      for (const kept of [...Object.entries(mine).map((one) => Object.fromEntries([one])), mine]) {
        repository.write(kept);
        const { code, stderr } = await repository.ci(`${command} --stack production --out night`);
        expect({ code, stderr }).toEqual({
          code: 2,
          stderr: expect.stringMatching(
            /\/night has files that are no results of .*another one with --out\.\n$/,
          ),
        });
        for (const [path, text] of Object.entries(kept))
          expect(readFileSync(join(repository.root, path), "utf8")).toBe(text);
        repository.remove("night");
      }
      mkdirSync(join(repository.root, "night"));
      for (const _ of ["an empty folder", "its own"])
        expect(await repository.ci(`${command} --stack production --out night`)).toMatchObject({ code: 0 });
      repository.write({ "night/acme-queues.production/left": "by an earlier run" });
      expect(await repository.ci(`${command} --stack production --out night`)).toMatchObject({ code: 0 });
      expect(existsSync(join(repository.root, "night/acme-queues.production/left"))).toBe(false);
    },
  );

  test.each(
    someOf([
      ["a failing preview", "preview", { code: 255, stdout: saying("no such program") }, "no such program"],
      ["a preview that prints nothing", "preview", { code: 1, stdout: "", stderr: "error: gone\n" }, "gone"],
      ["a cut-off preview", "preview", { stdout: '{"steps": [{"op":' }, "before it had anything to show"],
      ["errors in a preview that ends with 0", "preview", { stdout: saying("half") }, "half"],
      ["a state that can't be read", "stack export", { code: 1, stderr: "error: no stack" }, "no stack"],
    ]),
  )(
    "keeps no plan of %s, says so in the report, and goes on with the other stack",
    async (_, command, play, reason) => {
      await outcomes();
      repository.plays({ [`queues ${command}`]: play });
      const { code, outcomes: all, ends } = await outcomes();
      const end = "failed";
      expect({ code, ends }).toEqual({ code: 2, ends: { clusters: "unchanged", queues: end } });
      expect(all[1]?.reason).toContain(reason);
      expect(JSON.parse(repository.read("acme-queues.production", "outcome.json"))).toMatchObject({ end });
      expect(existsSync(repository.result("acme-queues.production", "plan.json"))).toBe(false);
      expect(existsSync(repository.result("acme-queues.production", "plan.unchecked.json"))).toBe(false);
      expect(existsSync(repository.result("acme-clusters.production", "plan.json"))).toBe(true);
      expect(repository.read("report.md")).toMatch(/^## 🔴 /m);
    },
  );

  test("keeps no plan that breaks a mandatory policy, and names it in the report", async () => {
    repository.write({ "policies/PulumiPolicy.yaml": "runtime: nodejs\n" });
    const resourceUrn = "urn:pulumi:p::s::t::linux";
    const violation = { policyName: "addresses", message: "Addresses are limited.\nSet them.", resourceUrn };
    const event = (enforcementLevel: string) =>
      `${JSON.stringify({ sequence: 0, policyEvent: { ...violation, enforcementLevel } })}\n`;
    // Of a broken rule, Pulumi's JSON says no more.
    const diagnostics = [{ severity: "error", message: "error: preview failed\n" }];
    const broken = { code: 1, stdout: event("mandatory") };
    for (const preview of [{ stdout: SAME }, { code: 1, stdout: { ...SAME, diagnostics } }]) {
      repository.forgetCalls();
      repository.plays({ preview, policies: broken });
      expect(await outcomes()).toMatchObject({ code: 4, ends: { clusters: "refused", queues: "refused" } });
      expect(repository.read("report.md")).toMatch(/addresses<\/code> is broken by <code>linux/);
      expect(repository.read("report.md")).not.toContain("preview failed");
      expect(existsSync(repository.result("acme-queues.production", "plan.json"))).toBe(false);
      const previews = repository.calls().filter((call) => call.startsWith("queues: preview "));
      expect(previews).toEqual([
        "queues: preview --refresh --policy-pack (reads)",
        // What the first one read may break the rule: the state doesn't have it.
        `queues: preview --refresh=${preview.code === 1} --policy-pack (reads)`,
      ]);
    }
    repository.plays({ preview: { code: 1, stdout: { ...SAME, diagnostics } }, policies: { stdout: "" } });
    expect(await outcomes()).toMatchObject({ code: 2, ends: { clusters: "failed", queues: "failed" } });

    repository.plays({ policies: { code: 0, stdout: event("advisory") } });
    expect(await outcomes()).toMatchObject({ code: 0, ends: { clusters: "unchanged", queues: "unchanged" } });
    // A warning is no change.
    expect(repository.read("report.md")).toMatch(/2 noticeable · 2 without/);
  });

  test.each([
    [
      "doesn't start",
      { stderr: "error: exit status 32\n" },
      "The policies could not be checked: exit status 32",
    ],
    [
      "throws",
      { stdout: diagnostic("error", "error: failed to run policy: Boom\n    at rule (index.js)") },
      "failed to run policy: Boom",
    ],
  ])("says why a pack of policies that %s fails each preview", async (_, play, reason) => {
    repository.write({ "policies/PulumiPolicy.yaml": "runtime: nodejs\n" });
    repository.plays({ policies: { code: 1, ...play } });
    const { code, ends, outcomes: all } = await outcomes();
    expect({ code, ends }).toEqual({ code: 2, ends: { clusters: "failed", queues: "failed" } });
    expect(all[1]?.reason).toContain(reason);
    expect(repository.read("report.md")).toContain(reason.replace(/.*: /, ""));
    expect(repository.read("report.md")).not.toContain("🟢");
  });

  test("says one error once, and what to do about settings that the last deployment didn't have", async () => {
    // However the provider words it.
    const message = "The organization has to be named.";
    const diagnostics = Array.from({ length: 30 }, () => ({ severity: "error", message }));
    const fails = { "queues preview": { code: 255, stdout: { steps: [], diagnostics } } };
    const token = {
      "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270",
      ciphertext: "v1",
    };
    const inputs = { accessToken: token, organization: "acme", baseUrl: "https://api.example.com" };
    const prefixed = Object.entries(inputs).map(([name, value]) => [`buildpipeline:${name}`, value]);
    const env = {
      BUILDPIPELINE_BASE_URL: "",
      BUILDPIPELINE_ORGANIZATION: "",
      BUILDPIPELINE_ACCESS_TOKEN: "",
    };
    const next = expect.stringContaining("pulumi up --refresh=false");
    for (const [type, settings, variables, has] of [
      ["buildpipeline", {}, env, false],
      ["buildpipeline", { ...inputs, organization: undefined }, env, false],
      ["buildpipeline", inputs, env, true],
      ["buildpipeline", {}, {}, true],
      ["pulumi-nodejs", {}, env, false],
      ["pulumi-nodejs", Object.fromEntries(prefixed), env, true],
    ] as const) {
      const urn = `urn:pulumi:production::acme-queues::pulumi:providers:${type}::default`;
      const provider = { urn, type: `pulumi:providers:${type}`, id: "1", custom: true, inputs: settings };
      repository.plays({ ...fails, "stack export": { stdout: stateOf("2027-01-01T00:00:00Z", [provider]) } });
      const { outcomes: all } = await outcomes(PREVIEW, variables);
      expect(all[1]).toMatchObject({ reason: message, ...(!has && { next }) });
      expect(all[1]?.next === undefined, `${type} ${JSON.stringify(settings)}`).toBe(has);
    }
  });

  test("says why the only stack failed once in the report, and line by line on a terminal", async () => {
    rmSync(join(repository.root, "clusters"), { recursive: true });
    const diagnostics = [{ severity: "error", message: "error: The program failed:\n  index.ts(1,1)\n" }];
    repository.plays({ "queues preview": { code: 255, stdout: { steps: [], diagnostics } } });
    const { stdout } = await repository.ci("preview --stack production");
    expect(stdout).toMatch(/^acme-queues\/production: failed: The program failed:\n {2}index\.ts\(1,1\)$/m);
    expect(repository.read("report.md").split("The program failed")).toHaveLength(2);
  });

  test("names files that aren't committed, which are no obstacle", async () => {
    repository.write({ "queues/index.ts": "// Another program\n" });
    expect((await outcomes()).code).toBe(0);
    expect(repository.read("report.md")).toContain("differ from the commit: <code>queues/index.ts</code>");
  });

  test("doesn't take files for committed that Git can't compare", async () => {
    repository.git("config", "filter.big.clean", "false");
    repository.git("config", "filter.big.required", "true");
    // Files of another size differ without a look into them.
    const program = readFileSync(join(repository.root, "queues/index.ts"), "utf8").replace(/^./, "%");
    repository.write({ ".git/info/attributes": "queues/index.ts filter=big", "queues/index.ts": program });
    expect((await outcomes()).code).toBe(0);
    expect(repository.read("report.md")).toContain(
      "<code>unknown files, because git status fails here</code>",
    );
  });

  const main = () => repository.git("rev-parse", "main");
  const elsewhere = () => "a".repeat(40);
  /** Leaves the clone nothing but the commit that is checked out, as a job's clone by default. */
  const cut = () => {
    repository.write({ ".git/shallow": `${repository.git("rev-parse", "HEAD")}\n` });
    repository.git("branch", "--force", "main", "HEAD");
    repository.git("reflog", "expire", "--expire=all", "--all");
    repository.git("gc", "--quiet", "--prune=now");
  };
  test.each<
    [
      what: string,
      says: "is" | "may be" | undefined,
      commit: () => string,
      more?: (() => void) | undefined,
      preview?: object,
    ]
  >([
    ["a later commit was deployed", "is", main],
    ["a later commit was deployed and nothing changes", undefined, main, undefined, {}],
    ["a later commit was deployed and something is only read", undefined, main, undefined, READS],
    ["a later commit was deployed and the preview fails", undefined, main, undefined, FAILS],
    ["the same one was deployed", undefined, () => repository.git("rev-parse", "main~1")],
    ["an earlier one was deployed", undefined, () => repository.git("rev-parse", "main~2")],
    ["one that isn't here was deployed", "may be", elsewhere],
    ["no full name is known", undefined, () => "--all"],
    ["a later commit was deployed and the clone is shallow", "may be", main, cut],
    ["an earlier one was deployed and the clone is shallow", undefined, () => EARLIER, cut],
  ])("of an old commit says so where %s (says: %s)", async (_, says, commit, more, preview) => {
    for (const text of ["// Second\n", "// Third\n"]) repository.commit({ "queues/index.ts": text });
    repository.git("checkout", "--quiet", "main~1");
    const deployed = commit();
    more?.();
    const environment = { "git.head": deployed, "git.dirty": "false" };
    const startTime = deployed === EARLIER ? "2020-01-01T00:00:00.000Z" : "2100-01-01T00:00:00.000Z";
    const history = [{ kind: "update", result: "succeeded", startTime, environment }];
    const changes = preview ?? { stdout: previewOf(many(1, { does: "delete" }), "acme-queues") };
    repository.plays({ "queues preview": changes, "queues stack history": { stdout: history } });
    await outcomes();
    const words = new RegExp(`This commit (.+) older than <code>${deployed.slice(0, 12)}</code>`);
    expect(words.exec(repository.read("report.md"))?.[1]).toBe(says);
  });

  test("of a new stack has checked everything, because there is nothing to refresh", async () => {
    const { steps, ...counts } = previewOf(many(1, { does: "create" }), "acme-queues");
    const creates = { stdout: { ...counts, steps: steps.filter(({ op }) => op !== "refresh") } };
    const reportOf = async (resources: readonly object[]) => {
      const state = { stdout: stateOf("2027-01-01T00:00:00Z", resources) };
      repository.plays({ "queues preview": creates, "queues stack export": state });
      expect((await outcomes()).ends).toMatchObject({ queues: "planned" });
      return repository.read("acme-queues.production", "report.md");
    };
    const type = "pulumi:pulumi:Stack";
    const stack = { urn: `urn:pulumi:production::acme-queues::${type}::s`, type };
    expect(await reportOf([stack])).toContain("not checked: out-of-band changes");
    expect(await reportOf([])).not.toMatch(/not checked/i);
  });

  test("gives each project its own passphrase, and installs the packages of other languages", async () => {
    repository.write({ "queues/Pulumi.yaml": "name: acme-queues\nruntime:\n  name: python\n" });
    await outcomes(PREVIEW, { PULUMI_CONFIG_PASSPHRASE: "all", PULUMI_CONFIG_PASSPHRASE_QUEUES: "own" });
    const calls = repository.calls();
    expect(calls).toContain("queues: install own (reads)");
    expect(calls).toContain("queues: preview --refresh own (reads)");
    expect(calls).toContain("clusters: preview --refresh all (reads)");
    expect(calls.filter((line) => line.includes("install"))).toHaveLength(1);
  });

  test("follows no link out of the folder of results", async () => {
    await outcomes();
    const elsewhere = repository.scratch.path("elsewhere");
    repository.write({ "../elsewhere/report.json": "mine" });
    const folder = repository.result("acme-queues.production");
    repository.git("-C", repository.root, "clean", "-fdxq", "review/acme-queues.production");
    symlinkSync(elsewhere, folder);
    const { code, stderr } = await repository.ci(PREVIEW);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining("symbolic link") });
    expect(readFileSync(`${elsewhere}/report.json`, "utf8")).toBe("mine");
  });

  test("runs one project of several, and none that a change doesn't affect", async () => {
    const commit = repository.git("rev-parse", "HEAD");
    repository.commit({ "queues/index.ts": "// Changed\n" });
    const affected = `${PREVIEW} --affected-by ${commit}`;
    expect(await outcomes(affected)).toMatchObject({ code: 0, ends: { queues: "unchanged" } });
    expect(await outcomes(`${affected} --only clusters`)).toMatchObject({ code: 0, outcomes: [] });
    expect(JSON.parse(repository.read("projects.json")).affected).toEqual(["queues"]);
  });

  test("orders the stacks by what this preview reads, and not by results of an earlier run", async () => {
    const order = () => {
      const { stacks } = JSON.parse(repository.read("projects.json"));
      return stacks.map((one: { folder: string; wave: number; reads: string[]; after: string[] }) => [
        one.folder,
        one.wave,
        one.reads,
        one.after,
      ]);
    };
    repository.plays({ "clusters preview": { stdout: reading("acme-queues") } });
    await outcomes();
    const reads = ["acme-queues"];
    expect(order()).toEqual([
      ["queues", 1, [], []],
      ["clusters", 2, reads, reads],
    ]);
    repository.plays({});
    await outcomes();
    expect(order()).toEqual([
      ["clusters", 1, [], []],
      ["queues", 1, [], []],
    ]);
  });

  test("a broken project is one failure, and the report of all names it first", async () => {
    repository.commit({ "clusters/Pulumi.yaml": "name: [" });
    const { code, outcomes: all } = await outcomes();
    const reason = expect.stringMatching(/^clusters\/Pulumi\.yaml: /);
    expect({ code, all }).toMatchObject({
      code: 2,
      all: [
        { folder: "clusters", end: "failed", reason },
        { folder: "queues", end: "unchanged" },
      ],
    });
    expect(repository.read("report.md")).toMatch(
      /^## 🔴 .*\n\n.*\n\n> \[!CAUTION\]\n> - <code>clusters\/production<\/code>: <code>clusters\/Pulumi\.yaml&#58; /m,
    );
    expect(await outcomes(`${PREVIEW} --only queues`)).toMatchObject({
      code: 0,
      ends: { queues: "unchanged" },
    });
  });

  test("a repository that Git refuses is an error that says how to allow it", async () => {
    const refusal =
      "fatal: detected dubious ownership in repository\nTo add an exception for this directory, call:\n\n\tgit config --global --add safe.directory /x";
    writeCommand(repository.scratch.path("bin"), "git", `echo '${refusal}' >&2; exit 128`);
    for (const command of ["preview", "drift", "deploy"])
      expect(await repository.ci(command)).toMatchObject({
        code: 2,
        stderr: expect.stringMatching(/^buildpipeline: Git can't list the files of .*safe\.directory \/x\n$/),
      });
  });

  test("prefers the Pulumi CLI behind npm's launcher, and leaves npm's folders out of the PATH", async () => {
    const bin = `${repository.root}/node_modules/.bin`;
    repository.write({
      "node_modules/pulumi/run.js": "process.exit(9)",
      "node_modules/pulumi/package.json": '{ "name": "pulumi", "version": "3.1.2" }',
    });
    const home = repository.scratch.path("home");
    chmodSync(`${repository.root}/node_modules/pulumi/run.js`, 0o755);
    mkdirSync(bin);
    symlinkSync("../pulumi/run.js", `${bin}/pulumi`);
    mkdirSync(`${home}/versions/3.1.2/bin`, { recursive: true });
    copyFileSync(`${repository.scratch.path("bin")}/pulumi`, `${home}/versions/3.1.2/bin/pulumi`);
    const env = { PATH: `${bin}:/usr/bin:/bin`, PULUMI_HOME: home };
    expect(await outcomes(PREVIEW, env)).toMatchObject({ code: 0 });
  });

  test("without a network, takes another CLI on the PATH in place of npm's, and says which", async () => {
    const bin = `${repository.root}/node_modules/.bin`;
    const says = "echo 'Downloading pulumi v3.1.2...' >&2; echo 'pulumi: fetch failed' >&2; exit 1";
    writeCommand(bin, "pulumi", says);
    repository.write({ "node_modules/pulumi/package.json": '{ "name": "pulumi", "version": "3.1.2" }' });
    const other = repository.scratch.path("bin");
    const why = "npm's `pulumi` could not install the Pulumi CLI (pulumi: fetch failed), ";
    const used = await outcomes(PREVIEW, { PATH: `${bin}:${other}:/usr/bin:/bin` });
    expect(used).toMatchObject({
      code: 0,
      stderr: expect.stringContaining(`${why}so ${other}/pulumi is used.\n`),
    });
    expect(await repository.ci(PREVIEW, { PATH: `${bin}:/usr/bin:/bin` })).toMatchObject({
      code: 2,
      stderr: `buildpipeline: ${why}and there is no other on the PATH. Install one, or run \`npx pulumi version\` where it can be downloaded.\n`,
    });
  });
});

/** Runs lines of a shell where `$DISK` is a disk of so many kilobytes. Linux lets users have one of their own. */
const onDisk = (kilobytes: number, lines: string) =>
  ["-rm", "sh", "-c", `mount -t tmpfs -o size=${kilobytes}k none "$DISK" && ${lines}`] as const;
const hasDisks =
  spawnSync("unshare", onDisk(4, "true"), { env: { ...process.env, DISK: "/mnt" } }).status === 0;

test.skipIf(!hasDisks).each(someOf([12, 4, 8, 16, 20, 24, 32, 40]))(
  "A disk that is full after %d kB is called full, and the outcomes are printed all the same",
  (kilobytes) => {
    mkdirSync(repository.scratch.path("disk"));
    const line = `'${process.execPath}' '${command}' ci preview --stack production --json --out "$DISK/review"`;
    const env = environment({ ...repository.env(), DISK: repository.scratch.path("disk") });
    const options = { cwd: repository.root, env, encoding: "utf8" } as const;
    const { status, stdout, stderr } = spawnSync("unshare", onDisk(kilobytes, line), options);
    expect({ status, stderr }).toEqual({
      status: 2,
      stderr: expect.stringMatching(/review\/\S+ cannot be written: ENOSPC: no space left on device/),
    });
    expect(stderr).not.toContain("is not JSON");
    if (stderr.includes(": started.")) expect(JSON.parse(stdout).outcomes).toHaveLength(2);
  },
);

test("A file in the place of the folder of results is named", async () => {
  repository.write({ review: "mine" });
  const stderr = expect.stringMatching(/\/review is not a folder\. Remove it, or name another place\.\n$/);
  expect(await repository.ci(PREVIEW)).toMatchObject({ code: 2, stderr });
});

describe("On a terminal, `ci preview`", () => {
  const terminal = (command: string) =>
    buildpipeline(["ci", ...command.split(" ")], {
      cwd: repository.root,
      env: repository.env(),
      columns: 200,
    });

  test("shows what runs, prints each line once, and ends with where the report is and what comes next", async () => {
    const changes = { steps: [], changeSummary: { same: 1 } };
    repository.plays({ "queues preview": { stdout: changes } });
    const { stdout, stderr } = await terminal(PREVIEW);
    const parts = stderr.split("\r\u001b[K");
    expect(parts).toContain("acme-queues/production: pulumi preview runs …");
    const shown = stdout + parts.filter((part) => !part.endsWith("…")).join("");
    const lines = shown.split("\n").filter((line) => line.trim() !== "");
    expect(lines).toEqual([...new Set(lines)]);
    expect(shown).toContain("Report: review/report.md, and for a browser review/*/report.html.");
  });

  test("names the command that deploys a plan", async () => {
    const { scenario } = await repository.queueToDelete();
    repository.plays(scenario);
    const { stderr } = await terminal("preview --stack production --only queues");
    expect(stderr).toContain("for a browser review/acme-queues.production/report.html.");
    expect(stderr).toContain("Next: read it, then run `buildpipeline ci deploy`");
  });
});

const CODED = "Queue.key: is taken by the queue q-1. [buildpipeline:taken q-1]";

describe("The code of a message", () => {
  const printed = { code: 255, stderr: `error: ${CODED}\n` };
  const said = { code: 255, stdout: saying(CODED) };
  test.each(
    someOf([
      ["preview", "preview", printed],
      ["preview", "preview", said],
      ["drift", "refresh", printed],
      ["drift", "refresh", said],
      ["deploy", "up", printed],
      ["deploy", "up", { code: 255, stdout: diagnostic("error", CODED) }],
    ]),
  )(
    "is a field of the outcome of `ci %s`, and in no sentence, where `pulumi %s` fails",
    async (command, call, play) => {
      await outcomes();
      repository.plays({ [`queues ${call}`]: play });
      const { stdout, stderr } = await repository.ci(`${command} --stack production --json`);
      const [ended] = JSON.parse(stdout).outcomes.filter(
        (one: { folder: string }) => one.folder === "queues",
      );
      const reason = expect.stringContaining("is taken by");
      expect(ended).toMatchObject({ end: "failed", code: "taken", reason });
      const file = repository.read("acme-queues.production", "outcome.json");
      if (command !== "deploy") expect(JSON.parse(file)).toMatchObject({ code: "taken" });
      const { stdout: comment } = await repository.ci("comment --print");
      expect(stdout + stderr + file + comment).not.toContain("[buildpipeline:");
    },
  );

  test("is printed by no other command", async () => {
    const options = { cwd: join(repository.root, "queues"), env: repository.env() };
    const scenario = { whoami: { stdout: { url: "file:///nowhere" } }, stack: { stdout: "production" } };
    for (const [command, call, play] of [
      ["import Cluster linux Linux", "preview", said],
      ["import Cluster linux Linux", "preview", printed],
      ["recover", "stack export", printed],
      ["unmanaged", "stack export", printed],
      ["doctor", "config", printed],
    ] as const) {
      repository.plays({ ...scenario, [call]: play });
      const { stdout, stderr } = await buildpipeline(command.split(" "), options);
      expect(stdout + stderr, command).toContain("is taken by");
      expect(stdout + stderr, command).not.toContain("[buildpipeline:");
    }
  });
});

describe("Credentials in an address that Pulumi names", () => {
  const words = 'unable to open state database "postgres://u:SECRET@1/PASSWORD@127.0.0.1:1/db?token=SECRET"';
  const failed = { code: 255, stderr: `error: ${words}: refused\n` };
  test.each(
    someOf([
      ["ci preview", "stack export", failed],
      ["ci preview", "preview", failed],
      ["ci preview", "preview", { code: 255, stdout: saying(words) }],
      ["ci preview", "install", failed],
      ["ci drift", "stack export", failed],
      ["ci drift", "refresh", failed],
      ["ci drift", "refresh", { code: 255, stdout: saying(words) }],
      ["ci deploy", "stack export", failed],
      ["ci deploy", "up", failed],
      ["ci deploy", "up", { code: 255, stdout: diagnostic("error", words) }],
      ["doctor", "config", failed],
      ["doctor", "whoami", failed],
      ["doctor", "whoami", { stdout: { url: "postgres://u:SECRET@127.0.0.1:1/db" } }],
      ["recover", "stack export", failed],
      ["import Cluster linux Linux", "preview", { code: 255, stdout: saying(words) }],
      ["unmanaged", "stack export", failed],
    ]),
  )("are in no output and no file of `%s`, where `pulumi %s` fails", async (command, call, play) => {
    repository.write({ "queues/Pulumi.yaml": "name: acme-queues\nruntime: python\n" });
    await outcomes();
    const scenario = { whoami: { stdout: { url: "file:///nowhere" } }, stack: { stdout: "production" } };
    repository.plays({ ...scenario, [call]: play });
    const page = repository.scratch.path("page.md");
    const options = { cwd: join(repository.root, "queues"), env: repository.env() };
    const { code, stdout, stderr } = command.startsWith("ci")
      ? await repository.ci(`${command.slice(3)} --stack production`, { GITHUB_STEP_SUMMARY: page })
      : await buildpipeline(command.split(" "), options);
    const comment = await repository.ci("comment --print");
    const files = globSync("review/**", { cwd: repository.root, withFileTypes: true }).filter((file) =>
      file.isFile(),
    );
    const texts = files.map(({ parentPath, name }) => readFileSync(join(parentPath, name), "utf8"));
    const all = [
      stdout,
      stderr,
      comment.stdout,
      existsSync(page) ? readFileSync(page, "utf8") : "",
      ...texts,
    ];
    expect({ code, all: all.join("\n") }).toEqual({
      code: expect.any(Number),
      all: expect.stringMatching(/:\/\/\[redacted\]@127\.0\.0\.1:1/),
    });
    expect(all.join("\n")).not.toMatch(/SECRET|PASSWORD/);
  });
});
