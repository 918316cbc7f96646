// Makes a checkout ready for its commands. Runs before `npm start`, `npm test` and the others, in a fresh clone too:
// plain Node 20, nothing installed.
//
//   node tools/setup.mjs [--no-cli]     --no-cli: without the Pulumi CLI
import { runMain } from "./problem.mjs";
import { provideCli } from "./pulumi-cli/provide.mjs";
import { build } from "./setup/build.mjs";
import { installDependencies } from "./setup/dependencies.mjs";
import { checkProjectNode } from "./setup/project-node.mjs";

await runMain(async () => {
  await installDependencies();
  await checkProjectNode();
  await build();
  if (!process.argv.includes("--no-cli")) await provideCli();
});
