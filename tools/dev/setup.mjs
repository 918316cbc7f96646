// Makes a checkout ready for its commands. Runs before `npm start`, `npm test` and the others, in a fresh clone too:
// plain Node 20, nothing installed.
//
//   node tools/dev/setup.mjs [--no-cli] [<tool>...]     --no-cli: without the Pulumi CLI; <tool>: a folder of tools/
//                                                   with packages of its own, such as dev/coverage
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join, relative } from "node:path";
import { checkout, leftovers, projectNode } from "./checkout.mjs";
import { mustRun, Problem, run, runMain, step, warnWhereUntested } from "./command.mjs";
import { installDependencies, installTool } from "./install.mjs";
import { onInterruption } from "./interruption.mjs";
import { isAtLeast } from "./versions.mjs";

const arguments_ = process.argv.slice(2);

await runMain(async () => {
  warnWhereUntested();
  // What runs, and what is unfinished, ends with the process.
  const unwatch = onInterruption(() => process.exit(1));
  await installDependencies();
  await checkProjectNode();
  await build();
  for (const tool of arguments_.filter((each) => !each.startsWith("--"))) await installTool(tool);
  if (!arguments_.includes("--no-cli")) await provideCli();
  unwatch();
});

/** Makes sure that the Node among the dependencies, or else the machine's own, runs and is recent enough. */
async function checkProjectNode() {
  const command = projectNode();
  const { code, stdout, output } = await run(command, ["--version"], { timeout: 20_000 });
  const { engines } = JSON.parse(readFileSync(join(checkout, "package.json"), "utf8"));
  const least = engines.node.replace(">=", "");
  if (code === 0 && isAtLeast(stdout.trim(), least)) return;
  throw new Problem(
    command === process.execPath
      ? `This is Node ${process.versions.node}, and npm installed no other for ${process.platform} on ${process.arch}. Install Node ${least} or later and try again.`
      : `${command} does not run here: ${output.trim()}\nInstall Node ${least} or later, remove that file and try again.`,
  );
}

/** Compiles src/ to dist/ unless dist/ was built from these very sources. */
async function build() {
  const dist = join(checkout, "dist");
  // Outside dist/, so that it is never packed.
  const stampFile = join(leftovers, "build.stamp");
  const stamp = stampOfSources();
  if (textOf(stampFile) === stamp && textOf(join(dist, "index.js")) !== undefined) return;
  // Swapped in at the end: a failed or interrupted compilation leaves the last good one, and no file that is gone from
  // src/ lives on. At the same depth, so that source maps keep their paths.
  const next = join(checkout, `dist.${process.pid}.next`);
  process.once("exit", () => rmSync(next, { recursive: true, force: true }));
  const compiler = join(checkout, "node_modules", "typescript", "bin", "tsc");
  // What the last compilation made, from which the compiler goes on.
  const kept = join(checkout, "dist.kept.next");
  const record = join(kept, "tsconfig.tsbuildinfo");
  const incremental = ["--incremental", "--tsBuildInfoFile", record];
  const args = [compiler, "-p", "tsconfig.build.json", "--outDir", kept, ...incremental];
  const declarations = join(checkout, "tools", "dev", "declarations");
  await step("Compiling", async () => {
    await mustRun("Compiling", projectNode(), args, { cwd: checkout });
    cpSync(kept, next, { recursive: true, filter: (file) => file !== record && hasSource(kept, file) });
    await mustRun("Compiling", projectNode(), [join(declarations, "write.mjs"), next], { cwd: checkout });
  });
  // npm makes commands executable where it installs them; in a checkout, and where one is linked, nothing else does.
  chmodSync(join(next, "commands", "main.js"), 0o755);
  rmSync(dist, { recursive: true, force: true });
  renameSync(next, dist);
  mkdirSync(leftovers, { recursive: true });
  writeFileSync(stampFile, stamp);
}

/**
 * @param {string} folder of compiled files
 * @param {string} file
 */
function hasSource(folder, file) {
  const source = join(checkout, "src", relative(folder, file));
  return existsSync(source) || existsSync(source.replace(/(?:\.d\.ts|\.js|\.js\.map)$/, ".ts"));
}

/** Returns a checksum of everything that dist/ is compiled from. */
function stampOfSources() {
  const sources = readdirSync(join(checkout, "src"), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts"))
    .map((file) => join("src", file));
  const hash = createHash("sha256");
  const declarations = ["write.mjs", "zod.d.ts"].map((file) => join("tools", "dev", "declarations", file));
  const settings = ["tsconfig.json", "tsconfig.build.json", "package-lock.json"];
  for (const file of [...sources.sort(), ...declarations, ...settings]) {
    hash.update(`${file}\0`).update(readFileSync(join(checkout, file)));
  }
  return hash.digest("hex");
}

/** @param {string} file */
function textOf(file) {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
}

/** Provides the Pulumi CLI, on the project's own Node and with its packages. */
async function provideCli() {
  const provider = join(checkout, "tools", "dev", "pulumi-cli", "provide.mjs");
  const child = spawn(projectNode(), [provider], { stdio: "inherit" });
  process.once("exit", () => child.kill());
  const [code] = await once(child, "close");
  // It has said why.
  if (code !== 0) process.exitCode = 1;
}
