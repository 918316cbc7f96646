import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { command, settingsOf } from "../support/command.js";
import { client, emulator, scratch, serviceForEach } from "../support/command-service.js";
import { writeCommand } from "../support/commands-on-path.js";
import { environment } from "../support/environment.mjs";

serviceForEach();

/** Runs lines of a shell where `$DISK` is a disk that can only be read. Linux lets users have one of their own. */
const MOUNT = ["-rm", "sh", "-c"] as const;
const readOnly = (lines: string) => [...MOUNT, `mount -t tmpfs -o ro none "$DISK" && ${lines}`];
const hasDisks =
  spawnSync("unshare", readOnly("true"), { env: { ...process.env, DISK: "/mnt" } }).status === 0;

test.skipIf(!hasDisks).each([
  ["adopt", 'adopt "$DISK/a/b"'],
  ["projects", 'projects --out "$DISK/a/b"'],
  ["emulator", 'emulator --port 0 --data "$DISK/a/b/acme.db"'],
])("%s says that a disk is read-only, and not that a folder is missing", async (_, line) => {
  await client.clusters.create({ name: "Linux" });
  mkdirSync(scratch.path("disk"));
  writeFileSync(scratch.path("Pulumi.yaml"), "name: acme\nruntime: yaml\n");
  const child = spawn("unshare", readOnly(`'${process.execPath}' '${command}' ${line}`), {
    cwd: scratch.directory,
    env: {
      ...environment({ ...settingsOf(emulator), PULUMI_STACK: "production" }),
      DISK: scratch.path("disk"),
    },
  });
  const [said, [code]] = await Promise.all([text(child.stderr), once(child, "close")]);
  expect(said).toMatch(/EROFS: read-only file system, mkdir '.*\/disk\/a'/);
  expect(code).not.toBe(0);
});

test.skipIf(!hasDisks).each([
  ["adopt", 'adopt "$DISK/a"', /\/disk\/a\/\S+ cannot be written: ENOSPC/],
  ["projects", 'projects --out "$DISK/a"', /\/disk\/a\/projects\.json cannot be written: ENOSPC/],
  [
    "emulator",
    'emulator --port 0 --data "$DISK/a.db"',
    /\/disk\/a\.db can't be used: database or disk is full/,
  ],
])("%s names the file that a full disk doesn't take", async (_, line, words) => {
  await client.clusters.create({ name: "Linux" });
  mkdirSync(scratch.path("disk"));
  writeFileSync(scratch.path("Pulumi.yaml"), "name: acme\nruntime: yaml\n");
  const full = `mount -t tmpfs -o size=8k none "$DISK"; head -c 8192 /dev/zero >"$DISK/fill"`;
  const child = spawn("unshare", [...MOUNT, `${full}; '${process.execPath}' '${command}' ${line}`], {
    cwd: scratch.directory,
    env: {
      ...environment({ ...settingsOf(emulator), PULUMI_STACK: "production" }),
      DISK: scratch.path("disk"),
    },
  });
  const [said, [code]] = await Promise.all([text(child.stderr), once(child, "close")]);
  expect(said).toMatch(words);
  expect(code).not.toBe(0);
});

test.skipIf(!hasDisks)("a full disk is named, and what Pulumi printed until then is no state", async () => {
  writeFileSync(scratch.path("Pulumi.yaml"), "name: acme\nruntime: yaml\n");
  mkdirSync(scratch.path("disk"));
  writeCommand(scratch.path("bin"), "pulumi", "head -c 200000 /dev/zero; true");
  const line = `mount -t tmpfs -o size=64k none "$DISK" && '${process.execPath}' '${command}' recover`;
  const child = spawn("unshare", [...MOUNT, line], {
    cwd: scratch.directory,
    env: {
      ...environment(settingsOf(emulator)),
      DISK: scratch.path("disk"),
      TMPDIR: scratch.path("disk"),
      PATH: `${scratch.path("bin")}:${process.env.PATH}`,
    },
  });
  expect(await text(child.stderr)).toMatch(/`pulumi \w+` failed: ENOSPC: no space left on device/);
});

// A user without a name here is root outside, or the same one: neither may read the folder.
const isNobody = spawnSync("unshare", ["--user", "true"]).status === 0;
test.skipIf(!isNobody)("a folder that nobody may read has no project, and ends no command", () => {
  mkdirSync(scratch.path("data"));
  writeFileSync(scratch.path("Pulumi.yaml"), "name: acme\nruntime: yaml\n");
  chmodSync(scratch.path("data"), 0o000);
  const env = environment({ PULUMI_STACK: "production" });
  const line = [process.execPath, command, "projects", "--json"];
  const ended = spawnSync("unshare", ["--user", ...line], { cwd: scratch.directory, env, encoding: "utf8" });
  chmodSync(scratch.path("data"), 0o700);
  expect(ended.stderr).toBe("");
  expect(JSON.parse(ended.stdout).affected).toEqual(["."]);
});
