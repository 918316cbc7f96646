// Runs the mutation tests. Arguments are Stryker's: `npm run test:mutation -- --mutate src/provider/absence.ts`. With
// `--sample 3/8` first, the third eighth of src/provider.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { checkout } from "./checkout.mjs";
import { sampled } from "./mutation/sample.mjs";
import { runMain } from "./problem.mjs";
import { installSeparately } from "./setup/dependencies.mjs";

const folder = join(checkout, "tools", "mutation");

await runMain(async () => {
  await installSeparately("the mutation tester", folder);
  const stryker = join(folder, "node_modules", "@stryker-mutator", "core", "bin", "stryker.js");
  const [first, part, ...rest] = process.argv.slice(2);
  const given =
    first === "--sample"
      ? ["--mutate", sampled(part ?? "", ["src/provider/**/*.ts"]).join(","), ...rest]
      : process.argv.slice(2);
  const { status } = spawnSync(
    process.execPath,
    [stryker, "run", "tools/mutation/stryker.config.mjs", ...given],
    { cwd: checkout, stdio: "inherit" },
  );
  process.exitCode = status ?? 1;
});
