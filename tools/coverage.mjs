// Measures which lines of src tests run: the fast tests, or with `--all` as the first argument, all of them. The other
// arguments are Vitest's: `npm run coverage -- test/client`. Processes count where tests let them have NODE_OPTIONS.
import { spawnSync } from "node:child_process";
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { checkout } from "./checkout.mjs";
import { runMain } from "./problem.mjs";
import { installSeparately } from "./setup/dependencies.mjs";

const folder = join(checkout, "tools", "coverage");
const reports = join(checkout, ".buildpipeline", "coverage");
const processes = join(checkout, ".buildpipeline", "coverage-of-processes");

await runMain(async () => {
  await installSeparately("the coverage reporter", folder);
  const all = process.argv[2] === "--all";
  const settings = {
    enabled: "true",
    provider: "custom",
    customProviderModule: join(folder, "node_modules", "@vitest", "coverage-v8", "dist", "index.js"),
    reporter: "json",
    reportOnFailure: "true",
    reportsDirectory: reports,
  };
  const flags = Object.entries(settings).map(([name, value]) => `--coverage.${name}=${value}`);
  // Some tests load the sources, and others what is built of them, which Vitest maps to the sources.
  flags.push("--coverage.include=src/**", "--coverage.include=dist/**/*.js");
  const projects = all ? [] : ["--project=fast", "--project=programs"];
  rmSync(processes, { recursive: true, force: true });
  mkdirSync(processes, { recursive: true });
  const { status } = spawnSync(
    process.execPath,
    [
      join(checkout, "node_modules", "vitest", "vitest.mjs"),
      "run",
      ...projects,
      ...flags,
      ...process.argv.slice(all ? 3 : 2),
    ],
    {
      cwd: checkout,
      stdio: "inherit",
      env: {
        ...process.env,
        COVERAGE_OF_PROCESSES: processes,
        NODE_OPTIONS: `--require=${join(folder, "recorder.cjs")}`,
      },
    },
  );
  const report = join(reports, "coverage-final.json");
  const counted = spawnSync(process.execPath, [join(folder, "lines.mjs"), report, processes], {
    stdio: "inherit",
  });
  process.exitCode = (status ?? 1) || (counted.status ?? 1);
});
