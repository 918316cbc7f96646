// Measures which lines of src the fast tests run. Arguments are Vitest's: `npm run coverage -- test/client`. Processes
// that a test starts are not counted.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { checkout } from "./checkout.mjs";
import { runMain } from "./problem.mjs";
import { installSeparately } from "./setup/dependencies.mjs";

const folder = join(checkout, "tools", "coverage");

await runMain(async () => {
  await installSeparately("the coverage reporter", folder);
  const settings = {
    enabled: "true",
    provider: "custom",
    customProviderModule: join(folder, "node_modules", "@vitest", "coverage-v8", "dist", "index.js"),
    include: "src/**",
    reporter: "text-summary",
    reportOnFailure: "true",
    reportsDirectory: ".buildpipeline/coverage",
  };
  const flags = Object.entries(settings).map(([name, value]) => `--coverage.${name}=${value}`);
  const { status } = spawnSync(
    process.execPath,
    [
      join(checkout, "node_modules", "vitest", "vitest.mjs"),
      "run",
      "--project=fast",
      "--project=programs",
      ...flags,
      ...process.argv.slice(2),
    ],
    { cwd: checkout, stdio: "inherit" },
  );
  process.exitCode = status ?? 1;
});
