import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, onTestFinished, test } from "vitest";

const DIST = join(__dirname, "..", "..", "..", "dist");

let home: string;
let cache: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "home-"));
  cache = join(home, ".cache", "pulumi-buildpipeline", "node");
});
afterEach(() => rmSync(home, { recursive: true }));

/** Loads something as a host does, and is killed, as the engine ends its hosts. */
async function host(loaded: string, env: Readonly<Record<string, string>> = {}): Promise<void> {
  const program = `${loaded}
    setImmediate(() => process.stdout.write("ready"));
    setInterval(() => {}, 1e6)`;
  const child = spawn(process.execPath, ["-e", program], {
    env: { HOME: home, ...env },
    stdio: ["ignore", "pipe", "inherit"],
  });
  await once(child.stdout, "data");
  child.kill("SIGKILL");
  await once(child, "exit");
}

const required = (file: string) => `require(${JSON.stringify(join(DIST, file))})`;
const PROVIDER = required("provider/dynamic/index.js");
/** As little as shows whether a directory is used: the provider loads a few hundred modules. */
const ONE_MODULE = `${required("shared/process/compile-cache.js")}.keepCompiledCode(); ${required("shared/protocol/urn.js")}`;

function kept(directory = cache): number {
  if (!existsSync(directory)) return 0;
  return readdirSync(directory, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
    .length;
}

test("What a host compiled is kept in the user's home although the host is killed", async () => {
  await host(ONE_MODULE);
  expect(kept()).toBeGreaterThan(0);
  await host(PROVIDER);
  expect(kept()).toBeGreaterThan(100);
  expect(statSync(cache).mode & 0o777).toBe(0o700);
});

test.each([
  ["that others can write to", () => chmodSync(cache, 0o777)],
  ["in one that others can write to", () => chmodSync(join(home, ".cache"), 0o777)],
  [
    "that leads elsewhere",
    () => {
      const elsewhere = join(home, "elsewhere");
      mkdirSync(elsewhere);
      rmSync(cache, { recursive: true });
      symlinkSync(elsewhere, cache);
    },
  ],
])("A directory %s is not used", async (_, plant) => {
  mkdirSync(cache, { recursive: true });
  plant();
  await host(ONE_MODULE);
  expect(kept()).toBe(0);
});

test("Node's own variables turn the cache off and choose its folder", async () => {
  await host(ONE_MODULE, { NODE_DISABLE_COMPILE_CACHE: "1" });
  expect(kept()).toBe(0);
  const chosen = join(home, "chosen");
  await host(ONE_MODULE, { NODE_COMPILE_CACHE: chosen });
  expect(kept()).toBe(0);
  expect(kept(chosen)).toBeGreaterThan(0);
});

test.skipIf(process.getuid?.() !== 0)("A directory in one of another user is not used", async () => {
  mkdirSync(cache, { recursive: true });
  chownSync(join(home, ".cache"), 12_345, 12_345);
  await host(ONE_MODULE);
  expect(kept()).toBe(0);
});

test.skipIf(process.getuid?.() !== 0)("Another user's home is left alone", async () => {
  chownSync(home, 12_345, 12_345);
  await host(ONE_MODULE);
  expect(readdirSync(home)).toEqual([]);
});

test("A home that cannot be written to is no obstacle", async () => {
  await host(ONE_MODULE, { HOME: "/dev/null" });
  expect(kept()).toBe(0);
});

test.skipIf(process.platform !== "linux")(
  "A cache whose folders can't be made, as the system says that they don't exist, is no obstacle",
  async () => {
    await host(ONE_MODULE, { XDG_CACHE_HOME: "/proc" });
    mkdirSync(join(home, ".cache"));
    symlinkSync("/proc/self", join(home, ".cache", "pulumi-buildpipeline"));
    await host(ONE_MODULE);
  },
);

/** Lines of a shell where the cache is such a folder itself. Linux lets users mount what only they see. */
const MOUNTED = ["-rm", "sh", "-c", 'mount --bind /proc/self/net "$CACHE" && "$@"', "sh"] as const;
const canMount =
  spawnSync("unshare", [...MOUNTED, "true"], { env: { ...process.env, CACHE: "/mnt" } }).status === 0;

test.skipIf(!canMount)("A cache that exists, in which no folder can be made, is no obstacle", async () => {
  mkdirSync(cache, { recursive: true, mode: 0o700 });
  const child = spawn("unshare", [...MOUNTED, process.execPath, "-e", ONE_MODULE], {
    env: { PATH: process.env.PATH, HOME: home, CACHE: cache },
    stdio: "ignore",
  });
  onTestFinished(() => void child.kill());
  expect(await once(child, "exit")).toEqual([0, null]);
});
