import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { describe, expect, test } from "vitest";
import { command, environment, settingsOf } from "../../support/command.js";
import { client, emulator, scratch, serviceForEach } from "../../support/command-service.js";
import { adopt, programs, read, write } from "./adopting.js";

serviceForEach();

/**
 * Counts what a command changes on the disk, without the contents of its temporary folder. Before the step `STEP`, it is
 * killed, or the command in `OTHER` runs.
 */
const STEPS = `
const fs = require("node:fs");
const { execFileSync } = require("node:child_process");
let step = 0;
for (const name of ["mkdirSync", "writeFileSync", "renameSync", "rmSync", "rmdirSync"]) {
  const own = fs[name];
  fs[name] = (...args) => {
    const counts = args[0].startsWith?.(process.env.FOLDER) && !/\\.tmp\\/(?!places)/.test(args[0]);
    if (counts && ++step === Number(process.env.STEP)) {
      fs.appendFileSync(process.env.REACHED, "reached");
      if (process.env.OTHER === undefined) process.kill(process.pid, "SIGKILL");
      else {
        const { OTHER, STEP, NODE_OPTIONS, ...env } = process.env;
        execFileSync(process.execPath, JSON.parse(OTHER), { env, stdio: "ignore" });
      }
    }
    return own(...args);
  };
}
`;

/** Runs \`adopt\` in a process of its own that is disturbed at a step. Undefined if it has fewer steps. */
async function disturbed(step: number, other?: readonly string[]) {
  const reached = scratch.path("reached");
  rmSync(reached, { force: true });
  writeFileSync(scratch.path("steps.cjs"), STEPS);
  const child = spawn(
    process.execPath,
    ["--require", scratch.path("steps.cjs"), command, "adopt", scratch.path("ci"), "--yes"],
    {
      cwd: scratch.directory,
      env: {
        ...environment({ ...settingsOf(emulator), PATH: "" }),
        FOLDER: scratch.directory,
        REACHED: reached,
        STEP: String(step),
        ...(other && { OTHER: JSON.stringify(other) }),
      },
    },
  );
  const [stderr, [code]] = await Promise.all([text(child.stderr), once(child, "close")]);
  return existsSync(reached) ? { code, stderr } : undefined;
}

/** Everything in the project, by path. */
const project = (): Record<string, string | false> =>
  existsSync(scratch.path("ci"))
    ? { ...programs(), "import.json": existsSync(scratch.path("ci/import.json")) && read("import.json") }
    : {};

const SITUATIONS = {
  "a new folder": () => {},
  "a project that gets more": async () => {
    const roles = { default_member_role: "member", members_can_create_pipelines: false } as const;
    await client.teams.create({
      name: "CI",
      description: "",
      privacy: "visible",
      is_default_team: false,
      ...roles,
    });
    await adopt("--only", "Team");
  },
} as const;

describe.each(Object.entries(SITUATIONS))("adopt into %s", (_, prepare) => {
  /** What an undisturbed run makes of the situation, which is then there again. */
  async function expected() {
    const { id } = await client.clusters.create({ name: "Linux" });
    await client.queues.create(id, { key: "small" });
    await prepare();
    const exists = existsSync(scratch.path("ci"));
    if (exists) cpSync(scratch.path("ci"), scratch.path("before"), { recursive: true });
    expect((await adopt("--yes")).code).toBe(0);
    const whole = project();
    const again = () => {
      rmSync(scratch.path("ci"), { recursive: true, force: true });
      if (exists) cpSync(scratch.path("before"), scratch.path("ci"), { recursive: true });
    };
    again();
    return { whole, again };
  }

  test("killed at any step leaves nothing, or what the next run completes", async () => {
    const { whole, again } = await expected();
    let step = 1;
    for (; (await disturbed(step)) !== undefined; step++) {
      // An entry that names files is there only with them.
      if (existsSync(scratch.path("ci")) && read("index.ts") === whole["index.ts"])
        expect(project(), `at step ${step}`).toEqual(whole);
      expect((await adopt("--yes")).code, `after step ${step}`).toBe(0);
      expect(project(), `after step ${step}`).toEqual(whole);
      again();
    }
    expect(step).toBeGreaterThan(2);
  });

  test("by another run at any step, one of both is complete, and what a person adds stays", async () => {
    const { whole, again } = await expected();
    const other = [command, "adopt", scratch.path("ci"), "--yes"];
    const notes = `require("fs").writeFileSync(${JSON.stringify(scratch.path("ci/NOTES.md"))}, "mine")`;
    writeFileSync(
      scratch.path("other.cjs"),
      `require("child_process").execFileSync(process.execPath, ${JSON.stringify(other)}); ${notes}`,
    );
    for (let step = 1; ; step++) {
      const ended = await disturbed(step, [scratch.path("other.cjs")]);
      if (ended === undefined) break;
      if (ended.code !== 0) expect(ended.stderr).toContain("Nothing was written, because ");
      expect(project(), `step ${step}: ${ended.stderr}`).toEqual(whole);
      expect(read("NOTES.md")).toBe("mine");
      const left = readdirSync(scratch.directory).concat(readdirSync(scratch.path("ci")));
      expect(left.filter((name) => name.endsWith(".tmp") || name.startsWith(".buildpipeline"))).toEqual([]);
      again();
    }
  });
});

test("adopt after a kill overwrites no file that a person edited since, and says where the others are", async () => {
  await client.clusters.create({ name: "Linux" });
  await adopt();
  await client.clusters.create({ name: "Mac" });
  for (let step = 1; !existsSync(scratch.path("ci/.buildpipeline-adopt/places.json")); step++)
    await disturbed(step);
  write("index.ts", "mine");
  for (const flags of [[], ["--dry-run"]]) {
    const { code, stderr } = await adopt("--yes", ...flags);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining("was interrupted in ") });
  }
  expect(read("index.ts")).toBe("mine");
  expect(
    JSON.parse(readFileSync(scratch.path(join("ci", ".buildpipeline-adopt", "places.json")), "utf8")),
  ).toHaveLength(3);
});
